import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listInputs } from '../../src/queue/list-inputs.js';

it('takes .glb, .gltf and .vrm; an avatar stays a .vrm', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'isoskin-inputs-'));
  try {
    for (const name of ['a.glb', 'b.gltf', 'c.vrm', 'D.VRM', 'c.png']) await writeFile(join(folder, name), '');
    const { inputs } = await listInputs([join(folder, '*')], join(folder, 'out'));
    const pairs = inputs.map(({ input, output }) => `${input.key} → ${output.key}`).sort();
    expect(pairs).toEqual(['D.VRM → D.VRM', 'a.glb → a.glb', 'b.gltf → b.glb', 'c.vrm → c.vrm']);
    await expect(listInputs([join(folder, '*.png')], folder)).rejects.toThrow(/matches no .glb, .gltf or .vrm/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
