/** The partial sums of the tiles, entry by entry, in a fixed order: V_s (three times), then the entries of J; and λ', where they were measured. */
import { TILE } from '../constants.js';
import { forInstances, idle, prelude } from './prelude.js';

/** @param lanes threads that share one entry, a power of two. */
export const reduce = (lanes: number) => /* wgsl */ `
${prelude({ partials: 'read array<f32>', state: 'read array<f32>', sums: 'read_write array<f32>' })}
${idle}
var<workgroup> parts: array<f32, TILE>;

@compute @workgroup_size(TILE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
${forInstances(
  `  let entry = group.x * ${TILE / lanes}u + lane / ${lanes}u;`,
  `  var own = vec4f();
  if (entry < shape.entryCount) {
    let base = instance * shape.partialStride;
    let to = lists[shape.runs + entry + 1u];
    var n = lists[shape.runs + entry] + lane % ${lanes}u;
    for (; n + ${3 * lanes}u < to; n += ${4 * lanes}u) {
      own += vec4f(partials[base + n], partials[base + n + ${lanes}u], partials[base + n + ${2 * lanes}u],
                   partials[base + n + ${3 * lanes}u]);
    }
    for (; n < to; n += ${lanes}u) { own.x += partials[base + n]; }
  }
  parts[lane] = (own.x + own.y) + (own.z + own.w);
  workgroupBarrier();
  if (lane % ${lanes}u == 0u && entry < shape.entryCount) {
    var total = 0.0;
    for (var n = 0u; n < ${lanes}u; n++) { total += parts[lane + n]; }
    sums[sumAt(instance, entry)] = total;
    if (entry < shape.regionCount) {
      let measured = state[stateAt(instance, select(STATE_lambda, STATE_start, shape.isFirst == 1u), entry)];
      sums[sumAt(instance, shape.entryCount + entry)] = measured;
    }
  }
  workgroupBarrier();`,
)}
}
`;
