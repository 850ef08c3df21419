/** The limits that the default preset keeps on every character, Q2 excepted. */
import {
  type Character,
  type ClipMeter,
  createFrameSource,
  planBody,
  planClipMeter,
  presetStack,
  type StackSpec,
} from '@isoskin/core';
import { expect } from 'vitest';

const FINE = 1000;
/** Bounds are measured with bends: these may cost a region this share of its volume. */
const WORSE = 0.02;

/** The default stack without a ceiling on its amounts: every region can then be met. */
export function unlimited(): StackSpec {
  const { volume, ...others } = presetStack('organic');
  return { ...others, volume: { ...volume, options: { limit: 0 } } };
}

/** Shape of what the default limit gives. @param fps 10: every third frame of a clip at 30 frames a second. */
export function planJudge(character: Character, fps: number): ClipMeter & { judge(): void } {
  const meter = planClipMeter(createFrameSource(planBody(character)));
  const isFine = character.surface.vertexCount >= FINE;
  return {
    ...meter,
    judge() {
      for (const clip of character.clips) {
        const { worst, quality, inexact, regions } = meter.measure(clip, { fps, quality: true });
        const place = `${character.name}, ${clip.name}`;
        // No region ends further from its volume than under plain skinning, in any frame; exact where none is held back.
        for (const region of regions) {
          for (const [n, plain] of region.skinned.entries()) {
            const left = Math.abs(region.corrected![n]!);
            expect(left, `${place}, frame ${n}: ${region.name}`).toBeLessThanOrEqual(Math.abs(plain) + WORSE);
          }
        }
        if (inexact.length === 0) expect(Math.abs(worst.corrected!), `${place}: total`).toBeLessThanOrEqual(1e-7);
        // What is named is what is off, by a formula of its own.
        const { restRegions, componentOfRegion } = meter.meter;
        for (const [s, region] of regions.entries()) {
          const far = Math.abs(region.worst.corrected!) * Math.max(restRegions[s]!, 1e-3 * componentOfRegion[s]!);
          const isNamed = inexact.some(({ name }) => name === region.name);
          if (isNamed) expect(far / restRegions[s]!, `${place}: ${region.name}`).toBeGreaterThan(1e-7);
          else expect(far / restRegions[s]!, `${place}: ${region.name}`).toBeLessThanOrEqual(2e-6);
        }
        const q = quality!;
        expect(q.flipped, `${place}: Q3`).toBeLessThanOrEqual(isFine ? 1e-2 : 2e-2);
        expect(q.stretch99, `${place}: Q4`).toBeLessThanOrEqual(isFine ? 1.6 : 2);
        expect(q.roughness, `${place}: Q5`).toBeLessThanOrEqual(isFine ? 0.25 : 0.5);
        expect(q.temporal, `${place}: Q6`).toBeLessThanOrEqual(3);
      }
    },
  };
}

/** Without a limit every region of every frame is exact. */
export function expectExact(character: Character, fps: number): void {
  const meter = planClipMeter(createFrameSource(planBody(character), unlimited()));
  for (const clip of character.clips) {
    const { worst, regions } = meter.measure(clip, { fps });
    expect(Math.abs(worst.corrected!), `${character.name}, ${clip.name}: total`).toBeLessThanOrEqual(1e-10);
    const largest = regions.reduce((most, region) => Math.max(most, Math.abs(region.worst.corrected!)), 0);
    expect(largest, `${character.name}, ${clip.name}: regions`).toBeLessThanOrEqual(1e-6);
  }
}
