/**
 * Σ_s λ_s φ_sk of a vertex, as `sum`. The first four columns of a slice and their φ stand at places that need no header, so that their
 * loads wait for nothing; what is beyond them is found through the header (`slice`). Needs `amount(instance, shape)`.
 *
 * By subgroups every thread of a slice looks after one of its columns, and no load waits for the one of another column.
 */
import { COLUMNS_AHEAD } from '../constants.js';

const vertex = 'let vertex = (group.x - shape.apexGroups) * TILE + lane;';

/** What does not depend on the character. */
export const beginAlone = /* wgsl */ `
  let inside = vertex % SLICE;
  let number = vertex / SLICE;
  let slice = slices[2u * number + 1u];
  let heads = shape.columns + 2u * COLUMNS_AHEAD * number;
  let near = unpack2x16snorm(lists[shape.values + number * (COLUMNS_AHEAD / 2u) * SLICE + inside]);
  let far = unpack2x16snorm(lists[shape.values + (number * (COLUMNS_AHEAD / 2u) + 1u) * SLICE + inside]);
`;

const NAMES = ['near.x', 'near.y', 'far.x', 'far.y'] as const;
const columns = NAMES.map((value, c) => ({ value, c })).slice(0, COLUMNS_AHEAD);

export const sumAlone = /* wgsl */ `
    var sum = ${columns.map(({ value, c }) => `amount(instance, lists[heads + ${2 * c}u]) * listFloat(heads + ${2 * c + 1}u) * ${value}`).join(' + ')};
    for (var c = COLUMNS_AHEAD; c < (slice.y & 0xffu); c += 2u) {
      let value = unpack2x16snorm(lists[slice.z + (c / 2u) * SLICE + inside]);
      let at = slice.x + 2u * c;
      sum += amount(instance, lists[at]) * listFloat(at + 1u) * value.x;
      sum += amount(instance, lists[at + 2u]) * listFloat(at + 3u) * value.y;
    }
`;

const beginTogether = /* wgsl */ `
  let mostColumns = slices[2u * (TILE / SLICE) * (group.x - shape.apexGroups) + 1u].y >> 24u;
  let start = laneOfSubgroup - inside;
  let column = lists[heads + 2u * (inside % COLUMNS_AHEAD)];
  let scale = listFloat(heads + 2u * (inside % COLUMNS_AHEAD) + 1u);
`;

const sumTogether = /* wgsl */ `
    let factor = scale * amount(instance, column);
    var sum = ${columns.map(({ value, c }) => `subgroupShuffle(factor, start + ${c}u) * ${value}`).join(' + ')};
    if (mostColumns > COLUMNS_AHEAD) {
      var other = 0.0;
      if (inside >= COLUMNS_AHEAD && inside < (slice.y & 0xffu)) {
        other = listFloat(slice.x + 2u * inside + 1u) * amount(instance, lists[slice.x + 2u * inside]);
      }
      for (var c = COLUMNS_AHEAD; c < mostColumns; c += 2u) {
        let value = unpack2x16snorm(lists[slice.z + (c / 2u) * SLICE + inside]);
        sum += subgroupShuffle(other, start + c) * value.x + subgroupShuffle(other, start + c + 1u) * value.y;
      }
    }
`;

/** @param hasSubgroups of 32 threads or more, and no slice has more columns. */
export const push = (hasSubgroups: boolean) => ({
  begin: `  ${vertex}${beginAlone}${hasSubgroups ? beginTogether : ''}`,
  each: hasSubgroups ? sumTogether : sumAlone,
  header: /* wgsl */ `
@compute @workgroup_size(TILE)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) lane: u32,
  ${hasSubgroups ? '@builtin(subgroup_invocation_id) laneOfSubgroup: u32,' : ''}
)`,
});
