/** The tools, the players and the reproductions of `npm run survive`, on one small demo. */
import { createDemo } from '@isoskin/demos';
import { bakeCharacter, readCharacterFromBytes, writeCharacter } from '@isoskin/gltf';
import { describe, expect, it } from 'vitest';
import { judgeTools, listTools, playHeights, REPRODUCTIONS } from '../survive.mjs';

describe('npm run survive', () => {
  it('says what a tool keeps and what it loses', async () => {
    const plain = await writeCharacter(createDemo('tube'));
    const { glb } = await bakeCharacter(await readCharacterFromBytes(plain));
    const tools = listTools().filter(({ name }) => ['glTF-Transform dedup', 'gltfpack -cc'].includes(name));
    const unbaked = { name: 'drops the targets', version: '', limit: 0.003, run: async () => plain };
    const rows = await judgeTools([...tools, unbaked], 'tube', plain, glb);
    expect(rows.map(({ tool, result }) => `${tool}: ${result}`)).toEqual([
      'all targets dropped: ',
      'glTF-Transform dedup: kept',
      'gltfpack -cc: kept',
      expect.stringMatching(/^drops the targets: lost \(bend at/),
    ]);
    expect(rows[0]!.distance).toBeGreaterThan(0.02);
  });

  it.each(Object.entries(REPRODUCTIONS))('%s.glb shows the fault', async (_, { glb, heights, tool }) => {
    const shown = await playHeights(glb, heights.length);
    shown.forEach((height, n) => void expect(height).toBeCloseTo(heights[n]!, 4));
    const { run } = listTools().find(({ name }) => name === tool)!;
    const after = await playHeights(await run(glb), heights.length);
    expect(Math.max(...after.map((height, n) => Math.abs(height - heights[n]!)))).toBeGreaterThan(0.4);
  });
});
