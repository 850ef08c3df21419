import type * as THREE from 'three';
import { float, int, positionLocal, uniform, varying, vec2, vec4, vertexIndex } from 'three/tsl';
import { MeshBasicNodeMaterial, Vector2 } from 'three/webgpu';

/** The probe material of a WebGPURenderer; see read-drawn-positions.ts. */
export function createNodeProbe(width = 256): THREE.Material {
  const size = uniform(new Vector2());
  const material = new MeshBasicNodeMaterial({ toneMapped: false, fog: false });
  const index = int(vertexIndex);
  const pixel = vec2(float(index.mod(width)), float(index.div(width))).add(0.5);
  const place = pixel.mul(2).div(size).sub(1);
  // Rows come back from the top here.
  material.vertexNode = vec4(place.x, place.y.negate(), 0, 1);
  material.fragmentNode = vec4(varying(positionLocal), 1);
  material.userData.size = size;
  return material;
}
