/** G1, G3. d_k = Σ ω E x̄_k + Σ_m ψ_mk c_m, bent so that it stays below its limit: what `applyFleshSkin` adds, in f32. */
import {
  FLESH_AMOUNTS,
  FLESH_COUNT,
  FLESH_ENDS,
  FLESH_INFLUENCES,
  FLESH_MATRICES,
  FLESH_MODES,
  FLESH_OUT,
  FLESH_PLACES,
  FLESH_REST,
  FLESH_VALUES,
} from '../src/layout';
import { madd, sum3 } from './vector';

/** @param surface 0: into the output. */
export function swing(flesh: usize, surface: usize): void {
  const matrices = load<usize>(flesh, FLESH_MATRICES);
  const amounts = load<usize>(flesh, FLESH_AMOUNTS);
  const lastAmount = amounts + load<usize>(flesh, FLESH_MODES) * 16;
  let rest = load<usize>(flesh, FLESH_REST);
  let ends = load<usize>(flesh, FLESH_ENDS);
  let influence = load<usize>(flesh, FLESH_INFLUENCES);
  let value = load<usize>(flesh, FLESH_VALUES);
  let out = load<usize>(flesh, FLESH_OUT);
  let place = load<usize>(flesh, FLESH_PLACES);
  for (const end = out + load<usize>(flesh, FLESH_COUNT) * 16; out < end; out += 16) {
    const x = v128.load_splat<f32>(rest);
    const y = v128.load_splat<f32>(rest, 4);
    const z = v128.load_splat<f32>(rest, 8);
    let d = f32x4.splat(0);
    for (const last = load<usize>(ends); influence < last; influence += 8) {
      const m = matrices + load<usize>(influence);
      let e = v128.load(m, 48);
      e = madd(v128.load(m), x, e);
      e = madd(v128.load(m, 16), y, e);
      e = madd(v128.load(m, 32), z, e);
      d = madd(v128.load_splat<f32>(influence, 4), e, d);
    }
    // Four sums: an addition need not wait for the one before it.
    let a = f32x4.splat(0);
    let b = f32x4.splat(0);
    let c = f32x4.splat(0);
    for (let amount = amounts; amount < lastAmount; amount += 64, value += 16) {
      d = madd(v128.load_splat<f32>(value), v128.load(amount), d);
      a = madd(v128.load_splat<f32>(value, 4), v128.load(amount, 16), a);
      b = madd(v128.load_splat<f32>(value, 8), v128.load(amount, 32), b);
      c = madd(v128.load_splat<f32>(value, 12), v128.load(amount, 48), c);
    }
    d = f32x4.add(f32x4.add(d, a), f32x4.add(b, c));
    const square = f32x4.extract_lane(sum3(f32x4.mul(d, d)), 0) * load<f32>(rest, 12);
    if (square > 1) {
      const r = Mathf.sqrt(square); // in halves of ℓ
      const root = Mathf.sqrt(1 + (r - 1) * (r - 1));
      d = f32x4.mul(d, f32x4.splat((root + r - 1) / (r * root)));
    }
    if (surface) {
      const to = surface + load<usize>(place);
      v128.store(to, f32x4.add(v128.load(to), d));
    } else v128.store(out, d);
    rest += 16;
    ends += 4;
    place += 4;
  }
}
