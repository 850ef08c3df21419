/**
 * C15. y_k = Σ_i ω_ki T_i (x̄_k + (Σ_s λ_s φ_sk) n̄_k): shapes before the skin, as any player does it; y.w = A_k n̄_k, packed.
 *
 * Nothing else is kept of the skin: to skin again costs less than to read what was kept. What the columns of a tile are multiplied
 * with is the same for its 256 vertices: loaded once, by as many threads as there are columns. The last one of a frame writes to
 * the caller's buffer, in the order of the character.
 */
import { direction } from './direction.js';
import { type OutputStride, writeOutput } from './output.js';
import { idle, prelude } from './prelude.js';

const place = /* wgsl */ `
struct Rows { x: vec4f, y: vec4f, z: vec4f };

fn blend(vertex: u32, instance: u32) -> Rows {
  let slice = shape.influences + vertex / SLICE;
  let to = lists[slice + 1u];
  let matrices = instance * shape.inputStride;
  let last = to - SLICE + vertex % SLICE;
  var rows = Rows();
  // Two at a time: their loads do not wait for each other.
  for (var e = lists[slice] + vertex % SLICE; e < to; e += 2u * SLICE) {
    let first = lists[e];
    let second = lists[min(e + SLICE, last)];
    let a = f32(first & WEIGHT_MASK) * WEIGHT_SCALE;
    let b = select(0.0, f32(second & WEIGHT_MASK) * WEIGHT_SCALE, e < last);
    let i = matrices + 3u * (first >> WEIGHT_BITS);
    let j = matrices + 3u * (second >> WEIGHT_BITS);
    rows.x += a * inputs[i] + b * inputs[j];
    rows.y += a * inputs[i + 1u] + b * inputs[j + 1u];
    rows.z += a * inputs[i + 2u] + b * inputs[j + 2u];
  }
  return rows;
}

fn turn(rows: Rows, v: vec4f) -> vec3f { return vec3f(dot(rows.x, v), dot(rows.y, v), dot(rows.z, v)); }

var<workgroup> factors: array<f32, TILE>;

/** λ of a shape: solved for, or given with the pose. */
fn amount(instance: u32, index: u32) -> f32 {
  if (index < shape.regionCount) {
    return state[stateAt(instance, select(STATE_lambda, STATE_start, shape.isFirst == 1u), index)];
  }
  let given = index - shape.regionCount;
  return inputs[instance * shape.inputStride + shape.givenVectors + given / 4u][given % 4u];
}

/** Σ λ φ of a vertex. Uniform control flow only. */
fn push(instance: u32, index: u32, lane: u32) -> f32 {
  let tile = readTile(index);
  if (lane < tile.columnCount) {
    let at = tile.columns + 2u * lane;
    factors[lane] = amount(instance, lists[at]) * listFloat(at + 1u);
  }
  workgroupBarrier();
  var sum = 0.0;
  for (var c = 0u; c < tile.columnCount; c += 2u) {
    let value = unpack2x16snorm(lists[tile.values + (c / 2u) * TILE + lane]);
    sum += factors[c] * value.x;
    if (c + 1u < tile.columnCount) { sum += factors[c + 1u] * value.y; }
  }
  return sum;
}
`;

const inputs = { inputs: 'read array<vec4f>', rest: 'read array<vec4u>', state: 'read array<f32>' };

const move = /* wgsl */ `
  let vertex = group.x * TILE + lane;
  let own = rest[vertex];
  let direction = unpackRest(own.w);
  let rows = blend(vertex, group.y);
  let place = turn(rows, vec4f(bitcast<vec3f>(own.xyz) + push(group.y, group.x, lane) * direction, 1.0));
`;

export const skin = /* wgsl */ `
${prelude({ ...inputs, points: 'read_write array<vec4u>' })}
${idle}
${direction}
${place}
@compute @workgroup_size(TILE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  if (isIdle(group.y)) { return; }
  ${move}
  let turned = packTurned(turn(rows, vec4f(direction, 0.0)));
  points[pointAt(group.y, vertex)] = vec4u(bitcast<vec3u>(place), turned);
}
`;

export const skinLast = (stride: OutputStride) => /* wgsl */ `
${prelude({ ...inputs, output: `read_write array<${stride === 16 ? 'vec4f' : 'f32'}>` })}
${direction}
${place}
${writeOutput(stride, '1.0')}
@compute @workgroup_size(TILE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  ${move}
  let source = lists[shape.infos + vertex] >> SLOT_BITS;
  if (source != NO_SOURCE) { write(group.y * shape.sourceCount + source, place); }
}
`;
