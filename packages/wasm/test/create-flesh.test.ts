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
