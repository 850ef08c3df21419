/**
 * C11. y_k = x_k + ρ_k n_k, ρ_k = m_k r_k S(Σ λ_s φ_sk / r_k), m_k = Π (1 − (1 − activity_s) ψ_sk); y.w = dρ/dΣλφ.
 *
 * The last one of a frame writes to the caller's buffer, in the order of the character. What the columns of a tile are
 * multiplied with is the same for its 256 vertices: loaded once, by as many threads as there are columns.
 */
import { field } from './field.js';
import { type OutputStride, writeOutput } from './output.js';
import { optional, prelude } from './prelude.js';

const amounts = /* wgsl */ `
var<workgroup> factors: array<f32, TILE>;
var<workgroup> fades: array<f32, TILE>;

/** Two columns of φ or ψ; the first words were read ahead. */
fn pairValue(ahead: vec3u, values: u32, pair: u32, lane: u32) -> vec2f {
  if (pair > 2u) { return unpack2x16snorm(lists[values + pair * TILE + lane]); }
  return unpack2x16snorm(select(select(ahead.z, ahead.y, pair == 1u), ahead.x, pair == 0u));
}

fn readAhead(values: u32, columns: u32, lane: u32) -> vec3u {
  var ahead = vec3u();
  if (columns > 0u) { ahead.x = lists[values + lane]; }
  if (columns > 2u) { ahead.y = lists[values + TILE + lane]; }
  if (columns > 4u) { ahead.z = lists[values + 2u * TILE + lane]; }
  return ahead;
}

/** y, and the slope ρ'. Uniform control flow only. */
fn moved(group: vec3u, lane: u32) -> vec4f {
  let vertex = group.x * TILE + lane;
  let tile = readTile(group.x);
  let point = skinned[pointAt(group.y, vertex)];
  let direction = fields[group.y * shape.vertexCount + vertex];
  let changing = tile.haloCount - tile.haloUniform;
  let basis = readAhead(tile.values, tile.columnCount, lane);
  let halo = readAhead(tile.haloValues, changing, lane);
  if (lane < tile.columnCount) {
    let at = tile.columns + 2u * lane;
    factors[lane] = state[stateAt(group.y, STATE_lambda, lists[at])] * listFloat(at + 1u);
  }
  if (lane < tile.haloCount) {
    let at = tile.halo + 2u * lane;
    fades[lane] = (1.0 - state[stateAt(group.y, STATE_activity, lists[at])]) * listFloat(at + 1u);
  }
  workgroupBarrier();
  var sum = 0.0;
  for (var c = 0u; c < tile.columnCount; c += 2u) {
    let value = pairValue(basis, tile.values, c / 2u, lane);
    sum += factors[c] * value.x;
    if (c + 1u < tile.columnCount) { sum += factors[c + 1u] * value.y; }
  }
  var fade = 1.0;
  for (var c = 0u; c < changing; c += 2u) {
    let value = pairValue(halo, tile.haloValues, c / 2u, lane);
    fade *= 1.0 - fades[c] * value.x;
    if (c + 1u < changing) { fade *= 1.0 - fades[c + 1u] * value.y; }
  }
  for (var c = changing; c < tile.haloCount; c++) { fade *= 1.0 - fades[c]; }
  let room = point.w;
  // Roots instead of quotients: GPUs have a unit for them.
  let level = sum * inverseSqrt(max(room * room, TINY));
  let square = min(level * level, LARGEST_SQUARE);
  let inverse = inverseSqrt(1.0 + square * square);
  let root = fade * sqrt(inverse);
  return vec4f(point.xyz + root * sum * unpackField(direction), root * inverse * inverse);
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
  points[pointAt(group.y, group.x * TILE + lane)] = moved(group, lane);
}
`;

export const displaceLast = (stride: OutputStride) => /* wgsl */ `
${prelude({ ...inputs, output: `read_write array<${stride === 16 ? 'vec4f' : 'f32'}>` })}
${field}
${amounts}
${writeOutput(stride, '1.0')}
@compute @workgroup_size(TILE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let source = lists[shape.infos + group.x * TILE + lane] >> SLOT_BITS;
  let point = moved(group, lane).xyz;
  if (source != NO_SOURCE) { write(group.y * shape.sourceCount + source, point); }
}
`;
