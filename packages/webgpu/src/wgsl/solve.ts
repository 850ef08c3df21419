/**
 * C15, after a measurement: takes or halves the step under trial and proposes the next one (core, create-amount-solver.ts), one
 * workgroup per component and character.
 *
 *   A Δ + c ν = −g,  cᵀΔ = −T;   A = JᵀW²J + σ1 equilibrated to a unit diagonal (+ DAMPING),  Δ = A⁻¹(−g) − ν A⁻¹c
 *   −Λ⁻ ≤ λ ≤ Λ⁺,   merit Σ r² + TOTAL_WEIGHT T²
 *
 * A step is refined on the model r̂ = r + W J (λ − λ₀) before the surface is looked at (core, create-step-model.ts).
 * From a small error, or with little to gain, a step is the last one and is not measured. Where no step helps, or none is left, the
 * component goes back to the best λ known and moves along the gradient of its total from there (`fallback`).
 */
import { MOST_REGIONS, SHARED_REGIONS } from '../constants.js';
import { countParts, countShared, describeSystem } from './eliminate.js';
import { prelude, wanted } from './prelude.js';

/**
 * `clip`: λ inside its ceilings. `Choice`: what a component does next, by a share of Δ, from the surface just measured (isTaken) or the last
 * one taken, or from 0. `propose`: error is the largest of a region, relative; reach the largest Δλ of the new step, promised its merit.
 * `choose`, warm: another pose than the last frame's, or regions that cannot be met, where the answer depends on the way: again from 0,
 * as long as somebody looks.
 */
const decide = /* wgsl */ `
fn clip(amount: f32, region: u32) -> f32 {
  let at = shape.ceilings + 2u * region;
  return clamp(amount, -listFloat(at + 1u), listFloat(at));
}

struct Choice { phase: f32, share: f32, isTaken: bool, isFallback: bool, isReset: bool };

fn propose(marks: u32, error: f32, merit: f32, promised: f32, reach: f32) -> Choice {
  let isFirst = shape.isFirst == 1u;
  let isFinal = shape.isFinal == 1u;
  let share = state[marks + MARK_step];
  let isStart = isFirst || state[marks + MARK_phase] == PHASE_START;
  let least = LEAST_GAIN * share * (state[marks + MARK_merit] - state[marks + MARK_promised]);
  if (isStart || error <= ROUGH || merit <= state[marks + MARK_merit] - least) {
    if (error <= IDLE) { return Choice(PHASE_DONE, 0.0, true, false, false); }
    let isLast = error <= ROUGH || reach <= SMALL_STEP || promised > (1.0 - LEAST_MEASURED) * merit;
    // Nobody looks at a final step: the one before it must have kept its promise.
    let isTrusted = isLast || select(merit <= TRUSTED * state[marks + MARK_merit], error <= ANOTHER_POSE, isStart);
    if (isFinal && !isTrusted) { return Choice(PHASE_DONE, 0.0, true, true, false); }
    return Choice(select(PHASE_SEARCH, PHASE_DONE, isLast || isFinal), 1.0, true, false, false);
  }
  let half = 0.5 * share;
  let isShort = half * state[marks + MARK_reach] <= SMALL_STEP;
  return Choice(select(PHASE_SEARCH, PHASE_DONE, isFinal || isShort), half, false, isFinal || isShort, false);
}

fn choose(marks: u32, error: f32, merit: f32, promised: f32, reach: f32, isWarm: bool) -> Choice {
  let choice = propose(marks, error, merit, promised, reach);
  let isLost = shape.isFirst == 1u && error > ANOTHER_POSE;
  let isPressed = choice.phase == PHASE_DONE && error > ROUGH;
  if (isWarm && shape.isFinal == 0u && (isLost || isPressed)) { return Choice(PHASE_START, 0.0, false, false, true); }
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

/** The system, solved: a step of this thread's region; in the first round also the step on the total alone. */
const step = /* wgsl */ `
    var found = vec2f();
    var unit = 0.0;
    var constraint = 0.0;
    if (isOwn) {
      found = solution[lane];
      unit = scaling[lane];
      constraint = constraintOf[lane];
    }
    let slope = constraint / max(unit, TINY); // of the total
    let along = addUp(vec4f(constraint * found, slope * slope, 0.0), lane);
    nu = select(0.0, (along.x + summed.x / sumScales) / along.y, along.y > TINY);
    let delta = unit * (found.x - nu * found.y);
    towards = select(0.0, -slope / max(along.z, TINY), along.z > TINY);
    if (round == 0u) { totalStep = total * towards; }
`;

/** Puts regions that want beyond their ceilings there, to stay, once r̂ is published; `pull` is −(g_s + (ν + weight T̂) c_s). */
const choose = (gradient: string) => /* wgsl */ `
    let price = nu + TOTAL_WEIGHT * summed.x / sumScales;
    if (isOwn) {
      let near = select(1.0 - MODEL_NEAR, 1.0, round == 0u);
      let out = listFloat(shape.ceilings + 2u * region);
      let inner = -listFloat(shape.ceilings + 2u * region + 1u);
      let isOut = goal >= near * out;
      let isIn = goal <= near * inner;
      var pull = 0.0;
      if (isOut || isIn) { ${gradient} }
      if (round == 0u) { pull = select(-1.0, 1.0, isOut); }
      let stays = (isOut && pull >= 0.0) || (isIn && pull <= 0.0);
      let next = select(1.0, 0.0, stays);
      if (next != rates[lane]) { atomicStore(&changed, 1u); }
      rates[lane] = next;
      goal = select(goal, select(inner, out, isOut), stays);
      changes[lane] = goal - lambda;
    }
    workgroupBarrier();
    if (lane == 0u) {
      verdict = select(1u, 0u, round > 0u && isStill && atomicLoad(&changed) == 0u);
      atomicStore(&changed, 0u);
    }
    if (workgroupUniformLoad(&verdict) == 0u) { break; }
