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
const ROUNDS = 24;
/** Rows that a basis for all clips is tried on first, because it mostly fails. */
const TRIED = 64;

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
  for (const c of ranges.keys()) {
    for (let round = 0; round < ROUNDS; round++) {
      const poor = new Map<Segment, number>();
      for (const { group, sample } of probe(targets(), c)) {
        const segment = clips[group]![c]!.find(({ first, last }) => sample >= first && sample <= last);
        if (segment) poor.set(segment, group);
      }
      let changed = false;
      for (const [segment, group] of poor) {
        const halves = segment.basis.grow() ? [segment] : split(group, segment);
        if (!halves) continue;
        const list = clips[group]![c]!;
        list.splice(list.indexOf(segment), 1, ...halves);
        changed = true;
      }
      if (!changed) break;
    }
  }
  const chosen = targets();
  for (const g of clips.keys()) shareBasis(chosen, g, rows[g]!, clips[g]!, options);
  return chosen.filter(({ vectors }) => vectors.length > 0);
}

/** Puts one basis in the place of those of the clips of group g, if it holds for all of them and is smaller. */
function shareBasis(
  chosen: GroupTargets[],
  g: number,
  rows: readonly Float32Array[],
  clips: readonly (readonly Segment[])[],
  { limit, ranges, tolerances, probe }: TargetOptions,
): void {
  const moving = [...clips.keys()].filter((c) => clips[c]!.length > 0);
  const most = Math.min(limit, chosen[g]!.vectors.length - 1);
  if (moving.length < 2 || most < 1 || clips.some((segments) => segments.length > 1)) return;
  const all = moving.flatMap((c) => rows.slice(...ranges[c]!));
  const some = all.filter((_, i) => i % Math.ceil(all.length / TRIED) === 0);
  if (growTo(createBasis(some, most), tolerances[g]!).error > tolerances[g]!) return;
  const basis = growTo(createBasis(all, most), tolerances[g]!);
  if (basis.error > tolerances[g]!) return;
  do {
    const active = [...basis.vectors.keys()];
    const spans = moving.map((c) => ({ first: ranges[c]![0], end: ranges[c]![1], active }));
    const shared = { group: g, vectors: [...basis.vectors], spans };
    const trial = chosen.map((own, h) => (h === g ? shared : own));
    if (moving.some((c) => probe(trial, c).some(({ group }) => group === g))) continue;
    chosen[g] = shared;
    return;
  } while (basis.grow());
}

function growTo(basis: Basis, tolerance: number): Basis {
  while (basis.grow() && basis.error > tolerance);
  return basis;
}

function joinSegments(group: number, segments: readonly Segment[]): GroupTargets {
  const vectors: Float64Array[] = [];
  const cuts = new Map<Cut, number[]>();
  const take = (cut: Cut | undefined): number[] => {
    if (!cut) return [];
    if (!cuts.has(cut)) cuts.set(cut, cut.vector ? [vectors.push(cut.vector) - 1] : []);
    return cuts.get(cut)!;
  };
  const spans = segments.flatMap(({ first, last, start, finish, basis }): Span[] => {
    const active = [...take(start), ...take(finish), ...basis.vectors.map((vector) => vectors.push(vector) - 1)];
    const own = { first: start ? first + 1 : first, end: finish ? last : last + 1, active };
    return finish ? [own, { first: last, end: last + 1, active: take(finish) }] : [own];
  });
  return { group, vectors, spans };
}

function normalise(row: Float32Array): Float64Array | undefined {
  const length = Math.sqrt(dot(row, row));
  return length > 0 ? Float64Array.from(row, (value) => value / length) : undefined;
}
