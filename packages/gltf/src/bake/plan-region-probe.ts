/**
 * Few targets may hold the whole volume and still spoil a thin region: a region of the baked surface may differ from the exact
 * correction by ten times the tolerance, or by half of what plain skinning does, whichever is more.
 */
import { type FrameSource, planVolumeMeter } from '@isoskin/core';
import type { BakedSurface } from './plan-baked-surface.js';

export interface RegionProbe {
  /** Measures the posed surface of a sample, without and with its exact correction (#U×3). */
  prepare(sample: number, row: Float32Array): void;
  /** Groups with a region that is off, at the surface's placed positions. */
  listOff(sample: number): ReadonlySet<number>;
}

/** Regions below this share of the whole are not looked at. */
const SMALL = 0.01;

export function planRegionProbe(stack: FrameSource, surface: BakedSurface, tolerance: number): RegionProbe {
  const layer = stack.volume;
  if (!layer) return { prepare() {}, listOff: () => new Set() };
  const { components, triangleComponent } = stack.character.surface;
  const meter = planVolumeMeter(stack.character, layer);
  const groupOf = new Int32Array(meter.regions.count).fill(-1);
  triangleComponent.forEach((c, t) => {
    const region = meter.regions.triangleRegion[t]!;
    if (region < groupOf.length) groupOf[region] = components[c]!.group;
  });
  const known = new Map<number, { exact: Float64Array; slack: Float64Array }>();
  return {
    prepare(sample, row) {
      if (known.has(sample)) return;
      surface.offsets.fill(0);
      surface.place();
      meter.measure(surface.positions);
      const skinned = meter.regionVolumes.slice();
      surface.offsets.set(row);
      surface.place();
      const whole = Math.abs(meter.measure(surface.positions));
      const exact = meter.regionVolumes.slice();
      const slack = exact.map((v, s) => {
        if (Math.abs(v) < SMALL * whole) return Number.POSITIVE_INFINITY;
        return Math.max(10 * tolerance * Math.abs(v), 0.5 * Math.abs(skinned[s]! - v));
      });
      known.set(sample, { exact, slack });
    },
    listOff(sample) {
      const { exact, slack } = known.get(sample)!;
      meter.measure(surface.positions);
      const off = new Set<number>();
      exact.forEach((v, s) => {
        if (Math.abs(meter.regionVolumes[s]! - v) > slack[s]!) off.add(groupOf[s]!);
      });
      return off;
    },
  };
}
