/** Copies the welded vertices to the vertices that are drawn (several share one welded vertex along UV seams). */
import { TILE } from '../constants.js';
import { type OutputStride, writeOutput } from './output.js';

export const emit = (stride: OutputStride, w: '0.0' | '1.0') => /* wgsl */ `
struct Counts { drawn: u32, welded: u32 };
@group(0) @binding(0) var<uniform> counts: Counts;
@group(0) @binding(1) var<storage, read> welded: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> output: array<${stride === 16 ? 'vec4f' : 'f32'}>;
${writeOutput(stride, w)}
@compute @workgroup_size(${TILE})
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) group: vec3u) {
  if (id.x >= counts.drawn) { return; }
  write(group.y * counts.drawn + id.x, values[group.y * counts.welded + welded[id.x]].xyz);
}
`;
