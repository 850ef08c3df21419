/** C16. What gives the amounts of a plan: bends first, then twists and creases, and of every family the directions that are kept. */
import { createCreases } from './create-creases.js';
import { createHarmonics } from './create-harmonics.js';
import { createTwists } from './create-twists.js';
import type { GivenAmounts, GivenPlan, MeasureGiven } from './given-shapes.js';

export function createGiven(plan: GivenPlan): GivenAmounts {
  const { families, harmonics, twists, creases, kept } = plan;
  const bends = harmonics && createHarmonics(harmonics);
  const turns = twists && createTwists(twists);
  const folds = creases && createCreases(creases);
  const bendCount = 3 * (harmonics?.regionCount ?? 0);
  const turnCount = 2 * (twists?.twists.length ?? 0);
  const all: MeasureGiven = (out, at, bones, first) => {
    bends?.(out, at, bones, first);
    turns?.(out, at + bendCount, bones, first);
    folds?.(out, at + bendCount + turnCount, bones, first);
  };
  if (!kept) return { plan, families, measure: all };
  const whole = new Float64Array(families.reduce((sum, { size }) => sum + size, 0));
  const measure: MeasureGiven = (out, at, bones, first) => {
    all(whole, 0, bones, first);
    let to = at;
    let from = 0;
    for (let f = 0; f < kept.length; f++) {
      for (let i = 0; i < kept[f]!.length; i++) {
        let sum = 0;
        const axis = kept[f]![i]!;
        for (let r = 0; r < axis.length; r++) sum += axis[r]! * whole[from + r]!;
        out[to++] = sum;
      }
      from += families[f]!.size;
    }
  };
  return { plan, families: families.map((family, f) => ({ ...family, size: kept[f]!.length })), measure };
}
