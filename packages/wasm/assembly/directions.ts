/**
 * The least squares of one direction of a file over the frames of a bake (gltf/src/bake/fit-directions.ts says what it is for), in f64, grown shape
 * by shape: adding one appends three rows to A = L Lᵀ, nothing is built twice.
 *
 *   s_f = B_f n̄ / ‖B_f n̄‖,   B ← B / ‖B n̄‖,   wanted_f = g_f − s_f,   g = a N + b T + c N×T
 *   A_kl = Σ_f w_fk w_fl G_f + ε F δ_kl I,   b_k = Σ_f w_fk B_fᵀ wanted_f,   A d = b,   G = BᵀB
 *   gain of a shape by itself = ρᵀ A_kk⁻¹ ρ,   ρ = Σ_f w_fk B_fᵀ left_f
 *
 * O(F · used) to add a shape, O(F) to look at one (A_kk is summed once a vertex). All places are bytes.
 */

/** cos of the angle from which on a normal counts as turned over. */
const TURNED_OVER: f64 = -0.5;
/** Share of a blend's size that is left of a normal, below which the skin counts as crushed. */
const CRUSHED: f64 = 0.02;

let F: usize; // frames
let most: usize; // shapes that there is room for
let amounts: usize; // w, #K×F
let matrices: usize; // linear parts of the joints, #B×F×9
let normals: usize; // N and T of the vertex, #F×3, f32
let edges: usize;
let skinned: usize; // s
let blends: usize; // B, #F×9, column-major
let wanted: usize;
let left: usize;
let grams: usize; // xx, xy, xz, yy, yz, zz of G
let goals: usize; // Bᵀ wanted
let rests: usize; // Bᵀ left
let moved: usize; // Σ w d
let used: usize; // u32
let owns: usize; // A_kk of every shape, #K×6
let ownOf: usize; // the vertex that it was summed for, u32
let rows: usize; // three rows of A
let factor: usize; // L, row-major, 3 most wide
let halves: usize; // y of L y = b
let solution: usize; // d
let block: usize; // one of A, as it is in `grams`

let count: usize = 0; // of `used`
let size: usize = 0; // of L
let vertex: u32 = 0;
let damping: f64 = 0;
let rx: f64 = 0; // of the last sum of triples
let ry: f64 = 0;
let rz: f64 = 0;

/** @param room for as many numbers as `measureFit` says. @param widest most shapes of a direction */
export function openFit(
  frames: i32,
  shapes: i32,
  w: usize,
  m: usize,
  n: usize,
  t: usize,
  room: usize,
  widest: i32,
): void {
  F = frames;
  most = widest;
  amounts = w;
  matrices = m;
  normals = n;
  edges = t;
  let at = room;
  skinned = at;
  wanted = at += 24 * F;
  left = at += 24 * F;
  goals = at += 24 * F;
  rests = at += 24 * F;
  moved = at += 24 * F;
  grams = at += 24 * F;
  blends = at += 48 * F;
  rows = at += 72 * F;
  factor = at += 72 * most;
  halves = at += 72 * most * most;
  solution = at += 24 * most;
  owns = at += 24 * most;
  used = at += 48 * <usize>shapes;
  ownOf = at += 8 * most;
  block = at + 8 * <usize>shapes;
}

/** Numbers of 8 bytes that `openFit` takes room for. */
export function measureFit(frames: i32, shapes: i32, widest: i32): i32 {
  return 33 * frames + widest * (9 + 9 * widest + 3 + 3 + 1) + 7 * shapes + 6;
}

/** Where what was found is: shapes (u32) and their deltas. */
export function usedAt(): usize {
  return used;
}

export function deltasAt(): usize {
  return solution;
}

