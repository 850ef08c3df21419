/**
 * B4, C15. One walk around every vertex (and every border pair) gives its area vector; each tile then sums
 *
 *   3 V_s = Σ (y_k − o_s)·g_sk          J_st = Σ ⟨A_k n̄_k, g_sk⟩ φ_tk
 *
 * in blocks (of 8 and 32, or subgroups, which are taken to be runs of threads) and tiles, and writes unit normals for the caller.
 */
import { RING_BATCH, TILE } from '../constants.js';
import { direction } from './direction.js';
import { type OutputStride, writeOutput } from './output.js';
import { idle, prelude } from './prelude.js';

const batch = (line: (j: number) => string) => Array.from({ length: RING_BATCH }, (_, j) => line(j)).join('\n    ');

/** `ahead`: the words of the first six columns. */
const columnValue = /* wgsl */ `
fn columnValue(ahead: vec3u, values: u32, column: u32, lane: u32) -> f32 {
  var word = select(select(ahead.z, ahead.y, column < 4u), ahead.x, column < 2u);
  if (column >= 6u) { word = lists[values + (column / 2u) * TILE + lane]; }
  let pair = unpack2x16snorm(word);
  return select(pair.x, pair.y, (column & 1u) == 1u);
}
fn at(index: u32) -> vec3f { return bitcast<vec3f>(points[index].xyz); }
`;

/** `area` of this thread's vertex or pair, the walk around it. */
const walk = /* wgsl */ `
  let slice = shape.rings + item / SLICE;
  let begin = lists[slice] + item % SLICE;
  let last = lists[slice + 1u] - SLICE + item % SLICE;
  let own = points[base + vertex];
  let point = bitcast<vec3f>(own.xyz);
  var before = at(base + (lists[last] & RING_INDEX)) - point;
  var area = vec3f();
  // A ring's last entry, again: a triangle of no area.
  for (var e = begin; e <= last; e += ${RING_BATCH}u * SLICE) {
    ${batch((j) => `let entry${j} = lists[min(e + ${j}u * SLICE, last)];`)}
    ${batch((j) => `let next${j} = at(base + (entry${j} & RING_INDEX)) - point;`)}
    ${batch((j) => `area += cross(${j === 0 ? 'before' : `next${j - 1}`}, next${j}) * select(1.0, 0.0, (entry${j} & RING_BREAK) != 0u);`)}
    before = next${RING_BATCH - 1};
  }
`;

/** The sums of a tile. @param subgroup smallest subgroup of the device, or 0: sums go through workgroup memory. */
const addUp = (subgroup: number) => /* wgsl */ `
  for (var first = 0u; first < tile.sumCount; first += SUMS) {
    for (var j = 0u; j < min(SUMS, tile.sumCount - first); j++) {
      let what = lists[tile.sums + 2u * (first + j)];
      let column = what & NO_SLOT;
      var term = volume;
      if (column != NO_SLOT) { term = slope * columnValue(ahead, tile.values, column, lane); }
      term = select(0.0, term, (what >> SLOT_BITS) == row);
      ${
        subgroup
          ? `let strip = subgroupAdd(term);
      if (inside == 0u) { strips[j * ${TILE / subgroup}u + lane / width] = strip; }`
          : 'terms[j * TILE + lane] = term;'
      }
    }
    workgroupBarrier();
${
  subgroup
    ? ''
    : `    let j = lane / SLICE;
    var strip = 0.0;
    if (first + j < tile.sumCount) {
      for (var n = lane % SLICE; n < TILE; n += SLICE) { strip += terms[j * TILE + n]; }
    }
    strips[j * (SLICE + 1u) + lane % SLICE] = strip;
    workgroupBarrier();`
}
    if (lane < SUMS && first + lane < tile.sumCount) {
      var total = 0.0;
      ${
        subgroup
          ? `for (var n = 0u; n < TILE / width; n++) { total += strips[lane * ${TILE / subgroup}u + n]; }`
          : 'for (var n = 0u; n < SLICE; n++) { total += strips[lane * (SLICE + 1u) + n]; }'
      }
      let at = tile.sums + 2u * (first + lane);
      let column = lists[at] & NO_SLOT;
      if (column != NO_SLOT) { total *= listFloat(tile.columns + 2u * column + 1u); }
      partials[group.y * shape.partialStride + lists[at + 1u]] = total;
    }
    workgroupBarrier();
  }
`;

export const measure = (normals: OutputStride, subgroup: number) => /* wgsl */ `
${subgroup ? 'enable subgroups;' : ''}
${prelude({
  points: 'read array<vec4u>',
  partials: 'read_write array<f32>',
  state: 'read array<f32>',
  output: `read_write array<${normals === 16 ? 'vec4f' : 'f32'}>`,
})}
${writeOutput(normals, '0.0')}
${idle}
${direction}
${columnValue}
${
  subgroup
    ? `var<workgroup> strips: array<f32, SUMS * ${TILE / subgroup}u>;`
    : `var<workgroup> terms: array<f32, SUMS * TILE>;
var<workgroup> strips: array<f32, SUMS * (SLICE + 1u)>;`
}
@compute @workgroup_size(TILE)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(num_workgroups) groups: vec3u,
  ${subgroup ? '@builtin(subgroup_size) width: u32, @builtin(subgroup_invocation_id) inside: u32,' : ''}
) {
  if (isIdle(group.y)) { return; }
  let place = groups.x - 1u - group.x; // pairs first: they take longest
  let tile = readTile(place);
  let item = place * TILE + lane;
  let info = lists[shape.infos + item];
  let isPair = place >= shape.tileCount;
  let vertex = select(item, info >> SLOT_BITS, isPair);
  let row = info & NO_SLOT;
  let base = pointAt(group.y, 0u);
  ${walk}
  // Only now: what a thread keeps through the walk, fewer threads can keep beside it.
  let anchor = at(base + lists[tile.rows + select(row, 0u, row == NO_SLOT)]);
  var ahead = vec3u();
  if (tile.columnCount > 0u) { ahead.x = lists[tile.values + lane]; }
  if (tile.columnCount > 2u) { ahead.y = lists[tile.values + TILE + lane]; }
  if (tile.columnCount > 4u) { ahead.z = lists[tile.values + 2u * TILE + lane]; }
  area *= 1.0 / 6.0;
  if (!isPair && (info >> SLOT_BITS) != NO_SOURCE) {
    // Twice: squares of small areas fall out of the range of f32.
    let large = area * (1.0 / max(max(abs(area.x), max(abs(area.y), abs(area.z))), TINY));
    write(group.y * shape.sourceCount + (info >> SLOT_BITS), large * inverseSqrt(max(dot(large, large), TINY)));
  }
  if (isPair) {
    let share = shape.shares + item - shape.tileCount * TILE;
    for (var e = lists[share]; e < lists[share + 1u]; e += 2u) {
      area += listFloat(e + 1u) * at(base + shape.vertexCount + shape.apexCount + lists[e]);
    }
  }
  var volume = 0.0;
  if (row != NO_SLOT) { volume = dot(point - anchor, area); }
  let slope = dot(unpackTurned(own.w), area);
${addUp(subgroup)}
}
`;
