/**
 * A material of the file that can also draw the corrected surface, and colours over its own.
 *
 *   x ← x + a v (x' − x)    n ← R n,  R the shortest turn that takes N to N'    (world space, then back)
 *
 * x  skinned by three.js, a  0 before and 1 after, v  1 where the vertex belongs to the surface, x'  the engine's corrected place,
 * N, N'  normals of the surface before and after: authored normals (hard edges) turn with it.
 */
import { type DataTexture, type IUniform, type Material, Vector3 } from 'three';

/** Shared by all materials of a file. */
export interface AuthorUniforms {
  readonly isoAfter: IUniform<number>;
  /** 0 none, 1 a scale, 2 colours of regions. */
  readonly isoMode: IUniform<number>;
  /** Where a scale leaves the author's colours: 0 nowhere, 1 at its start, 2 in its middle. */
  readonly isoFade: IUniform<number>;
  readonly isoScale: IUniform<DataTexture | null>;
  readonly isoRegions: IUniform<DataTexture | null>;
  readonly isoAccent: IUniform<Vector3>;
}

export function createAuthorUniforms(): AuthorUniforms {
  return {
    isoAfter: { value: 0 },
    isoMode: { value: 0 },
    isoFade: { value: 0 },
    isoScale: { value: null },
    isoRegions: { value: null },
    isoAccent: { value: new Vector3(0.95, 0.65, 0.35) },
  };
}

const VERTEX_HEAD = /* glsl */ `
attribute vec3 isoTarget;
attribute vec3 isoNormal;
attribute vec3 isoTargetNormal;
attribute vec4 isoFacts; // value after and before, region, 1 where it is of the surface
uniform float isoAfter;
varying float vIsoValue;
flat varying float vIsoRegion;
mat4 isoToLocal() {
  #ifdef USE_SKINNING
    return bindMatrixInverse;
  #else
    return inverse(modelMatrix);
  #endif
}`;

const TURN_NORMAL = /* glsl */ `
if (isoAfter * isoFacts.w > 0.0) {
  vec3 a = normalize(isoNormal + vec3(1e-20));
  vec3 b = normalize(isoTargetNormal + vec3(1e-20));
  vec3 n = transpose(mat3(isoToLocal())) * objectNormal;
  vec3 axis = cross(a, b);
  float c = dot(a, b);
  if (c > -0.99) n = c * n + cross(axis, n) + axis * (dot(axis, n) / (1.0 + c));
  objectNormal = transpose(mat3(modelMatrix)) * n;
}`;

const MOVE = /* glsl */ `
transformed += isoAfter * isoFacts.w * ((isoToLocal() * vec4(isoTarget, 1.0)).xyz - transformed);
vIsoValue = mix(isoFacts.y, isoFacts.x, isoAfter);
vIsoRegion = isoFacts.z;`;

const FRAGMENT_HEAD = /* glsl */ `
uniform int isoMode;
uniform float isoFade;
uniform sampler2D isoScale;
uniform sampler2D isoRegions;
uniform vec3 isoAccent;
varying float vIsoValue;
flat varying float vIsoRegion;`;

const COLOUR = /* glsl */ `
{
  vec4 own = vIsoRegion < 0.0 ? vec4(0.0) : texelFetch(isoRegions, ivec2(int(vIsoRegion + 0.5), 0), 0);
  if (isoMode == 1) {
    vec3 scale = texture2D(isoScale, vec2(clamp(vIsoValue, 0.0, 1.0) * 0.99609375 + 0.001953125, 0.5)).rgb;
    float strength = isoFade > 1.5 ? abs(2.0 * vIsoValue - 1.0) : isoFade > 0.5 ? vIsoValue : 1.0;
    diffuseColor.rgb = mix(diffuseColor.rgb, pow(scale, vec3(2.2)), 0.8 * smoothstep(0.0, 0.25, strength));
  } else if (isoMode == 2) {
    diffuseColor.rgb = mix(diffuseColor.rgb, pow(own.rgb, vec3(2.2)), 0.6);
  }
  diffuseColor.rgb = mix(diffuseColor.rgb, pow(isoAccent, vec3(2.2)), (isoMode == 0 ? 0.6 : 0.25) * own.a);
}`;

export function createAuthorMaterial(original: Material, uniforms: AuthorUniforms): Material {
  const material = original.clone();
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = after(shader.vertexShader, 'skinning_pars_vertex', VERTEX_HEAD);
    shader.vertexShader = after(shader.vertexShader, 'skinnormal_vertex', TURN_NORMAL);
    shader.vertexShader = after(shader.vertexShader, 'skinning_vertex', MOVE);
    shader.fragmentShader = after(shader.fragmentShader, 'common', FRAGMENT_HEAD);
    shader.fragmentShader = after(shader.fragmentShader, 'color_fragment', COLOUR);
  };
  material.customProgramCacheKey = () => 'isoskin author';
  return material;
}

/** Code behind a piece of three.js's own. */
function after(shader: string, chunk: string, code: string): string {
  return shader.replace(`#include <${chunk}>`, (found) => `${found}\n${code}`);
}
