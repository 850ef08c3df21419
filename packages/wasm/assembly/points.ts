/**
 * Points of a file under its skin, as a player of it shows them, in f64 and in the order of the TypeScript that they stand for: the same bits.
 *
 *   p_u = p̄_u + Σ_e w_e δ_e (+ f32(Σ_s λ_s φ_us / scale_u n̄_u)),   x_u = Σ_j ω_uj M_j p_u
 *
 * Pointers are bytes; lists are rows of offsets (#+1, u32), vectors three f64, matrices three columns and the translation.
 */

/** p = p̄ + Σ w δ, entries of a point in the order of their targets. */
export function morphPoints(
  out: usize,
  rest: usize,
  offsets: usize,
  targets: usize,
  deltas: usize,
  weights: usize,
  count: i32,
): void {
  for (let u = 0; u < count; u++, out += 24, rest += 24, offsets += 4) {
    let x = load<f64>(rest);
    let y = load<f64>(rest, 8);
    let z = load<f64>(rest, 16);
    const end = <usize>load<u32>(offsets, 4);
    for (let e = <usize>load<u32>(offsets); e < end; e++) {
      const w = load<f64>(weights + 8 * <usize>load<u32>(targets + 4 * e));
      const d = deltas + 24 * e;
      x += w * load<f64>(d);
      y += w * load<f64>(d, 8);
      z += w * load<f64>(d, 16);
    }
    store<f64>(out, x);
    store<f64>(out, y, 8);
    store<f64>(out, z, 16);
  }
}

/** row = f32(Σ λ φ / scale n̄): what shapes push points by; φ and n̄ by welded vertex. */
export function pushPoints(
  row: usize,
  welded: usize,
  scales: usize,
  offsets: usize,
  shapes: usize,
  values: usize,
  directions: usize,
  amounts: usize,
  count: i32,
): void {
  for (let u = 0; u < count; u++, row += 12, welded += 4, scales += 8) {
    const k = <usize>load<u32>(welded);
    const end = <usize>load<u32>(offsets + 4 * k, 4);
    let push: f64 = 0;
    for (let e = <usize>load<u32>(offsets + 4 * k); e < end; e++)
      push += load<f64>(amounts + 8 * <usize>load<u32>(shapes + 4 * e)) * load<f64>(values + 8 * e);
    push /= load<f64>(scales);
    const n = directions + 24 * k;
    store<f32>(row, <f32>(push * load<f64>(n)));
    store<f32>(row, <f32>(push * load<f64>(n, 8)), 4);
    store<f32>(row, <f32>(push * load<f64>(n, 16)), 8);
  }
}

/** x of all points and, where `blends` is not 0, B (#×9, column-major). @param row added to p, f32 (0: nothing) */
export function skinPoints(
  out: usize,
  blends: usize,
  positions: usize,
  row: usize,
  offsets: usize,
  bones: usize,
  weights: usize,
  matrices: usize,
  count: i32,
): void {
  for (let u = 0; u < count; u++, out += 24, positions += 24, offsets += 4) {
    let xx: f64 = 0;
    let yx: f64 = 0;
    let zx: f64 = 0;
    let xy: f64 = 0;
    let yy: f64 = 0;
    let zy: f64 = 0;
    let xz: f64 = 0;
    let yz: f64 = 0;
    let zz: f64 = 0;
    let tx: f64 = 0;
    let ty: f64 = 0;
    let tz: f64 = 0;
    const end = <usize>load<u32>(offsets, 4);
    for (let i = <usize>load<u32>(offsets); i < end; i++) {
      const w = load<f64>(weights + 8 * i);
      const m = matrices + 96 * <usize>load<u32>(bones + 4 * i);
      xx += w * load<f64>(m);
      yx += w * load<f64>(m, 8);
      zx += w * load<f64>(m, 16);
      xy += w * load<f64>(m, 24);
      yy += w * load<f64>(m, 32);
      zy += w * load<f64>(m, 40);
      xz += w * load<f64>(m, 48);
      yz += w * load<f64>(m, 56);
      zz += w * load<f64>(m, 64);
      tx += w * load<f64>(m, 72);
      ty += w * load<f64>(m, 80);
      tz += w * load<f64>(m, 88);
    }
    let x = load<f64>(positions);
    let y = load<f64>(positions, 8);
    let z = load<f64>(positions, 16);
    if (row) {
      x += <f64>load<f32>(row);
      y += <f64>load<f32>(row, 4);
      z += <f64>load<f32>(row, 8);
      row += 12;
    }
    store<f64>(out, xx * x + xy * y + xz * z + tx);
    store<f64>(out, yx * x + yy * y + yz * z + ty, 8);
    store<f64>(out, zx * x + zy * y + zz * z + tz, 16);
    if (!blends) continue;
    store<f64>(blends, xx);
    store<f64>(blends, yx, 8);
    store<f64>(blends, zx, 16);
    store<f64>(blends, xy, 24);
    store<f64>(blends, yy, 32);
    store<f64>(blends, zy, 40);
    store<f64>(blends, xz, 48);
    store<f64>(blends, yz, 56);
    store<f64>(blends, zz, 64);
    blends += 72;
  }
}

