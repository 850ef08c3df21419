import { beforeAll, describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/create-engine.js';
import type { CharacterFacts, JointFacts } from '../../src/engine/protocol.js';
import { findOpposite, mirrorTurn } from '../../src/state/mirror-pose.js';
import { applySaved, savePose, turnJoint } from '../../src/state/pose-edits.js';
import { NO_POSE } from '../../src/state/studio-document.js';

const engine = createEngine();
let facts: CharacterFacts;
beforeAll(async () => {
  facts = await engine.open({ kind: 'demo', name: 'hero' });
});

describe('findOpposite', () => {
  it.each([
    ['mixamorig:LeftForeArm', 'mixamorig:RightForeArm'],
    ['J_Bip_L_UpperArm', 'J_Bip_R_UpperArm'],
    ['forearm.L', 'forearm.R'],
    ['hand_l', 'hand_r'],
    ['Bip01 L Thigh', 'Bip01 R Thigh'],
    ['leftEye', 'rightEye'],
  ])('%s and %s', (left, right) => {
    const joints = [left, 'spine', right].map((name, node): JointFacts => ({ node, name, parent: -1, depth: 0 }));
    expect(findOpposite(joints, 0)?.name).toBe(right);
    expect(findOpposite(joints, 2)?.name).toBe(left);
    expect(findOpposite(joints, 1)).toBe(undefined);
  });
});

describe('mirrorTurn', () => {
  it('turns the other side so that the body stays its own mirror image', async () => {
    const left = facts.joints.filter(({ node }) => findOpposite(facts.joints, node));
    expect(left.length).toBeGreaterThan(4);
    for (const { node, name } of left) {
      const other = findOpposite(facts.joints, node)!;
      const length = Math.hypot(0.3, -0.4, 0.2, 0.84);
      const turn = [0.3 / length, -0.4 / length, 0.2 / length, 0.84 / length] as const;
      const pose = turnJoint(turnJoint(NO_POSE, node, turn), other.node, mirrorTurn(facts, node, other.node, turn));
      const { nodes } = await engine.frame({
        ...{ clip: 99, time: 0, dt: 0, pose, colouring: 'plain', joint: -1, exaggerate: 1, topology: 0 },
      } as const);
      const placeOf = (n: number) => Array.from(nodes.subarray(16 * n + 12, 16 * n + 15));
      for (const one of facts.joints) {
        const image = findOpposite(facts.joints, one.node);
        if (!image) continue;
        const [x, y, z] = placeOf(one.node);
        const [u, v, w] = placeOf(image.node);
        expect(Math.hypot(x! + u!, y! - v!, z! - w!), `${name}: ${one.name}`).toBeLessThan(0.02);
      }
    }
  });
});

describe('saved poses', () => {
  it('go by the names of the joints, and leave out those that are not there', () => {
    const [first] = facts.joints;
    const turns = savePose(turnJoint(NO_POSE, first!.node, [0, 0, 1, 0]), 0, 0, facts.joints);
    expect(turns).toEqual({ [first!.name]: [0, 0, 1, 0] });
    expect(applySaved(NO_POSE, { ...turns, nobody: [1, 0, 0, 0] }, facts.joints).loose).toEqual({
      [first!.node]: [0, 0, 1, 0],
    });
  });
});
