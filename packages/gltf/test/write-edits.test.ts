import { createPose, samplePose } from '@isoskin/core';
import { gatherPaint } from '@isoskin/core/mesh';
import { createDemo } from '@isoskin/demos';
import { readCharacterFromBytes, writeCharacter, writeGlb, writePaint, writeRotations } from '@isoskin/gltf';
import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';

const bytes = await writeCharacter(createDemo('toy', { vertices: 1700 }));

describe('writePaint', () => {
  it('comes back as it was painted', async () => {
    const read = await readCharacterFromBytes(bytes);
    const values = Float32Array.from({ length: read.character.surface.vertexCount }, (_, i) => (i % 7) / 4);
    writePaint(read, '_ISOSKIN_GAMMA', values);
    const glb = await writeGlb(read.file);
    const again = await readCharacterFromBytes(glb);
    expect(Float32Array.from(gatherPaint(again.character, '_ISOSKIN_GAMMA'))).toEqual(values);
    expect((await validateBytes(glb)).issues.messages.filter(({ severity }) => severity === 0)).toEqual([]);
  });

  it('refuses a wrong length and a name that glTF does not allow', async () => {
    const read = await readCharacterFromBytes(bytes);
    expect(() => writePaint(read, '_ISOSKIN_GAMMA', new Float32Array(3))).toThrow(/3 painted values/);
    expect(() => writePaint(read, 'gamma', new Float32Array(3))).toThrow(/capitals/);
  });
});

describe('writeRotations', () => {
  it('replaces what the clip had for the joint, and nothing else', async () => {
    const read = await readCharacterFromBytes(bytes);
    const clip = 0;
    const node = read.character.skeleton.boneNodes[1]!;
    const half = Math.SQRT1_2;
    writeRotations(read, clip, node, Float32Array.of(0, 1), Float32Array.of(0, 0, 0, 1, half, 0, 0, half));
    const glb = await writeGlb(read.file);
    expect((await validateBytes(glb)).issues.messages.filter(({ severity }) => severity === 0)).toEqual([]);
    const { character } = await readCharacterFromBytes(glb);
    const pose = createPose(character);
    samplePose(pose, character, character.clips[clip]!, 1);
    const q = pose.locals.subarray(10 * node + 3, 10 * node + 7);
    expect(Math.abs(q[0]! - half) + Math.abs(q[3]! - half)).toBeLessThan(1e-6);
    const channels = (c: typeof character) => c.clips[clip]!.channels.filter((one) => one.path !== 'weights').length;
    expect(channels(character)).toBeLessThanOrEqual(channels(read.character) + 1);
  });
});
