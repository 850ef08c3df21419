import { createFrameSource, createPose, planBody, presetStack, samplePose } from '@isoskin/core';
import { measureVolumes, planClosedSurface } from '@isoskin/core/mesh';
import { createDemo } from '@isoskin/demos';
import { writeCharacter } from '@isoskin/gltf';
import { beforeAll, describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/create-engine.js';
import type { FrameRequest } from '../../src/engine/protocol.js';
import { turnJoint } from '../../src/state/pose-edits.js';
import { NO_POSE } from '../../src/state/studio-document.js';

const request: FrameRequest = {
  clip: 0,
  time: 0.9,
  dt: 0,
  pose: NO_POSE,
  colouring: 'plain',
  joint: -1,
  exaggerate: 1,
  topology: 0,
};
const finger = createDemo('finger');
const stack = createFrameSource(planBody(finger), presetStack('organic'));
const pose = createPose(finger);
samplePose(pose, finger, finger.clips[0], request.time);
stack.evaluate(pose, request.time);

const engine = createEngine();
const plan = { stack: presetStack('organic'), paint: {}, kernels: 'auto' } as const;

beforeAll(async () => {
  await engine.open({ kind: 'demo', name: 'finger' });
});

describe('createEngine', () => {
  it('shows plain skinning before a stack is planned', async () => {
    const { arrays, volume } = await engine.frame(request);
    expect(furthest(arrays.positions, stack.frame.skinned)).toBeLessThan(1e-6);
    expect(volume).toBeUndefined();
  });

  it('gives the frame of the library, on WASM and on TypeScript', async () => {
    for (const [kernels, tolerance] of [
      ['auto', 2e-4],
      ['typescript', 1e-6],
    ] as const) {
      const facts = await engine.plan({ ...plan, kernels });
      expect(facts.kernels).toBe(kernels === 'auto' ? 'wasm' : 'typescript');
      expect(facts.regions.map(({ name }) => name)).toEqual(stack.volume!.regions.names);
      const { arrays, volume, timings } = await engine.frame(request);
      expect(furthest(arrays.positions, stack.frame.positions)).toBeLessThan(tolerance);
      expect(furthest(arrays.skinned, stack.frame.skinned)).toBeLessThan(1e-5);
      expect(Math.abs(volume!.corrected)).toBeLessThan(1e-5);
      expect(volume!.skinned).toBeCloseTo(wholeChange(), 4);
      expect(timings.map(({ name }) => name)).toContain(kernels === 'auto' ? 'skin and volume' : 'volume');
    }
  });

  it('colours by the components of the displacement: grey where nothing moved, either side by its sign', async () => {
    await engine.plan(plan);
    for (const [axis, colouring] of (['moved-x', 'moved-y', 'moved-z'] as const).entries()) {
      const { arrays } = await engine.frame({ ...request, colouring });
      const { values, positions, skinned } = arrays;
      expect(Math.max(...values)).toBeLessThanOrEqual(1);
      expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
      for (let k = 0; k < values.length; k += 7) {
        const way = positions[3 * k + axis]! - skinned[3 * k + axis]!;
        if (Math.abs(way) > 1e-4) expect(Math.sign(values[k]! - 0.5)).toBe(Math.sign(way));
      }
    }
  });

  it('exaggerates what the correction does, in the picture alone', async () => {
    const plain = await engine.frame(request);
    const much = await engine.frame({ ...request, exaggerate: 5 });
    const { positions, skinned } = plain.arrays;
    const wanted = positions.map((x, i) => skinned[i]! + 5 * (x - skinned[i]!));
    expect(furthest(much.arrays.positions, Float64Array.from(wanted))).toBeLessThan(1e-5);
    expect(much.volume!.corrected).toBe(plain.volume!.corrected);
    expect(much.arrays.skinned).toEqual(skinned);
  });

  it('reuses the arrays that come back, and makes others for another character', async () => {
    const first = await engine.frame(request);
    const second = await engine.frame({ ...request, recycle: first.arrays });
    expect(second.arrays.positions).toBe(first.arrays.positions);
  });

  it('says why a slower stack is slow, and what a broken one lacks; frames go on', async () => {
    const rigid = { skin: { skinning: 'dual-quaternion' }, volume: {} } as const;
    expect((await engine.plan({ ...plan, stack: rigid })).reason).toMatch(/dual-quaternion/);
    const broken = { volume: { target: { regions: { nobody: 1 } } } } as const;
    await expect(engine.plan({ ...plan, stack: broken })).rejects.toThrow(/nobody/);
    expect((await engine.frame(request)).volume).toBeDefined();
  });

  it('picks the skin under a ray, with the place on it', async () => {
    await engine.plan(plan);
    const { arrays } = await engine.frame({ ...request, time: 0 });
    const centre = [0, 1, 2].map(
      (r) => arrays.positions.filter((_, i) => i % 3 === r).reduce((a, b) => a + b) / finger.surface.vertexCount,
    );
    const hit = await engine.pick({
      origin: [centre[0]!, centre[1]!, centre[2]! + 100],
      direction: [0, 0, -1],
      surface: 'corrected',
    });
    expect(hit!.normal[2]).toBeGreaterThan(0);
    const { triangles } = finger.surface;
    const place = [0, 1, 2].map((r) =>
      hit!.barycentric.reduce(
        (sum, share, c) => sum + share * arrays.positions[3 * triangles[3 * hit!.triangle + c]! + r]!,
        0,
      ),
    );
    for (const r of [0, 1, 2]) expect(place[r]).toBeCloseTo(hit!.point[r]!, 4);
    expect(await engine.pick({ origin: [0, 0, 1e3], direction: [0, 0, 1], surface: 'corrected' })).toBeNull();
  });

  it('measures a clip in pieces as in one go', async () => {
    const whole = await engine.measure({ clip: 0, fps: 8, from: 0, count: 99, pose: NO_POSE, intersections: false });
    expect(whole.times.length).toBe(whole.total);
    const first = await engine.measure({ clip: 0, fps: 8, from: 0, count: 4, pose: NO_POSE, intersections: false });
    const rest = await engine.measure({ clip: 0, fps: 8, from: 4, count: 99, pose: NO_POSE, intersections: false });
    expect([...first.skinned, ...rest.skinned]).toEqual([...whole.skinned]);
    expect(Math.max(...whole.corrected.map(Math.abs))).toBeLessThan(1e-5);
  });

  it('counts intersections of a pose that is bent too far', async () => {
    const bent = turnJoint(turnJoint(NO_POSE, 2, [Math.SQRT1_2, 0, 0, Math.SQRT1_2]), 3, [
      Math.SQRT1_2,
      0,
      0,
      Math.SQRT1_2,
    ]);
    const ask = { clip: 0, fps: 4, from: 0, count: 99, intersections: true };
    const { crossingsSkinned } = await engine.measure({ ...ask, pose: bent });
    expect(Math.max(...crossingsSkinned!)).toBeGreaterThan(0);
    expect((await engine.measure({ ...ask, pose: NO_POSE, count: 1 })).crossingsSkinned![0]).toBe(0);
  });

  it('folds the skin where a wrinkle is drawn, over the same base', async () => {
    await engine.plan(plan);
    await engine.frame({ ...request, time: 0 });
    const { triangles, positions } = finger.surface;
    const [low, high] = mostCompressed(positions, triangles);
    const anchor = (triangle: number) => ({ triangle, barycentric: [1 / 3, 1 / 3, 1 / 3] as const });
    const tools = await engine.placeWrinkle({ a: anchor(low), b: anchor(high), preset: 'wrist-crease' });
    const folded = { ...plan.stack, wrinkles: { tools } };
    await engine.plan({ ...plan, stack: folded, only: 'wrinkles' });
    const { refined, timings } = await engine.frame(request);
    expect(refined!.positions.length).toBeGreaterThan(3 * finger.surface.vertexCount);
    expect(refined!.triangles!.length).toBeGreaterThan(triangles.length);
    expect(timings.map(({ name }) => name)).toContain('wrinkles');
    const again = await engine.frame({ ...request, topology: refined!.topology });
    expect(again.refined!.triangles).toBeUndefined();
  });

  it('opens files; one that is broken leaves the character that is open', async () => {
    const bytes = await writeCharacter(createDemo('tube'));
    await expect(engine.open({ kind: 'file', name: 'bad.glb', bytes: bytes.slice(0, 500) })).rejects.toThrow();
    expect((await engine.frame(request)).arrays.values.length).toBe(finger.surface.vertexCount);
    const facts = await engine.open({ kind: 'file', name: 'tube.glb', bytes });
    expect([facts.name, facts.vertexCount]).toEqual(['tube', createDemo('tube').surface.vertexCount]);
  });

  it('lists every buffer of an answer once', () => {
    const shared = new Float32Array(4);
    const list = engine.listTransfers({
      a: shared,
      b: [{ c: shared.subarray(1) }],
      d: new Uint8Array(2),
      e: [1, 2],
      f: null,
    });
    expect(list.length).toBe(2);
  });
});

function furthest(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < b.length; i++) most = Math.max(most, Math.abs(a[i]! - b[i]!));
  return most;
}

