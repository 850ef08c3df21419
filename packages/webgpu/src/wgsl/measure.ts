/**
 * B4, C15. One walk around every vertex (and every border pair) gives its area vector; each slice then sums
 *
 *   3 V_s = Σ (y_k − o_s)·g_sk          J_st = Σ ⟨A_k n̄_k, g_sk⟩ φ_tk
 *
 * over its 32 items, and unit normals are written for the caller. With subgroups (taken to be runs of at least 32 threads) eight
 * sums are folded at once: in the first three exchanges a thread hands over half of what it has, so nine shuffles do instead of forty.
 */
import { RING_BATCH, SLICE, SUMS } from '../constants.js';
import { direction } from './direction.js';
import { describeOutput, type OutputLayout, writeVertex } from './output.js';
import { forInstances, idle, prelude } from './prelude.js';

const repeat = (count: number, line: (j: number) => string) =>
  Array.from({ length: count }, (_, j) => line(j)).join('\n    ');

/** `area` of this thread's vertex or pair, the walk around it. */
const walk = /* wgsl */ `
    let own = points[base + vertex];
    let point = bitcast<vec3f>(own.xyz);
    var before = at(base + (lists[last] & RING_INDEX)) - point;
    var area = vec3f();
    // A ring's last entry, again: a triangle of no area.
    for (var e = begin; e <= last; e += ${RING_BATCH}u * SLICE) {
    ${repeat(RING_BATCH, (j) => `let entry${j} = lists[min(e + ${j}u * SLICE, last)];`)}
    ${repeat(RING_BATCH, (j) => `let next${j} = at(base + (entry${j} & RING_INDEX)) - point;`)}
    ${repeat(RING_BATCH, (j) => `area += cross(${j === 0 ? 'before' : `next${j - 1}`}, next${j}) * select(1.0, 0.0, (entry${j} & RING_BREAK) != 0u);`)}
      before = next${RING_BATCH - 1};
    }
`;

/** Eight values of each thread → the sum over the slice of value number (thread % 8). */
function fold(): string {
  const lines: string[] = [];
  let names = Array.from({ length: SUMS }, (_, j) => `term${j}`);
  for (let bit = 1; bit < SLICE; bit *= 2) {
    if (names.length === 1) {
      lines.push(`let fold${bit} = ${names[0]} + subgroupShuffleXor(${names[0]}, ${bit}u);`);
      names = [`fold${bit}`];
      continue;
    }
    lines.push(`let isOdd${bit} = (inside & ${bit}u) != 0u;`);
    names = Array.from({ length: names.length / 2 }, (_, n) => {
      const [even, odd] = [names[2 * n]!, names[2 * n + 1]!];
      lines.push(
        `let fold${bit}${n} = select(${even}, ${odd}, isOdd${bit}) + subgroupShuffleXor(select(${odd}, ${even}, isOdd${bit}), ${bit}u);`,
      );
      return `fold${bit}${n}`;
    });
  }
  return `${lines.join('\n      ')}
      let total = ${names[0]};`;
}

const shared = /* wgsl */ `
      workgroupBarrier();
      ${repeat(SUMS, (j) => `terms[${j}u * TILE + lane] = term${j};`)}
      workgroupBarrier();
      var total = 0.0;
      if (inside < SUMS) {
        for (var n = 0u; n < SLICE; n++) { total += terms[inside * TILE + lane - inside + n]; }
      }
`;

/** The sums of a slice: a J_st per column that is solved for, then V_s. */
const addUp = (hasSubgroups: boolean) => /* wgsl */ `
    let number = item / SLICE;
    let values = shape.values + number * (COLUMNS_AHEAD / 2u) * SLICE + inside;
    for (var first = 0u; first < mostSums; first += SUMS) {
      ${repeat(SUMS / 2, (w) => `let pair${w} = loadPair(values, tail.z + inside, first / 2u + ${w}u, solved);`)}
      ${repeat(SUMS, (j) => `let term${j} = select(select(0.0, volume, first + ${j}u == solved), slope * pair${j >> 1}.${'xy'[j & 1]}, first + ${j}u < solved);`)}
      ${hasSubgroups ? fold() : shared}
      let sum = first + inside;
      if (inside < SUMS && sum <= solved) {
        let slot = lists[head.w + sum];
        let heads = select(tail.x, shape.columns + 2u * COLUMNS_AHEAD * number, sum < COLUMNS_AHEAD);
        let scale = select(1.0, listFloat(heads + 2u * sum + 1u), sum < solved);
        if (slot != NO_SUM) { partials[instance * shape.partialStride + slot] = total * scale; }
      }
    }
`;

/** @param hasSubgroups of 32 threads or more; else sums go through workgroup memory. */
export function measure(layout: OutputLayout, hasSubgroups: boolean): string {
  const output = describeOutput(layout, 'normals');
  return /* wgsl */ `
${hasSubgroups ? 'enable subgroups;' : ''}
${prelude({
  slices: 'read array<vec4u>',
  points: 'read array<vec4u>',
  partials: 'read_write array<f32>',
  state: 'read array<f32>',
  output: `read_write array<${output.type}>`,
})}
${output.write}
${idle}
${direction}
${hasSubgroups ? '' : 'var<workgroup> terms: array<f32, SUMS * TILE>;'}
fn at(index: u32) -> vec3f { return bitcast<vec3f>(points[index].xyz); }

/** φ of two columns, where they are solved for. */
fn loadPair(ahead: u32, beyond: u32, pair: u32, solved: u32) -> vec2f {
  var word = 0u;
  if (2u * pair < solved) { word = lists[select(beyond, ahead, pair < COLUMNS_AHEAD / 2u) + pair * SLICE]; }
  return unpack2x16snorm(word);
}

@compute @workgroup_size(TILE)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(num_workgroups) groups: vec3u,
) {
${forInstances(
  `  let place = groups.x - 1u - group.x; // pairs first: they take longest
  let mostSums = slices[2u * place * (TILE / SLICE)].y >> 16u;
  let item = place * TILE + lane;
  let inside = lane % SLICE;
  let head = slices[2u * (item / SLICE)];
  let tail = slices[2u * (item / SLICE) + 1u];
  let solved = (tail.y >> 8u) & 0xffu;
  let begin = head.x + inside;
  let last = begin + ((head.y & 0xffffu) - 1u) * SLICE;
  let info = lists[shape.infos + item];
  let isPair = place >= shape.tileCount;
  let vertex = select(item, info >> 1u, isPair);`,
  `
    let base = pointAt(instance, 0u);
    ${walk}
    // Only now: what a thread keeps through the walk, fewer threads can keep beside it.
    let anchor = at(base + head.z);
    area *= 1.0 / 6.0;
    if (!isPair) {
      // Twice: squares of small areas fall out of the range of f32.
      let large = area * (1.0 / max(max(abs(area.x), max(abs(area.y), abs(area.z))), TINY));
      let normal = large * inverseSqrt(max(dot(large, large), TINY));
      ${writeVertex(layout, '(info >> 1u)', 'normal')}
    }
    if (isPair) {
      let share = shape.shares + item - shape.tileCount * TILE;
      for (var e = lists[share]; e < lists[share + 1u]; e += 2u) {
        area += listFloat(e + 1u) * at(base + shape.vertexCount + shape.apexCount + lists[e]);
      }
    }
    let summed = f32(info & 1u);
    let volume = summed * dot(point - anchor, area);
    let slope = summed * dot(unpackTurned(own.w), area);
${addUp(hasSubgroups)}`,
)}
}
`;
}
