import type { Character } from '../character/character.js';
import { list, number, oneOf, text } from '../check-json.js';
import { IsoskinError } from '../error.js';
import { fitRotation } from '../linear-algebra/fit-rotation.js';
import { FIELD_CHECKS, type FieldOptions, type RegionFields } from './plan-region-fields.js';

export interface AxisOptions extends FieldOptions {
  /** μ: share of the correction along each axis, ≥ 0; divided by their sum. */
  readonly shares?: readonly [number, number, number];
  /** `world`: the axes of the file. `skeleton`: tied to the character, so that turning it changes nothing. */
  readonly frame?: 'world' | 'skeleton';
  /** Order of the axes, a permutation of `xyz`; matters for the exact method. */
  readonly order?: string;
}

export const AXIS_DEFAULTS = { shares: [1, 1, 1], frame: 'world', order: 'xyz' } as const satisfies AxisOptions;

export const AXIS_CHECKS = {
  ...FIELD_CHECKS,
  shares: list(number(0)),
  order: text,
  frame: oneOf(['world', 'skeleton']),
};

export interface AxisSettings {
  readonly shares: Float64Array;
  /** Axis indices in their order. */
  readonly order: readonly number[];
  readonly frame: 'world' | 'skeleton';
}

export function readAxisOptions(options: AxisOptions): AxisSettings {
  const { shares, frame, order } = { ...AXIS_DEFAULTS, ...options };
  const total = shares.reduce((sum, share) => sum + share, 0);
  if (shares.length !== 3 || shares.some((share) => !(share >= 0)) || !(total > 0 && Number.isFinite(total))) {
    throw new IsoskinError('AXIS_SHARES', 'The shares of the axes must be three numbers ≥ 0, not all 0.', 'shares');
  }
  if ([...order].sort().join('') !== 'xyz') {
    throw new IsoskinError('AXIS_ORDER', `“${order}” is no order of the axes; use a permutation of “xyz”.`, 'order');
  }
  return {
    shares: Float64Array.from(shares, (share) => share / total),
    order: [...order].map((a) => 'xyz'.indexOf(a)),
    frame,
  };
}

/**
 * The three axes, 3×3 by columns: the world's, or those of the rest pose turned with the whole character (the rotation that
 * best fits rest to current positions).
 */
export function measureAxisFrame(
  out: Float64Array,
  frame: 'world' | 'skeleton',
  character: Character,
  positions: Float64Array,
): void {
  if (frame === 'skeleton') fitRotation(out, character.surface.positions, positions, character.surface.vertexCount);
  else for (let i = 0; i < 9; i++) out[i] = i % 4 === 0 ? 1 : 0;
}

/** Σ_k γ_k ⟨∇V_k, a⟩² over region s, for each of the axes. */
export function measureAxisNorms(out: Float64Array, fields: RegionFields, axes: Float64Array, s: number): void {
  const { movable, weights, gradients } = fields;
  const g = gradients.areas;
  out.fill(0);
  for (let n = movable.offsets[s]!; n < movable.offsets[s + 1]!; n++) {
    const k = movable.values[n]!;
    for (let a = 0; a < 9; a += 3) {
      const slope = g[3 * k]! * axes[a]! + g[3 * k + 1]! * axes[a + 1]! + g[3 * k + 2]! * axes[a + 2]!;
      out[a / 3]! += weights[k]! * slope * slope;
    }
  }
}

/** An axis along which a region cannot change its volume takes no share; returns the sum of the usable shares. */
export function usableShares(out: Float64Array, norms: Float64Array, shares: Float64Array): number {
  const largest = Math.max(norms[0]!, norms[1]!, norms[2]!);
  let sum = 0;
  for (let a = 0; a < 3; a++) {
    out[a] = norms[a]! > 1e-12 * largest ? shares[a]! : 0;
    sum += out[a]!;
  }
  return sum;
}
