/**
 * The sparse form in the shaders of a WebGLRenderer: vertices are pushed and normals turned (plan-sparse-shapes.ts in core) after the morph targets of the file and
 * before the skin. What the user's own `onBeforeCompile` does comes first.
 */
import type { Material } from 'three';
import type { SparsePatch } from './sparse-drawing.js';

const LOOKUP = /* glsl */ `
attribute vec4 isoskin;
uniform highp isampler2D isoskinPairs;
uniform vec4 isoskinAmounts[ISOSKIN_SIZE];
vec3 isoskinPush;
vec3 isoskinTurn;
bool isoskinIsMeasured = false;
void isoskinMeasure() {
  if (isoskinIsMeasured) return;
  isoskinIsMeasured = true;
  float push = 0.0;
  vec2 turn = vec2(0.0);
  int width = textureSize(isoskinPairs, 0).x;
  int first = int(isoskin.w + 0.5);
  for (int p = first; p < first + ISOSKIN_MOST; p++) {
    ivec2 pair = texelFetch(isoskinPairs, ivec2(p % width, p / width), 0).xy;
    int shape = pair.x & 0x7fff;
    vec4 amounts = isoskinAmounts[shape >> 1];
    vec2 amount = (shape & 1) == 0 ? amounts.xy : amounts.zw;
    push += float(pair.x >> 16) * amount.x;
    turn += vec2(ivec2(pair.y << 16, pair.y) >> 16) * amount.y;
    if ((pair.x & 0x8000) != 0) break;
  }
  isoskinPush = push * isoskin.xyz;
  vec3 d = isoskin.xyz * inversesqrt(max(dot(isoskin.xyz, isoskin.xyz), 1e-30));
  float side = d.z < 0.0 ? -1.0 : 1.0;
  float a = -1.0 / (side + d.z);
  float b = d.x * d.y * a;
  isoskinTurn = turn.x * vec3(1.0 + side * d.x * d.x * a, side * b, -side * d.x) + turn.y * vec3(b, side + d.y * d.y * a, -d.y);
}
`;

const STEPS: readonly (readonly [string, string])[] = [
  ['#include <skinnormal_vertex>', 'isoskinMeasure();\nobjectNormal += cross(isoskinTurn, normal);\n'],
  ['#include <skinning_vertex>', 'isoskinMeasure();\ntransformed += isoskinPush;\n'],
];
const DECLARATIONS = '#include <skinning_pars_vertex>';

export const sparseShaders: SparsePatch = {
  kind: 'shaders',
  patch(original, { uniforms, most }) {
    const size = uniforms.isoskinAmounts.value.length / 4;
    const own: Pick<Material, 'onBeforeCompile' | 'customProgramCacheKey'> = {
      onBeforeCompile(shader, renderer) {
        original.onBeforeCompile(shader, renderer);
        Object.assign(shader.uniforms, uniforms);
        const defines = `#define ISOSKIN_SIZE ${size}\n#define ISOSKIN_MOST ${most}\n`;
        shader.vertexShader = shader.vertexShader.replace(DECLARATIONS, `${DECLARATIONS}\n${defines}${LOOKUP}`);
        for (const [include, code] of STEPS) shader.vertexShader = shader.vertexShader.replace(include, code + include);
      },
      customProgramCacheKey: () => `${original.customProgramCacheKey()} isoskin ${size} ${most}`,
    };
    return own;
  },
};
