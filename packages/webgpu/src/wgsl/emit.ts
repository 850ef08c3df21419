/** Copies the welded vertices to the vertices that are drawn (several share one welded vertex along UV seams). */
import { TILE } from '../constants.js';
import { describeOutput, type OutputStride } from './output.js';

export function emit(stride: OutputStride, kind: 'points' | 'normals'): string {
  const output = describeOutput(stride, kind);
  return /* wgsl */ `
struct Counts { drawn: u32, welded: u32 };
@group(0) @binding(0) var<uniform> counts: Counts;
@group(0) @binding(1) var<storage, read> welded: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> output: array<${output.type}>;
${output.write}
@compute @workgroup_size(${TILE})
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) group: vec3u) {
  if (id.x >= counts.drawn) { return; }
  write(group.y * counts.drawn + id.x, values[group.y * counts.welded + welded[id.x]].xyz);
}
`;
}
