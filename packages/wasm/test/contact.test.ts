/** Contact on the WASM frames against the TypeScript layers, which are the specification. */
import { createFrameSource, planBody, presetStack } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { createWasmKernels } from '@isoskin/wasm';
import { openContact } from '@isoskin/wasm/contact';
import { expect, it } from 'vitest';
import { type PairSearch, planPairSearch, type SearchPlan } from '../../core/src/contact/pair-search.js';
import { planContact } from '../../core/src/contact/plan-contact.js';
import { bend } from '../../core/test/contact/contact-bench.js';

const sets = [await createWasmKernels({ threads: 1, contact: openContact }), await createWasmKernels({ threads: 1 })];
const stack = { ...presetStack('organic'), contact: {} };

function measureApart(a: Float64Array, b: Float64Array): number {
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0);
}

it.each(sets)(
  'finger: the frames of the layers to 1e−6 of its size, contact moves them, and any order gives the same bits',
  (kernels) => {
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
  },
);

it.each(sets)('every clip of the hand, and at less than full strength', (kernels) => {
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

/** How far the pairs found look at each other. */
function listPairs({ count, pairs, normals }: PairSearch): Map<string, number> {
  return new Map(
    Array.from({ length: count }, (_, i) => {
      const [a, b] = [pairs[2 * i]!, pairs[2 * i + 1]!];
      return [`${a},${b}`, -[0, 1, 2].reduce((sum, r) => sum + normals[a + r]! * normals[b + r]!, 0)];
    }),
  );
}

it('finds the pairs that the TypeScript search finds, and the same normals', async () => {
  const createSearch = await openContact();
  for (const name of ['hand', 'toy']) {
    const character = createDemo(name, { vertices: 3000 });
    const wide = new Float32Array(4 * character.surface.vertexCount);
    let plan: SearchPlan | undefined;
    planContact(character, {}, {}, (own) => planPairSearch((plan = own)));
    const [slow, fast] = [planPairSearch(plan!), createSearch(plan!, () => wide)];
    const source = createFrameSource(planBody(character), { skin: {} });
    let most = 0;
    for (const clip of character.clips) {
      const { positions, bones } = source.seek(clip, clip.duration / 2);
      positions.forEach((value, i) => void (wide[4 * Math.floor(i / 3) + (i % 3)] = value));
      const points = Float64Array.from(
        Array.from(plan!.samples.vertices).flatMap((v) => [...positions.subarray(3 * v, 3 * v + 3)]),
      );
      slow.find(points, bones, positions);
      fast.find(points, bones, positions);
      const known = listPairs(fast);
      for (const [key, facing] of listPairs(slow)) {
        if (facing > 1e-4) expect(known.get(key)).toBeCloseTo(facing, 5);
        most = Math.max(most, facing);
      }
      expect(fast.count).toBeLessThanOrEqual(slow.count);
    }
    expect(most).toBeGreaterThan(0.5);
  }
});
