/**
 * Q11. Harm: places where a corrected surface y looks worse than the plain skin x of the same frame. Per cent, worst frame unless stated.
 *
 *   crumple  Σ A_k ([a_k(y) − max(a_k(x), a_k(x̄)) > 8° ± 1°] − [a_k(x) − max(a_k(y), a_k(x̄)) > 8° ± 1°])₊ / Σ A_k,
 *            a_k = mean angle between the normals of k and of N_k: new creases less those that are gone, as a crease that moves is no worse
 *   crease   max_k Σ_j A_j(y) (e_j(y, x) − e_j(x, y)) / Σ c² A_j over the patch P_k, of a right angle,   e_j(y, x) = (a_j(y) − max(a_j(x), a_j(x̄)) − 1.1°)₊:
 *            one ugly place, however small a share of the body it is; what is folded away in the crook of a joint is not seen
 *   flipped  share of triangles with ⟨n_x, n_y⟩ < 0, each as much as plain skinning shows of it: min(1, |n_x| / c² |n_x̄|)
 *   torn     share of edges with |e_y| > 1.6 max(|e_x|, c |e_x̄|)
 *   jump     max_k |u_k(t − h) − 2 u_k(t) + u_k(t + h)| / (c D),   u = y − x,   h = 1/60 s
 *   poke     share of near pairs (k, point p of another part) with σ_x σ_x̄ > 0, σ_y σ_x̄ < 0 and |σ_y| > 0.03 % of c D,   σ = ⟨x_k − p, n_p⟩
 *   ledge    |e_y − e_x| / |e_x| over short edges that stand along the smoothed normal, 99th percentile of all edges and frames
 *
 * A_k, A_k(y)  area of k at rest and now;  N_k, P_k  vertices within 1 % and 4 % of D along the skin, one ring at least;  D  diagonal of the rest box;  c  Σ|e_x| / Σ|e_x̄|, the body's scale.
 * The meter knows nothing of how y was made. Shapes: x, y #V×3. O(#V·|N| + #T) per frame.
 */
import { smoothStep } from '../linear-algebra/smooth-step.js';
import { crossEdges } from '../mesh/cross.js';
import { createGatherer } from '../mesh/find-stacked.js';
import { comparePlaces } from '../mesh/plan-clusters.js';
import { type HarmPlan, lengthAt, measureNormals, measureSpread } from './plan-harm.js';

export const HARM_LIMITS = {
  crumple: 2.2,
  crease: 6.5,
  flipped: 0.75,
  torn: 0.5,
  jump: 0.8,
  poke: 0.5,
  ledge: 25,
} as const;
export type HarmKind = keyof typeof HARM_LIMITS;
export const HARM_KINDS = Object.keys(HARM_LIMITS) as readonly HarmKind[];

export interface HarmMoment {
  readonly clip: string;
  readonly time: number;
}

/** A figure, in per cent, with the moment and the vertex where it is worst; vertex −1 where there is no harm at all. */
export interface HarmFigure extends HarmMoment {
  readonly value: number;
  readonly vertex: number;
}

/** The meter's result so far: data alone. `joinHarm` joins those of several threads. */
export interface HarmTally {
  readonly worst: { [Kind in HarmKind]: HarmFigure };
  /** Changes of ledges, counted in steps of `LEDGE_STEP` per cent. */
  readonly ledges: Uint32Array;
}

export interface HarmMeter {
  readonly tally: HarmTally;
  /** Judges a frame. `blame` gets every vertex that takes part in a harm whose limit this frame passes or nearly passes (ledges: in any frame). */
  add(x: Float64Array, y: Float64Array, moment: HarmMoment, blame?: Blame): void;
  /** Judges three frames that follow each other; called for every frame of a clip, in order. */
  follow(x: Float64Array, y: Float64Array, moment: HarmMoment, blame?: Blame): void;
}

export type Blame = (kind: HarmKind, vertex: number, weight: number) => void;

