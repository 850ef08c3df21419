/** The promise of wrinkles: skin under a tool keeps its length, and folds stay out of each other. */
import {
  type Character,
  createCharacter,
  createFrameSource,
  createPose,
  type Frame,
  placeTool,
  placeTools,
  planBody,
  presetStack,
  type WrinkleTool,
} from '@isoskin/core';
import { countSelfIntersectionsOf } from '@isoskin/core/mesh';
import {
  COMBINATIONS,
  placeAnchor,
  planWrinkles,
  WRINKLE_PRESET_NAMES,
  type WrinklesOptions,
} from '@isoskin/core/wrinkles';
import { createDemoInput } from '@isoskin/demos';
import { describe, expect, it } from 'vitest';
import { FoldSum } from '../../src/wrinkles/fold-sum.js';

const tube = createCharacter(createDemoInput('tube', { vertices: 2000 }));
/** On the side that a positive angle presses together. */
const [A, B] = [
  [-1.1, 0, -1],
  [1.1, 0, -1],
];

function bent(character: Character, degrees: number) {
  const pose = createPose(character);
  const half = (degrees * Math.PI) / 360;
  pose.locals.set([0, Math.sin(half), 0, Math.cos(half)], 10 + 3);
  return pose;
}

function fold(tools: readonly WrinkleTool[], degrees: number, more: WrinklesOptions = {}) {
  const stack = createFrameSource(planBody(tube), { ...presetStack('organic'), wrinkles: { tools, ...more } });
  return stack.evaluate(bent(tube, degrees)).refined!;
}

/**
 * Length of the skin that at rest lies in the plane of A, B and the axis of the tube, by cutting all triangles with it: relative to its length at rest.
 * Knows nothing of the points that the layer itself measures.
 */
function measureCut(
  tool: WrinkleTool,
  { refined }: { refined: Frame['refined'] & object },
  tools: readonly WrinkleTool[],
): number {
  const flat = planWrinkles(tube, { tools }).placeFlat(
    tube.surface.positions,
    new Float64Array(tube.surface.positions),
  );
  const rest = flat.positions;
  const [a, b] = [placeAnchor(tube.surface, tool.a), placeAnchor(tube.surface, tool.b)];
  const along = a.map((x, r) => b[r]! - x);
  const span = Math.hypot(...along);
  const up = [0, (a[1]! + b[1]!) / 2, (a[2]! + b[2]!) / 2];
  const side = [0, 1, 2].map((r) => up[(r + 1) % 3]! * along[(r + 2) % 3]! - up[(r + 2) % 3]! * along[(r + 1) % 3]!);
  const dot = (v: number, n: readonly number[], from = a) =>
    n.reduce((sum, x, r) => sum + x * (rest[3 * v + r]! - from[r]!), 0);
  let [now, before] = [0, 0];
  for (let t = 0; t < 3 * refined.triangleCount; t += 3) {
    const corners = [0, 1, 2].map((k) => refined.triangles[t + k]!);
    if (corners.every((v) => dot(v, up, [0, 0, 0]) <= 0)) continue;
    const cuts = corners.flatMap((v, k) => {
      const w = corners[(k + 1) % 3]!;
      const [p, q] = [dot(v, side) + 1e-9, dot(w, side) + 1e-9];
      return p * q < 0 ? [{ v, w, u: p / (p - q) }] : [];
    });
    if (cuts.length !== 2) continue;
    const mix = (from: (v: number) => number) => cuts.map(({ v, w, u }) => from(v) + u * (from(w) - from(v)));
    const [x0, x1] = mix((v) => dot(v, along) / span) as [number, number];
    const inside = Math.min(span, Math.max(x0, x1)) - Math.max(0, Math.min(x0, x1));
    if (!(inside > 0)) continue;
    const measure = (p: Float64Array) =>
      Math.hypot(...[0, 1, 2].map((r) => mix((v) => p[3 * v + r]!)).map(([p0, p1]) => p1! - p0!));
    now += (inside / Math.abs(x1 - x0)) * measure(refined.positions);
    before += (inside / Math.abs(x1 - x0)) * measure(rest);
  }
  return now / before;
}