/** B, s, wanted and left of a vertex in all frames. @param a, b, c where its direction x, y, z stands in N, T, N×T of the rest shape */
export function placeDirection(
  bones: usize,
  weights: usize,
  influences: i32,
  x: f64,
  y: f64,
  z: f64,
  a: f64,
  b: f64,
  c: f64,
): void {
  memory.fill(blends, 0, 72 * F);
  for (let i: usize = 0; i < <usize>influences; i++) {
    const weight = load<f64>(weights + 8 * i);
    const from = matrices + 72 * F * <usize>load<u32>(bones + 4 * i);
    for (let k: usize = 0; k < 72 * F; k += 8)
      store<f64>(blends + k, load<f64>(blends + k) + weight * load<f64>(from + k));
  }
  let m = blends;
  for (let f: usize = 0; f < F; f++, m += 72) {
    const nx = <f64>load<f32>(normals + 12 * f);
    const ny = <f64>load<f32>(normals + 12 * f, 4);
    const nz = <f64>load<f32>(normals + 12 * f, 8);
    const tx = <f64>load<f32>(edges + 12 * f);
    const ty = <f64>load<f32>(edges + 12 * f, 4);
    const tz = <f64>load<f32>(edges + 12 * f, 8);
    const gx = a * nx + b * tx + c * (ny * tz - nz * ty);
    const gy = a * ny + b * ty + c * (nz * tx - nx * tz);
    const gz = a * nz + b * tz + c * (nx * ty - ny * tx);
    const sx = load<f64>(m) * x + load<f64>(m, 24) * y + load<f64>(m, 48) * z;
    const sy = load<f64>(m, 8) * x + load<f64>(m, 32) * y + load<f64>(m, 56) * z;
    const sz = load<f64>(m, 16) * x + load<f64>(m, 40) * y + load<f64>(m, 64) * z;
    const long = sqrt(sx * sx + sy * sy + sz * sz);
    const length = sqrt(gx * gx + gy * gy + gz * gz);
    const cosine = (sx * gx + sy * gy + sz * gz) / (long * length);
    let square: f64 = 0;
    for (let k: usize = 0; k < 72; k += 8) square += load<f64>(m + k) * load<f64>(m + k);
    // Skin that is crushed or inside out has no normal to speak of.
    const isLost = !(cosine > TURNED_OVER && long > CRUSHED * sqrt(square));
    const s: f64 = isLost ? 0 : 1 / long;
    const g: f64 = isLost ? 0 : 1 / length;
    for (let k: usize = 0; k < 72; k += 8) store<f64>(m + k, load<f64>(m + k) * s);
    const i = 24 * f;
    setTriple(skinned + i, sx * s, sy * s, sz * s);
    setTriple(wanted + i, isLost ? 0 : gx * g - sx * s, isLost ? 0 : gy * g - sy * s, isLost ? 0 : gz * g - sz * s);
  }
  memory.copy(left, wanted, 24 * F);
}

/** Frames in which the cosine of the angle that is left is below the limit. */
export function countOff(limit: f64): i32 {
  let off = 0;
  for (let i: usize = 0; i < 24 * F; i += 24) {
    let dot: f64 = 0;
    let square: f64 = 0;
    for (let r = i; r < i + 24; r += 8) {
      const goal = load<f64>(skinned + r) + load<f64>(wanted + r);
      const now = goal - load<f64>(left + r);
      dot += goal * now;
      square += now * now;
    }
    if (dot < limit * sqrt(square)) off++;
  }
  return off;
}

/** A new vertex, which was placed, with the first shapes of a list. */
export function startFit(shapes: usize, first: i32, ridge: f64): void {
  vertex++;
  count = 0;
  size = 0;
  damping = ridge;
  for (let f: usize = 0, b = blends, g = grams; f < F; f++, b += 72, g += 48) {
    store<f64>(g, dotColumns(b, b));
    store<f64>(g, dotColumns(b, b + 24), 8);
    store<f64>(g, dotColumns(b, b + 48), 16);
    store<f64>(g, dotColumns(b + 24, b + 24), 24);
    store<f64>(g, dotColumns(b + 24, b + 48), 32);
    store<f64>(g, dotColumns(b + 48, b + 48), 40);
  }
  pullBack(goals, wanted);
  for (let i: usize = 0; i < <usize>first; i++) append(<usize>load<u32>(shapes + 4 * i));
  finish();
}

