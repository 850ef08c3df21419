/**
 * C17, after a measurement: takes or halves the step under trial and proposes the next one (core, create-amount-solver.ts), one
 * workgroup per component and character.
 *
 *   E = Σ q r² + P (|r| − b)₊² + C β(λ) over −Λ⁻ ≤ λ ≤ Λ⁺                                          (core, amount-energy.ts)
 *   (Gᵀ Q G + D + σ) Δλ = −(Gᵀ p + d),  G = W J, equilibrated to a unit diagonal (+ DAMPING)      (core, create-region-system.ts)
 *
 * A step is refined on the model r̂ = r + G (λ − λ₀) before the surface is looked at (core, create-step-model.ts).
 * From a small error, or with little to gain, a step is the last one and is not measured. Where no step helps, or none is left that can be
 * trusted, the component stays at the best λ known.
 */
import { MOST_REGIONS, SHARED_REGIONS } from '../constants.js';
import { countParts, countShared, describeSystem } from './eliminate.js';
import { prelude, wanted } from './prelude.js';

/**
 * `Terms`: Λ⁺, Λ⁻, f, b, P and C of a region. `measurePush`: how far a push is paid for, signed, 1 at the ceiling. `measureEnergy`: its share of E,
 * |push|, r² and |r|, to be added up.
 */
const energy = /* wgsl */ `
struct Terms { outward: f32, inward: f32, ease: f32, bound: f32, penalty: f32, price: f32 };

fn asks(terms: Terms) -> f32 { return select(0.0, 1.0, terms.outward > TINY); }

fn measurePush(terms: Terms, amount: f32) -> f32 {
  let share = amount / select(terms.inward, terms.outward, amount >= 0.0);
  return sign(share) * max(0.0, abs(share) - terms.ease) / (1.0 - terms.ease);
}

fn measureEnergy(terms: Terms, residual: f32, amount: f32) -> vec4f {
  let push = abs(measurePush(terms, amount));
  let worse = max(0.0, abs(residual) - terms.bound);
  let asked = asks(terms);
  let square = asked * residual * residual;
  let price = terms.price * push * push * push;
  return vec4f(square + terms.penalty * worse * worse + price, push, square, asked * abs(residual));
}

fn clip(terms: Terms, amount: f32) -> f32 { return clamp(amount, -terms.inward, terms.outward); }
`;

/**
 * `Choice`: what a component does next, by a share of Δ, from the surface just measured (isTaken) or the last one taken, or from 0.
 * `propose`: `now` and `then` are energy, push and largest error of a region (x, y, w) of the surface and after the new step, reach its
 * largest Δλ. `choose`, warm: another pose than the last frame's, or regions that pay or cannot be met, where the answer depends
 * on the way: again from 0, as long as somebody looks.
 */
const decide = /* wgsl */ `
struct Choice { phase: f32, share: f32, isTaken: bool, isReset: bool };

fn propose(marks: u32, now: vec4f, then: vec4f, reach: f32, isStart: bool) -> Choice {
  let isFinal = shape.isFinal == 1u;
  let share = state[marks + MARK_step];
  let before = state[marks + MARK_energy];
  let gain = share * (before - state[marks + MARK_promised]);
  let isNear = now.w <= ROUGH && now.y == 0.0;
  if (isStart || isNear || now.x <= before - LEAST_GAIN * gain) {
    if (isNear && now.w <= IDLE) { return Choice(PHASE_DONE, 0.0, true, false); }
    let isLast = isNear || reach <= SMALL_STEP || then.x > (1.0 - LEAST_MEASURED) * now.x;
    // Nobody looks at a final step: the one before it must have kept its promise.
    let isTrusted = isLast || select(now.x <= before - (1.0 - TRUSTED) * gain, now.w <= ANOTHER_POSE, isStart);
    let next = select(1.0, 0.0, isFinal && !isTrusted);
    return Choice(select(PHASE_SEARCH, PHASE_DONE, isLast || isFinal), next, true, false);
  }
  let isOver = isFinal || 0.5 * share * state[marks + MARK_reach] <= SMALL_STEP;
  return Choice(select(PHASE_SEARCH, PHASE_DONE, isOver), select(0.5 * share, 0.0, isOver), false, false);
}

fn choose(marks: u32, now: vec4f, then: vec4f, reach: f32, isStart: bool, isWarm: bool) -> Choice {
  let choice = propose(marks, now, then, reach, isStart);
  let isLost = shape.isFirst == 1u && now.w > ANOTHER_POSE;
  let isPressed = then.y > 0.0 || (choice.phase == PHASE_DONE && now.w > ROUGH);
  if (isWarm && shape.isFinal == 0u && (isLost || isPressed)) { return Choice(PHASE_START, 0.0, false, true); }
  return choice;
}
`;

