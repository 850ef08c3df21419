/**
 * The iteration of C11 on the amounts λ (core, create-amount-solver.ts), one workgroup per component and character.
 *
 * `settle` follows the skin: V_s(x), activity, and where λ starts (a parabola through the last three frames).
 * `solve` follows a measurement: one Gauss–Newton step under the exact row of the total,
 *
 *   A x + c μ = −g,  cᵀx = −missing;   A = JᵀW²J + σ1 equilibrated to a unit diagonal (+ DAMPING),  x = A⁻¹(−g) − μ A⁻¹c
 *
 * eliminated without pivots (A is positive definite): one barrier per unknown, nothing to substitute back.
 */
import { MOST_REGIONS, SHARED_REGIONS } from '../constants.js';
import { prelude } from './prelude.js';

const sums = /* wgsl */ `
var<workgroup> runSums: array<f32, TILE>;

/** Adds up the partial sums of an entry with SUB_LANES threads; all of them get the answer. Uniform control flow only. */
fn sumRun(entry: u32, used: bool, instance: u32, lane: u32) -> f32 {
  var parts = vec4f();
  if (used) {
    let to = lists[shape.runs + entry + 1u];
    let base = instance * shape.partialStride;
    var n = lists[shape.runs + entry] + lane % SUB_LANES;
    for (; n + 3u * SUB_LANES < to; n += 4u * SUB_LANES) {
      parts += vec4f(partials[base + n], partials[base + n + SUB_LANES], partials[base + n + 2u * SUB_LANES],
                     partials[base + n + 3u * SUB_LANES]);
    }
    for (; n < to; n += SUB_LANES) { parts.x += partials[base + n]; }
  }
  workgroupBarrier();
  runSums[lane] = (parts.x + parts.y) + (parts.z + parts.w);
  workgroupBarrier();
  var total = 0.0;
  for (var n = 0u; n < SUB_LANES; n++) { total += runSums[lane - lane % SUB_LANES + n]; }
  return total;
}

fn wanted(instance: u32, region: u32) -> f32 {
  return inputs[instance * shape.inputStride + shape.boneVectors + region / 4u][region % 4u];
}
`;

const bindings = {
  inputs: 'read array<vec4f>',
  partials: 'read array<f32>',
  state: 'read_write array<f32>',
};

export const settle = /* wgsl */ `
${prelude(bindings)}
${sums}
var<workgroup> worst: atomic<u32>; // bits of a number ≥ 0: they are in the order of the numbers

@compute @workgroup_size(TILE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let block = readBlock(group.x);
  let instance = group.y;
  for (var first = 0u; first < block.size; first += TILE / SUB_LANES) {
    let i = first + lane / SUB_LANES;
    let used = i < block.size;
    let s = lists[block.regions + min(i, block.size - 1u)];
    let volume = sumRun(s, used, instance, lane) / 3.0;
    if (used && lane % SUB_LANES == 0u) {
      let aim = wanted(instance, s);
      let floor = max(abs(aim), FLOOR_SHARE * abs(listFloat(shape.wholes + s)));
      let change = abs(volume - aim) / max(floor, TINY);
      let level = min(change / ACTIVE, 1e8);
      let square = level * level;
      let activity = select(level * inverseSqrt(sqrt(1.0 + square * square)), 0.0, change < IDLE);
      state[stateAt(instance, STATE_volumes, s)] = volume;
      state[stateAt(instance, STATE_floors, s)] = floor;
      state[stateAt(instance, STATE_activity, s)] = activity;
      if (activity > 0.0) { atomicMax(&worst, bitcast<u32>(change)); }
    }
  }
  workgroupBarrier();
  let coldError = bitcast<f32>(atomicLoad(&worst));
  let isBusy = coldError > 0.0;
  let marks = markAt(instance, group.x);
  let known = state[marks + MARK_known];
  workgroupBarrier();
  for (var i = lane; i < block.size; i += TILE) {
    let s = lists[block.regions + i];
    let a = state[stateAt(instance, STATE_last0, s)];
    let b = state[stateAt(instance, STATE_last1, s)];
    let c = state[stateAt(instance, STATE_last2, s)];
    let guess = select(select(0.0, a - b, known > 1.5), 2.0 * a - 3.0 * b + c, known > 2.5);
    let start = a + clamp(guess, -LONGEST_GUESS, LONGEST_GUESS);
    state[stateAt(instance, STATE_lambda, s)] = select(0.0, start, known > 0.5 && isBusy);
  }
  if (lane == 0u) {
    state[marks + MARK_known] = select(0.0, known, isBusy);
    state[marks + MARK_busy] = select(0.0, 1.0, isBusy);
    state[marks + MARK_rough] = 1.0;
    state[marks + MARK_coldError] = coldError;
  }
}
`;

