/** A2. x_k = Σ ω_ki T_i x̄_k and n_k = Σ ω_ki A_i n̄_k; x.w carries the room r_k. */
import { field } from './field.js';
import { prelude } from './prelude.js';

const blend = /* wgsl */ `
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
`;

export const skin = /* wgsl */ `
${prelude({
  inputs: 'read array<vec4f>',
  rest: 'read array<vec4f>',
  restFields: 'read array<vec2u>',
  points: 'read_write array<vec4f>',
  fields: 'read_write array<vec2u>',
})}
${field}
${blend}
@compute @workgroup_size(TILE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let vertex = group.x * TILE + lane;
  let point = rest[vertex];
  let direction = restFields[vertex];
  let rows = blend(vertex, group.y);
  points[pointAt(group.y, vertex)] = vec4f(turn(rows, vec4f(point.xyz, 1.0)), point.w);
  fields[group.y * shape.vertexCount + vertex] = packField(turn(rows, vec4f(unpackField(direction), 0.0)));
}
`;
