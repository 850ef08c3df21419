/**
 * C14. Weights near given ones with which plain linear skinning loses and misplaces less flesh.
 *
 *   min_ω  Σ_t (E_t(ω)/E*)² + ν Σ_links (δ_a − δ_b)²,    δ = ω − ω₀,  E* = max_t E_t(ω₀)
 *   ω ≥ 0,  Σ_i ω_ki = 1,  at most `influences` bones each,  |x_k(ω, t) − x_k(ω₀, t)| ≤ bound · size at every moment t
 *
 * E_t  lost and misplaced flesh (plan-lost-flesh.ts): squares of squares, so that the worst moments count most;  links  slots of one bone on
 * neighbouring vertices (plan-weight-slots.ts). Projected gradient with Barzilai–Borwein steps, on the worst moment
 * of each stretch of the clips, chosen again in every round. O(rounds · steps · moments · (#V · influences + #T)).
 * Based on: the one-step correction that D. Rohmer, Animation de personnage par skinning à volume constant, 2007, ch. 5, asks for;
 * J. Barzilai, J. Borwein, Two-Point Step Size Gradient Methods, 1988.
 */
import type { Binding, Character } from '../character/character.js';
import { IsoskinError } from '../error.js';
import { measureDiagonal } from '../mesh/measure-box.js';
import { createInfluences } from './create-influences.js';
import { type LostFlesh, type Moment, planLostFlesh } from './plan-lost-flesh.js';
import { planWeightSlots, type WeightSlots } from './plan-weight-slots.js';

export interface RefineOptions {
  /** How far a vertex may come away from where its old weights put it, at any moment: share of the diagonal of the body's box. */
  readonly bound?: number;
  /** Most bones per vertex. */
  readonly influences?: number;
  /** ν: larger keeps the change of the weights smoother, and more of the loss. */
  readonly smoothness?: number;
  /** Moments of the clips per second. */
  readonly fps?: number;
}

export const REFINE_DEFAULTS = {
  bound: 0.02,
  influences: 4,
  smoothness: 0.2,
  fps: 60,
} as const satisfies RefineOptions;

/** Refined weights; the change of volume of largest size over all moments of the clips, before and after. */
export interface RefinedWeights extends Binding {
  readonly before: number;
  readonly after: number;
  /** The largest way of a vertex at any moment, as a share of the size. */
  readonly farthest: number;
}

/** Moments that are worked on at once. */
const MOMENTS = 24;
const ROUNDS = 4;
const STEPS = 40;
/** A round ends when a step gains less than this share. */
const GAIN = 1e-3;
/** The first step changes no weight by more. */
const FIRST_STEP = 0.05;
/** A step that does not help is made this much shorter, so often at most. */
const SHORTER = 1 / 3;
const TRIES = 6;

/** Weights for plain skinning that lose less flesh in the character's clips, near those that it has. */
export function refineWeights(character: Character, options: RefineOptions = {}): RefinedWeights {
  const { bound, influences, smoothness, fps } = { ...REFINE_DEFAULTS, ...options };
  checkOptions(character, bound, influences, smoothness);
  const { surface, binding } = character;
  const slots = planWeightSlots(surface, binding, influences);
  const flesh = planLostFlesh(character, slots, fps);
  const size = measureDiagonal(surface.positions);
  const weights = slots.weights.slice();
  const before = measureWorst(flesh, weights);
  for (let round = 0; round < ROUNDS; round++) {
    descend(weights, { slots, flesh, moments: chooseMoments(flesh, weights), far: bound * size, smoothness });
  }
  const farthest = holdNear(weights, { slots, flesh, moments: flesh.moments, far: bound * size }) / size;
  const out = createInfluences(surface.vertexCount, influences);
  weights.forEach((weight, slot) => {
    out.add(Math.floor(slot / influences), slots.bones[slot]!, weight);
  });
  return { ...out.finish(0), before, after: measureWorst(flesh, weights), farthest };
}

function checkOptions({ clips }: Character, bound: number, influences: number, smoothness: number): void {
  const refuse = (message: string, place: string) => new IsoskinError('WEIGHT_OPTION', message, place);
  if (clips.length === 0) throw refuse('Weights are refined for clips, and the character has none: add one.', 'clips');
  if (!(bound > 0 && bound <= 1)) {
    throw refuse(`The bound ${bound} is not a share above 0 and up to 1 of the size; 0.02 is usual.`, 'bound');
  }
  if (!(Number.isInteger(influences) && influences >= 1 && influences <= 64)) {
    throw refuse(`${influences} influences are not a whole number from 1 to 64; 4 is usual.`, 'influences');
  }
  if (!(smoothness >= 0 && smoothness < Number.POSITIVE_INFINITY)) {
    throw refuse(`The smoothness ${smoothness} is not a number from 0 on; 0.2 is usual.`, 'smoothness');
  }
}

function measureWorst(flesh: LostFlesh, weights: Float64Array): number {
  let worst = 0;
  for (const moment of flesh.moments) {
    flesh.measure(moment, weights);
    if (Math.abs(flesh.loss) > Math.abs(worst)) worst = flesh.loss;
  }
  return worst;
}