/** Relative change of the whole volume by plain skinning, measured apart from the engine. */
function wholeChange(): number {
  const closed = planClosedSurface(finger.surface);
  const volumeOf = (positions: Float64Array) => {
    const extended = new Float64Array(3 * (closed.vertexCount + closed.apexCount));
    extended.set(positions);
    return measureVolumes(new Float64Array(finger.surface.components.length), closed, extended);
  };
  return volumeOf(stack.frame.skinned) / volumeOf(finger.surface.positions) - 1;
}

/** Two triangles whose distance shrinks most when the finger curls. */
function mostCompressed(x: Float64Array, triangles: Uint32Array): [number, number] {
  const { skinned } = stack.frame;
  const length = Math.max(...[0, 1, 2].map((r) => spread(x, r)));
  const apart = (at: Float64Array, s: number, t: number) =>
    Math.hypot(...[0, 1, 2].map((r) => at[3 * triangles[3 * s]! + r]! - at[3 * triangles[3 * t]! + r]!));
  let best: [number, number] = [0, 1];
  let least = 1;
  for (let s = 0; s < triangles.length / 3; s += 7) {
    for (let t = 0; t < s; t += 7) {
      const rest = apart(x, s, t);
      if (rest < 0.08 * length || rest > 0.16 * length) continue;
      const ratio = apart(skinned, s, t) / rest;
      if (ratio < least) [best, least] = [[s, t], ratio];
    }
  }
  return best;
}

function spread(x: Float64Array, axis: number): number {
  const values = x.filter((_, i) => i % 3 === axis);
  return Math.max(...values) - Math.min(...values);
}
