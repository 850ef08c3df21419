/**
 * NORMAL and TANGENT of a group, tried as hard as they need: by the shapes alone; where that leaves too many off, with the turns of joints
 * that pay, as few as do; at last with all.
 */
import { type DirectionFit, eachTurned, type FitDirection } from './create-direction-fitter.js';
import type { FitEffort } from './fit-directions.js';

/** Largest direction error of quantised normals (½°), change that is not stored (1¼°), and that thinned keys may make of one target (1°). */
export const NORMAL = { tolerance: 0.008, quiet: 0.022, keys: 0.017 };
/** How hard normals are tried for, until no more than this share of them is off: by the shapes, with the turns that pay, with all. */
const EFFORT = {
  first: { most: 7, worth: 0.06, rare: 0.02, limit: 4.6, damping: 1e-4 },
  turns: { most: 12, worth: 0.02, rare: 0.02, limit: 4.6, damping: 3e-4 },
  last: { most: 24, worth: 0.002, rare: 0.005, limit: 3.5, damping: 1e-3 },
} as const satisfies Record<string, FitEffort>;
const OFTEN = 0.009;
/** Share of the directions that a turn has to change to get a target. */
const FEW = 0.015;

/** A turn of a joint that may get a target. */
type Offer = readonly [amount: number, node: number];

export async function fitAll(
  directionCount: number,
  frameCount: number,
  offered: readonly Offer[],
  fit: FitDirection,
): Promise<DirectionFit[]> {
  const each = async (one: (d: number) => Promise<DirectionFit>): Promise<DirectionFit[]> => {
    const fits: DirectionFit[] = [];
    for (let d = 0; d < directionCount; d++) fits.push(await one(d));
    return fits;
  };
  const holds = (fits: readonly DirectionFit[]) =>
    fits.every(({ off }) => off.reduce((sum, n) => sum + n, 0) <= OFTEN * off.length * frameCount);
  const first = await each((d) => fit(d, [], EFFORT.first));
  if (holds(first) || offered.length === 0) return first;
  // What holds by the shapes alone is left as it is.
  const all = await each((d) =>
    fit(d, offered, EFFORT.turns, { fit: first[d]!, isAgain: (v) => first[d]!.wants[v] === 1 }),
  );
  const without = (kept: readonly Offer[]) => {
    const dropped = offered.filter((one) => !kept.includes(one));
    const isAgain = (d: number, v: number) => dropped.some(([a]) => all[d]!.shapes[v]!.includes(a));
    return each((d) => fit(d, kept, EFFORT.turns, { fit: all[d]!, isAgain: (v) => isAgain(d, v) }));
  };
  // A target that few vertices use is not worth its track: as few as do, those that turn most first.
  const turnedBy = ([a]: Offer) => all.reduce((sum, one) => sum + countTurned(one, a), 0);
  const order = offered.map((one) => ({ one, size: turnedBy(one) })).sort((a, b) => b.size - a.size);
  const few = FEW * all.reduce((sum, { off }) => sum + off.length, 0);
  let count = Math.max(1, order.filter(({ size }) => size > few).length);
  for (; count < order.length; count = Math.ceil(1.5 * count)) {
    const fits = await without(order.slice(0, count).map(({ one }) => one));
    if (holds(fits)) return fits;
  }
  return holds(all) ? all : each((d) => fit(d, offered, EFFORT.last));
}

/** Directions that a shape changes by more than is left out. */
export function countTurned(fit: DirectionFit, shape: number): number {
  let count = 0;
  eachTurned(fit, shape, (v, i) => {
    const own = fit.deltas[v]!;
    if (Math.hypot(own[i]!, own[i + 1]!, own[i + 2]!) >= NORMAL.quiet) count++;
  });
  return count;
}
