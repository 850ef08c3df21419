/// <reference path="../src/draco3dgltf.d.ts" />
import { Document, type Mesh, WebIO } from '@gltf-transform/core';
import {
  ALL_EXTENSIONS,
  EXTMeshoptCompression,
  KHRDracoMeshCompression,
  KHRMeshQuantization,
} from '@gltf-transform/extensions';
import type { Character } from '@isoskin/core';
import { readCharacterFromBytes } from '@isoskin/gltf';
import draco3d from 'draco3dgltf';
import { MeshoptEncoder } from 'meshoptimizer';
import { describe, expect, it } from 'vitest';
import {
  animate,
  boxPositions,
  IDENTITY,
  type Loose,
  type ModelBuilder,
  packGlb,
  skinnedBox,
} from './model-builder.js';

const volumeOf = (character: Character) => character.surface.components.reduce((sum, c) => sum + c.volume, 0);
const codes = (character: Character) => character.warnings.map(({ code }) => code);
const read = async (model: ModelBuilder) => (await readCharacterFromBytes(model.glb())).character;

describe('readCharacterFromBytes', () => {
  it('reads a skinned box', async () => {
    const { character, sources, nodes, groups } = await readCharacterFromBytes(skinnedBox().glb(), { name: 'box' });
    expect(character.name).toBe('box');
    expect(volumeOf(character)).toBeCloseTo(2, 14);
    expect(character.skeleton.names).toEqual(['root', 'tip']);
    expect([...character.skeleton.parents]).toEqual([-1, 0]);
    expect([...character.skeleton.boneNodes]).toEqual([0, 1]);
    expect([...character.binding.bones]).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
    expect(character.warnings).toEqual([]);
    expect(sources[0]!.mesh.getName()).toBe('Box');
    expect(nodes.map((node) => node.getName())).toEqual(['root', 'tip']);
    expect(groups[0]!.getName()).toBe('Box');
  });

  it('reads bytes that are part of a larger array, and ignores what follows', async () => {
    const glb = skinnedBox().glb();
    const larger = new Uint8Array(glb.length + 5);
    larger.set(glb, 3);
    const { character } = await readCharacterFromBytes(larger.subarray(3));
    expect(volumeOf(character)).toBeCloseTo(2, 14);
    expect(codes(character)).toEqual(['GLB_TRAILING_BYTES']);
  });

  it('puts all sets JOINTS_n side by side', async () => {
    const model = skinnedBox();
    const { attributes } = model.json.meshes[0].primitives[0];
    attributes.WEIGHTS_0 = model.add(
      'VEC4',
      Float32Array.from({ length: 32 }, (_, i) => (i % 4 === 0 ? 0.75 : 0)),
    );
    attributes.JOINTS_1 = model.add(
      'VEC4',
      Uint16Array.from({ length: 32 }, (_, i) => (i % 4 === 2 && i < 16 ? 1 : 0)),
    );
    attributes.WEIGHTS_1 = model.add(
      'VEC4',
      Float32Array.from({ length: 32 }, (_, i) => (i % 4 === 2 ? 0.25 : 0)),
    );
    const { binding } = await read(model);
    expect(binding.maxInfluences).toBe(2);
    expect([...binding.bones].slice(0, 2)).toEqual([0, 1]);
    expect([...binding.weights].slice(0, 2)).toEqual([0.75, 0.25]);
    expect([...binding.bones].slice(-2)).toEqual([1, 0]);
  });

  it('reads normalised integer weights, interleaved and unindexed vertices', async () => {
    const model = skinnedBox();
    const primitive = model.json.meshes[0].primitives[0];
    primitive.attributes.WEIGHTS_0 = model.add(
      'VEC4',
      Uint8Array.from({ length: 32 }, (_, i) => [204, 51, 0, 0][i % 4]!),
      { normalized: true },
    );
    primitive.attributes.JOINTS_0 = model.add(
      'VEC4',
      Uint8Array.from({ length: 32 }, (_, i) => [0, 1, 9, 9][i % 4]!),
    );
    const interleaved = new Float32Array(8 * 5).fill(Number.NaN);
    boxPositions(1, 1, 2).forEach((x, i) => {
      interleaved[Math.trunc(i / 3) * 5 + 1 + (i % 3)] = x;
    });
    primitive.attributes.POSITION = model.add('VEC3', interleaved, { byteOffset: 4, count: 8 });
    model.json.bufferViews.at(-1).byteStride = 20;
    const character = await read(model);
    expect(volumeOf(character)).toBeCloseTo(2, 14);
    expect(character.binding.weights[0]).toBeCloseTo(0.8, 7);

    delete primitive.indices;
    const unindexed = await read(model);
    expect(unindexed.surface.triangles.length).toBe(6);
    expect(codes(unindexed)).toContain('CORNERS_LEFT_OVER');
  });

  it('reads sparse accessors, over a base and over zeros', async () => {
    const model = skinnedBox();
    const { json } = model;
    const primitive = json.meshes[0].primitives[0];
    // Move the corners 4 … 7 from z = 1 to z = 2.
    const flat = boxPositions(1, 1, 1);
    const values = flat.slice(12).map((x, i) => (i % 3 === 2 ? 2 : x));
    primitive.attributes.POSITION = model.add('VEC3', Float32Array.from([9, 9, 9, ...flat]), {
      byteOffset: 12,
      count: 8,
      sparse: {
        count: 4,
        indices: { bufferView: model.view(Uint8Array.from([4, 5, 6, 7])), componentType: 5121 },
        values: { bufferView: model.view(values) },
      },
    });
    const target = json.accessors.push({
      componentType: 5126,
      count: 8,
      type: 'VEC3',
      sparse: {
        count: 1,
        indices: { bufferView: model.view(Uint16Array.from([7])), componentType: 5123 },
        values: { bufferView: model.view(Float32Array.from([0, 0, 3])) },
      },
    });
    primitive.targets = [{ POSITION: target - 1 }, { NORMAL: target - 1 }];
    json.meshes[0].extras = { targetNames: ['Peak'] };
    json.meshes[0].weights = [0.5, 0];
    animate(model, 0, 'weights', [0, 1], [0, 0, 1, 0]);
    const character = await read(model);
    expect(volumeOf(character)).toBeCloseTo(2, 14);
    expect(character.morphs.map(({ name }) => name)).toEqual(['Peak', 'target 1']);
    expect([...character.morphWeights]).toEqual([0.5, 0]);
    expect([...character.morphs[0]!.vertices]).toEqual([7]);
    expect([...character.morphs[0]!.deltas]).toEqual([0, 0, 3]);
    expect(character.clips[0]!.channels[0]).toMatchObject({ target: 0, path: 'weights', width: 2 });
  });

  it('reads all three samplers, names and durations', async () => {
    const model = skinnedBox();
    animate(model, 2, 'rotation', [0, 2], [0, 0, 0, 1, 0, 0, 1, 0], 'STEP');
    const tangents = [0, 0, 0, 0, 0, 1, 0, 0, 0];
    animate(model, 2, 'translation', [0, 1.5], [...tangents, ...tangents], 'CUBICSPLINE');
    animate(model, 1, 'scale', [0.5], [1, 1, 1]);
    animate(model, 0, 'translation', [0, 7], [0, 0, 0, 1, 1, 1]);
    model.json.animations[1].name = 'Bend';
    const { clips } = await read(model);
    expect(clips.map(({ name, duration }) => [name, duration])).toEqual([
      ['clip 0', 2],
      ['Bend', 1.5],
      ['clip 2', 0.5],
      ['clip 3', 7],
    ]);
    expect(clips[0]!.channels[0]).toMatchObject({ target: 1, path: 'rotation', interpolation: 'STEP', width: 4 });
    expect(clips[1]!.channels[0]).toMatchObject({ target: 1, interpolation: 'CUBICSPLINE', width: 3 });
    expect(clips[1]!.channels[0]!.values.length).toBe(18);
    expect(clips[2]!.channels[0]).toMatchObject({ target: 0, path: 'scale', interpolation: 'LINEAR' });
    expect(clips[3]!.channels).toEqual([]); // a skinned mesh node's own motion is ignored
  });

  it('leaves channels out that make no sense', async () => {
    const model = skinnedBox();
    animate(model, 2, 'translation', [0, 1], [0, 0, 0]);
    animate(model, 2, 'translation', [1, 0], [0, 0, 0, 1, 1, 1]);
    animate(model, 2, 'translation', [0, Number.NaN], [0, 0, 0, 1, 1, 1]);
    model.json.animations.push({ samplers: [], channels: [] });
    const character = await read(model);
    expect(character.clips.map((clip) => clip.channels.length)).toEqual([0, 0, 0, 0]);
    expect(codes(character)).toEqual(Array(3).fill('CHANNEL_LEFT_OUT'));
  });

  it('mends keys that are no numbers', async () => {
    const model = skinnedBox();
    const { NaN: none } = Number;
    animate(model, 2, 'translation', [0, 1, 2, 3], [none, 0, 0, 1, 2, 3, 4, none, 4, none, none, none]);
    animate(model, 2, 'rotation', [0, 1], Array(8).fill(none));
    animate(
      model,
      2,
      'scale',
      [0, 1],
      [...[none, 0, 0], ...[1, 2, 3], ...[none, 0, 0], ...Array(9).fill(none)],
      'CUBICSPLINE',
    );
    const character = await read(model);
    const values = character.clips.map(({ channels }) => Array.from(channels[0]!.values));
    expect(values[0]).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3]);
    expect(values[1]).toEqual([0, 0, 0, 1, 0, 0, 0, 1]);
    expect(values[2]).toEqual([0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 0]);
    expect(codes(character)).toEqual(Array(3).fill('NUMBERS_MENDED'));
  });

  it('measures the joints’ common scale, mirrored too', async () => {
    for (const scale of [100, 0.01, -1, -2.5]) {
      const model = skinnedBox();
      model.json.nodes[1].scale = [scale, Math.abs(scale), Math.abs(scale)];
      const character = await read(model);
      expect(character.parts[0]!.scale).toBeCloseTo(scale, 12);
      expect(Math.abs(volumeOf(character))).toBeCloseTo(2 * Math.abs(scale) ** 3, 6);
      // Bones act on rest positions in world units: bone · (s x) = joint · (inverse bind) · x.
      expect(character.skeleton.inverseBinds[0]).toBeCloseTo(1 / scale, 12);
    }
    const model = skinnedBox();
    model.json.nodes[1].scale = [0, 0, 0];
    const character = await read(model);
    expect(codes(character)).toContain('JOINT_SCALE_ZERO');
    expect(volumeOf(character)).toBeCloseTo(2, 12);
  });

  it('takes a skin without inverse bind matrices', async () => {
    const model = skinnedBox();
    delete model.json.skins[0].inverseBindMatrices;
    const { skeleton } = await read(model);
    expect([...skeleton.inverseBinds]).toEqual([...IDENTITY, ...IDENTITY]);
  });

  it('keeps matrix nodes: as TRS where that is exact, as they are where they shear', async () => {
    const model = skinnedBox();
    const { nodes } = model.json;
    nodes[1].matrix = [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1]; // a quarter turn about z, scaled by 2
    delete nodes[2].translation;
    nodes[2].matrix = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1];
    const { skeleton, warnings, parts } = await read(model);
    const expected = [5, 6, 7, 0, 0, Math.SQRT1_2, Math.SQRT1_2, 2, 2, 2];
    skeleton.locals.subarray(0, 10).forEach((x, i) => {
      expect(x).toBeCloseTo(expected[i]!, 12);
    });
    expect([...skeleton.fixedMatrices.keys()]).toEqual([1]);
    expect([...skeleton.fixedMatrices.get(1)!]).toEqual(nodes[2].matrix);
    expect(warnings.map(({ code }) => code)).toEqual(['SHEAR']);
    expect(parts[0]!.scale).toBeCloseTo(2, 12);

    nodes[2].matrix = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]; // scaled to nothing
    expect(Number.isFinite((await read(model)).skeleton.locals[14])).toBe(true);
  });

  it('shares bones between two skins on one skeleton', async () => {
    const model = skinnedBox();
    const { json } = model;
    const binds = [...IDENTITY, ...IDENTITY.slice(0, 14), -1, 1];
    binds[12] = 0.25;
    json.skins.push({ joints: [2, 1], inverseBindMatrices: model.add('MAT4', Float32Array.from(binds)) });
    json.skins.push({ ...json.skins[0] });
    json.nodes.push({ name: 'Second', mesh: 0, skin: 1 }, { name: 'Third', mesh: 0, skin: 2 });
    const { skeleton, parts, surface } = await read(model);
    expect([...skeleton.boneNodes]).toEqual([0, 1, 1, 0]);
    expect(parts.map(({ name, group }) => [name, group])).toEqual([
      ['Box', 0],
      ['Second', 1],
      ['Third', 2],
    ]);
    expect(surface.components.length).toBe(3);
  });

  it('mends what viewers show anyway', async () => {
    const model = skinnedBox();
    const { json } = model;
    json.skins[0].joints = [1, 2, 2];
    json.skins[0].inverseBindMatrices = model.add('MAT4', Float32Array.from([...IDENTITY, ...IDENTITY, ...IDENTITY]));
    json.scenes[0].nodes = [0, 1, 2];
    json.extensionsUsed = ['ACME_sparkle'];
    json.images = [{ uri: 'missing.jpg' }];
    json.nodes.push({ name: 'Hat', mesh: 0 });
    json.bufferViews[0].byteStride = 0;
    const { character, document } = await readCharacterFromBytes(model.glb());
    expect(volumeOf(character)).toBeCloseTo(2, 12);
    expect(character.skeleton.boneCount).toBe(3);
    expect(codes(character).sort()).toEqual([
      'EXTENSION_UNKNOWN',
      'IMAGE_MISSING',
      'JOINT_TWICE',
      'RIGID_BESIDE',
      'SCENE_NOT_ROOT',
    ]);
    expect(document.getRoot().listSkins()[0]!.listJoints().length).toBe(3);
    await new WebIO().registerExtensions(ALL_EXTENSIONS).writeBinary(document); // and can be written
  });

  it('binds morphing meshes to their own nodes when nothing is skinned', async () => {
    const model = skinnedBox();
    const { json } = model;
    delete json.skins;
    const deltas = Int16Array.from({ length: 24 }, (_, i) => (i === 23 ? 32767 : 0));
    json.meshes[0].primitives[0].targets = [{ POSITION: model.add('VEC3', deltas, { normalized: true }) }];
    json.nodes = [
      { children: [1], scale: [2, 2, 2] },
      { mesh: 0, translation: [1, 0, 0], weights: [0.25] },
      { mesh: 0 },
    ];
    json.scenes[0].nodes = [0, 2];
    animate(model, 2, 'weights', [0, 1], [0, 1]);
    const { skeleton, parts, morphs, morphWeights, clips, surface } = await read(model);
    expect(skeleton.names).toEqual(['node 0', 'node 1', 'node 2']);
    expect([...skeleton.boneNodes]).toEqual([1, 2]);
    expect(parts.map((part) => part.scale)).toEqual([expect.closeTo(2, 12), 1]);
    expect(surface.components.map(({ volume }) => volume)).toEqual([expect.closeTo(16, 10), expect.closeTo(2, 12)]);
    expect(morphs.map(({ group }) => group)).toEqual([0, 1]);
    expect([...morphWeights]).toEqual([0.25, 0]);
    expect(morphs[0]!.deltas[2]).toBeCloseTo(2, 12);
    expect(clips[0]!.channels[0]).toMatchObject({ target: 1, width: 1 });
  });

  it('converts strips and fans, with restarts', async () => {
    const strip = skinnedBox();
    Object.assign(strip.json.meshes[0].primitives[0], {
      mode: 5,
      indices: strip.add('SCALAR', Uint8Array.from([0, 2, 1, 3, 255, 4, 5, 6, 7])),
    });
    expect([...(await read(strip)).surface.triangles].length).toBe(12);
    const fan = skinnedBox();
    Object.assign(fan.json.meshes[0].primitives[0], {
      mode: 6,
      indices: fan.add('SCALAR', Uint16Array.from([0, 1, 3, 2, 6, 4, 5, 1])),
    });
    // The six triangles round corner 0 and the six round corner 7 close the box.
    const primitive = { ...fan.json.meshes[0].primitives[0] };
    primitive.indices = fan.add('SCALAR', Uint16Array.from([7, 1, 5, 4, 6, 2, 3, 1]));
    fan.json.meshes[0].primitives.push(primitive);
    const character = await read(fan);
    expect(character.parts.map(({ name }) => name)).toEqual(['Box.0', 'Box.1']);
    expect(Math.abs(volumeOf(character))).toBeCloseTo(2, 12);
    expect(character.surface.defects.boundaryEdges).toBe(0);
  });

  it('reads paint', async () => {
    const model = skinnedBox();
    const { attributes } = model.json.meshes[0].primitives[0];
    attributes._ISOSKIN_GAMMA = model.add(
      'SCALAR',
      Float32Array.from({ length: 8 }, (_, i) => i / 8),
    );
    attributes.COLOR_0 = model.add('VEC4', new Uint8Array(32).fill(51), { normalized: true });
    const { paint } = (await read(model)).parts[0]!;
    expect([...paint.keys()]).toEqual(['_ISOSKIN_GAMMA', 'COLOR_0.r', 'COLOR_0.g', 'COLOR_0.b', 'COLOR_0.a']);
    expect(paint.get('_ISOSKIN_GAMMA')![3]).toBe(3 / 8);
    expect(paint.get('COLOR_0.a')![7]).toBeCloseTo(0.2, 7);
  });

  it('names unnamed and equal nodes apart', async () => {
    const model = skinnedBox();
    delete model.json.nodes[1].name;
    model.json.nodes.push({ name: 'tip' }, { name: 'tip (2)' });
    model.json.nodes[2].children = [3, 4];
    model.json.skins[0].joints = [1, 2, 3, 4];
    delete model.json.skins[0].inverseBindMatrices;
    expect((await read(model)).skeleton.names).toEqual(['node 1', 'tip', 'tip (3)', 'tip (2)']);
  });

  it('reads deep hierarchies without recursion', async () => {
    const model = skinnedBox();
    const { nodes } = model.json;
    for (let i = 3; i < 20_003; i++) nodes.push(i < 20_002 ? { children: [i + 1] } : { children: [1] });
    model.json.scenes[0].nodes = [0, 3];
    expect((await read(model)).skeleton.nodeCount).toBe(20_002);
  });
});

