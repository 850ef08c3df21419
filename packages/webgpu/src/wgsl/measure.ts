/**
 * B4, C11. One walk around every vertex (and every border pair) gives its area vector; each tile then sums
 *
 *   3 V_s = Σ (y_k − o_s)·g_sk          J_st = Σ slope_k ⟨n_k, g_sk⟩ φ_tk
 *
 * in blocks (of 8 and 32, or subgroups, which are taken to be runs of threads) and tiles. Variants: `sweep` smooths the
 * direction field on the way (the same neighbours), `slopes` sums J as well, `normals` writes unit normals for the caller.
 */
import { RING_BATCH, TILE } from '../constants.js';
import { field } from './field.js';
import { type OutputStride, writeOutput } from './output.js';
import { optional, prelude } from './prelude.js';

export interface MeasureVariant {
  readonly sweep?: boolean;
  readonly slopes?: boolean;
  readonly normals?: OutputStride;
  /** Smallest subgroup of the device, or 0: sums go through workgroup memory. */
  readonly subgroup?: number;
}

/** What a variant binds after shape and lists, in this order. */
export function measureBindings({ sweep, slopes, normals }: MeasureVariant) {
  return {
    points: 'read array<vec4f>',
    partials: 'read_write array<f32>',
    ...(slopes && { state: 'read array<f32>' }),
    ...((sweep || slopes) && { fields: 'read array<vec2u>' }),
    ...(sweep && { smoothed: 'read_write array<vec2u>' }),
    ...(normals && { output: `read_write array<${normals === 16 ? 'vec4f' : 'f32'}>` }),
  };
}

const batch = (line: (j: number) => string) => Array.from({ length: RING_BATCH }, (_, j) => line(j)).join('\n    ');
const when = (flag: unknown, text: string) => (flag ? text : '');

export const measure = (variant: MeasureVariant) => /* wgsl */ `
${when(variant.subgroup, 'enable subgroups;')}
${prelude(measureBindings(variant))}
${when(variant.normals, writeOutput(variant.normals ?? 16, '0.0'))}
${when(variant.slopes, optional)}
${when(variant.sweep || variant.slopes, field)}
${
  variant.subgroup
    ? `var<workgroup> strips: array<f32, SUMS * ${TILE / variant.subgroup}u>;`
    : `var<workgroup> terms: array<f32, SUMS * TILE>;
var<workgroup> strips: array<f32, SUMS * (SLICE + 1u)>;`
}

${when(
  variant.slopes,
  `/** \`ahead\`: the words of the first six columns. */
