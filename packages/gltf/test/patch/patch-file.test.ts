/** The patch by itself: targets, tracks and bytes, without any bake. */
import { readCharacterFromBytes } from '@isoskin/gltf';
import { describe, expect, it } from 'vitest';
import { openGlb } from '../../src/judge/judge-bytes.js';
import { addTargets } from '../../src/patch/add-targets.js';
import { appendAccessor } from '../../src/patch/append-accessor.js';
import { dropUnused } from '../../src/patch/drop-unused.js';
import { copyFile, type GltfFile } from '../../src/patch/gltf-file.js';
import { ownMesh } from '../../src/patch/own-mesh.js';
import { readAccessor, readAccessorNumbers } from '../../src/patch/read-accessor.js';
import { setWeightTrack } from '../../src/patch/set-weight-track.js';
import { writeGlb } from '../../src/patch/write-glb.js';
import { writeGltf } from '../../src/patch/write-gltf.js';
import { binaryOf, errorsOf, jsonOf } from '../edit-glb.js';
import { animate, type ModelBuilder, packGlb, skinnedBox } from '../model-builder.js';

const open = async (model: ModelBuilder): Promise<GltfFile> =>
  copyFile((await readCharacterFromBytes(model.glb())).file);
const bump = (name: string) => ({
  name,
  positions: { indices: [2, 5], deltas: Float32Array.of(1, 0, 0, 0, -1, 0) },
});

/** The box with one target of its own, sparse and normalised, and two nodes that show the mesh. */
function morphingBox(): ModelBuilder {
  const model = skinnedBox();
  const { json } = model;
  const sparse = {
    count: 1,
    indices: { bufferView: model.view(Uint8Array.of(3)), componentType: 5121 },
    values: { bufferView: model.view(Int16Array.of(16384, 0, -32767, 0)) },
  };
  json.bufferViews.at(-1).byteLength = 6;
  const target = { componentType: 5122, normalized: true, count: 8, type: 'VEC3', sparse };
  json.accessors.push({ ...target, min: [0, 0, -32767], max: [16384, 0, 0] });
  json.meshes[0].primitives[0].targets = [{ POSITION: json.accessors.length - 1 }];
  json.meshes[0].weights = [0.25];
  json.extensionsUsed = ['KHR_mesh_quantization'];
  json.extensionsRequired = ['KHR_mesh_quantization'];
  json.nodes.push({ name: 'Twin', mesh: 0, skin: 0, weights: [0.5] });
  json.scenes[0].nodes.push(3);
  return model;
}

