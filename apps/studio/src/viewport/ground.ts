/** The floor: a fine grid that fades into the distance, and a soft shadow where the character stands. */
import { GLSL3, Mesh, PlaneGeometry, RawShaderMaterial } from 'three';

const VERTEX = /* glsl */ `
precision highp float;
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
in vec3 position;
out vec2 vPlace;
void main() {
  vPlace = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const FRAGMENT = /* glsl */ `
precision highp float;
uniform vec3 line;
uniform vec2 shadow;
in vec2 vPlace;
out vec4 colour;
float grid(float cell, float width) {
  vec2 p = vPlace / cell;
  vec2 d = abs(fract(p - 0.5) - 0.5) / fwidth(p);
  return 1.0 - min(min(d.x, d.y) / width, 1.0);
}
void main() {
  float far = 1.0 - smoothstep(0.5, 3.2, length(vPlace));
  float lines = max(0.12 * grid(0.125, 1.4), 0.26 * grid(0.5, 1.4)) * far;
  float dark = 0.5 * exp(-dot(vPlace / shadow, vPlace / shadow) * 2.0);
  float alpha = lines + dark * (1.0 - lines);
  colour = vec4(line * lines / max(alpha, 1e-4), alpha);
}`;

export function createGround() {
  const material = new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    transparent: true,
    depthWrite: false,
    uniforms: { line: { value: [0.6, 0.65, 0.72] }, shadow: { value: [0.5, 0.5] } },
  });
  const mesh = new Mesh(new PlaneGeometry(7, 7), material);
  mesh.rotation.x = -Math.PI / 2;
  mesh.renderOrder = -1;
  return {
    mesh,
    /** Puts the floor under a box (min, max). */
    place(bounds: readonly number[], size: number): void {
      mesh.scale.setScalar(size);
      mesh.position.set((bounds[0]! + bounds[3]!) / 2, bounds[1]! - 1e-3 * size, (bounds[2]! + bounds[5]!) / 2);
      const wide = (k: number) => Math.max(0.1, (0.55 * (bounds[3 + k]! - bounds[k]!)) / size);
      material.uniforms.shadow!.value = [wide(0), wide(2)];
    },
    setLine(colour: readonly [number, number, number]): void {
      material.uniforms.line!.value = [...colour];
    },
  };
}
