import { existsSync, readFileSync } from 'node:fs';
import type { CalmPlace } from '@isoskin/core/stack';
import { createDemo } from '@isoskin/demos';
import { bakeCharacter, readCharacterFromBytes, writeCharacter } from '@isoskin/gltf';
import { describe, expect, it } from 'vitest';

describe('bakeCharacter, the gate', () => {
  const bakeToy = async (options: Record<string, unknown>, target?: { all: number }) =>
    bakeCharacter(await readCharacterFromBytes(await writeCharacter(createDemo('toy'))), {
      fps: 4,
      stack: { skin: {}, volume: { options, ...(target && { target }) } },
    });

  it('mends a stack that crumples the skin, in the regions to blame', async () => {
    const { harm, warnings, stack } = await bakeToy({ limit: 2, smoothing: 0.5 });
    expect(harm!.broken).toEqual([]);
    const mended = warnings.filter(({ code }) => code === 'HARM_MENDED');
    expect(mended[0]!.message).toMatch(/^The skin around .* crumpled at .* s of “bend” \(.* % of the surface\); /);
    const { calm, limits = {} } = stack.volume!.options as { calm: CalmPlace[]; limits?: object };
    expect(calm.length).toBeGreaterThan(0);
    expect(Object.keys(limits).length).toBeLessThan(8); // of 26 regions
  });

  it('leaves a stack alone that does no harm, and one that asks for other volumes', async () => {
    const { harm, warnings, stack } = await bakeToy({ limit: 0.1 });
    expect(harm!.broken).toEqual([]);
    expect(warnings.map(({ code }) => code)).not.toContain('HARM_MENDED');
    expect(stack.volume!.options).toEqual({ limit: 0.1 });
    expect((await bakeToy({ limit: 0.1 }, { all: 1.2 })).harm).toBe(undefined);
  });

  const fox = new URL('../../../../../shared/models/Fox.glb', import.meta.url);
  it.skipIf(!existsSync(fox))(
    'never leaves a real character worse than it found it (needs ../shared/models)',
    async () => {
      const { harm } = await bakeCharacter(await readCharacterFromBytes(readFileSync(fox)), { fps: 15 });
      expect(harm!.broken).toEqual([]);
    },
  );
});
