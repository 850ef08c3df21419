/**
 * A line around a surface, drawn over everything: its inside goes into the stencil, then the surface is drawn again, a few
 * pixels wider, where the stencil is empty.
 */
import {
  AlwaysStencilFunc,
  type BufferGeometry,
  type Camera,
  DoubleSide,
  GLSL3,
  Mesh,
  NotEqualStencilFunc,
  RawShaderMaterial,
  ReplaceStencilOp,
  Scene,
  type WebGLRenderer,
} from 'three';

/** CSS pixels. */
const WIDTH = 1.75;

const VERTEX = /* glsl */ `
precision highp float;
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
uniform mat3 normalMatrix;
uniform vec2 widen;
in vec3 position;
in vec3 normal;
void main() {
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  vec2 out2 = (normalMatrix * normal).xy;
  gl_Position.xy += widen * gl_Position.w * out2 / max(length(out2), 1e-12);
}`;

const FRAGMENT = /* glsl */ `
precision highp float;
uniform vec3 line;
out vec4 colour;
void main() {
  colour = vec4(line, 1.0);
}`;

export function createOutline() {
  const create = (isLine: boolean) =>
    new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      side: DoubleSide,
      colorWrite: isLine,
      depthTest: false,
      depthWrite: false,
      stencilWrite: true,
      stencilRef: 1,
      stencilFunc: isLine ? NotEqualStencilFunc : AlwaysStencilFunc,
      stencilZPass: ReplaceStencilOp,
      uniforms: { widen: { value: [0, 0] }, line: { value: [1, 1, 1] } },
    });
  const materials = [create(false), create(true)] as const;
  const meshes = materials.map((material, n) => {
    const mesh = new Mesh(undefined, material);
    mesh.frustumCulled = false;
    mesh.renderOrder = n;
    return mesh;
  });
  const scene = new Scene().add(...meshes);
  return {
    setColour(colour: readonly [number, number, number]): void {
      materials[1].uniforms.line!.value = [...colour];
    },
    draw(renderer: WebGLRenderer, camera: Camera, geometry: BufferGeometry, width: number, height: number): void {
      materials[1].uniforms.widen!.value = [(2 * WIDTH) / width, (2 * WIDTH) / height];
      for (const mesh of meshes) mesh.geometry = geometry;
      renderer.render(scene, camera);
    },
  };
}
