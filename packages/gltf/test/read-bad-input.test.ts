import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IsoskinError } from '@isoskin/core';
import { readCharacterFromBytes } from '@isoskin/gltf';
import { readCharacter } from '@isoskin/gltf/node';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, type ModelBuilder, packGlb, skinnedBox } from './model-builder.js';

const SEED = 20261115;

async function failure(work: Promise<unknown>): Promise<IsoskinError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(IsoskinError);
  const { message } = error as IsoskinError;
  expect(message).not.toMatch(/\n|\.js:|\.ts:|at Object|undefined|\[object/);
  expect(message.length).toBeGreaterThan(20);
  return error as IsoskinError;
}

const failureOf = (bytes: Uint8Array) => failure(readCharacterFromBytes(bytes));

/** A good model with one thing made wrong. */
async function failureWith(change: (json: Loose, model: ModelBuilder) => void): Promise<IsoskinError> {
  const model = skinnedBox();
  change(model.json, model);
  return failureOf(model.glb());
}

describe('readCharacterFromBytes refuses', () => {
  it('an empty file', async () => expect((await failureOf(new Uint8Array())).code).toBe('FILE_EMPTY'));

  it('anything that is not glTF', async () => {
    expect((await failureOf(new TextEncoder().encode('PK\u0003\u0004 a zip'))).code).toBe('JSON_INVALID');
    expect((await failureOf(Uint8Array.from({ length: 999 }, (_, i) => (i * 37) % 256))).code).toBe('JSON_INVALID');
    expect((await failureOf(new TextEncoder().encode('[1, 2]'))).code).toBe('JSON_STRUCTURE');
    expect((await failureOf(new TextEncoder().encode('null'))).code).toBe('JSON_STRUCTURE');
    expect((await failureOf(new TextEncoder().encode('{"asset":{"version":"2.0"'))).code).toBe('JSON_INVALID');
  });

  it('a .glb cut off at any byte', async () => {
    const glb = skinnedBox().glb();
    for (let length = 1; length < glb.length; length += 7) {
      const { code } = await failureOf(glb.slice(0, length));
      expect(['GLB_TRUNCATED', 'JSON_INVALID']).toContain(code);
    }
  });

  it('a header or a chunk that lies about its length', async () => {
    const change = (offset: number, value: number) => {
      const glb = skinnedBox().glb();
      new DataView(glb.buffer).setUint32(offset, value, true);
      return glb;
    };
    expect((await failureOf(change(0, 0x12345678))).code).toBe('JSON_INVALID');
    expect((await failureOf(change(4, 1))).code).toBe('GLB_VERSION');
    expect((await failureOf(change(8, 0xffffffff))).code).toBe('GLB_TRUNCATED');
    expect((await failureOf(change(8, 3))).code).toBe('GLB_TRUNCATED');
    expect((await failureOf(change(12, 0xfffffff0))).code).toBe('GLB_TRUNCATED');
    expect((await failureOf(change(16, 0x004e4942))).code).toBe('GLB_NO_JSON');
  });

  it('invalid JSON inside a .glb', async () =>
    expect((await failureOf(packGlb('{"asset": {version: 2}}'))).code).toBe('JSON_INVALID'));

  it('glTF 1.0', async () => expect((await failureWith((j) => (j.asset.version = '1.0'))).code).toBe('JSON_STRUCTURE'));

  it.each<[string, (json: Loose) => void]>([
    ['accessor beyond its view', (j) => (j.accessors[0].count = 9)],
    ['accessor offset beyond its view', (j) => (j.accessors[0].byteOffset = 4)],
    ['view beyond its buffer', (j) => (j.bufferViews[4].byteLength += 4)],
    ['view offset beyond its buffer', (j) => (j.bufferViews[0].byteOffset = 1e6)],
    ['buffer longer than its data', (j) => (j.buffers[0].byteLength = 2 ** 31)],
    ['2 GB accessor', (j) => (j.accessors[0].count = 2 ** 31)],
    ['2 GB view', (j) => (j.bufferViews[0].byteLength = 2 ** 31)],
    ['stride past the end', (j) => (j.bufferViews[0].byteStride = 200)],
    ['view of a buffer without data', (j) => (j.bufferViews[0].buffer = j.buffers.push({ byteLength: 96 }) - 1)],
  ])('sizes that lie: %s', async (_, change) => {
    const error = await failureWith(change);
    expect(error.code).toBe('SIZE_OUT_OF_RANGE');
    expect(error.place).toMatch(/^(accessors|bufferViews|buffers)\[\d\]/);
  });

  it.each<[string, (json: Loose) => void]>([
    ['zero-filled accessor of 4 GB', (j) => delete Object.assign(j.accessors[0], { count: 2 ** 30 }).bufferView],
    ['meshopt view of 4 GB', (j) => claimMeshopt(j)],
    [
      'many nodes that show the mesh',
      (j) => {
        const { primitives } = j.meshes[0];
        for (let i = 0; i < 9; i++) primitives.push(primitives[0]);
        for (let i = 0; i < 9e4; i++) j.nodes.push({ mesh: 0 });
      },
    ],
  ])('memory claims out of proportion: %s', async (_, change) =>
    expect((await failureWith(change)).code).toBe('SIZE_CLAIM'),
  );

  it.each<[string, (json: Loose) => void]>([
    ['node → mesh', (j) => (j.nodes[0].mesh = 1)],
    ['node → skin', (j) => (j.nodes[0].skin = 7)],
    ['node → child', (j) => (j.nodes[1].children = [3])],
    ['skin → joint', (j) => (j.skins[0].joints[1] = 3)],
    ['skin → accessor', (j) => (j.skins[0].inverseBindMatrices = 99)],
    ['primitive → accessor', (j) => (j.meshes[0].primitives[0].attributes.POSITION = 99)],
    ['primitive → indices', (j) => (j.meshes[0].primitives[0].indices = 99)],
    ['primitive → material', (j) => (j.meshes[0].primitives[0].material = 0)],
    ['accessor → view', (j) => (j.accessors[0].bufferView = 99)],
    ['view → buffer', (j) => (j.bufferViews[0].buffer = 1)],
    ['scene → node', (j) => (j.scenes[0].nodes = [17])],
    ['file → scene', (j) => (j.scene = 1)],
    [
      'channel → sampler',
      (j) => (j.animations = [{ samplers: [], channels: [{ sampler: 0, target: { path: 'scale' } }] }]),
    ],
    ['sampler → accessor', (j) => (j.animations = [{ samplers: [{ input: 99, output: 0 }], channels: [] }])],
    ['texture → image', (j) => (j.textures = [{ source: 0 }])],
    ['material → texture', (j) => (j.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }])],
  ])('references out of range: %s', async (_, change) =>
    expect((await failureWith(change)).code).toBe('REFERENCE_OUT_OF_RANGE'),
  );

  it.each<[string, (json: Loose) => void]>([
    ['nodes not a list', (j) => (j.nodes = {})],
    ['a node that is null', (j) => (j.nodes[1] = null)],
    ['negative index', (j) => (j.nodes[0].mesh = -1)],
    ['fractional index', (j) => (j.nodes[0].mesh = 0.5)],
    ['text as index', (j) => (j.nodes[0].mesh = '0')],
    ['translation of two numbers', (j) => (j.nodes[2].translation = [1, 2])],
    ['matrix with null', (j) => (j.nodes[2].matrix = Array(16).fill(null))],
    ['unknown accessor type', (j) => (j.accessors[0].type = 'constructor')],
    ['unknown component type', (j) => (j.accessors[0].componentType = 5124)],
    ['no joints', (j) => (j.skins[0].joints = [])],
    ['no primitives', (j) => delete j.meshes[0].primitives],
  ])('wrong shapes: %s', async (_, change) => expect((await failureWith(change)).code).toBe('JSON_STRUCTURE'));

  it('cyclic node graphs', async () => {
    expect((await failureWith((j) => (j.nodes[2].children = [1]))).code).toBe('NODE_CYCLE');
    expect((await failureWith((j) => (j.nodes[2].children = [2]))).code).toBe('NODE_TWO_PARENTS');
    const self = await failureWith((j) => Object.assign(j.nodes[1], { children: [1] }));
    expect(self.code).toBe('NODE_CYCLE');
  });

  it('a node with two parents', async () =>
    expect((await failureWith((j) => (j.nodes[0].children = [2]))).code).toBe('NODE_TWO_PARENTS'));

  it('positions that are not numbers', async () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const error = await failureWith((j, model) => {
        j.meshes[0].primitives[0].attributes.POSITION = model.add('VEC3', new Float32Array(24).fill(value));
      });
      expect(error.code).toBe('POSITION_NOT_FINITE');
    }
  });

  it('vertex indices out of range', async () => {
    const error = await failureWith((j, model) => {
      j.meshes[0].primitives[0].indices = model.add('SCALAR', Uint16Array.from([0, 1, 8]));
    });
    expect(error.code).toBe('TRIANGLE_OUT_OF_RANGE');
  });

  it('a joint index out of range with weight', async () => {
    const error = await failureWith((j, model) => {
      j.meshes[0].primitives[0].attributes.JOINTS_0 = model.add('VEC4', new Uint8Array(32).fill(2));
    });
    expect(error.code).toBe('JOINT_OUT_OF_RANGE');
  });

  it('fewer inverse bind matrices than joints', async () =>
    expect((await failureWith((j) => (j.accessors[j.skins[0].inverseBindMatrices].count = 1))).code).toBe(
      'INVERSE_BIND_COUNT',
    ));

  it('attributes of another length than POSITION', async () => {
    const error = await failureWith((j) => (j.accessors[1].count = 4));
    expect(error.code).toBe('ATTRIBUTE_COUNT');
  });

  it('an empty mesh', async () => {
    expect((await failureWith((j) => (j.meshes[0].primitives = []))).code).toBe('EMPTY_MESH');
    expect((await failureWith((j) => (j.meshes[0].primitives[0].mode = 1))).code).toBe('EMPTY_MESH');
    expect((await failureWith((j) => delete j.meshes[0].primitives[0].attributes.POSITION)).code).toBe('EMPTY_MESH');
    expect((await failureWith((j) => (j.accessors[0].count = 0))).code).toBe('EMPTY_MESH');
  });

  it('a model with neither skin nor morph targets', async () => {
    expect((await failureWith((j) => delete j.nodes[0].skin)).code).toBe('NOTHING_TO_DEFORM');
    expect((await failureOf(packGlb({ asset: { version: '2.0' } }))).code).toBe('NOTHING_TO_DEFORM');
  });

  it('required extensions that it does not know', async () =>
    expect(
      (
        await failureWith((j) => {
          j.extensionsRequired = ['ACME_secret'];
          j.accessors[0].extensions = { ACME_secret: {} };
        })
      ).code,
    ).toBe('EXTENSION_UNSUPPORTED'));

  it('garbage instead of compressed data', async () => {
    const draco = await failureWith((j) => {
      const extension = { bufferView: 0, attributes: { POSITION: 0 } };
      j.meshes[0].primitives[0].extensions = { KHR_draco_mesh_compression: extension };
    });
    expect(draco.code).toBe('DRACO_MISSING');
    const meshopt = await failureWith((j) => {
      const extension = { buffer: 0, byteOffset: 0, byteLength: 96, byteStride: 12, count: 8, mode: 'ATTRIBUTES' };
      j.bufferViews[0].extensions = { EXT_meshopt_compression: extension };
    });
    expect(meshopt.code).toBe('UNREADABLE');
  });

  it(`random damage, with an IsoskinError or not at all (seed ${SEED})`, async () => {
    const glb = skinnedBox().glb();
    const damage = fc.array(fc.tuple(fc.nat(glb.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(damage, async (changes) => {
        const bytes = glb.slice();
        for (const [at, value] of changes) bytes[at] = value;
        try {
          await readCharacterFromBytes(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(IsoskinError);
        }
      }),
      { seed: SEED, numRuns: 400 },
    );
  });

  it(`random values anywhere in the JSON, with an IsoskinError or not at all (seed ${SEED})`, async () => {
    const paths: string[][] = [];
    const walk = (value: Loose, path: string[]) => {
      if (path.length > 0) paths.push(path);
      if (typeof value === 'object' && value !== null) for (const key in value) walk(value[key], [...path, key]);
    };
    walk(skinnedBox().json, []);
    const values = fc.constantFrom<unknown>(null, -1, 0, 1, 2, 3.5, 1e9, 2 ** 53, 'text', '', [], {}, [0], [[]], true);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), values, async (path, value) => {
        const model = skinnedBox();
        let at = model.json;
        for (const key of path.slice(0, -1)) at = at[key];
        at[path[path.length - 1]!] = value;
        try {
          await readCharacterFromBytes(model.glb());
        } catch (error) {
          expect(error).toBeInstanceOf(IsoskinError);
          expect((error as IsoskinError).message).not.toMatch(/\n/);
        }
      }),
      { seed: SEED, numRuns: 600 },
    );
  });
});

