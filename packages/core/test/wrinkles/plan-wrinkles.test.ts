/** The wrinkles layer on a bending tube: H1, H5–H9, and everything that can be wrong with a tool. */
import {
  type Character,
  createCharacter,
  createFrameSource,
  createPose,
  placeTool,
  placeTools,
  planBody,
  presetStack,
  type StackSpec,
  type WrinkleTool,
} from '@isoskin/core';
import { planWrinkles, WRINKLE_PRESET_NAMES } from '@isoskin/core/wrinkles';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attenuate } from '../../src/wrinkles/planned-tool.js';
import * as meshes from '../meshes.js';

const SEED = 7;
const tube = createCharacter(meshes.tube({ around: 20, along: 40 }));
const A = [2.2, 1, 0];
const B = [4.4, 1, 0];

function layers(tools: readonly WrinkleTool[], more: object = {}): StackSpec {
  return { ...presetStack('organic'), wrinkles: { tools, ...more } };
}

/** The second bone turned about z: with a positive angle the side of +y is pressed together. */
function bent(character: Character, degrees: number) {
  const pose = createPose(character);
  const half = (degrees * Math.PI) / 360;
  pose.locals.set([0, 0, Math.sin(half), Math.cos(half)], 10 + 3);
  return pose;
}

function countOpen(triangles: Uint32Array, count: number): number {
  const edges = new Map<string, number>();
  for (let t = 0; t < 3 * count; t += 3) {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [triangles[t + k]!, triangles[t + ((k + 1) % 3)]!];
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      edges.set(key, (edges.get(key) ?? 0) + (a < b ? 1 : -1));
    }
  }
  return [...edges.values()].filter((n) => n !== 0).length;
}

