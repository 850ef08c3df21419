/**
 * C11. y_k = x_k + ρ_k n_k, ρ_k = m_k r_k S(Σ λ_s φ_sk / r_k), m_k = Π (1 − (1 − activity_s) ψ_sk); y.w = dρ/dΣλφ.
 *
 * The last one of a frame writes to the caller's buffer, in the order of the character; the others also move the apexes.
 */
import { apexes } from './apexes.js';
import { type OutputStride, writeOutput } from './output.js';
import { optional, prelude } from './prelude.js';

const amounts = /* wgsl */ `
fn columnValue(values: u32, column: u32, lane: u32) -> f32 {
  let pair = unpack2x16snorm(lists[values + (column / 2u) * TILE + lane]);
  return select(pair.x, pair.y, (column & 1u) == 1u);
}

/** ρ and its slope. */
fn amount(vertex: u32, instance: u32, room: f32) -> vec2f {
  let tile = readTile(vertex / TILE);
  let lane = vertex % TILE;
  let lambda = stateAt(instance, STATE_lambda, 0u);
  let activity = stateAt(instance, STATE_activity, 0u);
  var sum = 0.0;
  for (var c = 0u; c < tile.columnCount; c++) {
    let at = tile.columns + 2u * c;
    sum += state[lambda + lists[at]] * listFloat(at + 1u) * columnValue(tile.values, c, lane);
  }
  var fade = 1.0;
  let changing = tile.haloCount - tile.haloUniform;
  for (var c = 0u; c < tile.haloCount; c++) {
    let at = tile.halo + 2u * c;
    var psi = 1.0;
    if (c < changing) { psi = listFloat(at + 1u) * columnValue(tile.haloValues, c, lane); }
    fade *= 1.0 - (1.0 - state[activity + lists[at]]) * psi;
  }
  let square = min(sum * sum / max(room * room, TINY), LARGEST_SQUARE);
  let q = 1.0 + square * square;
  let root = fade * inverseSqrt(sqrt(q));
  return vec2f(root * sum, root / q);
}
`;

export const displace = /* wgsl */ `
${prelude({
  skinned: 'read array<vec4f>',
  fields: 'read array<vec4f>',
  state: 'read array<f32>',
  points: 'read_write array<vec4f>',
  gradients: 'read_write array<vec4f>',
})}
${optional}
${amounts}
fn moved(vertex: u32, instance: u32) -> vec4f {
  let point = skinned[instance * shape.extendedCount + vertex];
  let found = amount(vertex, instance, point.w);
  return vec4f(point.xyz + found.x * fields[instance * shape.vertexCount + vertex].xyz, found.y);
}

fn place(vertex: u32, instance: u32) -> vec3f { return moved(vertex, instance).xyz; }
${apexes}
@compute @workgroup_size(TILE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  if (isIdle(group.y)) { return; }
  if (group.x >= shape.tileCount) {
    moveApexes(group.x - shape.tileCount, group.y, lane);
    return;
  }
  let vertex = group.x * TILE + lane;
  points[group.y * shape.extendedCount + vertex] = moved(vertex, group.y);
}
`;

export const displaceLast = (stride: OutputStride) => /* wgsl */ `
${prelude({
  skinned: 'read array<vec4f>',
  fields: 'read array<vec4f>',
  state: 'read array<f32>',
  output: `read_write array<${stride === 16 ? 'vec4f' : 'f32'}>`,
})}
${amounts}
${writeOutput(stride, '1.0')}
@compute @workgroup_size(TILE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let vertex = group.x * TILE + lane;
  let source = lists[shape.infos + vertex] >> SLOT_BITS;
  if (source == NO_SOURCE) { return; }
  let point = skinned[group.y * shape.extendedCount + vertex];
  let found = amount(vertex, group.y, point.w);
  write(group.y * shape.sourceCount + source, point.xyz + found.x * fields[group.y * shape.vertexCount + vertex].xyz);
}
`;
