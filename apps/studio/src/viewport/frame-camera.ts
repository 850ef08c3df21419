/** Puts the camera where it sees a whole box, as near as its corners allow. */
import { type PerspectiveCamera, Vector3 } from 'three';
import type { OrbitControls } from 'three/addons/controls/OrbitControls.js';

export const FIELD_OF_VIEW = 32;
/** A little from above and from the side. */
export const VIEW_DIRECTION: Readonly<Vector3> = new Vector3(0.72, 0.32, 1).normalize();
/** Share of the view that the box fills, and how much lower than the middle it stands: bars and labels are at the top. */
const FILLED = 0.98;
const LOWERED = 0.07;
const TAN = FILLED * Math.tan(((FIELD_OF_VIEW / 2) * Math.PI) / 180);

/** min x, y, z, max x, y, z. */
export type Bounds = readonly number[];

/**
 * @param whole everything that there is: it stays in sight when one moves away
 * @param direction from the box to the eye
 */
export function frameCamera(
  camera: PerspectiveCamera,
  controls: OrbitControls,
  bounds: Bounds,
  aspect: number,
  whole: Bounds = bounds,
  direction: Vector3 = VIEW_DIRECTION,
): void {
  const distance = fitDistance(bounds, aspect, direction);
  const centre = centreOf(bounds);
  const right = new Vector3(0, 1, 0).cross(direction).normalize();
  centre.addScaledVector(new Vector3().crossVectors(direction, right), LOWERED * TAN * distance);
  controls.target.copy(centre);
  camera.position.copy(centre).addScaledVector(direction, distance);
  const size = measureSize(whole);
  camera.near = distance / 100;
  camera.far = 20 * distance + 4 * size;
  controls.minDistance = 0.025 * measureSize(bounds);
  controls.maxDistance = 6 * size;
  controls.update();
}

/** How far from its centre a box is seen as a whole. */
export function fitDistance(bounds: Bounds, aspect: number, direction: Vector3): number {
  const centre = centreOf(bounds);
  const right = new Vector3(0, 1, 0).cross(direction).normalize();
  const up = new Vector3().crossVectors(direction, right);
  let distance = 0.05 * measureSize(bounds);
  for (let c = 0; c < 8; c++) {
    const corner = new Vector3(...[0, 1, 2].map((r) => bounds[(c >> r) & 1 ? 3 + r : r]!)).sub(centre);
    const wide = Math.max(Math.abs(corner.dot(right)) / aspect, Math.abs(corner.dot(up)));
    distance = Math.max(distance, corner.dot(direction) + wide / TAN);
  }
  return distance;
}

/** Diagonal of a box. */
export function measureSize(bounds: Bounds): number {
  return Math.hypot(...[0, 1, 2].map((r) => bounds[3 + r]! - bounds[r]!)) || 1;
}

function centreOf(bounds: Bounds): Vector3 {
  return new Vector3(...[0, 1, 2].map((r) => (bounds[r]! + bounds[3 + r]!) / 2));
}