`;

/** The merit of r̂ = `moved`. */
const measure = /* wgsl */ `
      look = addUp(own * vec4f(moved * scale, 0.0, moved * moved, abs(moved)), lane);
      merits = look.z + TOTAL_WEIGHT * (look.x / sumScales) * (look.x / sumScales);
`;

/** Rounds of steps on the model; `publish` shares r̂, `multiply` adds W J Δλ to `moved`. */
const refine = ({ publish, gradient, eliminate, multiply }: ReturnType<typeof describeSystem>) => /* wgsl */ `
  var modelled = relative;
  var summed = whole;
  var promised = merit;
  var goal = lambda; // the best λ of the model
  var totalStep = 0.0;
  var towards = 0.0; // what moves the total by −1
  var nu = 0.0;
  var isStill = false;
  var merits = merit;
  for (var round = 0u; round < u32(MODEL_ROUNDS); round++) {
    ${publish}
    ${choose(gradient)}
    var moved = relative;
    var look = summed;
    if (round > 0u) {
      ${multiply}
      ${measure}
      modelled = moved;
      summed = look;
      promised = merits;
      ${publish}
    }
    let sigma = SOFTNESS * summed.z / f32(n) + LEAST_SOFTNESS;
    ${eliminate}
    ${step}
    var length = 1.0;
    var at = goal;
    for (var h = 0u; h < u32(MODEL_HALVINGS); h++) {
      at = clip(goal + length * delta, region);
      if (isOwn) { changes[lane] = at - lambda; }
      workgroupBarrier();
      moved = relative;
      ${multiply}
      ${measure}
      if (lane == 0u) { verdict = select(0u, 1u, merits <= (1.0 - LEAST_GAIN * length) * promised); }
      if (workgroupUniformLoad(&verdict) == 1u) { break; }
      length *= 0.5;
    }
    isStill = promised - merits <= MODEL_STILL * promised;
    if (merits < promised) {
      goal = at;
      modelled = moved;
      summed = look;
      promised = merits;
    }
    if (lane == 0u) { verdict = select(0u, 1u, promised <= MODEL_ENOUGH * merit); }
    if (workgroupUniformLoad(&verdict) == 1u) { break; }
  }
  goal = clip(goal + towards * summed.x / sumScales, region); // what shortened rounds have left of the total
  let delta = goal - lambda;
  let reach = addUp(own * vec4f(0.0, 0.0, 0.0, abs(delta)), lane).w;
`;

const write = /* wgsl */ `
  let isWarm = select(state[marks + MARK_warm], first.w, shape.isFirst == 1u) > 0.0;
  let choice = choose(marks, whole.w, merit, promised, reach, isWarm);
  var to = 0.0;
  if (isOwn && !choice.isReset) {
    if (choice.isTaken) {
      state[stateAt(instance, STATE_accepted, region)] = lambda;
      state[stateAt(instance, STATE_delta, region)] = delta;
      state[stateAt(instance, STATE_fallback, region)] = lambda + totalStep;
      to = lambda + select(choice.share * delta, totalStep, choice.isFallback);
    } else {
      let taken = state[stateAt(instance, STATE_accepted, region)];
      to = taken + choice.share * state[stateAt(instance, STATE_delta, region)];
      if (choice.isFallback) { to = state[stateAt(instance, STATE_fallback, region)]; }
    }
  }
  if (isOwn) {
    to = clip(to, region);
    let last = state[stateAt(instance, STATE_lambda, region)];
    let before = select(state[stateAt(instance, STATE_before, region)], last, shape.isFirst == 1u);
    if (shape.isFirst == 1u) { state[stateAt(instance, STATE_before, region)] = last; }
    state[stateAt(instance, STATE_lambda, region)] = to;
    let ahead = clip(to + select(0.0, to - before, isWarm), region);
    state[stateAt(instance, STATE_start, region)] = select(0.0, ahead, whole.w <= ROUGH);
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
      state[marks + MARK_merit] = merit;
      state[marks + MARK_promised] = promised;
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
${decide}
${addUp(large ? MOST_REGIONS : 64)}
var<workgroup> weights: array<f32, ${most}>;
var<workgroup> rates: array<f32, ${most}>;
var<workgroup> scaling: array<f32, ${most}>;
var<workgroup> constraintOf: array<f32, ${most}>;
var<workgroup> solution: array<vec2f, ${most}>;
var<workgroup> changes: array<f32, ${most}>;
var<workgroup> phase: f32;
var<workgroup> verdict: u32;
var<workgroup> changed: atomic<u32>;
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
  let error = own * (volume - aim);
  let relative = error / scale;
  if (isOwn) { weights[lane] = scale; }
  let whole = addUp(vec4f(error, own * scale, relative * relative, abs(relative)), lane);
  let sumScales = max(whole.y, TINY);
  let total = whole.x / sumScales;
  let merit = whole.z + TOTAL_WEIGHT * total * total;
${system.load}
${refine(system)}
${write}
}
`;
}
