/**
 * The system of C11 in the middle of `solve`: [A | −g | c], equilibrated, eliminated without pivots (A is positive definite).
 * Both leave `solution` (A⁻¹(−g), A⁻¹c), `scaling` and `constraintOf` (c) for every region of the component.
 *
 * `eliminateShared`: up to SHARED_REGIONS. J, with the residual and the weights as two more columns, is dense in workgroup
 * memory; a thread keeps up to 4×4 numbers of the system in registers, so that a step of Gauss–Jordan publishes one row and
 * one column and costs one barrier.
 * `eliminateBuffer`: more regions; J stays sparse and the matrix lives in `scratch`.
 */
import { SHARED_REGIONS } from '../constants.js';

const GRID = 16; // 16×16 threads
const PARTS = Math.ceil((SHARED_REGIONS + 2) / GRID);
const PADDED = PARTS * GRID;
const WIDTH = SHARED_REGIONS + 2;
const parts = Array.from({ length: PARTS }, (_, n) => n);
const each = (line: (n: number) => string, separator = '\n  ') => parts.map(line).join(separator);
const component = (n: number) => 'xyzw'[n];
/** Every (row part, column part). */
const grid = (line: (a: number, b: number) => string) => each((a) => each((b) => line(a, b)));

export const sharedStorage = /* wgsl */ `
var<workgroup> jacobian: array<f32, ${SHARED_REGIONS * WIDTH + PADDED - WIDTH}>;
var<workgroup> pivotRow: array<f32, ${2 * PADDED}>;
var<workgroup> pivotColumn: array<f32, ${2 * PADDED}>;
`;

export const eliminateShared = /* wgsl */ `
  // Workgroup memory starts as zeros.
  if (lane < entryCount) { jacobian[(place & 0xffffu) * ${WIDTH}u + (place >> 16u)] = slope / weights[place & 0xffffu]; }
  for (var e = lane + TILE; e < entryCount; e += TILE) {
    let there = lists[block.entries + 2u * e];
    let value = sums[instance * shape.entryCount + lists[block.entries + 2u * e + 1u]];
    jacobian[(there & 0xffffu) * ${WIDTH}u + (there >> 16u)] = value / weights[there & 0xffffu];
  }
  if (isOwn) {
    jacobian[lane * ${WIDTH}u + n] = relative;
    jacobian[lane * ${WIDTH}u + n + 1u] = floor / scale;
  }
  workgroupBarrier();
  let tx = lane % ${GRID}u;
  let ty = lane / ${GRID}u;
  ${each((a) => `var m${a} = vec4f();`)}
  for (var r = 0u; r < n; r++) {
    let row = r * ${WIDTH}u;
    let c = vec4f(${each((b) => `jacobian[row + tx + ${GRID * b}u]`, ', ')});
    ${each((a) => `m${a} += jacobian[row + ty + ${GRID * a}u] * c;`)}
  }
  // Rows and columns from n + 2 on are never read again.
  ${each((a) => `if (tx == ty) { m${a}.${component(a)} += sigma; if (ty + ${GRID * a}u < n) { scaling[ty + ${GRID * a}u] = inverseSqrt(max(m${a}.${component(a)}, TINY)); } }`)}
  ${grid((a, b) => `if (tx + ${GRID * b}u == n) { m${a}.${component(b)} += sigma * amounts[min(ty + ${GRID * a}u, n - 1u)]; }`)}
  workgroupBarrier();
  let unitOf = vec4f(${each((b) => `select(select(scaling[min(tx + ${GRID * b}u, n - 1u)], -1.0, tx + ${GRID * b}u == n), 1.0, tx + ${GRID * b}u > n)`, ', ')});
  ${each((a) => `m${a} *= scaling[min(ty + ${GRID * a}u, n - 1u)] * unitOf; if (tx == ty) { m${a}.${component(a)} += DAMPING; }`)}
  ${grid((a, b) => `if (tx + ${GRID * b}u == n + 1u && ty + ${GRID * a}u < n) { constraintOf[ty + ${GRID * a}u] = m${a}.${component(b)}; }`)}
  ${each(
    (p) => `for (var k = ${GRID * p}u; k < min(n, ${GRID * (p + 1)}u); k++) {
    // Two buffers by turns: who still reads the one before the last has not passed the last barrier.
    let turn = (k & 1u) * ${PADDED}u;
    if (ty == k - ${GRID * p}u) { ${each((b) => `pivotRow[turn + tx + ${GRID * b}u] = select(0.0, m${p}.${component(b)}, tx + ${GRID * b}u > k);`)} }
    if (tx == k - ${GRID * p}u) { ${each((a) => `pivotColumn[turn + ty + ${GRID * a}u] = m${a}.${component(p)};`)} }
    workgroupBarrier();
    let row = vec4f(${each((b) => `pivotRow[turn + tx + ${GRID * b}u]`, ', ')}) * (1.0 / max(pivotColumn[turn + k], TINY));
    ${each((a) => `m${a} -= select(pivotColumn[turn + ty + ${GRID * a}u], 0.0, ty + ${GRID * a}u == k) * row;`)}
  }`,
  )}
  workgroupBarrier();
  ${each((a) => `if (tx == ty) { pivotRow[ty + ${GRID * a}u] = max(m${a}.${component(a)}, TINY); }`)}
  workgroupBarrier();
  ${grid(
    (a, b) => `if (ty + ${GRID * a}u < n) {
    if (tx + ${GRID * b}u == n) { solution[ty + ${GRID * a}u].x = m${a}.${component(b)} / pivotRow[ty + ${GRID * a}u]; }
    if (tx + ${GRID * b}u == n + 1u) { solution[ty + ${GRID * a}u].y = m${a}.${component(b)} / pivotRow[ty + ${GRID * a}u]; }
  }`,
  )}
  workgroupBarrier();
`;

