/**
 * One small shader for the skin: clay under a key light, a sky and a rim; or a colour scale over per-vertex values; or one
 * colour per region. Regions that are selected or under the mouse are lit up. Written by hand because it must be fast where
 * WebGL runs in software.
 */
import { DataTexture, DoubleSide, GLSL3, LinearFilter, NearestFilter, RawShaderMaterial, RGBAFormat } from 'three';
import type { Colouring } from '../state/studio-document.js';
import { parseHex, scaleOf } from './colour-scales.js';

export const SHADE_MODES = { clay: 0, scale: 1, region: 2 } as const;

export interface SurfaceMaterial {
  readonly material: RawShaderMaterial;
  setColouring(colouring: Colouring): void;
  /** Lit regions: 1 selected, 0.5 under the mouse. */
  setRegions(states: Float32Array, palette: readonly (readonly [number, number, number])[]): void;
  setClay(colour: readonly [number, number, number]): void;
}

const VERTEX = /* glsl */ `
precision highp float;
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
uniform mat3 normalMatrix;
in vec3 position;
in vec3 normal;
in float value;
in float region;
out vec3 vNormal;
out vec3 vToEye;
out float vValue;
flat out float vRegion;
void main() {
  vec4 seen = modelViewMatrix * vec4(position, 1.0);
  vNormal = normalMatrix * normalize(normal + vec3(1e-20));
  vToEye = -seen.xyz;
  vValue = value;
  vRegion = region;
  gl_Position = projectionMatrix * seen;
}`;

const FRAGMENT = /* glsl */ `
precision highp float;
uniform int mode;
uniform vec3 clay;
uniform vec3 accent;
uniform float anySelected;
uniform sampler2D scale;
uniform sampler2D regions;
in vec3 vNormal;
in vec3 vToEye;
in float vValue;
flat in float vRegion;
out vec4 colour;

const vec3 KEY = normalize(vec3(-0.45, 0.75, 0.55));
const vec3 FILL = normalize(vec3(0.8, 0.1, 0.45));

void main() {
  vec3 n = normalize(vNormal);
  vec3 v = normalize(vToEye);
  if (!gl_FrontFacing) n = -n;
  vec4 own = vRegion < 0.0 ? vec4(0.45, 0.45, 0.47, 0.0) : texelFetch(regions, ivec2(int(vRegion + 0.5), 0), 0);
  vec3 base = clay;
  if (mode == 1) base = texture(scale, vec2(clamp(vValue, 0.0, 1.0) * 0.99609375 + 0.001953125, 0.5)).rgb;
  if (mode == 2) base = own.rgb;
  base = pow(base, vec3(2.2));
  float state = own.a;
  if (mode == 0) base = mix(base, pow(accent, vec3(2.2)), 0.75 * state);
  else base *= anySelected > 0.5 && state < 0.4 ? 0.72 : 1.0;
  float key = max(dot(n, KEY), 0.0);
  float wrap = 0.5 + 0.5 * dot(n, KEY);
  float sky = 0.5 + 0.5 * n.y;
  float fill = max(dot(n, FILL), 0.0);
  float rim = pow(1.0 - max(dot(n, v), 0.0), 3.0);
  float shine = pow(max(dot(n, normalize(KEY + v)), 0.0), 24.0);
  vec3 light = vec3(1.0, 0.97, 0.92) * (0.72 * key + 0.22 * wrap * wrap) + vec3(0.55, 0.66, 0.85) * (0.26 * sky + 0.12 * fill) + 0.06;
  vec3 lit = base * light + 0.05 * shine * vec3(1.0, 0.97, 0.92) + rim * vec3(0.10, 0.12, 0.15);
  colour = vec4(pow(lit, vec3(1.0 / 2.2)), 1.0);
}`;

export function createSurfaceMaterial(): SurfaceMaterial {
  let regions = createRegionTexture(new Float32Array(1), [[0.5, 0.5, 0.5]]);
  const material = new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    side: DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
    uniforms: {
      mode: { value: 0 },
      clay: { value: [0.72, 0.7, 0.68] },
      accent: { value: [0.95, 0.65, 0.35] },
      anySelected: { value: 0 },
      scale: { value: createScaleTexture('plain') },
      regions: { value: regions },
    },
  });
  const { uniforms } = material;
  let shown: Colouring = 'plain';
  return {
    material,
    setColouring(colouring) {
      if (colouring === shown) return;
      shown = colouring;
      uniforms.mode!.value = colouring === 'plain' ? SHADE_MODES.clay : colouring === 'region' ? SHADE_MODES.region : 1;
      uniforms.scale!.value.dispose();
      uniforms.scale!.value = createScaleTexture(colouring);
    },
    setRegions(states, palette) {
      regions.dispose();
      regions = createRegionTexture(states, palette);
      uniforms.regions!.value = regions;
      uniforms.anySelected!.value = states.some((state) => state > 0) ? 1 : 0;
    },
    setClay(colour) {
      uniforms.clay!.value = [...colour];
    },
  };
}

export function createRegionTexture(
  states: Float32Array,
  palette: readonly (readonly [number, number, number])[],
): DataTexture {
  const count = Math.max(1, states.length);
  const bytes = new Uint8Array(4 * count);
  for (let s = 0; s < count; s++) {
    const [r, g, b] = palette[s % palette.length]!;
    bytes.set([255 * r, 255 * g, 255 * b, 255 * (states[s] ?? 0)], 4 * s);
  }
  const texture = new DataTexture(bytes, count, 1, RGBAFormat);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

export function createScaleTexture(colouring: Colouring): DataTexture {
  const stops = scaleOf(colouring).map(parseHex);
  const width = 256;
  const bytes = new Uint8Array(4 * width);
  for (let i = 0; i < width; i++) {
    const place = (i / (width - 1)) * (stops.length - 1);
    const n = Math.min(stops.length - 2, Math.floor(place));
    const u = place - n;
    for (let c = 0; c < 3; c++) bytes[4 * i + c] = 255 * ((1 - u) * stops[n]![c]! + u * stops[n + 1]![c]!);
    bytes[4 * i + 3] = 255;
  }
  const texture = new DataTexture(bytes, width, 1, RGBAFormat);
  texture.minFilter = texture.magFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}
