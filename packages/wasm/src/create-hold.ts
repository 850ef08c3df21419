import type { SolverReport } from '@isoskin/core/kernels';

/** What the last frame was made from: a pose that is held costs nothing, and rests. */
export function createHold() {
  const kept: Float64Array[] = [];
  let last: SolverReport | undefined;
  return {
    is: (bones: Float64Array, targets: Float64Array, amounts: Float64Array, report: SolverReport): boolean =>
      report === last && isEqual(kept[0]!, bones) && isEqual(kept[1]!, targets) && isEqual(kept[2]!, amounts),
    keep(bones: Float64Array, targets: Float64Array, amounts: Float64Array, report: SolverReport): void {
      last = report;
      if (kept.length === 0) kept.push(bones.slice(), targets.slice(), amounts.slice());
      kept[0]!.set(bones);
      kept[1]!.set(targets);
      kept[2]!.set(amounts);
    },
    forget: () => void (last = undefined),
  };
}

export function isEqual(a: Float64Array, b: Float64Array): boolean {
  for (let n = 0; n < a.length; n++) if (a[n] !== b[n]) return false;
  return true;
}
