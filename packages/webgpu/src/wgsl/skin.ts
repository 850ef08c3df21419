/** A2. x_k = Σ ω_ki T_i x̄_k and n_k = Σ ω_ki A_i n̄_k; x.w carries the room r_k. */
import { apexes } from './apexes.js';
import { field } from './field.js';
import { prelude } from './prelude.js';

const blend = /* wgsl */ `
struct Rows { x: vec4f, y: vec4f, z: vec4f };

fn blend(vertex: u32, instance: u32) -> Rows {
  let slice = shape.influences + vertex / SLICE;
  let to = lists[slice + 1u];
  let matrices = instance * shape.inputStride;
  var rows = Rows();
  for (var e = lists[slice] + vertex % SLICE; e < to; e += SLICE) {
    let weight = f32(lists[e] & WEIGHT_MASK) * WEIGHT_SCALE;
    let bone = matrices + 3u * (lists[e] >> WEIGHT_BITS);
    rows.x += weight * inputs[bone];
    rows.y += weight * inputs[bone + 1u];
    rows.z += weight * inputs[bone + 2u];
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
  let at = group.y * shape.vertexCount + vertex;
  let rows = blend(vertex, group.y);
  let point = rest[vertex];
  points[at] = vec4f(turn(rows, vec4f(point.xyz, 1.0)), point.w);
  fields[at] = packField(turn(rows, vec4f(unpackField(restFields[vertex]), 0.0)));
}
`;

export const skinApexes = /* wgsl */ `
${prelude({ inputs: 'read array<vec4f>', rest: 'read array<vec4f>', apexes: 'read_write array<vec4f>' })}
${blend}
fn isIdle(instance: u32) -> bool { return false; }
fn place(vertex: u32, instance: u32) -> vec3f {
  return turn(blend(vertex, instance), vec4f(rest[vertex].xyz, 1.0));
}
${apexes}
`;