/** Vectors of a list in another order. */
export function gatherPoints(out: usize, from: usize, order: usize, count: i32): void {
  for (let u = 0; u < count; u++, out += 24, order += 4) {
    const at = from + 24 * <usize>load<u32>(order);
    store<f64>(out, load<f64>(at));
    store<f64>(out, load<f64>(at, 8), 8);
    store<f64>(out, load<f64>(at, 16), 16);
  }
}

/** found = largest squared distance of points to exact + row, least and largest coordinate of points; NaN where there is one. */
export function comparePoints(found: usize, points: usize, exact: usize, row: usize, count: i32): void {
  let most: f64 = 0;
  let low: f64 = Infinity;
  let high: f64 = -Infinity;
  for (let u = 0; u < count; u++, points += 24, exact += 24) {
    const x = load<f64>(points);
    const y = load<f64>(points, 8);
    const z = load<f64>(points, 16);
    let dx = x - load<f64>(exact);
    let dy = y - load<f64>(exact, 8);
    let dz = z - load<f64>(exact, 16);
    if (row) {
      dx -= <f64>load<f32>(row);
      dy -= <f64>load<f32>(row, 4);
      dz -= <f64>load<f32>(row, 8);
      row += 12;
    }
    most = max(most, dx * dx + dy * dy + dz * dz);
    low = min(min(low, x), min(y, z));
    high = max(max(high, x), max(y, z));
  }
  store<f64>(found, most);
  store<f64>(found, low, 8);
  store<f64>(found, high, 16);
}

/** B1, B4. Adds (x_i − o)·((x_j − o) × (x_l − o)) to out[place], o = first vertex. */
export function sumTetrahedra(out: usize, positions: usize, tetrahedra: usize, places: usize, count: i32): void {
  const ox = load<f64>(positions);
  const oy = load<f64>(positions, 8);
  const oz = load<f64>(positions, 16);
  for (let t = 0; t < count; t++, tetrahedra += 12, places += 4) {
    const i = positions + 24 * <usize>load<u32>(tetrahedra);
    const j = positions + 24 * <usize>load<u32>(tetrahedra, 4);
    const l = positions + 24 * <usize>load<u32>(tetrahedra, 8);
    const ax = load<f64>(i) - ox;
    const ay = load<f64>(i, 8) - oy;
    const az = load<f64>(i, 16) - oz;
    const bx = load<f64>(j) - ox;
    const by = load<f64>(j, 8) - oy;
    const bz = load<f64>(j, 16) - oz;
    const cx = load<f64>(l) - ox;
    const cy = load<f64>(l, 8) - oy;
    const cz = load<f64>(l, 16) - oz;
    const to = out + 8 * <usize>load<u32>(places);
    store<f64>(to, load<f64>(to) + (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)));
  }
}
