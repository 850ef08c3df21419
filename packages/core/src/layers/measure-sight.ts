/** How much of the sky a vertex sees: inner sides of cloth and the skin under it see little. */
import type { Body } from '../body/plan-body.js';
import { castRay, createRayHit } from '../contact/cast-ray.js';
import { measureTangents } from '../mesh/cross.js';
import { measureLength } from '../mesh/measure-length.js';
import type { Surface } from '../mesh/surface.js';

/** Rays: length as a share of the size, tilts (tangents) of the six around the normal and of the normal itself. */
const SKY_REACH = 0.3;
const SKY_TILTS = [
  [1, 0],
  [0.5, 1],
  [-0.5, 1],
  [-1, 0],
  [-0.5, -1],
  [0.5, -1],
  [0, 0],
].map(([u, v]) => [u!, Math.sqrt(0.75) * v!] as const);

export interface SightScene {
  readonly body: Pick<Body, 'bvh'>;
  readonly surface: Pick<Surface, 'positions'>;
  /** Unit vectors, #V×3. */
  readonly normals: Float64Array;
  readonly size: number;
}

/** Share of seven rays around the normal that leave the body, weighted with their cosines. */
export function createSight({ body, surface, normals, size }: SightScene): (k: number) => number {
  const { positions: x } = surface;
  const hit = createRayHit();
  const origin = new Float64Array(3);
  const ray = new Float64Array(3);
  const side = new Float64Array(6);
  return (k) => {
    const normal = normals.subarray(3 * k, 3 * k + 3);
    measureTangents(side, normal);
    for (let r = 0; r < 3; r++) origin[r] = x[3 * k + r]! + 1e-4 * size * normal[r]!;
    let free = 0;
    let all = 0;
    for (let n = 0; n < SKY_TILTS.length; n++) {
      const [u, v] = SKY_TILTS[n]!;
      for (let r = 0; r < 3; r++) ray[r] = normal[r]! + u * side[r]! + v * side[3 + r]!;
      const length = measureLength(1, u, v);
      all += 1 / length;
      if (!castRay(hit, body.bvh, x, origin, ray, (SKY_REACH * size) / length, 0, k)) free += 1 / length;
    }
    return free / all;
  };
}