/** The worst moment of each of `MOMENTS` stretches of the clips: bad ones, and not all of them neighbours. */
function chooseMoments(flesh: LostFlesh, weights: Float64Array): Moment[] {
  const { moments } = flesh;
  const values = moments.map((moment) => flesh.measure(moment, weights));
  const stretches = Math.min(MOMENTS, moments.length);
  return Array.from({ length: stretches }, (_, n) => {
    let worst = Math.floor((n * moments.length) / stretches);
    for (let m = worst; m < Math.floor(((n + 1) * moments.length) / stretches); m++) {
      if (values[m]! > values[worst]!) worst = m;
    }
    return moments[worst]!;
  });
}

interface Task {
  readonly slots: WeightSlots;
  readonly flesh: LostFlesh;
  readonly moments: readonly Moment[];
  /** How far a vertex may go. */
  readonly far: number;
  readonly smoothness: number;
}

function descend(weights: Float64Array, task: Task): void {
  const { slots, flesh, moments } = task;
  const scale = Math.max(...moments.map((moment) => flesh.measure(moment, slots.weights)));
  if (!(scale > 0)) return;
  const tried = new Float64Array(weights.length);
  let gradient = new Float64Array(weights.length);
  let next = new Float64Array(weights.length);
  let value = evaluate(gradient, weights, task, scale);
  let step = FIRST_STEP / (gradient.reduce((most, g) => Math.max(most, Math.abs(g)), 0) || 1);
  for (let n = 0; n < STEPS; n++) {
    let found = Number.POSITIVE_INFINITY;
    for (let t = 0; t < TRIES && !(found < value); t++) {
      if (t > 0) step *= SHORTER;
      for (let s = 0; s < weights.length; s++) tried[s] = weights[s]! - step * gradient[s]!;
      projectSimplex(tried, slots);
      holdNear(tried, task);
      found = evaluate(next, tried, task, scale);
    }
    if (!(found < value)) return;
    // Barzilai–Borwein: ⟨s, s⟩/⟨s, y⟩ of the way s and the change y of the gradient.
    let square = 0;
    let change = 0;
    for (let s = 0; s < weights.length; s++) {
      const way = tried[s]! - weights[s]!;
      square += way * way;
      change += way * (next[s]! - gradient[s]!);
    }
    step = change > 0 ? square / change : step / SHORTER;
    weights.set(tried);
    [gradient, next] = [next, gradient];
    if (found > (1 - GAIN) * value) return;
    value = found;
  }
}

/** The sum that is made small, and its gradient. */
function evaluate(gradient: Float64Array, weights: Float64Array, task: Task, scale: number): number {
  const { flesh, moments, slots, smoothness } = task;
  gradient.fill(0);
  let value = 0;
  for (const moment of moments) {
    const error = flesh.measure(moment, weights) / scale;
    value += error * error;
    flesh.addGradient(gradient, moment, (2 * error) / scale);
  }
  const { links, weights: first } = slots;
  for (let a = 0; a < weights.length; a++) {
    for (let n = links.offsets[a]!; n < links.offsets[a + 1]!; n++) {
      const b = links.values[n]!;
      const jump = weights[a]! - first[a]! - (weights[b]! - first[b]!);
      value += (smoothness * jump * jump) / 2; // every link is seen from both ends
      gradient[a]! += 2 * smoothness * jump;
    }
  }
  return value;
}

/** The nearest weights that are ≥ 0 and sum to 1, vertex by vertex. */
function projectSimplex(weights: Float64Array, { limit, used }: WeightSlots): void {
  for (let k = 0; k < used.length; k++) {
    const own = weights.subarray(k * limit, k * limit + used[k]!);
    const sorted = own.slice().sort().reverse();
    let sum = 0;
    let shift = 0;
    for (let n = 0; n < sorted.length; n++) {
      sum += sorted[n]!;
      if (sorted[n]! > (sum - 1) / (n + 1)) shift = (sum - 1) / (n + 1);
    }
    for (let n = 0; n < own.length; n++) own[n] = Math.max(0, own[n]! - shift);
    weights.fill(0, k * limit + own.length, (k + 1) * limit);
  }
}

/** Takes vertices that go too far back towards their first weights; returns the longest way that is left. */
function holdNear(weights: Float64Array, { slots, flesh, moments, far }: Omit<Task, 'smoothness'>): number {
  const { weights: first, limit, used } = slots;
  const change = weights.map((weight, slot) => weight - first[slot]!);
  const squares = new Float64Array(used.length);
  for (const moment of moments) flesh.raiseDistances(squares, moment, change);
  let farthest = 0;
  for (let k = 0; k < used.length; k++) {
    const way = Math.sqrt(squares[k]!);
    farthest = Math.max(farthest, Math.min(way, far));
    if (way <= far) continue;
    for (let s = k * limit; s < (k + 1) * limit; s++) weights[s] = first[s]! + (far / way) * change[s]!;
  }
  return farthest;
}
