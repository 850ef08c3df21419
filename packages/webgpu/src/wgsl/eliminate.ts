/**
 * The system of C17 in the middle of `solve`: [Gᵀ Q G + D + σ | −(Gᵀ p + d)], equilibrated, eliminated without pivots (it is positive definite).
 * Both leave `solution` and `scaling` for every region of the component: Δλ is their product.
 *
 * `eliminateShared`: up to SHARED_REGIONS. G, with p/Q as one more column, is dense in workgroup
 * memory; a thread keeps 1×1 to 4×4 numbers of the system in registers, so that a step of Gauss–Jordan publishes one row and
 * one column and costs one barrier.
 * `eliminateBuffer`: more regions; J stays sparse and the matrix lives in `scratch`.
 */
import { MOST_REGIONS, SHARED_REGIONS } from '../constants.js';

const GRID = 16; // 16×16 threads

/** Numbers of the system that a thread keeps: `parts`×`parts`. */
export const countParts = (regions: number) => Math.ceil((Math.min(regions, SHARED_REGIONS) + 1) / GRID);
/** Most regions that fit. */
export const countShared = (parts: number) => Math.min(SHARED_REGIONS, GRID * parts - 1);

function sharedStorage(parts: number): string {
  const regions = countShared(parts);
  return /* wgsl */ `
var<workgroup> jacobian: array<f32, ${regions * (regions + 1) + GRID * parts}>;
var<workgroup> pivotRow: array<f32, ${2 * GRID * parts}>;
var<workgroup> pivotColumn: array<f32, ${2 * GRID * parts}>;
`;
}

/** W J into workgroup memory. */
function loadShared(parts: number): string {
  const width = countShared(parts) + 1;
  return /* wgsl */ `
  // Workgroup memory starts as zeros.
  if (lane < entryCount) { jacobian[(place & 0xffffu) * ${width}u + (place >> 16u)] = entry / weights[place & 0xffffu]; }
  for (var e = lane + TILE; e < entryCount; e += TILE) {
    let there = lists[block.entries + 2u * e];
    let value = sums[sumAt(instance, lists[block.entries + 2u * e + 1u])];
    jacobian[(there & 0xffffu) * ${width}u + (there >> 16u)] = value / weights[there & 0xffffu];
  }
`;
}

/** Adds W J · changes to `moved`, a row per thread. */
const multiplyShared = (parts: number) => /* wgsl */ `
  if (isOwn) {
    for (var c = 0u; c < n; c++) { moved += jacobian[lane * ${countShared(parts) + 1}u + c] * changes[c]; }
  }
`;

/** p/Q as one more column of W J. */
const publishShared = (parts: number) => /* wgsl */ `
  if (isOwn) { jacobian[lane * ${countShared(parts) + 1}u + n] = towards; }
  workgroupBarrier();
`;

/** −Gᵀ p of this thread's region onto `pull`. */
function gradientShared(parts: number): string {
  const width = countShared(parts) + 1;
  return /* wgsl */ `
  for (var r = 0u; r < n; r++) {
    let row = r * ${width}u;
    pull -= urgencies[r] * jacobian[row + lane] * jacobian[row + n];
  }
`;
}

function eliminateShared(parts: number): string {
  const width = countShared(parts) + 1;
  const padded = GRID * parts;
  const each = (line: (n: number) => string) => Array.from({ length: parts }, (_, n) => line(n)).join('\n  ');
  const grid = (line: (a: number, b: number) => string) => each((a) => each((b) => line(a, b)));
  return /* wgsl */ `
  let tx = lane % ${GRID}u;
  let ty = lane / ${GRID}u;
  ${each((a) => `let r${a} = ty + ${GRID * a}u; let c${a} = tx + ${GRID * a}u;`)}
  // Regions that stay at their ceilings take no part; the column behind G does.
  ${each((a) => `let p${a} = select(1.0, rates[min(r${a}, n - 1u)], r${a} < n);`)}
  ${each((b) => `let q${b} = select(1.0, rates[min(c${b}, n - 1u)], c${b} < n);`)}
  ${grid((a, b) => `var m${a}${b} = 0.0;`)}
  for (var r = 0u; r < n; r++) {
    let row = r * ${width}u;
    ${each((a) => `let x${a} = urgencies[r] * jacobian[row + r${a}]; let y${a} = jacobian[row + c${a}];`)}
    ${grid((a, b) => `m${a}${b} += x${a} * y${b};`)}
  }
  ${grid((a, b) => `if (c${b} == n) { m${a}${b} += slopes[min(r${a}, n - 1u)].x; }`)}
  if (tx == ty) { ${each((a) => `m${a}${a} += slopes[min(r${a}, n - 1u)].y;`)} }
  ${grid((a, b) => `m${a}${b} *= p${a} * q${b};`)}
  // Rows from n on and columns from n + 1 on are never read again.
  if (tx == ty) {
    ${each((a) => `m${a}${a} += sigma; if (r${a} < n) { scaling[r${a}] = inverseSqrt(max(m${a}${a}, TINY)); }`)}
  }
  workgroupBarrier();
  ${each((b) => `let unit${b} = select(scaling[min(c${b}, n - 1u)], -1.0, c${b} >= n);`)}
  ${grid((a, b) => `m${a}${b} *= scaling[min(r${a}, n - 1u)] * unit${b};`)}
  if (tx == ty) { ${each((a) => `m${a}${a} += DAMPING;`)} }
  ${each(
    (p) => `for (var k = ${GRID * p}u; k < min(n, ${GRID * (p + 1)}u); k++) {
    // Two buffers by turns: who still reads the one before the last has not passed the last barrier.
    let turn = (k & 1u) * ${padded}u;
    if (ty == k - ${GRID * p}u) { ${each((b) => `pivotRow[turn + c${b}] = select(0.0, m${p}${b}, c${b} > k);`)} }
    if (tx == k - ${GRID * p}u) { ${each((a) => `pivotColumn[turn + r${a}] = m${a}${p};`)} }
    workgroupBarrier();
    let pivot = 1.0 / max(pivotColumn[turn + k], TINY);
    ${each((b) => `let y${b} = pivotRow[turn + c${b}] * pivot;`)}
    ${each((a) => `let x${a} = select(pivotColumn[turn + r${a}], 0.0, r${a} == k);`)}
    ${grid((a, b) => `m${a}${b} -= x${a} * y${b};`)}
  }`,
  )}
  workgroupBarrier();
  if (tx == ty) { ${each((a) => `pivotRow[r${a}] = max(m${a}${a}, TINY);`)} }
  workgroupBarrier();
  ${grid((a, b) => `if (c${b} == n && r${a} < n) { solution[r${a}] = m${a}${b} / pivotRow[r${a}]; }`)}
  workgroupBarrier();
`;
}

