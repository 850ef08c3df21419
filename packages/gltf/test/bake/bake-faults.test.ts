/** Files that used to come out wrong without a word. */

import { createDemo } from '@isoskin/demos';
import { bakeCharacter, readCharacterFromBytes, snapshotCharacter, writeCharacter } from '@isoskin/gltf';
import { describe, expect, it } from 'vitest';
import { openGlb } from '../../src/judge/judge-bytes.js';
import { readAccessor } from '../../src/patch/read-accessor.js';
import { editGlb, errorsOf, jsonOf } from '../edit-glb.js';
import type { Loose } from '../model-builder.js';
import { playFile } from './play-file.js';

const tube = await writeCharacter(createDemo('tube'));
const skinnedNode = (json: Loose) => json.nodes.findIndex((node: Loose) => node.skin !== undefined);
const bake = async (bytes: Uint8Array, as: 'morph' | 'cache' = 'morph') => {
  const read = await readCharacterFromBytes(bytes);
  const result = await bakeCharacter(read, { as, fps: 15 });
  return { ...result, codes: [...read.character.warnings, ...result.warnings].map(({ code }) => code) };
};
const expectFinite = (glb: Uint8Array) => {
  const file = openGlb(glb);
  file.json.accessors!.forEach((_, a) => {
    expect(readAccessor(file, a)!.every(Number.isFinite)).toBe(true);
  });
};

describe('numbers that are none (A2, A14)', () => {
  it.each([
    ['NORMAL', Number.NaN],
    ['NORMAL', Number.POSITIVE_INFINITY],
    ['TANGENT', Number.NaN],
  ])('%s with %d is mended, and said', async (semantic, value) => {
    const file = editGlb(tube, ({ json, floats, add }) => {
      const { attributes } = json.meshes[0].primitives[0];
      const normals = floats(attributes.NORMAL);
      const count = normals.length / 3;
      if (semantic === 'NORMAL') normals[301] = value;
      else
        attributes.TANGENT = add(
          'VEC4',
          Float32Array.from({ length: 4 * count }, (_, i) => (i === 40 ? value : i % 4 === 3 || i % 4 === 0 ? 1 : 0)),
        );
    });
    const { glb, codes, clips } = await bake(file);
    expect(codes).toContain('NUMBERS_MENDED');
    expectFinite(glb);
    expect(Math.abs(clips[0]!.worst.baked)).toBeLessThan(0.001);
    expect((await errorsOf(glb)).filter((error) => /INVALID_FLOAT|NON_UNIT/.test(error))).toEqual([]);
    // The mended normal is that of the surface around it.
    if (semantic !== 'NORMAL') return;
    const [was, is] = [tube, glb].map((bytes) => {
      const own = openGlb(bytes);
      return readAccessor(own, own.json.meshes![0]!.primitives[0]!.attributes.NORMAL!)!.subarray(300, 303);
    });
    for (let k = 0; k < 3; k++) expect(is![k]).toBeCloseTo(was![k]!, 1);
  });

  it('a target is mended, and what nothing uses any more', async () => {
    const file = editGlb(tube, ({ json, floats, add }) => {
      const [primitive] = json.meshes[0].primitives;
      const count = json.accessors[primitive.attributes.POSITION].count;
      const deltas = new Float32Array(3 * count);
      deltas[5] = Number.NaN;
      primitive.targets = [{ POSITION: add('VEC3', deltas, { min: [0, 0, 0], max: [0, 0, 0] }) }];
      json.meshes[0].weights = [0];
      // Weights that are no numbers are replaced; the old ones stay in the file, unused.
      floats(primitive.attributes.WEIGHTS_0)[3] = Number.NaN;
    });
    const { glb, codes } = await bake(file);
    expect(codes.filter((code) => code === 'NUMBERS_MENDED')).toHaveLength(2);
    expectFinite(glb);
    expect((await errorsOf(glb)).filter((error) => error.includes('INVALID_FLOAT'))).toEqual([]);
  });
});

describe('volume (A14)', () => {
  it('a stack that does not keep it is told', async () => {
    const read = await readCharacterFromBytes(tube);
    const { warnings } = await bakeCharacter(read, { stack: { skin: {} }, fps: 15 });
    expect(warnings.map(({ code }) => code)).toEqual(['BAKE_VOLUME_MISSED']);
    expect(warnings[0]!.message).toMatch(/"bend": it changes by -1\d\.\d\d %, under plain skinning by -1\d\.\d\d %/);
  });
});

