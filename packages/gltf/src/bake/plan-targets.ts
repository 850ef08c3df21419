/**
 * Chooses the morph targets of every group: the fewest principal components with which positions and volumes hold.
 *
 * Each clip has its own basis, grown until a probe (real evaluation of some samples) passes or `limit` vectors are in use. A
 * clip for which `limit` vectors are too few is cut in two: the correction at the cut is a target of both halves and the only
 * one in use at that moment, so no frame uses more than `limit`. One basis for all clips takes the place of theirs where it
 * passes too and has fewer vectors in all.
 */
import type { GroupTargets, Span } from './group-targets.js';
import { type Basis, createBasis, dot, measureLargest } from './plan-basis.js';

export interface TargetOptions {
  /** Targets that may be active in one frame. */
  readonly limit: number;
  /** First sample of each clip and one after its last. */
  readonly ranges: readonly (readonly [number, number])[];
  /** Group → largest distance that the basis may leave, in units of its rows. */
  readonly tolerances: readonly number[];
  /** Group → rows that move less than this need no target. */
  readonly still: readonly number[];
  /** Evaluates samples of a clip with these targets and tells where they do not hold. */
  readonly probe: (targets: readonly GroupTargets[], clip: number) => readonly { group: number; sample: number }[];
}

/** Samples first … last with a basis of their own; cuts are the targets shared with the neighbours. */
interface Segment {
  readonly first: number;
  readonly last: number;
  readonly start: Cut | undefined;
  readonly finish: Cut | undefined;
  readonly basis: Basis;
}

interface Cut {
  readonly sample: number;
  /** Unit vector along the correction there; absent where there is none. */
  readonly vector: Float64Array | undefined;
}

/** Segments are not cut below this number of samples. */
const SHORTEST = 8;

/** `rows`: group → sample → displacement row. Groups that need no targets are left out. */
export function planTargets(rows: readonly (readonly Float32Array[])[], options: TargetOptions): GroupTargets[] {
  const { limit, ranges, tolerances, still, probe } = options;
  const plan = (g: number, first: number, last: number, start?: Cut, finish?: Cut): Segment[] => {
    const fixed = [start?.vector, finish?.vector].filter((vector) => vector !== undefined);
    const basis = growTo(createBasis(rows[g]!.slice(first, last + 1), limit - fixed.length, fixed), tolerances[g]!);
    const segment = { first, last, start, finish, basis };
    return basis.error > tolerances[g]! ? (split(g, segment) ?? [segment]) : [segment];
  };
  const split = (g: number, { first, last, start, finish }: Segment): Segment[] | undefined => {
    if (last - first < SHORTEST || limit < 3) return undefined;
    const sample = (first + last) >> 1;
    const cut = { sample, vector: normalise(rows[g]![sample]!) };
    return [...plan(g, first, sample, start, cut), ...plan(g, sample, last, cut, finish)];
  };

  const clips = rows.map((list, g) =>
    ranges.map(([first, end]) => (measureLargest(list.slice(first, end)) > still[g]! ? plan(g, first, end - 1) : [])),
  );
  const targets = () => clips.map((segments, group) => joinSegments(group, segments.flat()));
  for (const [c] of ranges.entries()) {
    for (let changed = true; changed; ) {
      changed = false;
      const grown = new Set<Segment>();
      for (const { group, sample } of probe(targets(), c)) {
        const list = clips[group]![c]!;
        const at = list.findIndex(({ first, last }) => sample >= first && sample <= last);
        const segment = list[at];
        if (!segment || grown.has(segment)) continue;
        grown.add(segment);
        const halves = segment.basis.grow() ? undefined : split(group, segment);
        if (halves) list.splice(at, 1, ...halves);
        changed ||= halves !== undefined || segment.basis.vectors.length <= limit;
        if (!halves && segment.basis.done) grown.add(segment);
      }
      changed = [...grown].some((segment) => !segment.basis.stuck);
    }
  }
  const chosen = targets();
  for (const g of clips.keys()) shareBasis(chosen, rows[g]!, clips[g]!, g, options);
  return chosen.filter(({ vectors }) => vectors.length > 0);
}