describe('the wrinkles layer', () => {
  const tool = placeTool(tube, A, B, { points: 13, width: 1.4 });
  const stack = createFrameSource(planBody(tube), layers([tool]));

  it('leaves the frame alone while stretched, and refines only while compressed (H8)', () => {
    expect(stack.evaluate(bent(tube, 0)).refined).toBeUndefined();
    expect(stack.evaluate(bent(tube, -40)).refined).toBeUndefined();
    const plain = createFrameSource(planBody(tube), presetStack('organic')).evaluate(bent(tube, 60));
    stack.reset();
    const frame = stack.evaluate(bent(tube, 60));
    expect(frame.positions.every((x, i) => x === plain.positions[i])).toBe(true);
    expect(frame.normals.every((x, i) => x === plain.normals[i])).toBe(true);
    const { refined } = frame;
    expect(refined!.triangleCount).toBeGreaterThan(1.2 * (tube.surface.triangles.length / 3));
    expect(countOpen(refined!.triangles, refined!.triangleCount)).toBe(0);
    expect(stack.evaluate(bent(tube, -10)).refined).toBeUndefined();
  });

  it('moves only vertices of the region, along their normals, and never the ends', () => {
    const { refined, positions, normals } = stack.evaluate(bent(tube, 60));
    let moved = 0;
    for (let v = 0; v < tube.surface.vertexCount; v++) {
      const d = [0, 1, 2].map((r) => refined!.positions[3 * v + r]! - positions[3 * v + r]!);
      const size = Math.hypot(...d);
      if (size === 0) continue;
      moved++;
      const along = d.reduce((sum, x, r) => sum + x * normals[3 * v + r]!, 0);
      expect(Math.abs(along)).toBeCloseTo(size, 9);
      const [x, y] = [tube.surface.positions[3 * v]!, tube.surface.positions[3 * v + 1]!];
      expect(x).toBeGreaterThan(1.5);
      expect(x).toBeLessThan(5.1);
      expect(y).toBeGreaterThan(-0.2);
    }
    expect(moved).toBeGreaterThan(20);
    for (const { triangle, barycentric } of [tool.a, tool.b]) {
      for (let r = 0; r < 3; r++) {
        const at = (p: Float64Array) =>
          barycentric.reduce((sum, w, k) => sum + w * p[3 * tube.surface.triangles[3 * triangle + k]! + r]!, 0);
        expect(at(refined!.positions)).toBeCloseTo(at(positions), 2);
      }
    }
  });

  it('comes and goes without a jump, in shape and in normals', () => {
    const at = (degrees: number) => {
      const frame = stack.evaluate(bent(tube, degrees));
      const flat = frame.refined ?? stack.wrinkles!.placeFlat(frame.positions, frame.normals);
      return { positions: flat.positions.slice(), normals: flat.normals.slice() };
    };
    const largest = (a: Float64Array, b: Float64Array) =>
      a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i]!)), 0);
    let before = at(0);
    let [step, turn] = [0, 0];
    for (let degrees = 0.02; degrees < 2; degrees += 0.02) {
      const after = at(degrees);
      step = Math.max(step, largest(before.positions, after.positions));
      turn = Math.max(turn, largest(before.normals, after.normals));
      before = after;
    }
    // 0.02° move the far end of the tube by 0.0012; a fold rises like a root: by some hundredths of its final height.
    expect(step).toBeLessThan(0.02);
    expect(turn).toBeLessThan(0.1);
  });

  it('keeps what the volume layer made exact', () => {
    const change = (keepVolume: boolean) => {
      const { refined, positions } = createFrameSource(planBody(tube), layers([tool], { keepVolume })).evaluate(
        bent(tube, 70),
      );
      const { triangles } = tube.surface;
      const flesh = measureInside(triangles, positions, triangles.length / 3);
      return measureInside(refined!.triangles, refined!.positions, refined!.triangleCount) / flesh - 1;
    };
    expect(change(false)).toBeGreaterThan(0.004);
    expect(Math.abs(change(true))).toBeLessThan(0.0002);
  });

  it('lifts vertices of another tool’s finer refinement too', () => {
    const coarse = placeTool(tube, A, B, { points: 5, width: 1.4 });
    const fine = placeTool(tube, [3.0, 1, 0], [3.6, 1, 0], { points: 33, width: 0.5, strength: 0 });
    const fold = (strength: number) => {
      const { refined } = createFrameSource(
        planBody(tube),
        layers([{ ...coarse, strength }, fine], { keepVolume: false }),
      ).evaluate(bent(tube, 40));
      return { plan: refined!.plan, used: refined!.used, positions: refined!.positions };
    };
    const [flat, folded] = [fold(0), fold(1)];
    const { plan, used } = folded;
    const heights = Float64Array.from({ length: plan.vertexCount }, (_, v) =>
      Math.hypot(...[0, 1, 2].map((r) => folded.positions[3 * v + r]! - flat.positions[3 * v + r]!)),
    );
    const most = Math.max(...heights);
    for (let v = plan.baseCount; v < plan.vertexCount; v++) {
      if (!used[v]) continue;
      const mean =
        (heights[plan.parents[2 * (v - plan.baseCount)]!]! + heights[plan.parents[2 * (v - plan.baseCount) + 1]!]!) / 2;
      expect(Math.abs(heights[v]! - mean)).toBeLessThan(0.4 * most);
    }
  });

  it('grows with the character: a scaled skeleton is no compression', () => {
    const pose = bent(tube, 0);
    pose.locals.set([0.5, 0.5, 0.5], 7);
    expect(stack.evaluate(pose).refined).toBeUndefined();
    const folded = bent(tube, 60);
    const big = stack.evaluate(folded).refined!.positions.slice();
    folded.locals.set([0.5, 0.5, 0.5], 7);
    const small = stack.evaluate(folded).refined!.positions;
    small.forEach((x, i) => {
      expect(x).toBeCloseTo(big[i]! / 2, 6);
    });
  });

  it('counts lengths in the unit in which the tool was placed', () => {
    const input = meshes.tube({ around: 20, along: 40 });
    const part = input.parts[0]!;
    const scaled = createCharacter({
      ...input,
      parts: [{ ...part, positions: Float64Array.from(part.positions, (x) => 100 * x) }],
      skeleton: {
        ...input.skeleton,
        locals: input.skeleton.locals.map((x, i) => (i % 10 < 3 ? 100 * x : x)),
        inverseBinds: input.skeleton.inverseBinds.map((x, i) => (i % 16 >= 12 && i % 16 < 15 ? 100 * x : x)),
      },
    });
    const own = createFrameSource(planBody(scaled), layers([tool])).evaluate(bent(scaled, 60)).refined!;
    const { refined } = stack.evaluate(bent(tube, 60));
    refined!.positions.forEach((x, i) => {
      expect(own.positions[i]! / 100).toBeCloseTo(x, 6);
    });
  });

  it('takes a rest length from keys and from a morph target, without a rig', () => {
    const box = createCharacter(meshes.morphingBox());
    const { positions } = box.surface;
    const low = [0, 1, 2].map((r) => Math.min(...positions.filter((_, i) => i % 3 === r)));
    const high = [0, 1, 2].map((r) => Math.max(...positions.filter((_, i) => i % 3 === r)));
    const on = (u: number) => [low[0]! + u * (high[0]! - low[0]!), high[1]!, (low[2]! + high[2]!) / 2];
    const placed = placeTool(box, on(0.2), on(0.8), { points: 5, width: 0.3 });
    const { morphs } = box;
    const morph = createFrameSource(
      planBody(box),
      layers([{ ...placed, restLength: { morph: morphs[0]!.name, to: 1.2 * placed.length! } }]),
    );
    const pose = createPose(box);
    pose.morphWeights.fill(0);
    expect(morph.evaluate(pose).refined).toBeUndefined();
    const keys = createFrameSource(
      planBody(box),
      layers([
        {
          ...placed,
          restLength: {
            keys: [
              [0, placed.length!],
              [1, 1.2 * placed.length!],
            ],
          },
        },
      ]),
    );
    expect(keys.evaluate(pose, 0).refined).toBeUndefined();
    expect(keys.evaluate(pose, 0.5).refined).toBeDefined();
    expect(keys.wrinkles!.tools[0]!.lost / placed.length!).toBeCloseTo(0.1, 9);
    expect(keys.evaluate(pose, 9).refined).toBeDefined();
  });

  it('follows the skin with a curved tool: its length is the way along it', () => {
    const curved = placeTool(tube, [3.3, 1, 0], [3.3, 0, 1], { curved: true, points: 9 });
    expect(curved.via).toHaveLength(5);
    expect(curved.length).toBeCloseTo(Math.PI / 2, 1);
    const folded = createFrameSource(planBody(tube), layers([{ ...curved, restLength: 1.1 * curved.length! }]));
    const { refined, positions } = folded.evaluate(bent(tube, 0));
    let most = 0;
    for (let v = 0; v < tube.surface.vertexCount; v++) {
      most = Math.max(
        most,
        Math.hypot(...[0, 1, 2].map((r) => refined!.positions[3 * v + r]! - positions[3 * v + r]!)),
      );
    }
    expect(most).toBeGreaterThan(0.01);
    expect(countOpen(refined!.triangles, refined!.triangleCount)).toBe(0);
  });

  it.each(WRINKLE_PRESET_NAMES)('has the preset %s', (name) => {
    const tools = placeTools(tube, A, B, name);
    expect(tools).toHaveLength(name === 'knee-back' ? 2 : 1);
    const { refined } = createFrameSource(planBody(tube), layers(tools)).evaluate(bent(tube, 50));
    expect(refined).toBeDefined();
    expect(refined!.positions.every(Number.isFinite)).toBe(true);
    expect(countOpen(refined!.triangles, refined!.triangleCount)).toBe(0);
  });

  it('fades across the width as asked (H6)', () => {
    expect(attenuate('none', 0.99)).toBe(1);
    expect(attenuate('linear', -0.25)).toBe(0.75);
    expect(attenuate('wyvill', 0)).toBe(1);
    expect(attenuate('wyvill', 0.5)).toBeCloseTo(1 + (-4 / 64 + 17 / 16 - 22 / 4) / 9, 14);
    expect(attenuate('wyvill', 1 - 1e-12)).toBeCloseTo(0, 10);
    for (const kind of ['none', 'linear', 'wyvill'] as const)
      for (const t of [1, -1, 2, Number.NaN]) expect(attenuate(kind, t)).toBe(0);
  });
});

