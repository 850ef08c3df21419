/** Puts the camera where it sees a whole box, as near as its corners allow, a little from above and from the side. */
import { type PerspectiveCamera, Vector3 } from 'three';
import type { OrbitControls } from 'three/addons/controls/OrbitControls.js';

export const FIELD_OF_VIEW = 32;
const VIEW_DIRECTION = new Vector3(0.72, 0.32, 1).normalize();
/** Share of the view that the box fills, and how much lower than the middle it stands: bars and labels are at the top. */
const FILLED = 0.98;
const LOWERED = 0.07;

/** @param bounds min x, y, z, max x, y, z */
export function frameCamera(
  camera: PerspectiveCamera,
  controls: OrbitControls,
  bounds: readonly number[],
  aspect: number,
  direction = VIEW_DIRECTION,
): void {
  const [x0, y0, z0, x1, y1, z1] = bounds as [number, number, number, number, number, number];
  const centre = new Vector3((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2);
  const radius = 0.5 * Math.hypot(x1 - x0, y1 - y0, z1 - z0) || 1;
  const right = new Vector3(0, 1, 0).cross(direction).normalize();
  const up = new Vector3().crossVectors(direction, right);
  const tan = FILLED * Math.tan(((FIELD_OF_VIEW / 2) * Math.PI) / 180);
  let distance = 0.1 * radius;
  for (let c = 0; c < 8; c++) {
    const corner = new Vector3(c & 1 ? x1 : x0, c & 2 ? y1 : y0, c & 4 ? z1 : z0).sub(centre);
    const wide = Math.max(Math.abs(corner.dot(right)) / aspect, Math.abs(corner.dot(up)));
    distance = Math.max(distance, corner.dot(direction) + wide / tan);
  }
  centre.addScaledVector(up, LOWERED * tan * distance);
  controls.target.copy(centre);
  camera.position.copy(centre).addScaledVector(direction, distance);
  camera.near = distance / 100;
  camera.far = distance * 20;
  controls.minDistance = 0.05 * radius;
  controls.maxDistance = 12 * radius;
  controls.update();
}