/** Vertices are blamed from this share of a limit on: who mends harm may want a margin. */
const BLAMED_FROM = 0.85;
/** A side changes from this share of the size on. */
const THROUGH_SHARE = 3e-4;
/** A normal spreads from 7° on, and as a whole from 9° on. */
const CRUMPLE = { from: (7 * Math.PI) / 180, over: (2 * Math.PI) / 180 };
/** Change of a spread that nobody sees, radius of a patch of the size, its most vertices, and the vertices of a frame whose patches are looked at. */
const CREASE = { least: 0.02, radius: 0.04, most: 400, places: 24 };
/** Folds of a radian that are told apart. */
const FOLD_STEPS = 1e6;
const TORN_RATIO = 1.6;
const JUMP_STEP = 1 / 60;
const LEDGE_STEP = 0.5;
const LEDGE_BINS = 1000;

export function createHarmTally(): HarmTally {
  const none = { value: 0, clip: '', time: 0, vertex: -1 };
  const worst = Object.fromEntries(HARM_KINDS.map((kind) => [kind, none])) as HarmTally['worst'];
  return { worst, ledges: new Uint32Array(LEDGE_BINS) };
}

/** One tally of many; the ledge figure becomes its percentile. */
export function joinHarm(tallies: readonly HarmTally[]): HarmTally['worst'] {
  const all = createHarmTally();
  for (const { worst, ledges } of tallies) {
    for (const kind of HARM_KINDS) if (worst[kind].value > all.worst[kind].value) all.worst[kind] = worst[kind];
    for (let i = 0; i < LEDGE_BINS; i++) all.ledges[i]! += ledges[i]!;
  }
  let left = 0.01 * all.ledges.reduce((sum, n) => sum + n, 0);
  let bin = LEDGE_BINS - 1;
  while (bin > 0 && left >= all.ledges[bin]!) left -= all.ledges[bin--]!;
  return { ...all.worst, ledge: { ...all.worst.ledge, value: bin * LEDGE_STEP } };
}

/** Kinds that pass their limit. */
export function listBroken(worst: Readonly<Record<HarmKind, HarmFigure>>): HarmKind[] {
  return HARM_KINDS.filter((kind) => !(worst[kind].value <= HARM_LIMITS[kind]));
}

