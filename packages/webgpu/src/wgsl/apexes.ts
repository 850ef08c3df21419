/**
 * Apexes and gradients of the (region, apex) pairs (B4), several to a workgroup, from the vertices that were just moved.
 *
 *   a = Σ_k w_k x_k          h = 1/6 Σ (x_i − a) × (x_j − a)
 *
 * They stand behind the vertices in `points`, so that a ring reads both the same way. In a dispatch of its own, from the points; or in front
 * of `skin`, which places the vertices itself.
 */
import { SLICE, TILE } from '../constants.js';
import { forInstances, idle, prelude } from './prelude.js';

/** Over the threads of one apex, for all of them. */
const addUp = (lanes: number) => /* wgsl */ `
var<workgroup> apexSums: array<vec3f, TILE>;
fn addUp(value: vec3f, lane: u32) -> vec3f {
  workgroupBarrier();
  apexSums[lane] = value;
  for (var half = ${lanes / 2}u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane % ${lanes}u < half) { apexSums[lane] += apexSums[lane + half]; }
  }
  workgroupBarrier();
  return apexSums[lane - lane % ${lanes}u];
}
`;

const addUpTogether = (lanes: number) => /* wgsl */ `
fn addUp(value: vec3f, lane: u32) -> vec3f {
  var sum = value;
  for (var bit = 1u; bit < ${lanes}u; bit *= 2u) { sum += subgroupShuffleXor(sum, bit); }
  return sum;
}
`;

/**
 * Functions, and what a workgroup does, with `place(vertex, instance)` for the vertices.
 *
 * @param lanes threads per apex: about half as many as an apex has members. @param hasSubgroups of 32 threads or more
 */
export const placeApexes = (lanes: number, hasSubgroups: boolean) => ({
  functions: /* wgsl */ `
${hasSubgroups && lanes <= SLICE ? addUpTogether(lanes) : addUp(lanes)}
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
`,
  main: /* wgsl */ `
${forInstances(
  `  let job = group.x * ${TILE / lanes}u + lane / ${lanes}u;
  let part = lane % ${lanes}u;
  let isPair = job >= shape.apexCount && job < shape.apexCount + shape.apexPairCount;
  var apex = select(NO_APEX, job, job < shape.apexCount);
  var begin = 0u;
  var to = 0u;
  if (isPair) {
    let header = shape.apexEdges + APEX_PAIR_WORDS * (job - shape.apexCount);
    begin = lists[header];
    to = lists[header + 1u];
    apex = lists[header + 2u];
  }`,
  `
    var sum = vec3f();
    if (apex != NO_APEX) { sum = placeApex(apex, instance, part, ${lanes}u); }
    var origin = addUp(sum, lane);
    if (apex == NO_APEX && begin < to) { origin = place(lists[begin], instance); }
    sum = vec3f();
    for (var e = begin + 2u * part; e < to; e += 2u * ${lanes}u) {
      sum += cross(placeAny(lists[e], instance) - origin, placeAny(lists[e + 1u], instance) - origin);
    }
    let total = addUp(sum, lane) / 6.0;
    if (part == 0u && job < shape.apexCount + shape.apexPairCount) {
      points[pointAt(instance, shape.vertexCount + job)] = vec4u(bitcast<vec3u>(select(origin, total, isPair)), 0u);
    }`,
)}
`,
});

export function apexes(lanes: number, hasSubgroups: boolean): string {
  const { functions, main } = placeApexes(lanes, hasSubgroups);
  return /* wgsl */ `
${hasSubgroups ? 'enable subgroups;' : ''}
${prelude({ points: 'read_write array<vec4u>', state: 'read array<f32>' })}
${idle}
fn place(vertex: u32, instance: u32) -> vec3f { return bitcast<vec3f>(points[pointAt(instance, vertex)].xyz); }
${functions}
@compute @workgroup_size(TILE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
${main}
}
`;
}