describe('addTargets', () => {
  it('keeps the targets that are there, with their bytes', async () => {
    const model = morphingBox();
    const file = await open(model);
    const before = readAccessorNumbers(file, model.json.meshes[0].primitives[0].targets[0].POSITION)!;
    expect(before[9]).toBeCloseTo(0.5, 4);
    expect(addTargets(file, [{ meshIndex: 0, primitiveIndex: 0, targets: [bump('a'), bump('b')] }]).get(0)).toBe(1);
    const glb = await writeGlb(file);
    expect(await errorsOf(glb)).toEqual([]);
    const after = openGlb(glb);
    const [mesh] = after.json.meshes!;
    expect(mesh!.weights).toEqual([0.25, 0, 0]);
    expect(after.json.nodes![3]!.weights).toEqual([0.5, 0, 0]);
    expect(mesh!.extras).toEqual({ targetNames: ['target 0', 'a', 'b'] });
    const targets = mesh!.primitives[0]!.targets!;
    expect([...readAccessorNumbers(after, targets[0]!.POSITION!)!]).toEqual([...before]);
    const moved = readAccessor(after, targets[2]!.POSITION!)!;
    expect([...moved.subarray(6, 9)]).toEqual([1, 0, 0]);
    expect([...moved.subarray(15, 18)]).toEqual([0, -1, 0]);
    expect(binaryOf(glb).subarray(0, model.binary().length)).toEqual(model.binary());
  });

  it('gives primitives that rest, and semantics that are missing, targets without bytes', async () => {
    const model = skinnedBox();
    const { primitives } = model.json.meshes[0];
    const up = Float32Array.from({ length: 24 }, (_, i) => (i % 3 === 2 ? 1 : 0));
    primitives.push(structuredClone(primitives[0]));
    primitives[1].attributes.NORMAL = model.add('VEC3', up);
    const file = await open(model);
    const normals = { deltas: Int8Array.from({ length: 24 }, (_, i) => (i === 4 ? 127 : 0)) };
    addTargets(file, [
      { meshIndex: 0, primitiveIndex: 1, targets: [bump('a'), { name: 'b', normals }, { name: 'c' }] },
    ]);
    const glb = await writeGlb(file);
    expect(await errorsOf(glb)).toEqual([]);
    const json = jsonOf(glb);
    const [still, moving] = json.meshes[0].primitives;
    expect(still.targets).toHaveLength(3);
    for (const { POSITION } of still.targets) expect(json.accessors[POSITION].bufferView).toBeUndefined();
    for (const target of moving.targets) expect(Object.keys(target).sort()).toEqual(['NORMAL', 'POSITION']);
    expect(json.extensionsRequired).toEqual(['KHR_mesh_quantization']);
  });

  it('refuses parts of one mesh that do not agree', async () => {
    const model = skinnedBox();
    const { primitives } = model.json.meshes[0];
    primitives.push(structuredClone(primitives[0]));
    const file = await open(model);
    const part = (primitiveIndex: number, count: number) => ({
      meshIndex: 0,
      primitiveIndex,
      targets: Array.from({ length: count }, () => bump('a')),
    });
    expect(() => addTargets(file, [part(0, 1), part(1, 2)])).toThrow(/different numbers of targets/);
  });

  it('widens tracks of every node that shows the mesh, by node and by pointer', async () => {
    const model = morphingBox();
    animate(model, 0, 'weights', [0, 1], [0, 1]);
    const [animation] = model.json.animations;
    animation.channels.push({ sampler: 0, target: { node: 3, path: 'weights' } });
    animation.samplers.push({ ...animation.samplers[0] });
    const target = { path: 'pointer', extensions: { KHR_animation_pointer: { pointer: '/meshes/0/weights' } } };
    animation.channels.push({ sampler: 1, target });
    model.json.extensionsUsed.push('KHR_animation_pointer');
    const file = await open(model);
    addTargets(file, [{ meshIndex: 0, primitiveIndex: 0, targets: [bump('a')] }]);
    const after = openGlb(await writeGlb(file));
    const { channels, samplers } = after.json.animations![0]!;
    for (const { sampler } of channels)
      expect([...readAccessor(after, samplers[sampler]!.output)!]).toEqual([0, 0, 1, 0]);
    // The first channel left the shared sampler to the second, which then had it for itself.
    expect(new Set(channels.map(({ sampler }) => sampler)).size).toBe(3);
  });
});

