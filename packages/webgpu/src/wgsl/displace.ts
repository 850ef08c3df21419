/**
 * C15. The surface for the caller: y_k + (Σ_s (λ_s − λ'_s) φ_sk) A_k n̄_k, from the points that were measured last, at λ', in the order of the
 * character. A_k n̄_k has 9 bits: what is left to go is a thousandth of a region where a frame ends.
 */
import { direction } from './direction.js';
import { describeOutput, type OutputLayout, writeVertex } from './output.js';
import { forInstances, neverIdle, prelude } from './prelude.js';
import { push } from './push.js';

/** `amount` is what is left to go; given shapes are there. */
export function displace(layout: OutputLayout, hasSubgroups: boolean): string {
  const output = describeOutput(layout, 'points');
  const { begin, each, header } = push(hasSubgroups);
  return /* wgsl */ `
${hasSubgroups ? 'enable subgroups;' : ''}
${prelude({
  slices: 'read array<vec4u>',
  points: 'read array<vec4u>',
  state: 'read array<f32>',
  sums: 'read array<f32>',
  output: `read_write array<${output.type}>`,
})}
${neverIdle}
${direction}
${output.write}
fn amount(instance: u32, index: u32) -> f32 {
  if (index >= shape.regionCount) { return 0.0; }
  return state[stateAt(instance, STATE_lambda, index)] - sums[sumAt(instance, shape.entryCount + index)];
}
${header} {
${forInstances(
  `${begin}
  let source = lists[shape.infos + vertex] >> 1u;`,
  `
    let own = points[pointAt(instance, vertex)];
${each}
    let place = bitcast<vec3f>(own.xyz) + sum * unpackTurned(own.w);
    ${writeVertex(layout, 'source', 'place')}`,
)}
}
`;
}
