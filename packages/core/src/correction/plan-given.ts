/**
 * C16. The shapes of the regions, and after them those whose amounts are given by the pose: the bends of the regions (plan-harmonics.ts), the
 * twists and the creases of the joints (plan-twists.ts, plan-creases.ts).
 */
import { createGiven } from './create-given.js';
import type { GivenShapes } from './given-shapes.js';
import { VertexTable } from './plan-bases.js';
import { planCreases } from './plan-creases.js';
import { planHarmonics } from './plan-harmonics.js';
import type { ShapeDraft, Shapes } from './plan-shapes.js';
import { measureSights } from './plan-skin-columns.js';
import { planTwists } from './plan-twists.js';
import { findExtents, reduceGiven } from './reduce-given.js';
import type { SolverContext } from './volume-solver.js';

export interface GivenOptions {
  /** Largest push as a share of the local thickness; 0: no bends, which need a limit. */
  readonly limit: number;
  /** Strengths. */
  readonly harmonics: number;
  readonly twist: number;
  readonly crease: number;
}

export type PlanGiven = typeof planGiven;

export function planGiven(
  context: SolverContext,
  draft: ShapeDraft,
  shapes: Shapes,
  { limit, harmonics, twist, crease }: GivenOptions,
): Shapes {
  const { regionCount } = shapes;
  const bends = context.regions.joints.some((joint) => joint >= 0); // a region that is a whole part has no joint to bend about
  const bent = harmonics > 0 && limit > 0 && bends;
  const lists = [
    bent ? planHarmonics(context, draft, regionCount, { strength: harmonics, limit }) : undefined,
    twist > 0 ? planTwists(context, draft, twist) : undefined,
    crease > 0 && limit > 0 && bends
      ? planCreases(context, draft, measureSights(context.character.surface, draft.thickness, draft.spread), {
          strength: crease,
          limit,
        })
      : undefined,
  ].filter((list) => list !== undefined);
  return lists.length > 0 ? addGiven(shapes, lists, context.gamma) : shapes;
}

/** For players that morph and skin themselves. A shape is a dense morph target there: only the directions that reach far are kept. */
export const planPlayedGiven: PlanGiven = (...given) => {
  const shapes = planGiven(...given);
  return shapes.given ? reduceGiven(shapes, findExtents(shapes)) : shapes;
};

/** What is held (γ = 0, C4) is held still by these too. */
function addGiven(shapes: Shapes, lists: readonly GivenShapes[], gamma: Float64Array): Shapes {
  const firsts = [0];
  for (const { plan } of lists) firsts.push(plan.families.reduce((sum, { size }) => sum + size, firsts.at(-1)!));
  const count = shapes.offsets.length - 1;
  const table = new VertexTable(count);
  const all = [shapes, ...lists.map(({ values }) => values)];
  for (let k = 0; k < count; k++) {
    if (gamma[k] === 0) continue;
    for (let i = 0; i < all.length; i++) {
      const { offsets, shapes: own, values } = all[i]!;
      const first = i === 0 ? 0 : shapes.regionCount + firsts[i - 1]!;
      for (let e = offsets[k]!; e < offsets[k + 1]!; e++) table.add(k, first + own[e]!, values[e]!);
    }
  }
  return {
    ...shapes,
    ...table.finish(),
    shapeCount: shapes.regionCount + firsts.at(-1)!,
    given: createGiven({
      families: lists.flatMap(({ plan }) => plan.families),
      harmonics: lists.find(({ plan }) => plan.harmonics)?.plan.harmonics,
      twists: lists.find(({ plan }) => plan.twists)?.plan.twists,
      creases: lists.find(({ plan }) => plan.creases)?.plan.creases,
    }),
  };
}
