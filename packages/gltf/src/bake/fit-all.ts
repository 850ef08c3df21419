/**
 * NORMAL and TANGENT of a group, tried as hard as they need: by the shapes alone; where that leaves too many off, with the turns of joints
 * that pay, as few as do, and the few that are still off with as many shapes as it takes.
 */
import { type DirectionFit, eachTurned, type FitDirection } from './create-direction-fitter.js';
import type { FitEffort } from './fit-directions.js';

/** Largest direction error of quantised normals (½°), change that is not stored (1¼°), and that thinned keys may make of one target (1°). */
export const NORMAL = { tolerance: 0.008, quiet: 0.022, keys: 0.017 };
/** How hard normals are tried for, until no more than this share of them is off: by the shapes, with the turns that pay, those that are still off. */
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
  const holds = (fits: readonly DirectionFit[]) =>
    fits.every(({ off }) => off.reduce((sum, n) => sum + n, 0) <= OFTEN * off.length * frameCount);
  /** Those that ask for it, with what is left of the others. */
  const again = async (
    before: readonly DirectionFit[],
    turns: readonly Offer[],
    effort: FitEffort,
    isAgain: (fit: DirectionFit, v: number) => boolean,
  ): Promise<DirectionFit[]> => {
    const fits: DirectionFit[] = [];
    for (const [d, one] of before.entries())
      fits.push(await fit(d, turns, effort, { fit: one, isAgain: (v) => isAgain(one, v) }));
    return fits;
  };
  const first: DirectionFit[] = [];
  for (let d = 0; d < directionCount; d++) first.push(await fit(d, [], EFFORT.first));
  if (holds(first) || offered.length === 0) return first;
  const all = await again(first, offered, EFFORT.turns, ({ wants }, v) => wants[v] === 1);
  // A target that few vertices use is not worth its track: as few as do, those that turn most first.
  const turnedBy = ([a]: Offer) => all.reduce((sum, one) => sum + countTurned(one, a), 0);
  const order = offered.map((one) => ({ one, size: turnedBy(one) })).sort((a, b) => b.size - a.size);
  const few = FEW * all.reduce((sum, { off }) => sum + off.length, 0);
  let count = Math.max(1, order.filter(({ size }) => size > few).length);
  for (;;) {
    const kept = order.slice(0, count).map(({ one }) => one);
    const dropped = offered.filter((one) => !kept.includes(one));
    const fits = await again(all, kept, EFFORT.turns, ({ shapes }, v) => dropped.some(([a]) => shapes[v]!.includes(a)));
    if (holds(fits)) return fits;
    const last = await again(fits, kept, EFFORT.last, ({ off }, v) => off[v]! > 0);
    if (dropped.length === 0 || holds(last)) return last;
    count = Math.ceil(1.5 * count);
  }
}

/** Directions that a shape changes by more than is left out. */
export function countTurned(fit: DirectionFit, shape: number): number {
  let count = 0;
  eachTurned(fit, shape, (v, i) => {
    const own = fit.deltas[v]!;
    if (own[i]! ** 2 + own[i + 1]! ** 2 + own[i + 2]! ** 2 >= NORMAL.quiet ** 2) count++;
  });
  return count;
}