export function createHarmMeter(plan: HarmPlan): HarmMeter {
  const { surface, edges, lengths, around, areas, doubles, spreads, pairs, sides, ledges } = plan;
  const { vertexCount, triangles } = surface;
  const tally = createHarmTally();
  const [faceX, faceY] = [new Float64Array(triangles.length), new Float64Array(triangles.length)];
  const [normalX, normalY] = [new Float64Array(3 * vertexCount), new Float64Array(3 * vertexCount)];
  const folds = new Float64Array(vertexCount);
  const shown = new Float64Array(vertexCount);
  const findCreases = createCreaseFinder(plan);
  const past = [0, 1, 2].map(() => new Float64Array(3 * vertexCount));
  let moments: HarmMoment[] = [];
  /** Vertices that take part, with the frame's figure so far and its worst place. */
  const found = { vertices: [] as number[], sum: 0, most: 0, vertex: -1 };
  const start = (): void => {
    found.vertices.length = 0;
    [found.sum, found.most, found.vertex] = [0, 0, -1];
  };
  const count = (weight: number, depth: number, ...vertices: number[]): void => {
    found.sum += weight;
    found.vertices.push(...vertices);
    if (depth > found.most) [found.most, found.vertex] = [depth, vertices[0]!];
  };
  const finish = (kind: HarmKind, value: number, { clip, time }: HarmMoment, blame?: Blame): void => {
    if (value > tally.worst[kind].value) tally.worst[kind] = { value, clip, time, vertex: found.vertex };
    if (blame && (value > BLAMED_FROM * HARM_LIMITS[kind] || kind === 'ledge'))
      for (const v of found.vertices) blame(kind, v, value / HARM_LIMITS[kind]);
  };
  return {
    tally,
    add(x, y, moment, blame) {
      const scale = measureScale(plan, x);
      measureNormals(faceX, normalX, surface, x);
      measureNormals(faceY, normalY, surface, y);
      start();
      let mended = 0;
      for (let k = 0; k < vertexCount; k++) {
        const [plain, own] = [measureSpread(normalX, around, k), measureSpread(normalY, around, k)];
        const more = own - Math.max(spreads[k]!, plain);
        const less = plain - Math.max(spreads[k]!, own);
        folds[k] = Math.max(0, more - CREASE.least) - Math.max(0, less - CREASE.least);
        const isCreased = smoothStep((more - CRUMPLE.from) / CRUMPLE.over);
        if (isCreased > 0) count(areas[k]! * isCreased, more, k);
        else mended += areas[k]! * smoothStep((less - CRUMPLE.from) / CRUMPLE.over);
      }
      finish('crumple', (100 * Math.max(0, found.sum - mended)) / (plan.wholeArea || 1), moment, blame);
      shown.fill(0);
      for (let c = 0; c < triangles.length; c++)
        shown[triangles[c]!]! += lengthAt(faceY, c - (c % 3)) / (6 * scale ** 2);
      for (const { vertex, patch, sum, value } of findCreases(folds, shown)) {
        start();
        count(sum, sum, vertex, ...patch.filter((j) => folds[j]! > 0));
        finish('crease', value, moment, blame);
      }
      start();
      for (let i = 0; i < faceX.length; i += 3) {
        const dot = faceX[i]! * faceY[i]! + faceX[i + 1]! * faceY[i + 1]! + faceX[i + 2]! * faceY[i + 2]!;
        if (!(dot < 0)) continue;
        const left = Math.min(1, lengthAt(faceX, i) / (scale ** 2 * doubles[i / 3]! || 1));
        count(left, -dot, triangles[i]!, triangles[i + 1]!, triangles[i + 2]!);
      }
      finish('flipped', (300 * found.sum) / (faceX.length || 1), moment, blame);
      start();
      for (let e = 0; e < lengths.length; e++) {
        const [a, b] = [edges[2 * e]!, edges[2 * e + 1]!];
        const now = distance(y, a, b);
        if (!(now > TORN_RATIO * scale * lengths[e]!)) continue;
        const before = Math.max(scale * lengths[e]!, distance(x, a, b));
        if (now > TORN_RATIO * before) count(1, now - before, a, b);
      }
      finish('torn', (100 * found.sum) / (lengths.length || 1), moment, blame);
      start();
      const through = THROUGH_SHARE * scale * plan.size;
      for (let p = 0; p < sides.length; p++) {
        const own = Math.sign(sides[p]!);
        const depth = -own * measureSide(y, pairs, plan.places, p);
        if (!(depth > through) || !(own * measureSide(x, pairs, plan.places, p) > 0)) continue;
        count(1, depth, ...pairs.subarray(4 * p, 4 * p + 4));
      }
      finish('poke', (100 * found.sum) / (sides.length || 1), moment, blame);
      start();
      for (let e = 0; e < ledges.length; e += 2) {
        const [a, b] = [3 * ledges[e]!, 3 * ledges[e + 1]!];
        let [moved, length] = [0, 0];
        for (let r = 0; r < 3; r++) {
          const before = x[b + r]! - x[a + r]!;
          moved += (y[b + r]! - y[a + r]! - before) ** 2;
          length += before ** 2;
        }
        const change = 100 * Math.sqrt(moved / (length || 1));
        tally.ledges[Math.min(LEDGE_BINS - 1, Math.ceil(change / LEDGE_STEP) || 0)]!++;
        if (change > HARM_LIMITS.ledge) count(1, change, ledges[e]!, ledges[e + 1]!);
      }
      finish('ledge', found.most, moment, blame);
    },
    follow(x, y, moment, blame) {
      past.push(past.shift()!);
      const [first, second, now] = past as [Float64Array, Float64Array, Float64Array];
      for (let i = 0; i < now.length; i++) now[i] = y[i]! - x[i]!;
      moments = [...moments.slice(-2), moment];
      const [before, middle] = moments;
      if (moments.length < 3 || before!.clip !== moment.clip) return;
      const step = moment.time - middle!.time;
      if (!(Math.abs(middle!.time - before!.time - step) < 0.02 * step)) return; // both sides of a STEP key
      start();
      for (let k = 0; k < now.length; k += 3) {
        let square = 0;
        for (let r = k; r < k + 3; r++) square += (first[r]! - 2 * second[r]! + now[r]!) ** 2;
        if (square > found.most) [found.most, found.vertex] = [square, k / 3];
      }
      found.vertices.push(found.vertex);
      // A kink of a track, the usual jump, grows with the step.
      const value = (100 * Math.sqrt(found.most) * (JUMP_STEP / step)) / (measureScale(plan, x) * plan.size);
      if (found.vertex >= 0) finish('jump', value, middle!, blame);
    },
  };
}