describe('setWeightTrack', () => {
  it('never edits a sampler that another node uses, and makes one channel per target (A8)', async () => {
    const model = morphingBox();
    animate(model, 0, 'weights', [0, 1], [0, 1], 'STEP');
    model.json.animations[0].channels.push({ sampler: 0, target: { node: 3, path: 'weights' } });
    const file = await open(model);
    const mesh = ownMesh(file, 0);
    expect(mesh).toBe(1);
    const firstTarget = addTargets(file, [{ meshIndex: mesh, primitiveIndex: 0, targets: [bump('a')] }]).get(mesh)!;
    setWeightTrack(file, { animationIndex: 0, nodeIndex: 0, firstTarget, times: [0, 0.5, 1], weights: [0, 2, 0] });
    const glb = await writeGlb(file);
    expect(await errorsOf(glb)).toEqual([]);
    const after = openGlb(glb);
    const { channels, samplers } = after.json.animations![0]!;
    expect(channels.map(({ target }) => target.node)).toEqual([0, 3]);
    expect(samplers[channels[1]!.sampler]).toEqual(jsonOf(model.glb()).animations[0].samplers[0]);
    const own = samplers[channels[0]!.sampler]!;
    const times = [...readAccessor(after, own.input)!];
    const values = readAccessor(after, own.output)!;
    expect(times.filter((time) => [0, 0.5, 1].includes(time))).toEqual([0, 0.5, 1]);
    expect([...values.subarray(2 * times.indexOf(0.5), 2 * times.indexOf(0.5) + 2)]).toEqual([0, 2]);
    expect([...values.slice(-2)]).toEqual([1, 0]);
  });

  it('uses the default weights where the clip drives none, and stores equal times once', async () => {
    const model = morphingBox();
    animate(model, 2, 'translation', [0, 1], [0, 0, 1, 0, 0, 2]);
    const file = await open(model);
    const firstTarget = addTargets(file, [{ meshIndex: 0, primitiveIndex: 0, targets: [bump('a')] }]).get(0)!;
    const track = { animationIndex: 0, firstTarget, times: [0, 1], weights: [3, 4] };
    setWeightTrack(file, { ...track, nodeIndex: 0 });
    setWeightTrack(file, { ...track, nodeIndex: 3 });
    const after = openGlb(await writeGlb(file));
    const [, first, second] = after.json.animations![0]!.samplers;
    expect([...readAccessor(after, first!.output)!]).toEqual([0.25, 3, 0.25, 4]);
    expect([...readAccessor(after, second!.output)!]).toEqual([0.5, 3, 0.5, 4]);
    expect(first!.input).toBe(second!.input);
  });

  it('refuses weights that do not fit', async () => {
    const model = morphingBox();
    animate(model, 2, 'translation', [0, 1], [0, 0, 1, 0, 0, 2]);
    const file = await open(model);
    const track = { animationIndex: 0, nodeIndex: 0, firstTarget: 0, times: [0, 1], weights: [1] };
    expect(() => setWeightTrack(file, track)).toThrow(/1 weights at 2 times/);
  });
});

describe('writeGlb', () => {
  it('writes the very same file when nothing was changed, unknown chunks included', async () => {
    const glb = skinnedBox().glb();
    const more = new Uint8Array(glb.length + 12);
    more.set(glb);
    const view = new DataView(more.buffer);
    view.setUint32(8, more.length, true);
    view.setUint32(glb.length, 4, true);
    view.setUint32(glb.length + 4, 0x12345678, true);
    view.setUint32(glb.length + 8, 42, true);
    const { file } = await readCharacterFromBytes(more);
    expect(await writeGlb(file)).toEqual(more);
  });

  it('packs buffers and images that lie beside a .gltf', async () => {
    const model = skinnedBox();
    const { json } = model;
    const image = Uint8Array.of(0x89, 0x50, 1, 2, 3);
    const positions = json.accessors[0].bufferView;
    // The first view lies in a buffer of its own.
    const { byteOffset, byteLength } = json.bufferViews[positions];
    json.buffers = [
      { uri: 'a%20b.bin', byteLength: model.binary().length },
      { uri: 'c.bin', byteLength },
    ];
    json.bufferViews[positions] = { buffer: 1, byteLength };
    json.images = [{ uri: 'skin.png', name: 'Skin' }];
    json.textures = [{ source: 0, name: 'kept' }];
    const files: Record<string, Uint8Array> = {
      'a b.bin': model.binary(),
      'c.bin': model.binary().slice(byteOffset, byteOffset + byteLength),
      'skin.png': image,
    };
    const bytes = new TextEncoder().encode(`\ufeff${JSON.stringify(json)}`);
    const { file } = await readCharacterFromBytes(bytes, { resolve: async (path) => files[path]! });
    const after = openGlb(await writeGlb(file));
    expect(after.json.buffers).toHaveLength(1);
    for (let a = 0; a < json.accessors.length; a++) expect(readAccessor(after, a)).toEqual(readAccessor(file, a));
    const [packed] = after.json.images!;
    expect(packed).toMatchObject({ name: 'Skin', mimeType: 'image/png' });
    const view = after.json.bufferViews![packed!.bufferView!]!;
    expect(after.buffers[0]!.subarray(view.byteOffset, view.byteOffset! + view.byteLength)).toEqual(image);
  });

  it('compresses without losing a bit', async () => {
    const file = await open(morphingBox());
    const array = Float32Array.from({ length: 3000 }, (_, i) => Math.sin(i / 100));
    const added = appendAccessor(file, { type: 'VEC3', array, usage: 'vertex', range: true });
    const glb = await writeGlb(file, 'meshopt');
    const after = openGlb(glb);
    expect(after.json.extensionsRequired).toContain('EXT_meshopt_compression');
    for (let a = 0; a <= added; a++) expect(readAccessor(after, a)).toEqual(readAccessor(file, a));
    expect(glb.length).toBeLessThan((await writeGlb(file)).length);
  });
});

