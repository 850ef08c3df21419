/**
 * Runs in the browser: what three.js's own shaders make of the vertices of a mesh, read back from the GPU. The mesh is drawn once more as points, with a
 * stock material whose vertices go to one pixel each and whose colour is their place after morphing and skinning.
 */
import * as THREE from 'three';

const WIDTH = 256;

export interface AnyRenderer {
  render(scene: THREE.Scene, camera: THREE.Camera): void;
  setRenderTarget(target: THREE.RenderTarget | null): void;
  readRenderTargetPixels(...values: unknown[]): void;
  readRenderTargetPixelsAsync(...values: unknown[]): Promise<ArrayLike<number>>;
}

/**
 * Positions in the space of the mesh, #×3.
 *
 * @param update what gives the shapes to a new material
 */
export async function readDrawnPositions(
  renderer: AnyRenderer,
  mesh: THREE.SkinnedMesh,
  probe: THREE.Material,
  update = () => {},
): Promise<Float32Array> {
  const { count } = mesh.geometry.attributes.position!;
  const height = Math.ceil(count / WIDTH);
  const isGpu = (renderer as { isWebGPURenderer?: boolean }).isWebGPURenderer === true;
  const options = {
    type: THREE.FloatType,
    minFilter: THREE.NearestFilter,
    magFilter: THREE.NearestFilter,
    depthBuffer: false,
  } as const;
  const target = isGpu
    ? new THREE.RenderTarget(WIDTH, height, options)
    : new THREE.WebGLRenderTarget(WIDTH, height, options);
  const scene = new THREE.Scene();
  const { material: own } = mesh;
  mesh.material = probe;
  update(); // the sparse form gives every material its own step
  const { material, parent, frustumCulled } = mesh;
  // Only for this picture: points, in a scene of their own, where the mesh stands.
  Object.assign(mesh, { parent: null, frustumCulled: false, isMesh: false, isPoints: true });
  scene.matrixWorldAutoUpdate = false;
  scene.children.push(mesh);
  const size = (material as THREE.Material).userData.size as { value: THREE.Vector2 };
  size.value.set(WIDTH, height);
  renderer.setRenderTarget(target);
  renderer.render(scene, new THREE.PerspectiveCamera());
  let values: ArrayLike<number> = new Float32Array(4 * WIDTH * height);
  if (isGpu) values = await renderer.readRenderTargetPixelsAsync(target, 0, 0, WIDTH, height);
  else renderer.readRenderTargetPixels(target, 0, 0, WIDTH, height, values);
  renderer.setRenderTarget(null);
  scene.children.length = 0;
  Object.assign(mesh, { material: own, parent, frustumCulled, isMesh: true });
  Reflect.deleteProperty(mesh, 'isPoints');
  target.dispose();
  const out = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) for (let r = 0; r < 3; r++) out[3 * i + r] = values[4 * i + r]!;
  return out;
}

/** A stock material of a WebGLRenderer that tells where its vertices are. */
export function createProbeMaterial(): THREE.Material {
  const material = new THREE.MeshBasicMaterial({ toneMapped: false, fog: false });
  const size = { value: new THREE.Vector2() };
  material.userData.size = size;
  material.onBeforeCompile = (shader) => {
    shader.uniforms.probeSize = size;
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nuniform vec2 probeSize;\nout vec3 probe;')
      .replace(
        '#include <project_vertex>',
        `#include <project_vertex>
        probe = transformed;
        vec2 pixel = vec2(float(gl_VertexID % ${WIDTH}), float(gl_VertexID / ${WIDTH})) + 0.5;
        gl_Position = vec4(2.0 * pixel / probeSize - 1.0, 0.0, 1.0);
        gl_PointSize = 1.0;`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nin vec3 probe;')
      .replace(/}\s*$/, '  gl_FragColor = vec4(probe, 1.0);\n}');
  };
  return material;
}
