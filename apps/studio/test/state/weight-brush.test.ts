/** Weights under a brush: they stay a partition of 1, smoothing mixes all joints, the other side follows, erasing brings the file's back. */
import { createDemo } from '@isoskin/demos';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeCharacter } from '../../src/engine/describe-character.js';
import type { CharacterFacts } from '../../src/engine/protocol.js';
import { FIRST_BRUSH } from '../../src/state/brush.js';
import { createBrushTip } from '../../src/state/brush-tip.js';
import { findOpposite } from '../../src/state/mirror-pose.js';
import {
  isSameWeights,
  packWeights,
  readJoint,
  readRow,
  type SkinWeights,
  unpackWeights,
} from '../../src/state/skin-weights.js';
import { createWeightBrush, type WeightBrush } from '../../src/state/weight-brush.js';

const hero = createDemo('hero');
let facts: CharacterFacts;
let brush: WeightBrush;
let normals: Float32Array;
const copy = ({ influences, bones, weights }: SkinWeights) => ({
  influences,
  bones: bones.slice(),
  weights: weights.slice(),
});
const nodeOf = (name: string) => facts.joints.find((joint) => joint.name === name)!.node;
const settings = { ...FIRST_BRUSH, channel: 'weights', strength: 1 } as const;

beforeAll(() => {
  facts = describeCharacter(hero);
  const parentOf = (node: number) => facts.joints.find((joint) => joint.node === node)!.parent;
  const oppositeOf = (node: number) => findOpposite(facts.joints, node)?.node ?? node;
  brush = createWeightBrush(createBrushTip(facts), facts.skin, oppositeOf, parentOf);
  normals = new Float32Array(facts.rest.length).fill(1);
});

/** A dab about the vertex that hangs most on a joint. */
function dabAt(skin: SkinWeights, vertex: number, joint: number, change: Partial<typeof FIRST_BRUSH> = {}) {
  const point = facts.rest.slice(3 * vertex, 3 * vertex + 3);
  brush.dab(
    skin,
    joint,
    facts.rest,
    normals,
    { ...settings, ...change },
    { point: [...point], normal: [1, 1, 1], radius: 0.15 },
  );
}

const sumOf = (skin: SkinWeights, k: number) => [...readRow(skin, k).values()].reduce((a, b) => a + b, 0);

describe('weights', () => {
  it('survive the way into rows and back', () => {
    const packed = packWeights(hero.binding);
    const back = packWeights(unpackWeights(packed));
    expect(isSameWeights(back, copy(back))).toBe(true);
    expect(isSameWeights(back, { ...back, weights: back.weights.map((weight, n) => (n === 4 ? 0.5 : weight)) })).toBe(
      false,
    );
    expect(isSameWeights(packed, undefined)).toBe(false);
    packed.weights.forEach((weight, n) => void expect(back.weights[n]).toBeCloseTo(weight, 6));
  });

  it('of a joint come under the brush; all rows still sum to 1', () => {
    const [joint, parent] = [nodeOf('arm.L.3'), nodeOf('arm.L.2')];
    const own = readJoint(facts.skin.weights, facts.skin.boneNodes, parent);
    const vertex = own.indexOf(Math.max(...own));
    const skin = copy(facts.skin.weights);
    dabAt(skin, vertex, joint, { weight: 1 });
    const painted = readJoint(skin, facts.skin.boneNodes, joint);
    expect(painted[vertex]).toBeCloseTo(1, 5);
    for (let k = 0; k < facts.vertexCount; k++) expect(sumOf(skin, k)).toBeCloseTo(1, 5);
    // What it alone holds goes to its parent when it is taken away.
    dabAt(skin, vertex, joint, { weight: 0 });
    expect(readJoint(skin, facts.skin.boneNodes, joint)[vertex]).toBe(0);
    expect(sumOf(skin, vertex)).toBeCloseTo(1, 5);
    dabAt(skin, vertex, joint, { mode: 'erase' });
    const [row, file] = [readRow(skin, vertex), readRow(facts.skin.weights, vertex)];
    for (const [bone, weight] of file) expect(row.get(bone) ?? 0).toBeCloseTo(weight, 2);
  });

  it('get smoother under the brush, and what is mirrored is the same with the joints of the other side', () => {
    const [joint, other] = [nodeOf('arm.L.3'), nodeOf('arm.R.3')];
    const { boneNodes, weights } = facts.skin;
    const own = readJoint(weights, boneNodes, joint);
    const vertex = own.indexOf(Math.max(...own));
    const skin = copy(weights);
    dabAt(skin, vertex, joint, { weight: 0.2, mirror: true });
    const [left, right] = [readJoint(skin, boneNodes, joint), readJoint(skin, boneNodes, other)];
    const changed = [...left.keys()].filter((k) => Math.abs(left[k]! - own[k]!) > 0.05);
    const before = readJoint(weights, boneNodes, other);
    const mirrored = [...right.keys()].filter((k) => Math.abs(right[k]! - before[k]!) > 0.05);
    expect(changed.length).toBeGreaterThan(3);
    expect(mirrored.length).toBeGreaterThan(0.7 * changed.length);
    const rough = (list: Float32Array) => {
      let sum = 0;
      for (let i = 0; i < facts.triangles.length; i++) {
        const next = facts.triangles[i - (i % 3) + ((i + 1) % 3)]!;
        sum += (list[facts.triangles[i]!]! - list[next]!) ** 2;
      }
      return sum;
    };
    const smooth = copy(skin);
    for (let n = 0; n < 4; n++) dabAt(smooth, vertex, joint, { mode: 'smooth' });
    expect(rough(readJoint(smooth, boneNodes, joint))).toBeLessThan(0.9 * rough(left));
  });
});