describe('readCharacter refuses', () => {
  let folder = '';
  let model = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'isoskin-'));
    await mkdir(join(folder, 'model', 'sub'), { recursive: true });
    model = join(folder, 'model', 'box.gltf');
    await writeFile(join(folder, 'outside.bin'), skinnedBox().binary());
    await writeFile(join(folder, 'model', 'inside.bin'), skinnedBox().binary());
    await writeFile(join(folder, 'model', 'in side.bin'), skinnedBox().binary());
    await symlink(join(folder, 'outside.bin'), join(folder, 'model', 'link.bin'));
    await symlink(folder, join(folder, 'model', 'up'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const withUri = async (uri: string) => {
    const { json } = skinnedBox();
    json.buffers[0].uri = uri;
    await writeFile(model, JSON.stringify(json));
    return readCharacter(model);
  };

  it('a file that does not exist, or a folder', async () => {
    expect((await failure(readCharacter(join(folder, 'nothing.glb')))).code).toBe('FILE_MISSING');
    expect((await failure(readCharacter(folder))).code).toBe('FILE_MISSING');
  });

  it('a missing buffer file', async () => {
    const error = await failure(withUri('nothing.bin'));
    expect(error.code).toBe('FILE_MISSING');
    expect(error.message).toContain('nothing.bin');
    expect(error.place).toBe('buffers[0]');
  });

  it.each([
    '../outside.bin',
    '%2e%2e/outside.bin',
    '%2E%2E%2Foutside.bin',
    '%252e%252e/outside.bin',
    'sub/../../outside.bin',
    '..\\outside.bin',
    '/etc/passwd',
    '//host/share',
    'file:///etc/passwd',
    'https://example.com/model.bin',
    'C:\\model.bin',
    'link.bin',
    'up/outside.bin',
    '.',
    'a%00b',
  ])('the URI %s', async (uri) => expect((await failure(withUri(uri))).code).toBe('URI_REFUSED'));

  it('none that stays inside', async () => {
    for (const uri of ['inside.bin', './inside.bin', 'sub/../inside.bin', 'in%20side.bin', 'in side.bin']) {
      expect((await withUri(uri)).character.surface.components[0]!.volume).toBeCloseTo(2, 12);
    }
    const base64 = Buffer.from(skinnedBox().binary()).toString('base64');
    const { character } = await withUri(`data:application/octet-stream;base64,${base64}`);
    expect(character.name).toBe('box');
  });

  it('bad data URIs', async () => {
    expect((await failure(withUri('data:application/octet-stream;base64,%%%'))).code).toBe('DATA_URI');
    expect((await failure(withUri('data:nothing'))).code).toBe('DATA_URI');
    expect((await failure(withUri('data:;base64,AAAA'))).code).toBe('SIZE_OUT_OF_RANGE');
  });

  it('garbage instead of Draco data', async () => {
    const box = skinnedBox();
    const extension = { bufferView: 0, attributes: { POSITION: 0 } };
    box.json.meshes[0].primitives[0].extensions = { KHR_draco_mesh_compression: extension };
    const path = join(folder, 'draco.glb');
    await writeFile(path, box.glb());
    expect((await failure(readCharacter(path))).code).toBe('UNREADABLE');
  });
});

function claimMeshopt(json: Loose): void {
  const extension = { buffer: 0, byteOffset: 0, byteLength: 96, byteStride: 256, count: 2 ** 24, mode: 'ATTRIBUTES' };
  json.bufferViews[0].extensions = { EXT_meshopt_compression: extension };
}
