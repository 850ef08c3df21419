/**
 * From where a region is best seen: the way of looking d, out of a ring of them, with the largest
 *
 *   A(d) · Σ_k |δ_k − (δ_k·d) d| (1 − |n_k·d|) / (1 + h(d))
 *
 * δ_k  how far the correction moves vertex k, n_k  its normal: what moves on the outline is seen, what moves towards the eye is
 * not; A  how large the region looks; h  how much of the rest of the body is in front of it.
 */
import { Vector3 } from 'three';
import type { FrameArrays } from '../engine/protocol.js';
import { VIEW_DIRECTION } from './frame-camera.js';

const AZIMUTHS = 24;
/** Tangents of the angle above the ground. */
const RISES = [0.1, 0.35];
/** Vertices of the body that are looked at for what hides the region. */
const SAMPLES = 1500;
/** A share of them in front that halves the worth of a view. */
const HIDDEN = 0.01;
/** How much the usual view is preferred. */
const USUAL = 0.15;

export function chooseView(
  { positions, skinned, normals }: Pick<FrameArrays, 'positions' | 'skinned' | 'normals'>,
  region: readonly number[],
): Vector3 {
  const at = (array: Float32Array, k: number) => new Vector3().fromArray(array, 3 * k);
  const centre = region.reduce((sum, k) => sum.add(at(positions, k)), new Vector3()).divideScalar(region.length || 1);
  const moved = region.map((k) => ({
    place: at(positions, k).sub(centre),
    normal: at(normals, k).normalize(),
    way: at(positions, k).sub(at(skinned, k)),
  }));
  const radius = Math.sqrt(moved.reduce((sum, { place }) => sum + place.lengthSq(), 0) / (region.length || 1));
  const own = new Set(region);
  const rest: Vector3[] = [];
  const step = Math.max(1, Math.floor(positions.length / 3 / SAMPLES));
  for (let k = 0; k < positions.length / 3; k += step) if (!own.has(k)) rest.push(at(positions, k).sub(centre));

  let best = VIEW_DIRECTION.clone();
  let most = 0;
  const right = new Vector3();
  const up = new Vector3();
  for (let n = 0; n < AZIMUTHS * RISES.length; n++) {
    const angle = (2 * Math.PI * n) / AZIMUTHS;
    const rise = RISES[Math.floor(n / AZIMUTHS)]!;
    const direction = new Vector3(Math.sin(angle), rise, Math.cos(angle)).normalize();
    right.set(0, 1, 0).cross(direction).normalize();
    up.crossVectors(direction, right);
    let [wide, high, seen] = [0, 0, 0];
    for (const { place, normal, way } of moved) {
      wide += place.dot(right) ** 2;
      high += place.dot(up) ** 2;
      seen += Math.hypot(way.dot(right), way.dot(up)) * (1 - Math.abs(normal.dot(direction)));
    }
    const hidden = rest.filter((p) => p.dot(direction) > radius && Math.hypot(p.dot(right), p.dot(up)) < radius).length;
    const worth =
      (Math.sqrt(wide * high) * seen * (1 + USUAL * direction.dot(VIEW_DIRECTION))) /
      (1 + hidden / (HIDDEN * (rest.length || 1)));
    if (worth > most) {
      most = worth;
      best = direction;
    }
  }
  return best;
}
