import * as THREE from 'three';

const a = new THREE.Vector3();
const b = new THREE.Vector3();
const c = new THREE.Vector3();

/** Volume inside what a closed mesh draws at the moment, skinned on the CPU where three.js would skin it on the GPU. */
export function measureDrawnVolume(mesh: THREE.SkinnedMesh): number {
  const index = mesh.geometry.index!;
  let sum = 0;
  for (let i = 0; i < index.count; i += 3) {
    mesh.getVertexPosition(index.getX(i), a);
    mesh.getVertexPosition(index.getX(i + 1), b);
    mesh.getVertexPosition(index.getX(i + 2), c);
    sum += a.dot(b.cross(c)) / 6;
  }
  return sum;
}

/** `−3.2 %`, coloured. */
export function showChange(element: HTMLElement, ratio: number): void {
  const change = 100 * (ratio - 1);
  const isGood = Math.abs(change) < 0.05;
  element.textContent = isGood ? '±0.0 %' : `${change > 0 ? '+' : '−'}${Math.abs(change).toFixed(1)} %`;
  element.className = isGood ? 'good' : 'bad';
}

/** Numbers that the tests read. */
export function publish(values: Record<string, unknown>): void {
  Object.assign(window, { example: { ...(window as { example?: object }).example, ...values } });
}