const m = (i: string, j: string) => `scratch[matrix + (${i}) * width + (${j})]`;
const barrier = 'storageBarrier(); workgroupBarrier();';

const loadBuffer = /* wgsl */ `
  let values = instance * shape.scratchStride + block.scratch;
  let matrix = instance * shape.scratchStride + block.matrix;
  for (var e = lane; e < entryCount; e += TILE) {
    let at = block.entries + 2u * e;
    scratch[values + e] = sums[sumAt(instance, lists[at + 1u])] / weights[lists[at] & 0xffffu];
  }
  ${barrier}
`;

const multiplyBuffer = /* wgsl */ `
  for (var e = 0u; e < entryCount; e++) {
    let there = lists[block.entries + 2u * e];
    if ((there & 0xffffu) == lane) { moved += scratch[values + e] * changes[there >> 16u]; }
  }
`;

const publishBuffer = /* wgsl */ `
  if (isOwn) { residual[lane] = urgency * towards; }
  ${barrier}
`;

const gradientBuffer = /* wgsl */ `
  for (var e = lists[block.columns + lane]; e < lists[block.columns + lane + 1u]; e++) {
    let r = lists[block.entries + 2u * e] & 0xffffu;
    pull -= scratch[values + e] * residual[r];
  }
`;

const eliminateBuffer = /* wgsl */ `
  let width = n + 1u;
  let products = block.products + n * (n + 1u) / 2u + 1u;
  for (var c = lane / 16u; c < n; c += TILE / 16u) {
    for (var i = lane % 16u; i <= c; i += 16u) {
      let p = block.products + c * (c + 1u) / 2u + i;
      var sum = 0.0;
      for (var q = lists[p]; q < lists[p + 1u]; q++) {
        let e = lists[products + 2u * q];
        let weight = urgencies[lists[block.entries + 2u * e] & 0xffffu];
        sum += weight * scratch[values + e] * scratch[values + lists[products + 2u * q + 1u]];
      }
      if (i == c) { sum += slopes[c].y; }
      sum = sum * rates[i] * rates[c] + select(0.0, sigma, i == c);
      ${m('i', 'c')} = sum;
      ${m('c', 'i')} = sum;
      if (i == c) { scaling[c] = inverseSqrt(max(sum, TINY)); }
    }
  }
  ${barrier}
  if (isOwn) {
    var gradient = slope;
    for (var e = lists[block.columns + lane]; e < lists[block.columns + lane + 1u]; e++) {
      let r = lists[block.entries + 2u * e] & 0xffffu;
      gradient += scratch[values + e] * residual[r];
    }
    ${m('lane', 'n')} = -gradient * rates[lane] * scaling[lane];
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
  if (isOwn) { solution[lane] = ${m('lane', 'n')} / max(${m('lane', 'lane')}, TINY); }
  workgroupBarrier();
`;

/** What the solver needs of a system, as text: in workgroup memory for a few regions, in a buffer for many. */
export function describeSystem(parts: number, isLarge: boolean) {
  if (isLarge) {
    return {
      storage: `var<workgroup> residual: array<f32, ${MOST_REGIONS}>;`,
      ...{ load: loadBuffer, publish: publishBuffer, gradient: gradientBuffer },
      ...{ eliminate: eliminateBuffer, multiply: multiplyBuffer },
    };
  }
  return {
    ...{ storage: sharedStorage(parts), load: loadShared(parts), publish: publishShared(parts) },
    ...{ gradient: gradientShared(parts), eliminate: eliminateShared(parts), multiply: multiplyShared(parts) },
  };
}
