/**
 * How high folds are, so that the skin under every tool is as long as it is at rest.
 *
 *   find s_k:   length of the skin under tool k (s) = its length unfolded + what it has lost,   k = 1 … tools
 *
 * The curve of a tool has the right length on flat ground; rounded crests, skin that bends and other tools change it. The length is convex in s_k, as every
 * point moves along a line: Newton steps, tool by tool, from s = 1 on, the last ones from where all are near, so that the answer does not jump with the number of
 * sweeps; a slope serves until s has moved on. A height that a coarse mesh cannot hold ends at MOST.
 *
 * O(sweeps · points of the lines · tools over them) per frame, no allocation.
 */
import type { FoldedTool } from './plan-folded-tool.js';
import type { FoldRunner } from './plan-folds.js';

/** Largest factor of the heights of a curve. */
const MOST = 3;
const SWEEPS = 6;
/** Share of the lost length from which a step is the last, step of the slope, and share of s that the slope serves for. */
const NEAR = 0.01;
const STEP = 1e-3;
const SERVES = 0.25;

/** Writes s of the tools that fold, whose lifts and depths are known. */
export function solveFoldLengths(
  scales: Float64Array,
  runner: FoldRunner,
  members: readonly FoldedTool[],
  active: Uint8Array,
): void {
  scales.fill(0);
  for (let k = 0; k < members.length; k++) {
    if (active[k]) members[k]!.wanted = runner.measureLine(k, scales, active) + members[k]!.tool.lost;
  }
  scales.fill(1);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let isNear = true;
    for (let k = 0; k < members.length; k++) {
      if (!active[k]) continue;
      const member = members[k]!;
      const s = scales[k]!;
      const gap = member.wanted - runner.measureLine(k, scales, active);
      if (sweep === 0 || Math.abs(s - member.slopeAt) > SERVES * member.slopeAt) {
        scales[k] = s + STEP;
        member.slope = (gap - member.wanted + runner.measureLine(k, scales, active)) / STEP;
        member.slopeAt = s;
      }
      // Where higher folds make the skin shorter, they are yet too low.
      const next = member.slope > 0 ? s + gap / member.slope : 2 * s;
      scales[k] = next > 0 ? Math.max(s / 2, Math.min(next, 2 * s, MOST)) : s / 2;
      isNear &&= Math.abs(gap) < NEAR * member.tool.lost || scales[k] === s;
    }
    if (isNear) break;
  }
}
