/** The swing of flesh in WASM against the TypeScript layers. */
import { createFrameSource, createPose, type FrameSource, planBody, presetStack, samplePose } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { createWasmKernels, detectFeatures } from '@isoskin/wasm';
import { describe, expect, it } from 'vitest';

const character = createDemo('elephant');
const clip = character.clips.find(({ name }) => name === 'trot')!;
const body = planBody(character);

describe('flesh on WASM kernels', () => {
  for (const relaxedSimd of new Set([false, detectFeatures().relaxedSimd])) {
    for (const options of [
      {},
      { travel: 1 },
      { regions: { 'trunk 4': { frequency: 4 } } },
      { maxStretch: 0.02, travel: 0.5 },
    ]) {
      it(`moves as the layers do to 1e−5 of the size: ${JSON.stringify(options)}, ${relaxedSimd ? 'relaxed' : 'plain'}`, async () => {
        const kernels = await createWasmKernels({ threads: 1, features: { ...detectFeatures(), relaxedSimd } });
        const spec = { flesh: { ...presetStack('flesh').flesh, ...options } };
        const fast = createFrameSource(body, spec, { kernels }) as FrameSource;
        const slow = createFrameSource(body, spec);
        const pose = createPose(character);
        let worst = 0;
        let most = 0;
        for (let n = 0; n < 30; n++) {
          samplePose(pose, character, clip, n / 30);
          const [a, b] = [fast, slow].map((source) => source.evaluate(pose, n / 30, n > 0 ? 1 / 30 : 0).positions);
          for (let k = 0; k < a!.length; k++) {
            worst = Math.max(worst, Math.abs(a![k]! - b![k]!));
            most = Math.max(most, Math.abs(a![k]! - slow.frame.skinned[k]!));
          }
        }
        expect(most).toBeGreaterThan(0.02);
        expect(worst).toBeLessThan(1e-5);
        fast.dispose();
        slow.dispose();
      });
    }
  }
});

describe('flesh on WASM frames', () => {
  const spec = { ...presetStack('organic'), flesh: { ...presetStack('flesh').flesh } };

  it('swings whole frames as the layers do to 2e−6 of the size, and by itself while a pose is held', async () => {
    const kernels = await createWasmKernels({ threads: 1 });
    const fast = createFrameSource(body, spec, { kernels, warm: true }) as FrameSource;
    const slow = createFrameSource(body, spec, { warm: true });
    const pose = createPose(character);
    expect(fast.backend).toBe('wasm');
    const size = Math.max(...character.surface.positions) - Math.min(...character.surface.positions);
    let before = 0;
    for (let n = 0; n < 40; n++) {
      samplePose(pose, character, clip, Math.min(n, 25) / 30);
      const [a, b] = [fast, slow].map((source) => source.evaluate(pose, n / 30, n > 0 ? 1 / 30 : 0));
      expect(a!.positions.reduce((most, x, i) => Math.max(most, Math.abs(x - b!.positions[i]!)), 0)).toBeLessThan(
        2e-6 * size,
      );
      expect(a!.normals.reduce((most, x, i) => Math.max(most, Math.abs(x - b!.normals[i]!)), 0)).toBeLessThan(0.02);
      const now = a!.positions.reduce((sum, x) => sum + x, 0);
      expect(now).not.toBe(before);
      before = now;
    }
    fast.dispose();
    slow.dispose();
  });

  it('gives the same bits for a moment of a clip whatever ran before; with contact it runs on the layers', async () => {
    const kernels = await createWasmKernels({ threads: 1 });
    const source = createFrameSource(body, spec, { kernels }) as FrameSource;
    const first = source.seek(clip, 0.4).positions.slice();
    expect(first).not.toEqual(source.seek(clip, 0.1).positions);
    expect(source.seek(clip, 0.4).positions).toEqual(first);
    const both = createFrameSource(body, { ...spec, contact: {} }, { kernels }) as FrameSource;
    expect([both.backend, both.reason]).toEqual([
      'typescript',
      'flesh that swings and contact together run on the TypeScript kernels',
    ]);
    for (const one of [source, both]) one.dispose();
  });
});
