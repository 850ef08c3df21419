/** Q9 and Q10: where the flesh is, judged without the solver's regions. */
import { createCharacter, createFrameSource, createPose, planBody, presetStack } from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { planPlacement } from '../../src/quality/plan-placement.js';
import { planSolidity } from '../../src/quality/plan-solidity.js';
import { boxShape, character, mergeShapes, part, sphere } from '../meshes.js';
import { limb } from '../stack/stack-bench.js';

const arm = createCharacter(limb([0, 3, 6], { length: 4.5, around: 24, along: 60 }));

describe('misplaced flesh (Q9)', () => {
  const placement = planPlacement(arm);
  const { positions } = arm.surface;

  it('is none at rest, nor in a body that is moved or scaled as a whole', () => {
    expect(placement.measure(positions, 1)).toBeLessThan(1e-12);
    expect(
      placement.measure(
        positions.map((v, i) => (i % 3 === 0 ? -v + 3 : i % 3 === 1 ? -v : v)),
        1,
      ),
    ).toBeLessThan(1e-12);
    expect(
      placement.measure(
        positions.map((v) => 2 * v),
        8,
      ),
    ).toBeLessThan(1e-12);
  });

  it('sees flesh that went elsewhere although the total is right', () => {
    // The first third loses a tenth of its volume, the last gains as much.
    const moved = positions.map((v, i) => {
      const x = positions[i - (i % 3)]!;
      return i % 3 === 0 ? v : v * Math.sqrt(x < 3 ? 0.9 : x > 6 ? 1.1 : 1);
    });
    const share = placement.measure(moved, 1);
    expect(share).toBeGreaterThan(0.02);
    expect(share).toBeLessThan(0.05);
  });

  it('falls under the default preset where linear skinning bends the limb', () => {
    const pose = createPose(arm);
    pose.locals.set([0, Math.sin(0.6), 0, Math.cos(0.6)], 10 + 3);
    const frame = createFrameSource(planBody(arm), presetStack('organic')).evaluate(pose);
    const before = placement.measure(frame.skinned, 1);
    expect(before).toBeGreaterThan(0.005);
    expect(placement.measure(frame.positions, 1)).toBeLessThan(0.4 * before);
  });
});

describe('overlap and visible volume (Q10)', () => {
  it('of a sphere is its volume, and no overlap', () => {
    const { surface } = createCharacter(sphere(24));
    const { rest } = planSolidity(surface);
    expect(rest.visible / surface.components[0]!.volume).toBeCloseTo(1, 2);
    expect(rest.overlap).toBe(0);
  });

  it('counts flesh that one part of a body has in another, once', () => {
    // A limb folded onto itself by hand: the far half of the tube pushed back through the near one.
    const folded = arm.surface.positions.map((v, i) => (i % 3 === 0 ? Math.min(v, 9 - v) : v));
    const solidity = planSolidity(arm.surface);
    const out = { overlap: 0, visible: 0 };
    solidity.measure(out, folded);
    // Two halves of opposite orientation cancel: nothing is seen.
    expect(out.visible).toBeLessThan(0.05 * solidity.rest.visible);
    expect(solidity.rest.overlap).toBe(0);
  });

  it('sees a lens at a mirror plane that is thinner than its cells, from whichever side', () => {
    // A U whose legs lean into each other by 0.01 of 4: 96 rays along the plane all stand beside it.
    const outline = [-1, -1, 1, -1, 1, 0, 0.2, 0, -0.2, 0, -1, 0];
    const legs = [0.005, 1, 0.005, 3, -1, 3, -1, 1, -0.005, 1, -0.005, 3, 1, 3, 1, 1];
    const flat = [...outline, ...legs];
    const count = flat.length / 2;
    const bar = [0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5];
    const left = [5, 4, 6, 5, 6, 9, 9, 6, 7, 9, 7, 8];
    const right = [3, 2, 13, 3, 13, 10, 10, 13, 12, 10, 12, 11];
    const front = [...bar, ...left, ...right];
    const edges = front.map((v, i) => [v, front[i % 3 === 2 ? i - 2 : i + 1]!] as const);
    const sides = edges
      .filter(([a, b]) => !edges.some(([c, d]) => c === b && d === a))
      .flatMap(([a, b]) => [a, b, b + count, a, b + count, a + count]);
    const back = front.map((_, i) => front[i - (i % 3) + 2 - (i % 3)]!);
    const triangles = [...front.map((v) => v + count), ...back, ...sides];
    const lens = 0.02 + 0.5 * 0.01 * (0.005 / 0.205);
    for (const [x, y, z] of [
      [0, 1, 2],
      [1, 2, 0],
      [2, 0, 1],
    ] as const) {
      const positions = Array.from({ length: 2 * count }, (_, v) => {
        const at = [flat[2 * (v % count)]!, flat[2 * (v % count) + 1]!, v < count ? 0 : 1];
        return [at[x]!, at[y]!, at[z]!];
      }).flat();
      const { surface } = createCharacter(character([part({ positions, triangles })]));
      const { rest } = planSolidity(surface);
      expect(rest.overlap / lens).toBeCloseTo(1, 1);
      expect(rest.visible / (surface.components[0]!.volume - lens)).toBeCloseTo(1, 2);
    }
  });

  it('leaves parts alone that lie in each other by design', () => {
    const box = boxShape(2, 2, 2);
    const inner = { ...box, positions: box.positions.map((v) => 0.5 * v + 0.5) };
    const { surface } = createCharacter(character([part(mergeShapes(box, inner))]));
    const { rest } = planSolidity(surface);
    expect(rest.overlap).toBe(0);
    expect(rest.visible).toBeCloseTo(8 + 1, 1);
  });
});
