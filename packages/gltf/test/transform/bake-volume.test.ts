/** `document.transform(bakeVolume(…))`: the document plays what a baked file plays, and its own objects stay the same objects. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Document, Logger, NodeIO, WebIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS, EXTMeshoptCompression } from '@gltf-transform/extensions';
import { createDemo } from '@isoskin/demos';
import { bakeCharacter, bakeVolume, readCharacterFromBytes, writeCharacter } from '@isoskin/gltf';
import { validateBytes } from 'gltf-validator';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { beforeAll, describe, expect, it } from 'vitest';
import { playFile } from '../bake/play-file.js';

const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT)).registerExtensions(ALL_EXTENSIONS);
const quiet = (document: Document) => document.setLogger(new Logger(Logger.Verbosity.SILENT));
let tube: Uint8Array;
beforeAll(async () => {
  tube = await writeCharacter(createDemo('tube'));
});

const errorsOf = async (glb: Uint8Array) =>
  (await validateBytes(glb)).issues.messages.filter(({ severity }) => severity === 0).map(({ code }) => code);
const restOf = ({ character }: Awaited<ReturnType<typeof playFile>>) =>
  character.surface.components.reduce((sum, { volume }) => sum + volume, 0);

describe('bakeVolume', () => {
  it('the document plays what the baked file plays; its objects are the same objects', async () => {
    const document = quiet(await io.readBinary(tube));
    const root = document.getRoot();
    const lists = () => [root.listNodes(), root.listMeshes(), root.listSkins(), root.listAnimations()];
    const before = lists();
    const accessors = root.listAccessors();
    await document.transform(bakeVolume());
    for (const [k, list] of lists().entries()) for (const [i, one] of list.entries()) expect(one).toBe(before[k]![i]);
    for (const accessor of accessors) expect(root.listAccessors()).toContain(accessor);
    const written = await io.writeBinary(document);
    const [played, plain] = [await playFile(written), await playFile(tube)];
    expect(plain.worst(0, restOf(plain))).toBeGreaterThan(0.1);
    expect(played.worst(0, restOf(plain), 120)).toBeLessThan(0.001);
    const baked = await playFile((await bakeCharacter(await readCharacterFromBytes(tube))).glb);
    for (const time of [0.31, 1, 1.7]) {
      const expected = baked.pose(0, time).slice();
      played.pose(0, time).forEach((x, i) => {
        expect(x).toBeCloseTo(expected[i]!, 6);
      });
    }
    expect(await errorsOf(written)).toEqual([]);
  });

  it('a mesh that two nodes show gets a copy for one of them; weights and tracks that are there stay', async () => {
    const document = quiet(await io.readBinary(tube));
    const root = document.getRoot();
    const [node] = root.listNodes().filter((one) => one.getSkin());
    const primitive = node!.getMesh()!.listPrimitives()[0]!;
    const count = primitive.getAttribute('POSITION')!.getCount();
    const deltas = document
      .createAccessor()
      .setType('VEC3')
      .setArray(new Float32Array(3 * count).fill(0.01));
    primitive.addTarget(document.createPrimitiveTarget('up').setAttribute('POSITION', deltas));
    node!
      .getMesh()!
      .setWeights([0])
      .setExtras({ targetNames: ['up'], mine: 7 });
    const twin = document.createNode('twin').setMesh(node!.getMesh()).setSkin(node!.getSkin());
    root.listScenes()[0]!.addChild(twin);
    const animation = root.listAnimations()[0]!;
    const input = document.createAccessor().setType('SCALAR').setArray(Float32Array.of(0, 2));
    const output = document.createAccessor().setType('SCALAR').setArray(Float32Array.of(0, 1));
    const sampler = document.createAnimationSampler().setInput(input).setOutput(output);
    const channel = document.createAnimationChannel().setTargetNode(twin).setTargetPath('weights').setSampler(sampler);
    animation.addSampler(sampler).addChannel(channel);
    await document.transform(bakeVolume());
    expect(twin.getMesh()).not.toBe(node!.getMesh());
    for (const mesh of [twin.getMesh()!, node!.getMesh()!]) {
      const targets = mesh.listPrimitives()[0]!.listTargets();
      expect(targets.length).toBeGreaterThan(1);
      expect(targets[0]!.getAttribute('POSITION')).toBe(deltas);
      expect(mesh.getWeights()).toHaveLength(targets.length);
      expect(mesh.getExtras().mine).toBe(7);
    }
    expect(channel.getSampler()!.getOutput()!.getCount() % twin.getMesh()!.getWeights().length).toBe(0);
    expect(output.isDisposed()).toBe(true); // nothing uses it any more
    expect(await errorsOf(await io.writeBinary(document))).toEqual([]);
  });

  it('several buffers, and compression that is chosen when the document is written', async () => {
    await Promise.all([MeshoptEncoder.ready, MeshoptDecoder.ready]);
    const document = quiet(await io.readBinary(tube));
    document.getRoot().listAccessors()[0]!.setBuffer(document.createBuffer('second'));
    document.createExtension(EXTMeshoptCompression).setRequired(true);
    await document.transform(bakeVolume({ fps: 15 }));
    expect(document.getRoot().listBuffers()).toHaveLength(2);
    const compressing = new WebIO()
      .setLogger(new Logger(Logger.Verbosity.SILENT))
      .registerExtensions(ALL_EXTENSIONS)
      .registerDependencies({ 'meshopt.encoder': MeshoptEncoder, 'meshopt.decoder': MeshoptDecoder });
    for (const accessor of document.getRoot().listAccessors()) accessor.setBuffer(document.getRoot().listBuffers()[0]!);
    document.getRoot().listBuffers()[1]!.dispose();
    const played = await playFile(await compressing.writeBinary(document));
    expect(played.worst(0, restOf(played))).toBeLessThan(0.005);
  });

  it('a document in which nothing deforms is left alone; bad options are refused before anything changes', async () => {
    const still = quiet(new Document());
    still.createMesh().addPrimitive(still.createPrimitive());
    still.createScene().addChild(still.createNode().setMesh(still.getRoot().listMeshes()[0]!));
    await still.transform(bakeVolume());
    expect(still.getRoot().listAccessors()).toEqual([]);
    const foreign = Object.create(null) as Document; // of another copy of the library
    await expect(bakeVolume()(foreign)).rejects.toThrow(/another copy/);
    const document = quiet(await io.readBinary(tube));
    const count = document.getRoot().listAccessors().length;
    await expect(document.transform(bakeVolume({ clips: ['jump'] }))).rejects.toThrow(/jump/);
    expect(document.getRoot().listAccessors()).toHaveLength(count);
  });

  const fox = fileURLToPath(new URL('../../../../../shared/models/Fox.glb', import.meta.url));
  it.skipIf(!existsSync(fox))('a real model with a texture (skipped without ../shared/models)', async () => {
    const document = quiet(await new NodeIO().registerExtensions(ALL_EXTENSIONS).read(fox));
    const image = document.getRoot().listTextures()[0]!.getImage();
    const plain = await playFile(await io.writeBinary(document));
    const rest = restOf(plain);
    await document.transform(bakeVolume());
    expect(document.getRoot().listTextures()[0]!.getImage()).toBe(image);
    const played = await playFile(await io.writeBinary(document));
    // Limits hold some of it back.
    for (const clip of played.character.clips.keys())
      expect(played.worst(clip, rest)).toBeLessThan(0.55 * plain.worst(clip, rest));
  });
});
