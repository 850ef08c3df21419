/** A folded skin in a file: the refined mesh is exported once, closed over UV seams, with all its attributes. */
import { type Accessor, WebIO } from '@gltf-transform/core';
import { createFrameSource, placeTool, planBody, presetStack, type StackSpec } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import {
  type BakeResult,
  bakeCharacter,
  readCharacterFromBytes,
  snapshotCharacter,
  writeCharacter,
} from '@isoskin/gltf';
import { validateBytes } from 'gltf-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { playFile } from './play-file.js';

/** A tube whose UVs and colours break along y = 0, in two materials. */
async function createSeamed(): Promise<Uint8Array> {
  const { document } = await readCharacterFromBytes(await writeCharacter(createDemo('tube', { vertices: 600 })));
  const mesh = document.getRoot().listMeshes()[0]!;
  const primitive = mesh.listPrimitives()[0]!;
  const indices = primitive.getIndices()!.getArray()!;
  const position = primitive.getAttribute('POSITION')!.getArray()!;
  const upper: number[] = [];
  const lower: number[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    const y = [0, 1, 2].reduce((sum, k) => sum + position[3 * indices[i + k]! + 1]!, 0);
    (y > 0 ? upper : lower).push(indices[i]!, indices[i + 1]!, indices[i + 2]!);
  }
  const make = (corners: number[], shift: number) => {
    const own = [...new Set(corners)];
    const place = new Map(own.map((v, n) => [v, n]));
    const twin = document.createPrimitive().setMaterial(document.createMaterial(`half ${shift}`));
    for (const name of primitive.listSemantics()) {
      const accessor = primitive.getAttribute(name)!;
      const [from, width] = [accessor.getArray()!, accessor.getElementSize()];
      const array = new (from.constructor as { new (length: number): Float32Array<ArrayBuffer> })(width * own.length);
      own.forEach((v, n) => {
        for (let k = 0; k < width; k++) array[width * n + k] = from[width * v + k]!;
      });
      twin.setAttribute(name, copy(accessor, array));
    }
    const uv = Float32Array.from(own.flatMap((v) => [position[3 * v]! + shift, position[3 * v + 2]!]));
    const color = Uint8Array.from(own.flatMap((v) => [100 + 20 * position[3 * v]!, shift, 7, 255]));
    twin.setAttribute('TEXCOORD_0', document.createAccessor().setType('VEC2').setArray(uv));
    twin.setAttribute('COLOR_0', document.createAccessor().setType('VEC4').setArray(color).setNormalized(true));
    twin.setIndices(document.createAccessor().setArray(Uint16Array.from(corners, (v) => place.get(v)!)));
    mesh.addPrimitive(twin);
  };
  const copy = (accessor: Accessor, array: Float32Array<ArrayBuffer>) =>
    document.createAccessor().setType(accessor.getType()).setArray(array).setNormalized(accessor.getNormalized());
  make(upper, 0);
  make(lower, 100);
  mesh.removePrimitive(primitive);
  const buffer = document.getRoot().listBuffers()[0]!;
  for (const accessor of document.getRoot().listAccessors()) {
    if (accessor.listParents().length === 1) accessor.dispose();
    else accessor.setBuffer(buffer);
  }
  return new WebIO().writeBinary(document);
}

let bytes: Uint8Array;
let stack: StackSpec;
let result: BakeResult;
beforeAll(async () => {
  bytes = await createSeamed();
  const { character } = await readCharacterFromBytes(bytes);
  const { surface } = character;
  // The side that the clip presses together, a tool over the seam, and a tool that never folds.
  const place = (z: number) => placeTool(character, [-0.9, 0, z], [0.9, 0, z], { points: 11, width: 1.2 });
  const stretched = { ...place(1), restLength: 0.2 };
  const sides = [place(1), place(-1)];
  stack = { ...presetStack('organic'), wrinkles: { tools: [...sides, stretched] } };
  const planned = createFrameSource(planBody(character), stack);
  planned.seek(character.clips[0], 1);
  expect(planned.wrinkles!.tools.map(({ lost }) => lost > 0).filter(Boolean)).toHaveLength(1);
  expect(surface.defects.boundaryEdges).toBe(0);
  result = await bake();
}, 60_000);

const read = (accessor: Accessor, v: number): number[] => accessor.getElement(v, [] as number[]);
/** A point to one hundredth. */
const key = (p: Float64Array, v: number) => [0, 1, 2].map((r) => Math.round(100 * p[3 * v + r]!)).join(' ');
const bake = async (more = {}) => bakeCharacter(await readCharacterFromBytes(bytes), { stack, fps: 10, ...more });

