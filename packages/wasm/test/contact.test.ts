/** Contact on the WASM frames against the TypeScript layers, which are the specification. */
import { createFrameSource, planBody, presetStack } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { createWasmKernels } from '@isoskin/wasm';
import { expect, it } from 'vitest';
import { bend } from '../../core/test/contact/contact-bench.js';

const kernels = await createWasmKernels({ threads: 1 });
const stack = { ...presetStack('organic'), contact: {} };

function measureApart(a: Float64Array, b: Float64Array): number {
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0);
}

it('finger: the frames of the layers to 1e−6 of its size, contact moves them, and any order gives the same bits', () => {
  const finger = createDemo('finger');
  const body = planBody(finger);
  const [fast, layers, alone] = [
    createFrameSource(body, stack, { kernels }),
    createFrameSource(body, stack),
    createFrameSource(body, presetStack('organic'), { kernels }),
  ];
  expect(fast.backend).toBe('wasm');
  const size = Math.max(...finger.surface.positions) - Math.min(...finger.surface.positions);
  const pose = (degrees: number) => bend(finger, 'finger.2', [1, 0, 0], degrees);
  const first = fast.evaluate(pose(150)).positions.slice();
  for (const degrees of [0, 60, 110, 130, 150]) {
    const { positions, normals, skinned } = fast.evaluate(pose(degrees));
    const expected = layers.evaluate(pose(degrees));
    expect(measureApart(positions, expected.positions)).toBeLessThan(1e-6 * size);
    expect(measureApart(skinned, expected.skinned)).toBeLessThan(1e-6 * size);
    expect(measureApart(normals, expected.normals)).toBeLessThan(0.02);
    const push = measureApart(positions, alone.evaluate(pose(degrees)).positions);
    if (degrees < 90) expect(push).toBeLessThan(1e-6 * size);
    if (degrees === 150) expect(push).toBeGreaterThan(0.01 * size);
  }
  expect(fast.frame.positions).toEqual(first);
});

it('every clip of the hand, and at less than full strength', () => {
  const hand = createDemo('hand', { vertices: 3000 });
  const body = planBody(hand);
  for (const strength of [1, 0.5]) {
    const spec = { ...stack, volume: { options: { strength } } };
    const [fast, layers] = [createFrameSource(body, spec, { kernels }), createFrameSource(body, spec)];
    const size = Math.max(...hand.surface.positions) - Math.min(...hand.surface.positions);
    for (const clip of hand.clips) {
      for (let n = 0; n < 4; n++) {
        const { positions } = fast.seek(clip, (n / 4) * clip.duration);
        const expected = layers.seek(clip, (n / 4) * clip.duration).positions;
        expect(measureApart(positions, expected)).toBeLessThan(3e-6 * size);
      }
    }
  }
});