describe('dropUnused', () => {
  it('keeps every number that is used, and nothing else', async () => {
    const model = morphingBox();
    animate(model, 0, 'weights', [0, 1], [0, 1]);
    const before = openGlb(model.glb());
    const json = structuredClone(before.json);
    delete json.animations;
    const dropped = dropUnused({ ...before, json });
    const glb = await writeGlb(dropped);
    expect(await errorsOf(glb)).toEqual([]);
    const after = openGlb(glb);
    expect(after.json.accessors).toHaveLength(before.json.accessors!.length - 2);
    expect(glb.length).toBeLessThan(model.glb().length);
    const [old, now] = [before, after].map((file) => {
      const { attributes, targets, indices } = file.json.meshes![0]!.primitives[0]!;
      return [...Object.values(attributes), targets![0]!.POSITION!, indices!].map((a) => readAccessor(file, a));
    });
    expect(now).toEqual(old);
  });

  it('leaves a file alone whose extensions it does not know', () => {
    const model = skinnedBox();
    model.json.extensionsUsed = ['ACME_index'];
    const file = openGlb(model.glb());
    expect(dropUnused(file)).toBe(file);
  });
});

describe('writeGltf', () => {
  it('leaves the file’s own buffers where they are', async () => {
    const model = skinnedBox();
    model.json.buffers[0].uri = 'box.bin';
    const resolve = async () => model.binary();
    const bytes = new TextEncoder().encode(JSON.stringify(model.json));
    const { file } = await readCharacterFromBytes(bytes, { resolve });
    addTargets(file, [{ meshIndex: 0, primitiveIndex: 0, targets: [bump('a')] }]);
    const { text, files } = writeGltf(file, 'box');
    const json = JSON.parse(text);
    expect(json.buffers[0]).toEqual(model.json.buffers[0]);
    expect(json.buffers[1].uri).toBe('box.isoskin.bin');
    expect([...files.keys()]).toEqual(['box.isoskin.bin']);
    const inline = JSON.parse(writeGltf(file).text);
    expect(inline.buffers[1].uri).toMatch(/^data:application\/octet-stream;base64,/);
    const all = async (path: string) => files.get(path) ?? model.binary();
    const again = await readCharacterFromBytes(new TextEncoder().encode(text), { resolve: all });
    expect(again.character.morphs.map(({ name }) => name)).toEqual(['a']);
  });
});

it('packGlb of the tests and writeGlb agree', async () => {
  const model = skinnedBox();
  const { file } = await readCharacterFromBytes(model.glb());
  expect(await writeGlb(file)).toEqual(packGlb(model.json, model.binary()));
});
