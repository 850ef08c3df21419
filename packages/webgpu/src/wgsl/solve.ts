/**
 * C11, after a measurement: one Gauss–Newton step of the amounts λ under the exact row of the total (core,
 * create-amount-solver.ts), one workgroup per component and character.
 *
 *   A x + c μ = −g,  cᵀx = −missing;   A = JᵀW²J + σ1 equilibrated to a unit diagonal (+ DAMPING),  x = A⁻¹(−g) − μ A⁻¹c
 */
import { MOST_REGIONS, SHARED_REGIONS } from '../constants.js';
import { countParts, countShared, eliminateBuffer, eliminateShared, sharedStorage } from './eliminate.js';
import { prelude, wanted } from './prelude.js';

/** @param largest regions of the largest component: above SHARED_REGIONS the matrix lives in `scratch`, bound only then. */
export function solve(largest: number): string {
  const large = largest > SHARED_REGIONS;
  const parts = countParts(largest);
  const most = large ? MOST_REGIONS : countShared(parts);
  const row = large ? MOST_REGIONS : 64;
  return /* wgsl */ `
${prelude({
  inputs: 'read array<vec4f>',
  sums: 'read array<f32>',
  state: 'read_write array<f32>',
  ...(large && { scratch: 'read_write array<f32>' }),
})}
${wanted}
var<workgroup> weights: array<f32, ${most}>;
var<workgroup> amounts: array<f32, ${most}>;
var<workgroup> scaling: array<f32, ${most}>;
var<workgroup> constraintOf: array<f32, ${most}>;
var<workgroup> solution: array<vec2f, ${most}>;
var<workgroup> tree: array<vec4f, ${row}>;
var<workgroup> mark: f32;
${large ? `var<workgroup> residual: array<f32, ${most}>;` : sharedStorage(parts)}

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
  let entryCount = block.entryCount;
  let isOwn = lane < n;
  let region = lists[block.regions + min(lane, n - 1u)];
  let floor = max(state[stateAt(instance, STATE_floors, region)], TINY);
  let lambda = stateAt(instance, STATE_lambda, region);
  let isBusy = state[marks + MARK_busy] > 0.5;
  let known = state[marks + MARK_known];
  let coldError = state[marks + MARK_coldError];
  let lastError = state[marks + MARK_lastError];
  let amount = state[lambda];
  ${
    large
      ? ''
      : `// Asked for early: the answer is needed after the sums below.
  let place = lists[block.entries + 2u * lane];
  let slope = sums[instance * shape.entryCount + min(lists[block.entries + 2u * lane + 1u], shape.entryCount - 1u)];`
  }
  var error = 0.0;
  if (isOwn) {
    let volume = sums[instance * shape.entryCount + region] / 3.0;
    error = volume - wanted(instance, region);
    state[stateAt(instance, STATE_volumes, region)] = volume;
    weights[lane] = floor;
    amounts[lane] = amount;
    ${large ? 'residual[lane] = error / floor;' : ''}
  }
  let relative = error / floor;
  let own = select(0.0, 1.0, isOwn);
  let whole = addUp(vec4f(error, own * floor, SOFTNESS * relative * relative / f32(n), abs(relative)), lane);
  let missing = whole.x;
  let scale = max(whole.y, TINY);
  let sigma = whole.z;
${large ? eliminateBuffer : eliminateShared(parts)}
  var found = vec2f();
  var unit = 0.0;
  var constraint = 0.0;
  if (isOwn) {
    found = solution[lane];
    unit = scaling[lane];
    constraint = constraintOf[lane];
  }
  let along = addUp(vec4f(constraint * found, 0.0, 0.0), lane);
  var mu = 0.0;
  if (along.y > TINY) { mu = (along.x + missing / scale) / along.y; }
  let step = unit * (found.x - mu * found.y);
  let square = addUp(vec4f(step * step, 0.0, 0.0, 0.0), lane).x;
  let shorten = inverseSqrt(1.0 + square / (LONGEST_STEP * LONGEST_STEP));
  // Worse than no correction: the last frame was elsewhere, or pressed against its limits. Start again from 0.
  let isLost = shape.isFirst == 1u && known > 0.5 && whole.w > coldError;
  if (isOwn && isBusy) {
    if (isLost) { state[lambda] = 0.0; } else if (sigma > 0.0) { state[lambda] = amount + shorten * step; }
  }
  if (lane == 0u) {
    if (isLost) { state[marks + MARK_known] = 0.0; }
    let isRough = whole.w > ROUGH || whole.w > max(EXACT, FAST * lastError);
    state[marks + MARK_rough] = select(0.0, 1.0, isBusy && (isLost || isRough));
    state[marks + MARK_lastError] = select(whole.w, coldError, isLost);
  }
}
`;
}