describe('compression', () => {
  /** A bent tube with UV seam, made of 24 rings of 16, on two joints; in `primitives` pieces along its length. */
  function createTube(primitives = 1): { document: Document; mesh: Mesh } {
    const document = new Document();
    const buffer = document.createBuffer();
    const [rings, sides] = [24, 16];
    const positions: number[] = [];
    const joints: number[] = [];
    const weights: number[] = [];
    for (let r = 0; r <= rings + 1; r++) {
      for (let s = 0; s <= sides; s++) {
        const inside = Math.min(Math.max(r - 0.5, 0), rings) / rings;
        const radius = r === 0 || r === rings + 1 ? 0 : 0.3 + 0.05 * Math.sin(9 * inside);
        const angle = (2 * Math.PI * (s % sides)) / sides;
        positions.push(radius * Math.cos(angle), radius * Math.sin(angle), 2 * inside);
        joints.push(0, 1, 0, 0);
        weights.push(1 - inside, inside, 0, 0);
      }
    }
    const mesh = document.createMesh('Tube');
    const accessor = (type: 'VEC3' | 'VEC4' | 'SCALAR' | 'MAT4', array: Loose) =>
      document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
    for (let p = 0; p < primitives; p++) {
      const from = Math.round((p * (rings + 1)) / primitives);
      const to = Math.round(((p + 1) * (rings + 1)) / primitives);
      const indices: number[] = [];
      for (let r = 0; r < to - from; r++) {
        for (let s = 0; s < sides; s++) {
          const a = r * (sides + 1) + s;
          indices.push(a, a + 1, a + sides + 1, a + 1, a + sides + 2, a + sides + 1);
        }
      }
      const part = (list: number[], width: number) =>
        list.slice(from * (sides + 1) * width, (to + 1) * (sides + 1) * width);
      mesh.addPrimitive(
        document
          .createPrimitive()
          .setIndices(accessor('SCALAR', Uint16Array.from(indices)))
          .setAttribute('POSITION', accessor('VEC3', Float32Array.from(part(positions, 3))))
          .setAttribute('JOINTS_0', accessor('VEC4', Uint8Array.from(part(joints, 4))))
          .setAttribute('WEIGHTS_0', accessor('VEC4', Float32Array.from(part(weights, 4)))),
      );
    }
    const tip = document.createNode('tip').setTranslation([0, 0, 1]);
    const root = document.createNode('root').addChild(tip);
    const binds = Float32Array.from([...IDENTITY, ...IDENTITY.slice(0, 14), -1, 1]);
    const skin = document.createSkin().addJoint(root).addJoint(tip).setInverseBindMatrices(accessor('MAT4', binds));
    document.createScene().addChild(root).addChild(document.createNode('Tube').setMesh(mesh).setSkin(skin));
    return { document, mesh };
  }

  const io = async () => {
    await MeshoptEncoder.ready;
    const encoders = { 'draco3d.encoder': await draco3d.createEncoderModule(), 'meshopt.encoder': MeshoptEncoder };
    return new WebIO().registerExtensions(ALL_EXTENSIONS).registerDependencies(encoders);
  };
  const draco = () => draco3d.createDecoderModule();

  it('reads Draco, in one primitive and in several', async () => {
    for (const primitives of [1, 3]) {
      const { document } = createTube(primitives);
      const plain = (await readCharacterFromBytes(await (await io()).writeBinary(document))).character;
      expect(plain.surface.defects.boundaryEdges).toBe(0);
      document.createExtension(KHRDracoMeshCompression).setRequired(true);
      const { character, document: after } = await readCharacterFromBytes(await (await io()).writeBinary(document), {
        draco,
      });
      expect(character.surface.defects.boundaryEdges).toBe(0);
      expect(character.surface.components.length).toBe(1);
      expect(volumeOf(character) / volumeOf(plain)).toBeCloseTo(1, 3);
      expect(after.getRoot().listExtensionsUsed()).toEqual([]);
      await new WebIO().writeBinary(after); // writes back without an encoder
    }
  });

  it('reads meshopt (EXT and KHR) over quantised positions', async () => {
    const { document, mesh } = createTube();
    const plain = (await readCharacterFromBytes(await (await io()).writeBinary(document))).character;
    const position = mesh.listPrimitives()[0]!.getAttribute('POSITION')!;
    position
      .setArray(Int16Array.from(position.getArray() as Float32Array, (x) => Math.round(x * 16000)))
      .setNormalized(true);
    document.createExtension(KHRMeshQuantization).setRequired(true);
    document.createExtension(EXTMeshoptCompression).setRequired(true);
    for (const node of document.getRoot().listNodes()) if (node.getName() === 'root') node.setScale([2, 2, 2]);
    const binds = document.getRoot().listSkins()[0]!.getInverseBindMatrices()!;
    binds.setArray(Float32Array.from([...IDENTITY, ...IDENTITY.slice(0, 14), -0.5, 1]));
    const glb = await (await io()).writeBinary(document);
    const { character } = await readCharacterFromBytes(glb);
    // The joints scale by 2; the integers stand for 16000/32767 units each.
    expect(volumeOf(character) / volumeOf(plain) / ((2 * 16000) / 32767) ** 3).toBeCloseTo(1, 3);
    expect(character.surface.defects.boundaryEdges).toBe(0);

    const { json, resources } = await (await io()).binaryToJSON(glb);
    const renamed = JSON.stringify(json).replaceAll('EXT_meshopt', 'KHR_meshopt');
    const khr = await readCharacterFromBytes(packGlb(renamed, Object.values(resources)[0]!));
    expect(volumeOf(khr.character)).toBe(volumeOf(character));
  });
});