/** Sums of x, y, z and the largest w of the first `row` threads, for all. */
const addUp = (row: number) => /* wgsl */ `
var<workgroup> tree: array<vec4f, ${row}>;
fn addUp(value: vec4f, lane: u32) -> vec4f {
  workgroupBarrier();
  if (lane < ${row}u) { tree[lane] = value; }
  for (var half = ${row / 2}u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      let other = tree[lane + half];
      tree[lane] = vec4f(tree[lane].xyz + other.xyz, max(tree[lane].w, other.w));
    }
  }
  workgroupBarrier();
  return tree[0];
}
`;

/** Regions at a ceiling that want beyond it stay there, once r̂ is published; `pull` is −½ ∂E/∂λ. */
const hold = (gradient: string) => /* wgsl */ `
    if (isOwn) {
      let isOut = delta >= most;
      var stays = false;
      if (isOut || delta <= least) {
        var pull = -slope;
        ${gradient}
        stays = isOut == (pull > 0.0);
      }
      rates[lane] = select(1.0, 0.0, stays);
    }
    workgroupBarrier();
`;

/** Q, p/Q, d and D of this thread's region at r̂ and the λ of the model. */
const weigh = /* wgsl */ `
    let isWorse = abs(modelled) > terms.bound;
    let urgency = asks(terms) + select(0.0, terms.penalty, isWorse);
    let towards = modelled - select(0.0, sign(modelled) * terms.bound * terms.penalty / urgency, isWorse);
    let push = measurePush(terms, lambda + delta);
    let room = (1.0 - terms.ease) * select(terms.inward, terms.outward, push >= 0.0);
    let slope = 1.5 * terms.price * push * abs(push) / room;
    let curvature = 3.0 * terms.price * (abs(push) / room) / room;
    if (isOwn) {
      urgencies[lane] = urgency;
      slopes[lane] = vec2f(slope, curvature);
    }
`;

/** Rounds of steps on the model, each from the r̂ and Δλ before it: P would magnify the rounding of sums. `publish` shares r̂, `multiply` adds W J `changes` to `moved`. */
const refine = ({ publish, gradient, eliminate, multiply }: ReturnType<typeof describeSystem>) => /* wgsl */ `
  var modelled = relative;
  var best = whole;
  var delta = 0.0; // to the best λ of the model
  let least = -terms.inward - lambda;
  let most = terms.outward - lambda;
  for (var round = 0u; round < u32(MODEL_ROUNDS); round++) {
    ${weigh}
    ${publish}
    ${hold(gradient)}
    let sigma = SOFTNESS * best.z / f32(n) + LEAST_SOFTNESS;
    ${eliminate}
    var step = 0.0;
    if (isOwn) { step = solution[lane] * scaling[lane]; }
    var at = delta;
    var moved = modelled;
    var look = best;
    for (var h = 0u; h <= u32(MODEL_HALVINGS); h++) {
      at = clamp(delta + step, least, most);
      if (isOwn) { changes[lane] = at - delta; }
      workgroupBarrier();
      moved = modelled;
      ${multiply}
      look = addUp(own * measureEnergy(terms, moved, lambda + at), lane);
      if (lane == 0u) { verdict = select(0u, 1u, look.x < best.x); }
      if (workgroupUniformLoad(&verdict) == 1u) { break; }
      step *= 0.5;
    }
    let gain = best.x - look.x;
    if (gain > 0.0) {
      delta = at;
      modelled = moved;
      best = look;
    }
    if (lane == 0u) {
      verdict = select(0u, 1u, gain > MODEL_STILL * whole.x && best.x > MODEL_NOTHING * whole.x);
    }
    if (workgroupUniformLoad(&verdict) == 0u) { break; }
  }
  let reach = addUp(own * vec4f(0.0, 0.0, 0.0, abs(delta)), lane).w;
`;

