/** The limits that the default preset keeps on every character (issue “Constant volume”), Q2 excepted. */
import { type Character, type ClipMeter, createStack, planClipMeter } from '@isoskin/core';
import { expect } from 'vitest';

const FINE = 1000;
/** @param fps 10: every third frame of a clip at 30 frames a second. */
export function planJudge(character: Character, fps: number): ClipMeter & { judge(): void } {
  const meter = planClipMeter(createStack(character));
  const isFine = character.surface.vertexCount >= FINE;
  return {
    ...meter,
    judge() {
      for (const clip of character.clips) {
        const { worst, regions, quality, inexact } = meter.measure(clip, { fps, quality: true });
        const place = `${character.name}, ${clip.name}`;
        const largest = (kind: 'skinned' | 'corrected') =>
          regions.reduce((most, region) => Math.max(most, Math.abs(region.worst[kind]!)), 0);
        expect(Math.abs(worst.corrected!), `${place}: total`).toBeLessThanOrEqual(1e-9);
        const limit = isFine ? 1e-6 : Math.max(1e-6, 0.25 * largest('skinned'));
        expect(largest('corrected'), `${place}: regions`).toBeLessThanOrEqual(limit);
        const wrong = regions.filter((region) => Math.abs(region.worst.corrected!) > 1e-6).map(({ name }) => name);
        expect(
          inexact.map(({ name }) => name),
          `${place}: named`,
        ).toEqual(wrong);
        const q = quality!;
        expect(q.flipped, `${place}: Q3`).toBeLessThanOrEqual(isFine ? 1e-3 : 1e-2);
        expect(q.stretch99, `${place}: Q4`).toBeLessThanOrEqual(isFine ? 1.3 : 2);
        expect(q.roughness, `${place}: Q5`).toBeLessThanOrEqual(isFine ? 0.25 : 0.4);
        expect(q.temporal, `${place}: Q6`).toBeLessThanOrEqual(3);
        expect(q.locality, `${place}: Q7`).toBeLessThanOrEqual(1e-3);
      }
    },
  };
}