/** Adds the best of a list, one by one, while more than `rare` frames are off; returns how many shapes are used. @param limit of shapes */
export function growFit(near: usize, length: i32, worth: f64, enough: f64, rare: f64, limit: i32): i32 {
  while (<i32>count < limit && <f64>countOff(enough) > rare) {
    const best = findBest(near, length, worth);
    if (best < 0) break;
    append(<usize>best);
    finish();
  }
  return <i32>count;
}

/** The shape that takes most of the squares that are left, if that is more than the share `worth` of them; else −1. */
function findBest(near: usize, length: i32, worth: f64): i32 {
  let best = -1;
  let square: f64 = 0;
  for (let i: usize = 0; i < 24 * F; i += 8) square += load<f64>(left + i) * load<f64>(left + i);
  let largest = worth * square;
  for (let i: usize = 0; i < 4 * <usize>length; i += 4) {
    const shape = <usize>load<u32>(near + i);
    if (isUsed(shape)) continue;
    sumTriples(rests, shape);
    const gain = measureGain(measureOwn(shape));
    if (!(gain > largest)) continue;
    best = <i32>shape;
    largest = gain;
  }
  return best;
}

function isUsed(shape: usize): bool {
  for (let i: usize = 0; i < 4 * count; i += 4) if (<usize>load<u32>(used + i) === shape) return true;
  return false;
}

function append(shape: usize): void {
  store<u32>(used + 4 * count, <u32>shape);
  count++;
  const width = 3 * count;
  for (let j: usize = 0; j < count; j++) {
    const other = <usize>load<u32>(used + 4 * j);
    const at = rows + 24 * j;
    if (other !== shape) sumGrams(block, shape, other);
    const from = other === shape ? measureOwn(shape) : block;
    const xy = load<f64>(from, 8);
    const xz = load<f64>(from, 16);
    const yz = load<f64>(from, 32);
    setTriple(at, load<f64>(from), xy, xz);
    setTriple(at + 8 * width, xy, load<f64>(from, 24), yz);
    setTriple(at + 16 * width, xz, yz, load<f64>(from, 40));
  }
  sumTriples(goals, shape);
  const y = ry;
  const z = rz;
  appendRow(rows, rx);
  appendRow(rows + 8 * width, y);
  appendRow(rows + 16 * width, z);
}

function appendRow(row: usize, right: f64): void {
  const wide = 24 * most;
  const own = factor + wide * size;
  for (let j: usize = 0; j <= size; j++) {
    let sum = load<f64>(row + 8 * j);
    for (let k: usize = 0; k < j; k++) sum -= load<f64>(own + 8 * k) * load<f64>(factor + wide * j + 8 * k);
    const value = j === size ? sqrt(max(sum, f64.MIN_VALUE)) : sum / load<f64>(factor + wide * j + 8 * j);
    store<f64>(own + 8 * j, value);
  }
  let sum = right;
  for (let k: usize = 0; k < size; k++) sum -= load<f64>(own + 8 * k) * load<f64>(halves + 8 * k);
  store<f64>(halves + 8 * size, sum / load<f64>(own + 8 * size));
  size++;
}

/** d, what they move, and what is left. */
function finish(): void {
  const wide = 24 * most;
  for (let i = <isize>size - 1; i >= 0; i--) {
    let sum = load<f64>(halves + 8 * i);
    for (let k = <usize>i + 1; k < size; k++) sum -= load<f64>(factor + wide * k + 8 * i) * load<f64>(solution + 8 * k);
    store<f64>(solution + 8 * i, sum / load<f64>(factor + wide * i + 8 * i));
  }
  memory.fill(moved, 0, 24 * F);
  for (let i: usize = 0; i < count; i++) {
    const w = amounts + 8 * F * <usize>load<u32>(used + 4 * i);
    const x = load<f64>(solution + 24 * i);
    const y = load<f64>(solution + 24 * i, 8);
    const z = load<f64>(solution + 24 * i, 16);
    for (let f: usize = 0, to = moved; f < F; f++, to += 24) {
      const weight = load<f64>(w + 8 * f);
      setTriple(to, load<f64>(to) + weight * x, load<f64>(to, 8) + weight * y, load<f64>(to, 16) + weight * z);
    }
  }
  for (let i: usize = 0, b = blends; i < 24 * F; i += 24, b += 72) {
    const x = load<f64>(moved + i);
    const y = load<f64>(moved + i, 8);
    const z = load<f64>(moved + i, 16);
    for (let r: usize = 0; r < 24; r += 8) {
      const rest =
        load<f64>(wanted + i + r) - load<f64>(b + r) * x - load<f64>(b + r, 24) * y - load<f64>(b + r, 48) * z;
      store<f64>(left + i + r, rest);
    }
  }
  pullBack(rests, left);
}