const write = /* wgsl */ `
  let isWarm = select(state[marks + MARK_warm], first.w, shape.isFirst == 1u) > 0.0;
  let choice = choose(marks, whole, best, reach, isStart, isWarm);
  if (isOwn) {
    var to = 0.0;
    if (choice.isTaken) {
      state[stateAt(instance, STATE_accepted, region)] = lambda;
      state[stateAt(instance, STATE_delta, region)] = delta;
      to = lambda + choice.share * delta;
    } else if (!choice.isReset) {
      let taken = state[stateAt(instance, STATE_accepted, region)];
      to = taken + choice.share * state[stateAt(instance, STATE_delta, region)];
    }
    to = clip(terms, to);
    let last = state[stateAt(instance, STATE_lambda, region)];
    let before = select(state[stateAt(instance, STATE_before, region)], last, shape.isFirst == 1u);
    if (shape.isFirst == 1u) { state[stateAt(instance, STATE_before, region)] = last; }
    state[stateAt(instance, STATE_lambda, region)] = to;
    state[stateAt(instance, STATE_bound, region)] = terms.bound;
    let ahead = clip(terms, to + select(0.0, to - before, isWarm));
    let isFree = choice.isTaken && whole.w <= ROUGH && best.y == 0.0;
    state[stateAt(instance, STATE_start, region)] = select(0.0, ahead, isFree);
    state[stateAt(instance, STATE_volumes, region)] = volume;
  }
  storageBarrier(); // every thread has chosen before the marks change
  if (lane == 0u) {
    let count = select(state[marks + MARK_evaluations], 0.0, shape.isFirst == 1u);
    state[marks + MARK_evaluations] = count + 1.0;
    state[marks + MARK_phase] = choice.phase;
    state[marks + MARK_warm] = select(0.0, 1.0, isWarm && !choice.isReset);
    state[marks + MARK_step] = choice.share;
    if (choice.isTaken) {
      state[marks + MARK_energy] = whole.x;
      state[marks + MARK_promised] = best.x;
      state[marks + MARK_reach] = reach;
    }
  }
`;

/** @param largest regions of the largest component: above SHARED_REGIONS the matrix lives in `scratch`, bound only then. */
export function solve(largest: number): string {
  const large = largest > SHARED_REGIONS;
  const parts = countParts(largest);
  const most = large ? MOST_REGIONS : countShared(parts);
  const system = describeSystem(parts, large);
  return /* wgsl */ `
${prelude({
  inputs: 'read array<vec4f>',
  sums: 'read array<f32>',
  state: 'read_write array<f32>',
  ...(large && { scratch: 'read_write array<f32>' }),
})}
${wanted}
${energy}
${decide}
${addUp(large ? MOST_REGIONS : 64)}
var<workgroup> weights: array<f32, ${most}>;
var<workgroup> rates: array<f32, ${most}>;
var<workgroup> scaling: array<f32, ${most}>;
var<workgroup> urgencies: array<f32, ${most}>;
var<workgroup> slopes: array<vec2f, ${most}>;
var<workgroup> solution: array<f32, ${most}>;
var<workgroup> changes: array<f32, ${most}>;
var<workgroup> phase: f32;
var<workgroup> verdict: u32;
${system.storage}

@compute @workgroup_size(TILE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let block = readBlock(group.x);
  let instance = group.y;
  let marks = markAt(instance, group.x);
  if (lane == 0u) { phase = state[marks + MARK_phase]; }
  if (shape.isFirst == 0u && workgroupUniformLoad(&phase) == PHASE_DONE) { return; }
  let n = block.size;
  let entryCount = block.entryCount;
  let isOwn = lane < n;
  let own = select(0.0, 1.0, isOwn);
  let region = lists[block.regions + min(lane, n - 1u)];
  let lambda = state[stateAt(instance, select(STATE_lambda, STATE_start, shape.isFirst == 1u), region)];
  let aim = wanted(instance, region);
  let volume = sums[sumAt(instance, region)] / 3.0;
  ${
    large
      ? ''
      : `// Asked for early: the answer is needed after the sums below.
  let place = lists[block.entries + 2u * lane];
  let entry = sums[sumAt(instance, min(lists[block.entries + 2u * lane + 1u], shape.entryCount - 1u))];`
  }
  let floor = max(abs(aim), REGION_FLOOR * abs(listFloat(shape.componentVolumes + region)));
  let first = addUp(own * vec4f(floor, 0.0, 0.0, abs(lambda)), lane);
  let scale = max(sqrt(first.x / f32(n) * floor), TINY);
  let relative = own * (volume - aim) / scale;
  let part = abs(aim) / scale;
  let isStart = shape.isFirst == 1u || phase == PHASE_START;
  var bound = state[stateAt(instance, STATE_bound, region)];
  if (isStart) { bound = select(abs(relative) + WORSE_SLACK * part, NO_CEILING, first.w > 0.0); }
  let ceilings = shape.ceilings + 3u * region;
  let limits = max(vec2f(listFloat(ceilings), listFloat(ceilings + 1u)), vec2f(TINY));
  let penalty = WORSE_PENALTY / clamp(part * part, 0.01, 1.0);
  let terms = Terms(limits.x, limits.y, listFloat(ceilings + 2u), bound, penalty, PUSH_PRICE * part * part);
  if (isOwn) { weights[lane] = scale; }
  let whole = addUp(own * measureEnergy(terms, relative, lambda), lane);
${system.load}
${refine(system)}
${write}
}
`;
}
