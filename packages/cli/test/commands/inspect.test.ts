import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDemo } from '@isoskin/demos';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasModels, modelPath, modelsNote, runIsoskin, runJson, writeDemo } from '../run-isoskin.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isoskin-inspect-'));
  await writeDemo(join(folder, 'finger.glb'), 'finger');
});
afterAll(() => rm(folder, { recursive: true }));

describe('inspect', () => {
  it('--json has every fact of the demo that was written', () => {
    const facts = runJson('inspect', join(folder, 'finger.glb'));
    const { surface, clips, binding } = createDemo('finger');
    expect(facts.vertices).toEqual({ source: surface.vertexCount, welded: surface.vertexCount });
    expect(facts.triangles).toBe(surface.triangles.length / 3);
    expect(facts.boundaryLoops).toBe(0);
    expect(facts.nonManifoldEdges).toBe(0);
    expect(facts.influences).toBe(binding.maxInfluences);
    expect(facts.weightSumError).toBeLessThan(1e-6);
    expect(facts.clips.map(({ name }: { name: string }) => name)).toEqual(clips.map(({ name }) => name));
    expect(facts.morphTargets).toEqual([]);
    expect(facts.components).toHaveLength(1);
    expect(facts.rest / surface.components[0]!.volume).toBeCloseTo(1, 5);
    expect(facts.warnings).toEqual([]);
  });

  it('prints the same for a person', () => {
    const { status, stdout, stderr } = runIsoskin('inspect', join(folder, 'finger.glb'));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const word of ['vertices', 'triangles', 'joints', 'rest volume', 'curl', 'No warnings.']) {
      expect(stdout).toContain(word);
    }
  });

  it.skipIf(!hasModels)(`words its warnings on a real model${modelsNote}`, () => {
    const { stdout } = runIsoskin('inspect', modelPath('Ghost.glb'));
    expect(stdout).toMatch(/components +14/);
    expect(stdout).toMatch(/! 18 holes/);
  });
});