describe('bad tools', () => {
  const good = placeTool(tube, A, B, { points: 9 });
  const plan = (tool: object) => () => createFrameSource(planBody(tube), layers([{ ...good, ...tool } as WrinkleTool]));

  it.each([
    [{ a: { triangle: 1e6, barycentric: [1, 0, 0] } }, /off the surface.*tools\[0\]/],
    [{ a: { triangle: 0.5, barycentric: [1, 0, 0] } }, /whole number/],
    [{ a: { triangle: 0, barycentric: [2, -1, 0] } }, /off the surface/],
    [{ a: { triangle: 0, barycentric: [Number.NaN, 0, 0] } }, /number/],
    [{ b: good.a }, /no length/],
    [{ width: 0 }, /width of 0/],
    [{ width: Number.NaN }, /number/],
    [{ width: -1 }, /number/],
    [{ points: Number.NaN }, /number/],
    [{ points: 4.5 }, /4\.5 points/],
    [{ crest: 20 }, /crest of 20/],
    [{ maxHeight: Number.NaN }, /number/],
    [{ strength: Number.POSITIVE_INFINITY }, /number/],
    [{ restLength: 0 }, /rest length of 0/],
    [{ restLength: { keys: [] } }, /keys/],
    [{ restLength: { morph: 'smile', to: 1 } }, /no morph target “smile”/],
    [{ strategy: 'from-b' }, /from-a/],
    [{ attenuation: 'soft' }, /wyvill/],
    [{ levels: [{ share: 2 }] }, /between 0 and 1/],
    [{ length: 0 }, /length of 0/],
    [{ colour: 'red' }, /no (option )?“colour”/],
  ])('refuses %j', (tool, message) => {
    expect(plan(tool)).toThrow(message);
  });

  it('refuses a tool across two parts that do not hang together and points off the skin', () => {
    const two = createCharacter(
      meshes.character([meshes.part(meshes.mergeShapes(meshes.boxShape(1, 1, 1), meshes.boxShape(1, 1, 1, 3)))]),
    );
    expect(() => placeTool(two, [0.5, 1, 0.5], [3.5, 1, 0.5])).toThrow(/do not hang together/);
    const a = placeTool(two, [0.2, 1, 0.5], [0.8, 1, 0.5]);
    const b = placeTool(two, [3.2, 1, 0.5], [3.8, 1, 0.5]);
    expect(() => createFrameSource(planBody(two), layers([{ ...a, b: b.b }]))).toThrow(/do not hang together/);
    expect(() => placeTool(tube, [0, 9, 0], B)).toThrow(/A is off the surface by/);
    expect(() => placeTool(tube, [Number.NaN, 0, 0], B)).toThrow(/three numbers/);
    expect(() => placeTool(tube, A, A)).toThrow(/move them apart/);
  });

  it(`never leaves NaN on the surface, whatever the pose, time and step, seed ${SEED}`, () => {
    const stack = createFrameSource(
      planBody(tube),
      layers(
        placeTools(tube, A, B, 'knee-back', {
          restLength: {
            keys: [
              [0, 2.2],
              [1, 6],
            ],
          },
        }),
      ),
    );
    const number = fc.oneof(
      fc.constantFrom(0, 1e-300, 1e300, -1e300, Number.NaN, Number.POSITIVE_INFINITY),
      fc.double({ min: -10, max: 10 }),
    );
    fc.assert(
      fc.property(fc.integer({ min: -180, max: 180 }), number, number, (degrees, time, dt) => {
        const { refined } = stack.evaluate(bent(tube, degrees), time, dt);
        if (refined)
          expect(refined.positions.every(Number.isFinite) && refined.normals.every(Number.isFinite)).toBe(true);
      }),
      { seed: SEED, numRuns: 60 },
    );
    for (const scale of [0, 1e-200, -1]) {
      const pose = bent(tube, 40);
      pose.locals.set([scale, scale, scale], 7);
      const { refined } = stack.evaluate(pose, 1, 0);
      if (refined) expect(refined.positions.every(Number.isFinite)).toBe(true);
    }
  });

  it('works without tools, on an open surface, over a seam and with a wider rectangle than the body', () => {
    expect(createFrameSource(planBody(tube), layers([])).evaluate(bent(tube, 60)).refined).toBeUndefined();
    const off = { ...good, enabled: false };
    expect(createFrameSource(planBody(tube), layers([off])).wrinkles!.tools).toHaveLength(0);
    const open = createCharacter(meshes.openTube({ around: 20, along: 40 }));
    const atEnd = placeTool(open, [0, 1, 0], [1.5, 1, 0], { points: 9, restLength: 1.8, width: 9 });
    const { refined } = createFrameSource(planBody(open), layers([atEnd])).evaluate(bent(open, 20));
    expect(refined!.positions.every(Number.isFinite)).toBe(true);
    const seamed = createCharacter(meshes.seamedBox(2, 2, 2));
    const over = placeTool(seamed, [0.3, 2, 1], [1.7, 2, 1], { points: 9, restLength: 1.6 });
    const folded = createFrameSource(planBody(seamed), layers([over])).evaluate(createPose(seamed)).refined!;
    expect(countOpen(folded.triangles, folded.triangleCount)).toBe(0);
    expect(planWrinkles(seamed).tools).toHaveLength(0);
  });
});

function measureInside(t: Uint32Array, p: Float64Array, count: number): number {
  let six = 0;
  for (let i = 0; i < 3 * count; i += 3) {
    const [a, b, c] = [3 * t[i]!, 3 * t[i + 1]!, 3 * t[i + 2]!];
    six +=
      p[a]! * (p[b + 1]! * p[c + 2]! - p[b + 2]! * p[c + 1]!) +
      p[a + 1]! * (p[b + 2]! * p[c]! - p[b]! * p[c + 2]!) +
      p[a + 2]! * (p[b]! * p[c + 1]! - p[b + 1]! * p[c]!);
  }
  return six / 6;
}
