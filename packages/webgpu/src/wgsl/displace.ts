/**
 * C11. y_k = x_k + ρ_k n_k, ρ_k = m_k r_k S(Σ λ_s φ_sk / r_k), m_k = Π (1 − (1 − activity_s) ψ_sk); y.w = dρ/dΣλφ.
 *
 * The last one of a frame writes to the caller's buffer, in the order of the character.
 */
import { apexes } from './apexes.js';
import { field } from './field.js';
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

/** y, and the slope. */
fn moved(vertex: u32, instance: u32) -> vec4f {
  let at = instance * shape.vertexCount + vertex;
  let point = skinned[at];
  let found = amount(vertex, instance, point.w);
  return vec4f(point.xyz + found.x * unpackField(fields[at]), found.y);
}
`;

const inputs = { skinned: 'read array<vec4f>', fields: 'read array<vec2u>', state: 'read array<f32>' };

export const displace = /* wgsl */ `
${prelude({ ...inputs, points: 'read_write array<vec4f>' })}
${optional}
${field}
${amounts}
@compute @workgroup_size(TILE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  if (isIdle(group.y)) { return; }
  let vertex = group.x * TILE + lane;
  points[group.y * shape.vertexCount + vertex] = moved(vertex, group.y);
}
`;

export const displaceApexes = /* wgsl */ `
${prelude({ ...inputs, apexes: 'read_write array<vec4f>' })}
${optional}
${field}
${amounts}
fn place(vertex: u32, instance: u32) -> vec3f { return moved(vertex, instance).xyz; }
${apexes}
`;

export const displaceLast = (stride: OutputStride) => /* wgsl */ `
${prelude({ ...inputs, output: `read_write array<${stride === 16 ? 'vec4f' : 'f32'}>` })}
${field}
${amounts}
${writeOutput(stride, '1.0')}
@compute @workgroup_size(TILE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let vertex = group.x * TILE + lane;
  let source = lists[shape.infos + vertex] >> SLOT_BITS;
  if (source == NO_SOURCE) { return; }
  write(group.y * shape.sourceCount + source, moved(vertex, group.y).xyz);
}
`;
