/** H8 in f32: new vertices and their normals, level by level, `FoldPasses.refine` in core; see there. */
import {
  FOLD_FADES,
  FOLD_LEVEL_COUNT,
  FOLD_LEVELS,
  FOLD_NORMALS,
  FOLD_OLD,
  FOLD_POSITIONS,
  FOLD_STENCILS,
} from '../src/layout';
import { first, fourth, madd, second, sum3x4, third } from './vector';

export function refineFolds(fold: usize): void {
  let out = load<usize>(fold, FOLD_POSITIONS);
  const toNormals = load<usize>(fold, FOLD_NORMALS) - out;
  const old = load<usize>(fold, FOLD_OLD);
  out += 16 * old;
  let fade = load<usize>(fold, FOLD_FADES) + 4 * old;
  let at = load<usize>(fold, FOLD_STENCILS);
  let level = load<usize>(fold, FOLD_LEVELS);
  for (const last = level + 8 * load<usize>(fold, FOLD_LEVEL_COUNT); level < last; level += 8) {
    for (const end = out + 64 * load<usize>(level); out < end; out += 64) {
      const a = refineRegular(toNormals, at, load<f32>(fade), out);
      const b = refineRegular(toNormals, at + 32, load<f32>(fade, 4), out + 16);
      const c = refineRegular(toNormals, at + 64, load<f32>(fade, 8), out + 32);
      const d = refineRegular(toNormals, at + 96, load<f32>(fade, 12), out + 48);
      normalise(out + toNormals, a, b, c, d);
      at += 128;
      fade += 16;
    }
    let n = out + toNormals;
    for (const end = out + 16 * load<usize>(level, 4); out < end; out += 16) {
      const a = load<usize>(at, 4);
      const b = load<usize>(at, 8);
      const stop = at + 12 + 8 * load<u32>(at);
      let y = f32x4.splat(0);
      for (at += 12; at < stop; at += 8) y = madd(v128.load_splat<f32>(at, 4), v128.load(load<usize>(at)), y);
      const middle = f32x4.mul(f32x4.splat(0.5), f32x4.add(v128.load(a), v128.load(b)));
      v128.store(out, madd(v128.load_splat<f32>(fade), f32x4.sub(y, middle), middle));
      v128.store(out + toNormals, f32x4.add(v128.load(a + toNormals), v128.load(b + toNormals)));
      fade += 4;
    }
    // Beyond the last of them, normals that are yet to be made.
    for (const end = out + toNormals; n < end; n += 64) {
      normalise(n, v128.load(n), v128.load(n, 16), v128.load(n, 32), v128.load(n, 48));
    }
  }
}

/** Unit vectors of four. */
function normalise(out: usize, a: v128, b: v128, c: v128, d: v128): void {
  const squares = sum3x4(f32x4.mul(a, a), f32x4.mul(b, b), f32x4.mul(c, c), f32x4.mul(d, d));
  const units = f32x4.div(f32x4.splat(1), f32x4.sqrt(f32x4.pmax(squares, f32x4.splat(1e-37))));
  v128.store(out, f32x4.mul(a, first(units)));
  v128.store(out, f32x4.mul(b, second(units)), 16);
  v128.store(out, f32x4.mul(c, third(units)), 32);
  v128.store(out, f32x4.mul(d, fourth(units)), 48);
}

/** y = ½ (a + b) + s (⅛ (c + d) − 1/16 (e + f + g + h)); returns the sum of the normals at a and b. */
function refineRegular(toNormals: usize, at: usize, s: f32, out: usize): v128 {
  const a = load<usize>(at);
  const b = load<usize>(at, 4);
  const wing = f32x4.add(v128.load(load<usize>(at, 8)), v128.load(load<usize>(at, 12)));
  const near = f32x4.add(v128.load(load<usize>(at, 16)), v128.load(load<usize>(at, 20)));
  const far = f32x4.add(v128.load(load<usize>(at, 24)), v128.load(load<usize>(at, 28)));
  const off = f32x4.sub(wing, f32x4.mul(f32x4.splat(0.5), f32x4.add(near, far)));
  const middle = f32x4.mul(f32x4.splat(0.5), f32x4.add(v128.load(a), v128.load(b)));
  v128.store(out, madd(f32x4.splat(0.125 * s), off, middle));
  return f32x4.add(v128.load(a + toNormals), v128.load(b + toNormals));
}
