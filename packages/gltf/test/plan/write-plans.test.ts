import { presetStack } from '@isoskin/core';
import { loadPlan } from '@isoskin/core/runtime';
import { createDemo } from '@isoskin/demos';
import { PLAN_EXTENSION, readCharacterFromBytes, writeCharacter, writePlans } from '@isoskin/gltf';
import { validateBytes } from 'gltf-validator';
import { beforeAll, describe, expect, test } from 'vitest';
import { binaryOf, jsonOf } from '../edit-glb.js';

let source: Uint8Array;
let written: Awaited<ReturnType<typeof writePlans>>;

beforeAll(async () => {
  source = await writeCharacter(createDemo('tube', { vertices: 400 }));
  written = await writePlans(await readCharacterFromBytes(source), presetStack('organic'));
});

describe('writePlans', () => {
  test('writes a valid file whose plan loads', async () => {
    const { issues } = await validateBytes(written.glb);
    expect(issues.messages.filter(({ severity }) => severity < 2)).toEqual([]);
    const { accessors, bufferViews, extensions, extensionsUsed } = jsonOf(written.glb);
    const [index] = extensions[PLAN_EXTENSION].plans;
    const { bufferView, byteOffset = 0, count } = accessors[index];
    const from = (bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
    expect(extensionsUsed).toContain(PLAN_EXTENSION);
    expect(4 * count).toBe(written.plans[0]!.bytes);
    const plan = loadPlan(binaryOf(written.glb).slice(from, from + 4 * count));
    expect(plan.regions.count).toBeGreaterThan(1);
  });

  test('changes nothing else', async () => {
    const { extensions: _, extensionsUsed: __, accessors, bufferViews, buffers: ___, ...rest } = jsonOf(written.glb);
    const { extensionsUsed: ____, accessors: own, bufferViews: views, buffers: _____, ...before } = jsonOf(source);
    expect(rest).toEqual(before);
    expect(accessors.slice(0, own.length)).toEqual(own);
    expect(bufferViews.slice(0, views.length)).toEqual(views);
    const { length } = binaryOf(source);
    expect(Buffer.from(binaryOf(written.glb).subarray(0, length)).equals(Buffer.from(binaryOf(source)))).toBe(true);
  });
});
