/**
 * The brush: values painted on vertices under a round, soft tip.
 *
 *   paint   v ← v + s·w·(target − v)      w: how far under the tip (brush-tip.ts)
 *   smooth  v ← v + s·w·(mean of the neighbours − v)
 *   erase   v ← v + s·w·(u − v)           u is unpainted: 1 multiplies by nothing, 0 is not fixed
 *
 * What is fixed has a hard edge: s·w = 1 for paint and erase, and the target is 1.
 */
import type { BrushTip, Dab } from './brush-tip.js';
import type { Paint, PaintChannel } from './studio-document.js';

export type BrushMode = 'paint' | 'smooth' | 'erase';

export interface BrushSettings {
  readonly channel: keyof Paint;
  readonly mode: BrushMode;
  /** Radius on the screen, CSS pixels. */
  readonly size: number;
  /** 0 … 1, share of the way per dab. */
  readonly strength: number;
  /** What is painted, 0 … 2: a multiplier. */
  readonly value: number;
  /** Weight that a joint is given, 0 … 1. */
  readonly weight: number;
  readonly mirror: boolean;
}

export const FIRST_BRUSH: BrushSettings = {
  channel: 'gamma',
  mode: 'paint',
  size: 40,
  strength: 0.5,
  value: 1.8,
  weight: 1,
  mirror: false,
};
export const MOST_PAINT = 2;
export const unpainted = (channel: keyof Paint) => (channel === 'fixed' ? 0 : 1);

export interface Brush {
  /** Changes `values` (#V) in place; `positions` and `normals` (#V×3) are those on the screen. */
  dab(values: Float32Array, positions: Float32Array, normals: Float32Array, settings: BrushSettings, dab: Dab): void;
}

export function createBrush(tip: BrushTip): Brush {
  const change = new Float32Array(tip.shares.length);

  return {
    dab(values, positions, normals, settings, dab) {
      const { mode, strength, mirror: isMirrored } = settings;
      const channel = settings.channel as PaintChannel;
      const isHard = channel === 'fixed' && mode !== 'smooth';
      const value = channel === 'fixed' ? 1 : settings.value;
      const touched = tip.touch(positions, normals, dab);
      for (const k of touched) {
        const target = mode === 'erase' ? unpainted(channel) : mode === 'paint' ? value : mean(values, k);
        change[k] = (isHard ? 1 : strength * tip.shares[k]!) * (target - values[k]!);
      }
      for (const k of touched) values[k]! += change[k]!;
      if (!isMirrored) return;
      for (const k of touched) if (tip.opposite(k) >= 0) values[tip.opposite(k)] = values[k]!;
    },
  };

  function mean(values: Float32Array, k: number): number {
    const list = tip.around(k);
    if (list.length === 0) return values[k]!;
    return list.reduce((sum, j) => sum + values[j]!, 0) / list.length;
  }
}