describe('units (A7)', () => {
  it.each([3e-6, 1e-6])('a model of size %d plays as it is told', async (scale) => {
    const small = editGlb(tube, ({ json, floats }) => {
      const shrink = (accessor: number) => {
        const numbers = floats(accessor);
        numbers.forEach((x, i) => {
          numbers[i] = scale * x;
        });
        for (const key of ['min', 'max']) {
          const list: number[] | undefined = json.accessors[accessor][key];
          if (list) json.accessors[accessor][key] = list.map((x) => Math.fround(scale * Math.fround(x)));
        }
      };
      shrink(json.meshes[0].primitives[0].attributes.POSITION);
      const binds = floats(json.skins[0].inverseBindMatrices);
      for (let i = 0; i < binds.length; i++) if (i % 16 > 11 && i % 16 < 15) binds[i] = scale * binds[i]!;
      for (const node of json.nodes)
        if (node.translation) node.translation = node.translation.map((x: number) => scale * x);
    });
    const { glb, clips } = await bake(small);
    const rest = (await playFile(small)).character.surface.components.reduce((sum, { volume }) => sum + volume, 0);
    expect((await playFile(glb)).worst(0, rest, 15)).toBeLessThan(0.002);
    expect(Math.abs(clips[0]!.worst.baked)).toBeLessThan(0.002);
    expect(jsonOf(glb).nodes.slice(0, 3)).toEqual(jsonOf(small).nodes.slice(0, 3));
  });
});

describe('shared samplers (A8)', () => {
  it('two nodes whose morphs one sampler drives keep one channel each', async () => {
    const file = editGlb(tube, ({ json, add }) => {
      const [primitive] = json.meshes[0].primitives;
      const { count } = json.accessors[primitive.attributes.POSITION];
      const zero = { min: [0, 0, 0], max: [0, 0, 0] };
      primitive.targets = [{ POSITION: add('VEC3', new Float32Array(3 * count), zero) }];
      json.meshes[0].weights = [0];
      const node = skinnedNode(json);
      json.nodes.push({ ...json.nodes[node], name: 'twin' });
      json.scenes[0].nodes.push(json.nodes.length - 1);
      const input = add('SCALAR', Float32Array.of(0, 1), { min: [0], max: [1] });
      const sampler = json.animations[0].samplers.push({ input, output: add('SCALAR', Float32Array.of(0, 1)) }) - 1;
      for (const target of [node, json.nodes.length - 1])
        json.animations[0].channels.push({ sampler, target: { node: target, path: 'weights' } });
    });
    expect(await errorsOf(file)).toEqual([]);
    const { glb } = await bake(file);
    expect(await errorsOf(glb)).toEqual([]);
    const { channels } = jsonOf(glb).animations[0];
    const driven = channels
      .filter(({ target }: Loose) => target.path === 'weights')
      .map(({ target }: Loose) => target.node);
    expect(new Set(driven).size).toBe(driven.length);
    expect(driven).toHaveLength(2);
  });
});

describe('scenes and cameras (A14)', () => {
  const staged = editGlb(tube, ({ json }) => {
    json.cameras = [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 } }];
    json.nodes.push({ name: 'eye', camera: 0 });
    json.scenes.push({ name: 'empty stage' }, { name: 'eye', nodes: [json.nodes.length - 1] });
  });

  it.each(['cache', 'snapshot'] as const)('a %s stands in the default scene only', async (kind) => {
    const read = await readCharacterFromBytes(staged);
    const glb =
      kind === 'cache'
        ? (await bakeCharacter(read, { as: 'cache', fps: 15 })).glb
        : await snapshotCharacter(read, { clip: 'bend', time: 1 });
    const { scenes, cameras, nodes } = jsonOf(glb);
    expect(scenes.slice(1)).toEqual(jsonOf(staged).scenes.slice(1));
    expect(scenes[0].nodes.some((n: number) => nodes[n].mesh !== undefined)).toBe(true);
    expect(cameras).toEqual(jsonOf(staged).cameras);
    expect((await errorsOf(glb)).filter((error) => !error.includes('EMPTY'))).toEqual([]);
  });
});

describe('too much work (A3)', () => {
  it('is refused by the bake itself, whoever calls it', async () => {
    const long = editGlb(tube, ({ json, floats }) => {
      const { samplers } = json.animations[0];
      for (const input of new Set<number>(samplers.map((sampler: Loose) => sampler.input as number))) {
        const times = floats(input);
        times[times.length - 1] = 1e5;
        json.accessors[input].max = [1e5];
      }
    });
    const read = await readCharacterFromBytes(long);
    expect(read.character.clips[0]!.duration).toBe(1e5);
    await expect(bakeCharacter(read)).rejects.toMatchObject({ code: 'TOO_MUCH_WORK' });
    const good = await readCharacterFromBytes(tube);
    await expect(bakeCharacter(good, { maxWork: 1e4 })).rejects.toMatchObject({ code: 'TOO_MUCH_WORK' });
    await expect(bakeCharacter(good, { maxMemory: 1e4 })).rejects.toMatchObject({ code: 'TOO_LARGE' });
    // Clips that are not baked do not count.
    await expect(bakeCharacter(read, { clips: [], fps: 15 })).resolves.toMatchObject({ clips: [] });
  });
});
