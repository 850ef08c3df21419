import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createFrameSource, planBody, planClipMeter } from '@isoskin/core';
import { bakeCharacter } from '@isoskin/gltf';
import { readCharacter } from '@isoskin/gltf/node';
import { expect, it } from 'vitest';

const ghost = fileURLToPath(new URL('../../../../../shared/models/Ghost.glb', import.meta.url));

// 14 components: a region of a small one must not be judged against the whole.
it.skipIf(!existsSync(ghost))('a bake tells the regions’ errors that measure tells (needs public models)', async () => {
  const read = await readCharacter(ghost);
  const { regions } = planClipMeter(createFrameSource(planBody(read.character))).measure(read.character.clips[0]!, {
    fps: 60,
  });
  const { clips } = await bakeCharacter(read, { details: true });
  expect(clips[0]!.regions.map(({ name }) => name)).toEqual(regions.map(({ name }) => name));
  for (const [s, { name, skinned }] of clips[0]!.regions.entries()) {
    const worst = skinned.reduce((most, change) => (Math.abs(change) > Math.abs(most) ? change : most), 0);
    expect(worst, name).toBeCloseTo(regions[s]!.worst.skinned, 3);
  }
});
