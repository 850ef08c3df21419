/** The preset `flesh` on real characters and on the demo elephant, every clip: finite, the total no further from rest than under plain skinning, hardly a triangle turned over. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Character, createFrameSource, planBody, planClipMeter, presetStack } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { readCharacter } from '@isoskin/gltf/node';
import { describe, expect, it } from 'vitest';

const models = new URL('../../../../../shared/models/', import.meta.url);
/** Of the volume of the body or of a region. */
const WORSE = 0.005;
const FILES = ['Fox.glb', 'CesiumMan.glb', 'Ghost.glb', 'RobotExpressive.glb'];

function judge(character: Character): void {
  const meter = planClipMeter(createFrameSource(planBody(character), presetStack('flesh')));
  const plain = planClipMeter(createFrameSource(planBody(character), presetStack('organic')));
  for (const clip of character.clips) {
    const { frames, quality } = meter.measure(clip, { fps: 8, quality: true });
    expect(frames.every(({ corrected }) => Number.isFinite(corrected))).toBe(true);
    for (const { skinned, corrected, target } of frames)
      expect(Math.abs(corrected! / target - 1)).toBeLessThan(Math.abs(skinned / target - 1) + WORSE);
    const before = plain.measure(clip, { fps: 8, quality: true }).quality!;
    expect(quality!.flipped).toBeLessThan(before.flipped + 0.01);
    expect(quality!.stretch99).toBeLessThan(before.stretch99 + 0.35);
  }
}

describe('the preset flesh', () => {
  it.skipIf(!existsSync(models)).each(FILES)('%s (skipped where ../shared/models is missing)', async (file) => {
    judge((await readCharacter(fileURLToPath(new URL(file, models)))).character);
  });

  it('the belly of the trotting elephant swings up and down by a tenth of a metre and more, its volume kept', () => {
    const character = createDemo('elephant', { vertices: 3000 });
    const clip = character.clips.find(({ name }) => name === 'trot')!;
    const stack = createFrameSource(planBody(character), {
      ...presetStack('organic'),
      flesh: { frequency: 1.6, damping: 0.15, maxStretch: 0.35 },
    });
    const { positions } = character.surface;
    // The lowest point under the middle of the spine.
    let belly = -1;
    for (let k = 0; k < positions.length; k += 3) {
      const isUnder = Math.abs(positions[k]!) < 0.15 && Math.abs(positions[k + 2]! + 0.05) < 0.15;
      if (isUnder && (belly < 0 || positions[k + 1]! < positions[belly + 1]!)) belly = k;
    }
    let rest: number | undefined;
    const lags = Array.from({ length: 25 }, (_, n) => {
      const { positions: y, skinned: x, report } = stack.seek(clip, (n * clip.duration) / 24);
      const volume = report!.volumes.reduce((sum, v) => sum + v, 0);
      rest ??= volume; // the same in every frame
      expect(Math.abs(volume / rest - 1)).toBeLessThan(WORSE);
      return y[belly + 1]! - x[belly + 1]!;
    });
    expect(Math.max(...lags)).toBeGreaterThan(0.1);
    expect(Math.min(...lags)).toBeLessThan(-0.1);
    expect(Math.abs(lags[0]! - lags[24]!)).toBeLessThan(1e-3);
  });
});
