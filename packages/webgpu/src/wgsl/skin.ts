/**
 * C15. y_k = Σ_i ω_ki T_i (x̄_k + (Σ_s λ_s φ_sk) n̄_k): shapes before the skin, as any player does it; y.w = A_k n̄_k, packed.
 *
 * Nothing else is kept of the skin: to skin again costs less than to read what was kept. The last one of a frame writes to the caller's
 * buffer, in the order of the character.
 */
import { direction } from './direction.js';
import { describeOutput, type OutputLayout, writeVertex } from './output.js';
import { forInstances, idle, neverIdle, prelude } from './prelude.js';

const place = /* wgsl */ `
struct Rows { x: vec4f, y: vec4f, z: vec4f };

/** From the second half of a slice's header. */
fn blend(slice: vec4u, inside: u32, instance: u32) -> Rows {
  let matrices = instance * shape.inputStride;
  let first = slice.w + inside;
  let last = first + max(1u, (slice.y >> 16u) & 0xffu) * SLICE - SLICE;
  var rows = Rows();
  // Two at a time: their loads do not wait for each other.
  for (var e = first; e <= last; e += 2u * SLICE) {
    let one = lists[e];
    let other = lists[min(e + SLICE, last)];
    let a = f32(one & WEIGHT_MASK) * WEIGHT_SCALE;
    let b = select(0.0, f32(other & WEIGHT_MASK) * WEIGHT_SCALE, e < last);
    let i = matrices + 3u * (one >> WEIGHT_BITS);
    let j = matrices + 3u * (other >> WEIGHT_BITS);
    rows.x += a * inputs[i] + b * inputs[j];
    rows.y += a * inputs[i + 1u] + b * inputs[j + 1u];
    rows.z += a * inputs[i + 2u] + b * inputs[j + 2u];
  }
  return rows;
}

fn turn(rows: Rows, v: vec4f) -> vec3f { return vec3f(dot(rows.x, v), dot(rows.y, v), dot(rows.z, v)); }

/** λ of a shape: solved for, or given with the pose. */
fn amount(instance: u32, index: u32) -> f32 {
  if (index < shape.regionCount) {
    return state[stateAt(instance, select(STATE_lambda, STATE_start, shape.isFirst == 1u), index)];
  }
  let given = index - shape.regionCount;
  return inputs[instance * shape.inputStride + shape.givenVectors + given / 4u][given % 4u];
}
`;

/** Σ λ φ of a vertex, as `sum`; what of it does not depend on the character comes first. */
const push = {
  begin: '',
  each: /* wgsl */ `
    var sum = 0.0;
    for (var n = 0u; 2u * n < (slice.y & 0xffu); n++) {
      let value = unpack2x16snorm(lists[slice.z + n * SLICE + inside]);
      let at = slice.x + 4u * n;
      sum += amount(instance, lists[at]) * listFloat(at + 1u) * value.x;
      sum += amount(instance, lists[at + 2u]) * listFloat(at + 3u) * value.y;
    }
`,
};

/** The same by subgroups: every thread of a slice looks after one of its columns, so that no load waits for the one of another column. */
const pushTogether = {
  begin: /* wgsl */ `
  let mostColumns = slices[2u * (TILE / SLICE) * group.x + 1u].y >> 24u;
  let start = laneOfSubgroup - inside;
  var column = 0u;
  var scale = 0.0;
  if (inside < (slice.y & 0xffu)) {
    column = lists[slice.x + 2u * inside];
    scale = listFloat(slice.x + 2u * inside + 1u);
  }
  let ahead = lists[slice.z + inside];
  let further = lists[slice.z + SLICE + inside];
`,
  each: /* wgsl */ `
    let factor = scale * amount(instance, column);
    let near = unpack2x16snorm(ahead);
    let far = unpack2x16snorm(further);
    var sum = subgroupShuffle(factor, start) * near.x + subgroupShuffle(factor, start + 1u) * near.y
      + subgroupShuffle(factor, start + 2u) * far.x + subgroupShuffle(factor, start + 3u) * far.y;
    for (var c = 4u; c < mostColumns; c += 2u) {
      let value = unpack2x16snorm(lists[slice.z + (c / 2u) * SLICE + inside]);
      sum += subgroupShuffle(factor, start + c) * value.x + subgroupShuffle(factor, start + c + 1u) * value.y;
    }
`,
};

const inputs = {
  slices: 'read array<vec4u>',
  inputs: 'read array<vec4f>',
  rest: 'read array<vec4u>',
  state: 'read array<f32>',
};

const begin = /* wgsl */ `
  let vertex = group.x * TILE + lane;
  let inside = vertex % SLICE;
  let slice = slices[2u * (vertex / SLICE) + 1u];
  let own = rest[vertex];
  let direction = unpackRest(own.w);
`;

const move = /* wgsl */ `
    let rows = blend(slice, inside, instance);
    let place = turn(rows, vec4f(bitcast<vec3f>(own.xyz) + sum * direction, 1.0));
`;

const header = (hasSubgroups: boolean) => /* wgsl */ `
@compute @workgroup_size(TILE)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) lane: u32,
  ${hasSubgroups ? '@builtin(subgroup_invocation_id) laneOfSubgroup: u32,' : ''}
)`;

/** @param hasSubgroups of 32 threads or more, and no slice has more columns. */
export function skin(hasSubgroups: boolean): string {
  const { begin: ahead, each } = hasSubgroups ? pushTogether : push;
  return /* wgsl */ `
${hasSubgroups ? 'enable subgroups;' : ''}
${prelude({ ...inputs, points: 'read_write array<vec4u>' })}
${idle}
${direction}
${place}
${header(hasSubgroups)} {
${forInstances(
  `${begin}${ahead}`,
  `${each}${move}
    let turned = packTurned(turn(rows, vec4f(direction, 0.0)));
    points[pointAt(instance, vertex)] = vec4u(bitcast<vec3u>(place), turned);`,
)}
}
`;
}

export function skinLast(layout: OutputLayout, hasSubgroups: boolean): string {
  const output = describeOutput(layout, 'points');
  const { begin: ahead, each } = hasSubgroups ? pushTogether : push;
  return /* wgsl */ `
${hasSubgroups ? 'enable subgroups;' : ''}
${prelude({ ...inputs, output: `read_write array<${output.type}>` })}
${neverIdle}
${direction}
${place}
${output.write}
${header(hasSubgroups)} {
${forInstances(
  `${begin}${ahead}
  let source = lists[shape.infos + vertex] >> 1u;`,
  `${each}${move}
    ${writeVertex(layout, 'source', 'place')}`,
)}
}
`;
}