/** c. */
function measureScale({ edges, wholeLength }: HarmPlan, x: Float64Array): number {
  let sum = 0;
  for (let e = 0; e < edges.length; e += 2) sum += distance(x, edges[e]!, edges[e + 1]!);
  return wholeLength > 0 ? sum / wholeLength : 1;
}

/** The patches around the vertices of a frame that are folded most. */
function createCreaseFinder({ surface, size, areas }: HarmPlan) {
  const gather = createGatherer(surface, CREASE.most);
  const { positions: x, signs } = surface;
  return (folds: Float64Array, shown: Float64Array) => {
    const places: number[] = [];
    // About equal ones by their place: neither rounding nor the order of the vertices decides.
    const compareFolds = (a: number, b: number) =>
      Math.round(folds[a]! * FOLD_STEPS) - Math.round(folds[b]! * FOLD_STEPS) || comparePlaces(x, b, a, signs);
    for (let k = 0; k < folds.length; k++) {
      if (!(folds[k]! > CREASE.least)) continue;
      let at = places.length;
      while (at > 0 && compareFolds(places[at - 1]!, k) < 0) at--;
      if (at < CREASE.places) places.splice(at, 0, k);
      if (places.length > CREASE.places) places.pop();
    }
    return places.map((vertex) => {
      const patch = gather(vertex, CREASE.radius * size);
      let [sum, area] = [0, 0];
      for (const j of patch) {
        sum += shown[j]! * folds[j]!;
        area += areas[j]!;
      }
      return { vertex, patch, sum, value: Math.max(0, (100 * sum) / (0.5 * Math.PI * (area || 1))) };
    });
  };
}

/** σ of pair p. */
function measureSide(x: Float64Array, pairs: Uint32Array, places: Float64Array, p: number): number {
  const [k, a, b, c] = [3 * pairs[4 * p]!, 3 * pairs[4 * p + 1]!, 3 * pairs[4 * p + 2]!, 3 * pairs[4 * p + 3]!];
  crossEdges(face, 0, x, a, b, c);
  let sum = 0;
  for (let r = 0; r < 3; r++) {
    const at = places[3 * p]! * x[a + r]! + places[3 * p + 1]! * x[b + r]! + places[3 * p + 2]! * x[c + r]!;
    sum += (x[k + r]! - at) * face[r]!;
  }
  return sum / (lengthAt(face, 0) || 1);
}

function distance(x: Float64Array, a: number, b: number): number {
  const [u, v, w] = [x[3 * a]! - x[3 * b]!, x[3 * a + 1]! - x[3 * b + 1]!, x[3 * a + 2]! - x[3 * b + 2]!];
  return Math.sqrt(u * u + v * v + w * w);
}

const face = new Float64Array(3);