const count = ({ triangles, triangleCount, positions }: Frame['refined'] & object) =>
  countSelfIntersectionsOf(triangles.slice(0, 3 * triangleCount), positions);

describe.each(WRINKLE_PRESET_NAMES)('%s at its defaults', (name) => {
  const tools = placeTools(tube, A!, B!, name);
  it.each([20, 30, 40, 50, 60])('keeps the length of the skin within 3 %% at %i°, and crosses nothing', (degrees) => {
    const refined = fold(tools, degrees);
    for (const tool of tools) expect(Math.abs(measureCut(tool, { refined }, tools) - 1)).toBeLessThan(0.03);
    expect(count(refined)).toBe(0);
    // What it is without folds: they had something to do.
    const flat = fold(
      tools.map((tool) => ({ ...tool, strength: 0 })),
      degrees,
    );
    expect(measureCut(tools[0]!, { refined: flat }, tools)).toBeLessThan(0.92);
  });

  it('crosses nothing at 75° and 90° either', () => {
    for (const degrees of [75, 90]) expect(count(fold(tools, degrees))).toBe(0);
  });
});

describe('overlapping series (H7)', () => {
  const lifted = (heights: number[]) => ({
    heights: Float64Array.from(heights),
    sinks: new Float64Array(heights.length),
    vertices: new Uint32Array(heights.length),
    masks: new Float64Array(heights.length),
  });

  it.each([
    ['add', 0.7],
    ['max', 0.4],
    ['smooth', (0.3 ** 4 + 0.4 ** 4) ** 0.25],
  ] as const)('%s: 0.3 and 0.4 make %f', (combine, height) => {
    const sum = new FoldSum(1, combine);
    sum.rooms[0] = Number.POSITIVE_INFINITY;
    sum.addAll(Uint32Array.of(0), lifted([0.3]), undefined, 1, 0);
    sum.addAll(Uint32Array.of(0), lifted([0.2]), undefined, 2, 0);
    expect(sum.measure(0)).toBeCloseTo(height, 12);
    sum.rooms[0] = 0.1; // normals of neighbours meet there
    expect(sum.measure(0)).toBeLessThan(0.05);
  });

  it.each(COMBINATIONS)('%s: both series keep the length of the skin', (combine) => {
    const tools = placeTools(tube, A!, B!, 'knee-back');
    const refined = fold(tools, 50, { combine });
    for (const tool of tools) expect(Math.abs(measureCut(tool, { refined }, tools) - 1)).toBeLessThan(0.04);
  });
});

describe('a tool that is drawn in a pose', () => {
  const drawn = createFrameSource(planBody(tube), presetStack('organic')).evaluate(bent(tube, -40)).positions.slice();
  const at = ({ a }: WrinkleTool) => placeAnchor({ ...tube.surface, positions: drawn }, a);

  it('takes ℓ from that pose: it folds as soon as the skin is shorter than there', () => {
    const rest = placeTool(tube, A!, B!);
    const from = at(rest);
    const to = placeAnchor({ ...tube.surface, positions: drawn }, rest.b);
    const tool = placeTool(tube, from, to, { drawnOn: drawn });
    expect(tool.length).toBeCloseTo(rest.length!, 6);
    expect(tool.restLength as number).toBeGreaterThan(1.1 * tool.length!);
    const stack = createFrameSource(planBody(tube), { ...presetStack('organic'), wrinkles: { tools: [tool] } });
    expect(stack.evaluate(bent(tube, -40)).refined).toBeUndefined();
    expect(stack.wrinkles!.tools[0]!.length / stack.wrinkles!.tools[0]!.distance).toBeCloseTo(1, 2);
    expect(stack.evaluate(bent(tube, 0)).refined).toBeDefined();
    const fresh = createFrameSource(planBody(tube), { ...presetStack('organic'), wrinkles: { tools: [rest] } });
    expect(fresh.evaluate(bent(tube, 0)).refined).toBeUndefined();
  });
});
