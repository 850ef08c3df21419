/**
 * C11, after the skin: V_s(x), activity, and where λ starts (a parabola through the last three frames). One workgroup per
 * component and character.
 */
import { prelude, wanted } from './prelude.js';

export const settle = /* wgsl */ `
${prelude({ inputs: 'read array<vec4f>', partials: 'read array<f32>', state: 'read_write array<f32>' })}
${wanted}
var<workgroup> parts: array<f32, TILE>;
var<workgroup> volumes: array<f32, TILE>;
var<workgroup> worst: atomic<u32>; // bits of a number ≥ 0: they are in the order of the numbers

@compute @workgroup_size(TILE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let block = readBlock(group.x);
  let instance = group.y;
  let marks = markAt(instance, group.x);
  let wasBusy = state[marks + MARK_busy] > 0.5;
  let known = select(0.0, min(3.0, state[marks + MARK_known] + 1.0), wasBusy);
  let isOwn = lane < block.size;
  let s = lists[block.regions + min(lane, block.size - 1u)];
  // Eight threads add up the partial sums of one region.
  for (var first = 0u; first < block.size; first += TILE / 8u) {
    let i = first + lane / 8u;
    let region = lists[block.regions + min(i, block.size - 1u)];
    let base = instance * shape.partialStride;
    let to = lists[shape.runs + region + 1u];
    var sum = vec4f();
    for (var n = lists[shape.runs + region] + lane % 8u; n < to; n += 64u) {
      // Eight at a time: their latencies overlap.
      let last = base + to - 1u;
      let at = base + n;
      sum += vec4f(partials[at], partials[min(at + 8u, last)], partials[min(at + 16u, last)], partials[min(at + 24u, last)])
        * select(vec4f(), vec4f(1.0), vec4u(n) + vec4u(0u, 8u, 16u, 24u) < vec4u(to));
      sum += vec4f(partials[min(at + 32u, last)], partials[min(at + 40u, last)], partials[min(at + 48u, last)], partials[min(at + 56u, last)])
        * select(vec4f(), vec4f(1.0), vec4u(n) + vec4u(32u, 40u, 48u, 56u) < vec4u(to));
    }
    parts[lane] = (sum.x + sum.y) + (sum.z + sum.w);
    workgroupBarrier();
    if (lane % 8u == 0u && i < block.size) {
      var total = 0.0;
      for (var k = 0u; k < 8u; k++) { total += parts[lane + k]; }
      volumes[i] = total / 3.0;
    }
    workgroupBarrier();
  }
  if (isOwn) {
    let volume = volumes[lane];
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
  workgroupBarrier();
  let coldError = bitcast<f32>(atomicLoad(&worst));
  let isBusy = coldError > 0.0;
  if (isOwn) {
    let a = state[stateAt(instance, STATE_lambda, s)];
    let b = state[stateAt(instance, STATE_last0, s)];
    let c = state[stateAt(instance, STATE_last1, s)];
    let guess = select(select(0.0, a - b, known > 1.5), 2.0 * a - 3.0 * b + c, known > 2.5);
    let start = a + clamp(guess, -LONGEST_GUESS, LONGEST_GUESS);
    state[stateAt(instance, STATE_last0, s)] = a;
    state[stateAt(instance, STATE_last1, s)] = b;
    state[stateAt(instance, STATE_lambda, s)] = select(0.0, start, known > 0.5 && isBusy);
  }
  storageBarrier();
  if (lane == 0u) {
    state[marks + MARK_known] = select(0.0, known, isBusy);
    state[marks + MARK_busy] = select(0.0, 1.0, isBusy);
    state[marks + MARK_rough] = 1.0;
    state[marks + MARK_coldError] = coldError;
    state[marks + MARK_lastError] = coldError;
  }
}
`;