/** `large`: the matrix lives in the scratch buffer. */
export function solve(large: boolean): string {
  const most = large ? MOST_REGIONS : SHARED_REGIONS;
  const row = large ? MOST_REGIONS : 64;
  const m = (i: string, j: string) => `${large ? 'scratch[matrix' : 'matrix[0u'} + (${i}) * width + (${j})]`;
  const barrier = large ? 'storageBarrier(); workgroupBarrier();' : 'workgroupBarrier();';
  return /* wgsl */ `
${prelude({ ...bindings, scratch: 'read_write array<f32>' })}
${sums}
var<workgroup> residual: array<f32, ${most}>;
var<workgroup> scaling: array<f32, ${most}>;
var<workgroup> total: array<f32, ${most}>;
var<workgroup> tree: array<vec4f, ${row}>;
${large ? '' : `var<workgroup> matrix: array<f32, ${most * (most + 2)}>;`}

var<workgroup> mark: f32;

/** Sums of x, y, z and the largest w of the first ${row} threads, for all. */
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

@compute @workgroup_size(TILE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let block = readBlock(group.x);
  let instance = group.y;
  let marks = markAt(instance, group.x);
  if (lane == 0u) { mark = state[marks + MARK_rough]; }
  if (shape.isOptional == 1u && workgroupUniformLoad(&mark) < 0.5) { return; }
  let n = block.size;
  let width = n + 2u;
  let values = instance * shape.scratchStride + block.scratch;
  ${large ? 'let matrix = instance * shape.scratchStride + block.matrix;' : ''}
  let isOwn = lane < n;
  let region = lists[block.regions + min(lane, n - 1u)];
  let floor = state[stateAt(instance, STATE_floors, region)];

  // Volumes and residuals.
  for (var first = 0u; first < n; first += TILE / SUB_LANES) {
    let i = first + lane / SUB_LANES;
    let s = lists[block.regions + min(i, n - 1u)];
    let volume = sumRun(s, i < n, instance, lane) / 3.0;
    if (i < n && lane % SUB_LANES == 0u) { total[i] = volume; }
  }
  workgroupBarrier();
  var error = 0.0;
  if (isOwn) {
    error = total[lane] - wanted(instance, region);
    residual[lane] = error / max(floor, TINY);
    state[stateAt(instance, STATE_volumes, region)] = total[lane];
  }
  let own = select(0.0, 1.0, isOwn);
  let relative = select(0.0, error / max(floor, TINY), isOwn);
  let whole = addUp(vec4f(error, own * floor, SOFTNESS * relative * relative / f32(n), abs(relative)), lane);
  let missing = whole.x;
  let scale = max(whole.y, TINY);
  let sigma = whole.z;

  // J / w, by column.
  let entryCount = lists[block.columns + n];
  for (var first = 0u; first < entryCount; first += TILE / SUB_LANES) {
    let e = first + lane / SUB_LANES;
    let at = block.entries + 2u * min(e, max(entryCount, 1u) - 1u);
    let slope = sumRun(lists[at + 1u], e < entryCount, instance, lane);
    if (e < entryCount && lane % SUB_LANES == 0u) {
      let s = lists[block.regions + lists[at]];
      scratch[values + e] = slope / max(state[stateAt(instance, STATE_floors, s)], TINY);
    }
  }
  storageBarrier();

  // The system: A, −g and c.
  let pairCount = n * (n + 1u) / 2u;
  let products = block.products + pairCount + 1u;
  for (var c = lane / 16u; c < n; c += TILE / 16u) {
    for (var i = lane % 16u; i <= c; i += 16u) {
      let p = block.products + c * (c + 1u) / 2u + i;
      var sum = select(0.0, sigma, i == c);
      for (var q = lists[p]; q < lists[p + 1u]; q++) {
        sum += scratch[values + lists[products + 2u * q]] * scratch[values + lists[products + 2u * q + 1u]];
      }
      ${m('i', 'c')} = sum;
      ${m('c', 'i')} = sum;
    }
  }
  var gradient = 0.0;
  var constraint = 0.0;
  let lambda = stateAt(instance, STATE_lambda, region);
  if (isOwn) {
    gradient = sigma * state[lambda];
    for (var e = lists[block.columns + lane]; e < lists[block.columns + lane + 1u]; e++) {
      let r = lists[block.entries + 2u * e];
      let slope = scratch[values + e];
      let weight = state[stateAt(instance, STATE_floors, lists[block.regions + r])];
      gradient += slope * residual[r];
      constraint += slope * weight / scale;
    }
  }
  ${barrier}
  if (isOwn) { scaling[lane] = inverseSqrt(max(${m('lane', 'lane')}, TINY)); }
  ${barrier}
  for (var i = lane / 16u; i < n; i += TILE / 16u) {
    for (var c = lane % 16u; c < n; c += 16u) {
      ${m('i', 'c')} = ${m('i', 'c')} * scaling[i] * scaling[c] + select(0.0, DAMPING, i == c);
    }
  }
  var unit = 0.0;
  if (isOwn) {
    unit = scaling[lane];
    constraint *= unit;
    ${m('lane', 'n')} = -gradient * unit;
    ${m('lane', 'n + 1u')} = constraint;
  }
  ${barrier}

  // Gauss–Jordan: row k and column k stay as they are in step k, so one barrier is enough.
  for (var k = 0u; k < n; k++) {
    let pivot = 1.0 / max(${m('k', 'k')}, TINY);
    for (var i = lane / 16u; i < n; i += TILE / 16u) {
      let factor = select(${m('i', 'k')} * pivot, 0.0, i == k);
      if (factor != 0.0) {
        for (var j = k + 1u + lane % 16u; j < width; j += 16u) {
          ${m('i', 'j')} -= factor * ${m('k', 'j')};
        }
      }
    }
    ${barrier}
  }
  var u = 0.0;
  var w = 0.0;
  if (isOwn) {
    let diagonal = max(${m('lane', 'lane')}, TINY);
    u = ${m('lane', 'n')} / diagonal;
    w = ${m('lane', 'n + 1u')} / diagonal;
  }
  let along = addUp(vec4f(constraint * u, constraint * w, 0.0, 0.0), lane);
  var mu = 0.0;
  if (along.y > TINY) { mu = (along.x + missing / scale) / along.y; }
  let step = unit * (u - mu * w);
  let square = addUp(vec4f(step * step, 0.0, 0.0, 0.0), lane).x;
  let shorten = inverseSqrt(1.0 + square / (LONGEST_STEP * LONGEST_STEP));
  let isBusy = state[marks + MARK_busy] > 0.5;
  let known = state[marks + MARK_known];
  // Worse than no correction: the last frame was elsewhere, or pressed against its limits. Start again from 0.
  let isLost = shape.isFirst == 1u && known > 0.5 && whole.w > state[marks + MARK_coldError];
  storageBarrier();
  if (isOwn && isBusy) {
    if (isLost) { state[lambda] = 0.0; } else if (sigma > 0.0) { state[lambda] += shorten * step; }
    if (shape.isLast == 1u) {
      state[stateAt(instance, STATE_last2, region)] = state[stateAt(instance, STATE_last1, region)];
      state[stateAt(instance, STATE_last1, region)] = state[stateAt(instance, STATE_last0, region)];
      state[stateAt(instance, STATE_last0, region)] = state[lambda];
    }
  }
  if (lane == 0u) {
    let kept = select(known, 0.0, isLost);
    state[marks + MARK_known] = select(kept, min(3.0, kept + 1.0), isBusy && shape.isLast == 1u);
    state[marks + MARK_rough] = select(0.0, 1.0, isBusy && (isLost || whole.w > ROUGH));
  }
}
`;
}