const m = (i: string, j: string) => `scratch[matrix + (${i}) * width + (${j})]`;
const barrier = 'storageBarrier(); workgroupBarrier();';

export const eliminateBuffer = /* wgsl */ `
  let width = n + 2u;
  let values = instance * shape.scratchStride + block.scratch;
  let matrix = instance * shape.scratchStride + block.matrix;
  for (var e = lane; e < entryCount; e += TILE) {
    let at = block.entries + 2u * e;
    scratch[values + e] = sums[instance * shape.entryCount + lists[at + 1u]] / weights[lists[at] & 0xffffu];
  }
  ${barrier}
  let products = block.products + n * (n + 1u) / 2u + 1u;
  for (var c = lane / 16u; c < n; c += TILE / 16u) {
    for (var i = lane % 16u; i <= c; i += 16u) {
      let p = block.products + c * (c + 1u) / 2u + i;
      var sum = select(0.0, sigma, i == c);
      for (var q = lists[p]; q < lists[p + 1u]; q++) {
        sum += scratch[values + lists[products + 2u * q]] * scratch[values + lists[products + 2u * q + 1u]];
      }
      ${m('i', 'c')} = sum;
      ${m('c', 'i')} = sum;
      if (i == c) { scaling[c] = inverseSqrt(max(sum, TINY)); }
    }
  }
  ${barrier}
  if (isOwn) {
    var gradient = sigma * amounts[lane];
    var constraint = 0.0;
    for (var e = lists[block.columns + lane]; e < lists[block.columns + lane + 1u]; e++) {
      let r = lists[block.entries + 2u * e] & 0xffffu;
      gradient += scratch[values + e] * residual[r];
      constraint += scratch[values + e] * weights[r] / scale;
    }
    constraintOf[lane] = constraint * scaling[lane];
    ${m('lane', 'n')} = -gradient * scaling[lane];
    ${m('lane', 'n + 1u')} = constraintOf[lane];
  }
  for (var i = lane / 16u; i < n; i += TILE / 16u) {
    for (var c = lane % 16u; c < n; c += 16u) {
      ${m('i', 'c')} = ${m('i', 'c')} * scaling[i] * scaling[c] + select(0.0, DAMPING, i == c);
    }
  }
  ${barrier}
  // Gauss–Jordan: row k and column k stay as they are in step k, so one barrier is enough.
  for (var k = 0u; k < n; k++) {
    let pivot = 1.0 / max(${m('k', 'k')}, TINY);
    for (var i = lane / 16u; i < n; i += TILE / 16u) {
      let factor = select(${m('i', 'k')} * pivot, 0.0, i == k);
      if (factor != 0.0) {
        for (var j = k + 1u + lane % 16u; j < width; j += 16u) {
          ${m('i', 'j')} -= factor * ${m('k', 'j')};
        }
      }
    }
    ${barrier}
  }
  if (isOwn) { solution[lane] = vec2f(${m('lane', 'n')}, ${m('lane', 'n + 1u')}) / max(${m('lane', 'lane')}, TINY); }
  workgroupBarrier();
`;
