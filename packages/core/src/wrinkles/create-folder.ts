import { smoothStep } from '../linear-algebra/smooth-step.js';
import type { RefinedTopology } from './create-refined-topology.js';
import type { FoldPlan, FoldRunner } from './plan-folds.js';
import { solveFoldLengths } from './solve-fold-lengths.js';

/** Lost length, relative to ℓ, over which refinement fades in. */
const FADE = 0.04;

/** One folded frame (see `planWrinkles`, 1–4): what the tools that fold lift, each as high as its skin is long, and by how much the skin under them gives way. */
export function createFolder({ members, keepVolume }: FoldPlan, runner: FoldRunner) {
  const fades = new Float64Array(members.length);
  const scales = new Float64Array(members.length);
  return (active: Uint8Array, topology: RefinedTopology): void => {
    const flatVolume = runner.start(topology);
    let deepest = 0; // that the skin gives way: a tenth of the longest tool that folds
    for (let k = 0; k < members.length; k++) {
      const { tool } = members[k]!;
      fades[k] = active[k] ? smoothStep(tool.lost / (FADE * tool.length)) : 0;
      if (active[k]) deepest = Math.max(deepest, tool.length / 10);
    }
    runner.refine(fades);
    let room = 0;
    for (let k = 0; k < members.length; k++) {
      if (!active[k]) continue;
      const own = runner.lift(k);
      if (keepVolume) room += own;
      else members[k]!.depth = 0;
    }
    solveFoldLengths(scales, runner, members, active);
    for (let k = 0; k < members.length; k++) {
      if (!active[k]) continue;
      const scale = scales[k]! * members[k]!.tool.strength;
      runner.add(k, scale, Math.min(members[k]!.depth * scale, deepest));
    }
    const volume = runner.raise();
    // What the first order left, and what rounding a coarse mesh adds, goes where the skin gives way already.
    const depth = room > 0 ? (volume - flatVolume) / (6 * room) : 0;
    runner.settle(Number.isFinite(depth) ? Math.max(-deepest, Math.min(deepest, depth)) : 0);
  };
}