fn columnValue(ahead: vec3u, values: u32, column: u32, lane: u32) -> f32 {
  var word = select(select(ahead.z, ahead.y, column < 4u), ahead.x, column < 2u);
  if (column >= 6u) { word = lists[values + (column / 2u) * TILE + lane]; }
  let pair = unpack2x16snorm(word);
  return select(pair.x, pair.y, (column & 1u) == 1u);
}`,
)}

@compute @workgroup_size(TILE)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(num_workgroups) groups: vec3u,
  ${when(variant.subgroup, '@builtin(subgroup_size) width: u32, @builtin(subgroup_invocation_id) inside: u32,')}
) {
  ${when(variant.slopes, 'if (isIdle(group.y)) { return; }')}
  let place = groups.x - 1u - group.x; // pairs first: they take longest
  let tile = readTile(place);
  let item = place * TILE + lane;
  let info = lists[shape.infos + item];
  let isPair = place >= shape.tileCount;
  let vertex = select(item, info >> SLOT_BITS, isPair);
  let base = pointAt(group.y, 0u);
  let fieldBase = group.y * shape.vertexCount;
  let slice = shape.rings + item / SLICE;
  let begin = lists[slice] + item % SLICE;
  let last = lists[slice + 1u] - SLICE + item % SLICE;
  let row = info & NO_SLOT;
  let point = points[base + vertex];
  var before = points[base + (lists[last] & RING_INDEX)].xyz - point.xyz;
  var area = vec3f();
  ${when(variant.sweep, 'var around = vec3f(); var neighbours = 0.0;')}
  // A ring's last entry, again: a triangle of no area.
  for (var e = begin; e <= last; e += ${RING_BATCH}u * SLICE) {
    ${batch((j) => `let entry${j} = lists[min(e + ${j}u * SLICE, last)];`)}
    ${batch((j) => `let next${j} = points[base + (entry${j} & RING_INDEX)].xyz - point.xyz;`)}
    ${when(
      variant.sweep,
      `if (!isPair) {
      ${batch((j) => `let field${j} = openField(fields[fieldBase + (entry${j} & RING_INDEX)]);`)}
      ${batch(
        (j) => `let counts${j} = select(0.0, 1.0, (entry${j} & RING_REPEAT) == 0u && e + ${j}u * SLICE <= last);
      around += (field${j}.xyz - FIELD_MIDDLE) * (counts${j} * field${j}.w);
      neighbours += counts${j};`,
      )}
    }`,
    )}
    ${batch((j) => `area += cross(${j === 0 ? 'before' : `next${j - 1}`}, next${j}) * select(1.0, 0.0, (entry${j} & RING_BREAK) != 0u);`)}
    before = next${RING_BATCH - 1};
  }
  // Only now: what a thread keeps through the walk, fewer threads can keep beside it.
  let anchor = points[base + lists[tile.rows + select(row, 0u, row == NO_SLOT)]].xyz;
  ${when(variant.sweep || variant.slopes, 'let own = fields[fieldBase + vertex];')}
  ${when(
    variant.slopes,
    `var ahead = vec3u();
  if (tile.columnCount > 0u) { ahead.x = lists[tile.values + lane]; }
  if (tile.columnCount > 2u) { ahead.y = lists[tile.values + TILE + lane]; }
  if (tile.columnCount > 4u) { ahead.z = lists[tile.values + 2u * TILE + lane]; }`,
  )}
  area *= 1.0 / 6.0;
  ${when(
    variant.sweep,
    `if (!isPair) {
    smoothed[fieldBase + vertex] = packField(0.5 * unpackField(own) + around * (0.5 / max(neighbours, 1.0)));
  }`,
  )}
  ${when(
    variant.normals,
    `if (!isPair && (info >> SLOT_BITS) != NO_SOURCE) {
    // Twice: squares of small areas fall out of the range of f32.
    let large = area * (1.0 / max(max(abs(area.x), max(abs(area.y), abs(area.z))), TINY));
    write(group.y * shape.sourceCount + (info >> SLOT_BITS), large * inverseSqrt(max(dot(large, large), TINY)));
  }`,
  )}
  if (isPair) {
    let share = shape.shares + item - shape.tileCount * TILE;
    for (var e = lists[share]; e < lists[share + 1u]; e += 2u) {
      area += listFloat(e + 1u) * points[base + shape.vertexCount + shape.apexCount + lists[e]].xyz;
    }
  }
  var volume = 0.0;
  if (row != NO_SLOT) { volume = dot(point.xyz - anchor, area); }
  ${when(variant.slopes, 'let slope = point.w * dot(unpackField(own), area);')}

  let count = ${variant.slopes ? 'tile.sumCount' : 'tile.volumeSums'};
  for (var first = 0u; first < count; first += SUMS) {
    for (var j = 0u; j < min(SUMS, count - first); j++) {
      let what = lists[tile.sums + 2u * (first + j)];
      var term = volume;
      ${when(
        variant.slopes,
        `let column = what & NO_SLOT;
      if (column != NO_SLOT) { term = slope * columnValue(ahead, tile.values, column, lane); }`,
      )}
      term = select(0.0, term, (what >> SLOT_BITS) == row);
      ${
        variant.subgroup
          ? `let strip = subgroupAdd(term);
      if (inside == 0u) { strips[j * ${TILE / variant.subgroup}u + lane / width] = strip; }`
          : 'terms[j * TILE + lane] = term;'
      }
    }
    workgroupBarrier();
${when(
  !variant.subgroup,
  `    let j = lane / SLICE;
    var strip = 0.0;
    if (first + j < count) {
      for (var n = lane % SLICE; n < TILE; n += SLICE) { strip += terms[j * TILE + n]; }
    }
    strips[j * (SLICE + 1u) + lane % SLICE] = strip;
    workgroupBarrier();`,
)}
    if (lane < SUMS && first + lane < count) {
      var total = 0.0;
      ${
        variant.subgroup
          ? `for (var n = 0u; n < TILE / width; n++) { total += strips[lane * ${TILE / variant.subgroup}u + n]; }`
          : 'for (var n = 0u; n < SLICE; n++) { total += strips[lane * (SLICE + 1u) + n]; }'
      }
      let at = tile.sums + 2u * (first + lane);
      ${when(
        variant.slopes,
        `let column = lists[at] & NO_SLOT;
      if (column != NO_SLOT) { total *= listFloat(tile.columns + 2u * column + 1u); }`,
      )}
      partials[group.y * shape.partialStride + lists[at + 1u]] = total;
    }
    workgroupBarrier();
  }
}
`;

/** n ← ½ n + ½ mean of the neighbours, for the second and later sweeps. */
export const sweep = /* wgsl */ `
${prelude({ fields: 'read array<vec2u>', smoothed: 'read_write array<vec2u>' })}
${field}
@compute @workgroup_size(TILE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let vertex = group.x * TILE + lane;
  let base = group.y * shape.vertexCount;
  let slice = shape.rings + vertex / SLICE;
  var around = vec3f();
  var neighbours = 0.0;
  for (var e = lists[slice] + vertex % SLICE; e < lists[slice + 1u]; e += SLICE) {
    if ((lists[e] & RING_REPEAT) == 0u) {
      around += unpackField(fields[base + (lists[e] & RING_INDEX)]);
      neighbours += 1.0;
    }
  }
  smoothed[base + vertex] = packField(0.5 * unpackField(fields[base + vertex]) + around * (0.5 / max(neighbours, 1.0)));
}
`;
