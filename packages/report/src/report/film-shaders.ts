/** The light of the stills (`shadePoint`), in the player's shaders. */
import {
  BACK_SHARE,
  FILL,
  FILL_LIGHT,
  GROUND_LIGHT,
  KEY,
  KEY_LIGHT,
  RIM,
  RIM_LIGHT,
  SKY_LIGHT,
} from '../shade-point.js';

/** Share of the sky that a body sees of itself: the player has no shade in the folds. */
const OPENNESS = 0.8;

const vec = (values: readonly number[]): string => `vec3(${values.map((x) => x.toFixed(5)).join()})`;

export type FilmShaders = typeof FILM_SHADERS;
export const FILM_SHADERS = {
  vertex: `attribute vec3 position, normal, color;
attribute vec2 uv;
uniform mat4 view;
uniform mat3 turn;
varying vec3 vNormal, vColor;
varying vec2 vUv;
void main() {
  vNormal = turn * normal;
  vColor = color;
  vUv = uv;
  gl_Position = view * vec4(position, 1.);
}`,
  fragment: `precision mediump float;
varying vec3 vNormal, vColor;
varying vec2 vUv;
uniform vec3 base;
uniform sampler2D picture;
uniform float isMapped;
void main() {
  vec3 n = normalize(vNormal) * (gl_FrontFacing ? 1. : -1.);
  vec3 b = base * vColor * (isMapped > .5 ? pow(texture2D(picture, vUv).rgb, vec3(2.2)) : vec3(1.));
  float key = max(0., (dot(n, ${vec(KEY)}) + .2) / 1.2) * ${(0.45 + 0.55 * OPENNESS).toFixed(3)};
  float fill = max(0., dot(n, ${vec(FILL)}));
  float rim = max(0., dot(n, ${vec(RIM)})) * pow(1. - max(0., n.z), 3.);
  vec3 ambient = mix(${vec(GROUND_LIGHT)}, ${vec(SKY_LIGHT)}, .5 + .5 * n.y) * ${(OPENNESS ** 2).toFixed(3)};
  vec3 light = b * (key * ${vec(KEY_LIGHT)} + fill * ${vec(FILL_LIGHT)} + .7 * rim * ${vec(RIM_LIGHT)} + ambient);
  gl_FragColor = vec4(pow((gl_FrontFacing ? 1. : ${BACK_SHARE.toFixed(2)}) * light, vec3(1. / 2.2)), 1.);
}`,
};
