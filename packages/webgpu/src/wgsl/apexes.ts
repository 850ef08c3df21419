/**
 * Apexes and gradients of the (region, apex) pairs (B4), one workgroup each, from the vertices that were just moved.
 *
 *   a = Σ_k w_k x_k          h = 1/6 Σ (x_i − a) × (x_j − a)
 *
 * They stand behind the vertices in `points`, so that a ring reads both the same way.
 */
import { idle, prelude } from './prelude.js';

/** @param lanes threads per apex: about as many as an apex has members. */
export const apexes = (lanes: number) => /* wgsl */ `
${prelude({ points: 'read_write array<vec4u>', state: 'read array<f32>' })}
${idle}
var<workgroup> apexSums: array<vec3f, ${lanes}>;

fn addUp(value: vec3f, lane: u32) -> vec3f {
  workgroupBarrier();
  apexSums[lane] = value;
  for (var half = ${lanes / 2}u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) { apexSums[lane] += apexSums[lane + half]; }
  }
  workgroupBarrier();
  return apexSums[0];
}

fn place(vertex: u32, instance: u32) -> vec3f { return bitcast<vec3f>(points[pointAt(instance, vertex)].xyz); }

fn placeApex(apex: u32, instance: u32, first: u32, step: u32) -> vec3f {
  let to = lists[shape.members + apex + 1u];
  var sum = vec3f();
  for (var e = lists[shape.members + apex] + 2u * first; e < to; e += 2u * step) {
    sum += listFloat(e + 1u) * place(lists[e], instance);
  }
  return sum;
}

/** Apexes of this dispatch may not be written yet: computed again where an edge names one. */
fn placeAny(index: u32, instance: u32) -> vec3f {
  if (index < shape.vertexCount) { return place(index, instance); }
  return placeApex(index - shape.vertexCount, instance, 0u, 1u);
}

@compute @workgroup_size(${lanes})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let instance = group.y;
  if (isIdle(instance)) { return; }
  let at = pointAt(instance, shape.vertexCount + group.x);
  if (group.x < shape.apexCount) {
    let apex = addUp(placeApex(group.x, instance, lane, ${lanes}u), lane);
    if (lane == 0u) { points[at] = vec4u(bitcast<vec3u>(apex), 0u); }
    return;
  }
  let header = shape.apexEdges + APEX_PAIR_WORDS * (group.x - shape.apexCount);
  let begin = lists[header];
  let to = lists[header + 1u];
  let apex = lists[header + 2u];
  var origin = vec3f();
  if (apex != NO_APEX) {
    origin = addUp(placeApex(apex, instance, lane, ${lanes}u), lane);
  } else if (begin < to) {
    origin = place(lists[begin], instance);
  }
  var sum = vec3f();
  for (var e = begin + 2u * lane; e < to; e += 2u * ${lanes}u) {
    sum += cross(placeAny(lists[e], instance) - origin, placeAny(lists[e + 1u], instance) - origin);
  }
  let total = addUp(sum, lane) / 6.0;
  if (lane == 0u) { points[at] = vec4u(bitcast<vec3u>(total), 0u); }
}
`;