/** A_kk. */
function measureOwn(shape: usize): usize {
  const own = owns + 48 * shape;
  if (load<u32>(ownOf + 4 * shape) === vertex) return own;
  store<u32>(ownOf + 4 * shape, vertex);
  sumGrams(own, shape, shape);
  const ridge = damping * <f64>F;
  store<f64>(own, load<f64>(own) + ridge);
  store<f64>(own, load<f64>(own, 24) + ridge, 24);
  store<f64>(own, load<f64>(own, 40) + ridge, 40);
  return own;
}

/** Σ_f w_f,i w_f,j G_f. */
function sumGrams(out: usize, i: usize, j: usize): void {
  let xx: f64 = 0;
  let xy: f64 = 0;
  let xz: f64 = 0;
  let yy: f64 = 0;
  let yz: f64 = 0;
  let zz: f64 = 0;
  const w = amounts + 8 * F * i;
  const v = amounts + 8 * F * j;
  for (let f: usize = 0, g = grams; f < 8 * F; f += 8, g += 48) {
    const both = load<f64>(w + f) * load<f64>(v + f);
    xx += both * load<f64>(g);
    xy += both * load<f64>(g, 8);
    xz += both * load<f64>(g, 16);
    yy += both * load<f64>(g, 24);
    yz += both * load<f64>(g, 32);
    zz += both * load<f64>(g, 40);
  }
  setTriple(out, xx, xy, xz);
  setTriple(out + 24, yy, yz, zz);
}

/** Σ_f w_f x_f. */
function sumTriples(x: usize, shape: usize): void {
  let a: f64 = 0;
  let b: f64 = 0;
  let c: f64 = 0;
  const w = amounts + 8 * F * shape;
  for (let f: usize = 0; f < 8 * F; f += 8, x += 24) {
    const weight = load<f64>(w + f);
    a += weight * load<f64>(x);
    b += weight * load<f64>(x, 8);
    c += weight * load<f64>(x, 16);
  }
  rx = a;
  ry = b;
  rz = c;
}

/** ρᵀ M⁻¹ ρ of a symmetric positive 3×3 matrix, by its cofactors. */
function measureGain(m: usize): f64 {
  const xx = load<f64>(m);
  const xy = load<f64>(m, 8);
  const xz = load<f64>(m, 16);
  const yy = load<f64>(m, 24);
  const yz = load<f64>(m, 32);
  const zz = load<f64>(m, 40);
  const p = yy * zz - yz * yz;
  const q = xz * yz - xy * zz;
  const r = xy * yz - xz * yy;
  const s = xx * zz - xz * xz;
  const t = xy * xz - xx * yz;
  const u = xx * yy - xy * xy;
  const square = rx * rx * p + ry * ry * s + rz * rz * u + 2 * (rx * ry * q + rx * rz * r + ry * rz * t);
  return square / (xx * p + xy * q + xz * r);
}

/** out = Bᵀ x. */
function pullBack(out: usize, x: usize): void {
  for (let i: usize = 0, b = blends; i < 24 * F; i += 24, b += 72)
    setTriple(out + i, dotColumns(b, x + i), dotColumns(b + 24, x + i), dotColumns(b + 48, x + i));
}

function dotColumns(a: usize, b: usize): f64 {
  return load<f64>(a) * load<f64>(b) + load<f64>(a, 8) * load<f64>(b, 8) + load<f64>(a, 16) * load<f64>(b, 16);
}

function setTriple(to: usize, x: f64, y: f64, z: f64): void {
  store<f64>(to, x);
  store<f64>(to, y, 8);
  store<f64>(to, z, 16);
}
