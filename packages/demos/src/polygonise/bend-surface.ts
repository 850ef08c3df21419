/**
 * A surface seen through lenses: a regular grid laid over what they show is finer where they magnify.
 *
 *   x = u + Σ (u − c)(σ(|u − c|/R) − 1),   σ = 1/m + (1 − 1/m)·smoothstep((t − h)/(1 − h))
 *
 * u: place in the picture, x: on the surface; c, R, m: centre, radius and power of a lens; h = HELD, the share of R with the full power. Every
 * ball is mapped onto itself, so nothing moves outside; balls that overlap must be mild enough not to fold.
 */
import type { ImplicitSurface } from '../field/implicit-surface.js';

export type Lens = readonly [x: number, y: number, z: number, radius: number, power: number];

const HELD = 0.3;

/** Turns a place u in the picture into x on the surface. */
export function seeThrough(lenses: readonly Lens[], place: Float64Array): void {
  const [ux, uy, uz] = place as unknown as [number, number, number];
  for (const [cx, cy, cz, radius, power] of lenses) {
    const [x, y, z] = [ux - cx, uy - cy, uz - cz];
    const t = Math.sqrt(x * x + y * y + z * z) / radius;
    if (t >= 1) continue;
    const u = Math.max(0, (t - HELD) / (1 - HELD));
    const move = (1 / power - 1) * (1 - u * u * (3 - 2 * u));
    place[0]! += x * move;
    place[1]! += y * move;
    place[2]! += z * move;
  }
}

/** Only values and bounds: the net needs no gradient. Seeds stay, so one of each component must lie outside the lenses. */
export function bendSurface(surface: ImplicitSurface, lenses: readonly Lens[]): ImplicitSurface {
  const place = new Float64Array(3);
  const bounds = Float64Array.from(surface.bounds);
  for (const lens of lenses) {
    for (let axis = 0; axis < 3; axis++) {
      bounds[axis] = Math.min(bounds[axis]!, lens[axis]! - lens[3]);
      bounds[3 + axis] = Math.max(bounds[3 + axis]!, lens[axis]! + lens[3]);
    }
  }
  return {
    ...surface,
    bounds,
    value(x, y, z) {
      place[0] = x;
      place[1] = y;
      place[2] = z;
      seeThrough(lenses, place);
      return surface.value(place[0], place[1], place[2]);
    },
  };
}