describe('a baked fold', () => {
  it('is one finer mesh, closed, valid, with attributes, and holds the volume', async () => {
    const before = await readCharacterFromBytes(bytes);
    const report = await validateBytes(result.glb);
    expect(report.issues.messages.filter(({ severity }) => severity < 2)).toEqual([]);
    const { character, document, sources } = await readCharacterFromBytes(result.glb);
    expect(character.surface.vertexCount).toBeGreaterThan(1.1 * before.character.surface.vertexCount);
    expect(character.surface.vertexCount).toBe(result.refined!.vertexCount);
    expect(character.surface.defects).toMatchObject({ boundaryEdges: 0, nonManifoldEdges: 0, degenerateTriangles: 0 });
    expect(character.surface.components).toHaveLength(1);
    expect(document.getRoot().listMaterials()).toHaveLength(2);
    // u is the rest x plus the shift of the half, colours too: linear fields stay what they were.
    for (const { primitive } of sources) {
      const get = (name: string) => primitive.getAttribute(name)!;
      const shift = get('COLOR_0').getArray()![1]!;
      for (let v = 0; v < get('POSITION').getCount(); v++) {
        const x = read(get('POSITION'), v)[0]!;
        expect(read(get('TEXCOORD_0'), v)[0]).toBeCloseTo(x + shift, 4);
        expect(Math.abs(get('COLOR_0').getArray()![4 * v]! - (100 + 20 * x))).toBeLessThan(2.1);
        expect(get('COLOR_0').getArray()![4 * v + 1]).toBe(shift);
        expect(read(get('WEIGHTS_0'), v).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 5);
        if (primitive.getAttribute('NORMAL')) expect(Math.hypot(...read(get('NORMAL'), v))).toBeCloseTo(1, 3);
      }
    }
    const rest = before.character.surface.components[0]!.volume;
    expect((await playFile(result.glb)).worst(0, rest)).toBeLessThan(0.01);
    expect((await playFile(bytes)).worst(0, rest)).toBeGreaterThan(0.05);
  });

  it('keeps old vertices and the bind shape, and is flat where nothing folds', async () => {
    const before = await readCharacterFromBytes(bytes);
    const after = await readCharacterFromBytes(result.glb);
    before.sources.forEach(({ primitive }, p) => {
      const [old, fine] = [primitive, after.sources[p]!.primitive].map(
        (each) => each.getAttribute('POSITION')!.getArray()!,
      );
      expect(fine!.slice(0, old!.length)).toEqual(old);
    });
    const volume = (read: typeof before) => read.character.surface.components[0]!.volume;
    expect(volume(after) / volume(before)).toBeCloseTo(1, 6);
    // At its start the clip folds nothing: what the file shows there is the coarse surface, to the tolerance of the bake.
    const coarse = createFrameSource(planBody(before.character), stack).seek(before.character.clips[0], 0);
    expect(coarse.refined).toBeUndefined();
    const shown = await playFile(result.glb);
    const points = new Set(
      Array.from({ length: before.character.surface.vertexCount }, (_, v) => key(coarse.positions, v)),
    );
    const found = shown.pose(0, 0);
    const flat = Array.from({ length: shown.character.surface.vertexCount }, (_, v) => key(found, v)).filter((k) =>
      points.has(k),
    );
    expect(flat.length).toBeGreaterThan(0.9 * points.size);
    expect(shown.volumes(0, 0)[0]! / volume(before)).toBeCloseTo(1, 3);
  });

  it('is not refined where no sample folds anything', async () => {
    const read = await readCharacterFromBytes(bytes);
    const idle = { ...stack, wrinkles: { tools: stack.wrinkles!.tools!.slice(2) } };
    const plain = await bakeCharacter(read, { stack: idle, fps: 10 });
    expect(plain.refined).toBeUndefined();
    const { character } = await readCharacterFromBytes(plain.glb);
    expect(character.surface.vertexCount).toBe(read.character.surface.vertexCount);
  });

  it('also as a cache, and as a snapshot with the folds in it', async () => {
    const cache = await bake({ as: 'cache' });
    const report = await validateBytes(cache.glb);
    expect(report.issues.messages.filter(({ severity }) => severity === 0)).toEqual([]);
    const read = await readCharacterFromBytes(bytes);
    const clip = read.character.clips[0]!.name;
    const glb = await snapshotCharacter(read, { stack, clip, time: 1 });
    expect((await validateBytes(glb)).issues.messages.filter(({ severity }) => severity === 0)).toEqual([]);
    const obj = async (own: StackSpec) => {
      const text = await snapshotCharacter(await readCharacterFromBytes(bytes), {
        stack: own,
        clip,
        time: 1,
        format: 'obj',
      });
      return new TextDecoder()
        .decode(text)
        .split('\n')
        .filter((line) => line.startsWith('v ')).length;
    };
    expect(await obj(stack)).toBeGreaterThan(await obj(presetStack('organic')));
  });

  it('does not believe whoever evaluates the coarse mesh elsewhere', async () => {
    const elsewhere = await bake({
      evaluate: (samples: readonly unknown[]) =>
        Promise.resolve({ deltas: new Float32Array(3 * samples.length), measures: new Float64Array(samples.length) }),
    });
    expect(elsewhere.glb.length).toBe(result.glb.length);
  });
});
