import { createFrameSource, createPose, planBody, presetStack, type StackSpec, samplePose } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import {
  type BakeOptions,
  bakeCharacter,
  type ReadResult,
  readCharacterFromBytes,
  writeCharacter,
} from '@isoskin/gltf';
import { validateBytes } from 'gltf-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { joinBlocks } from '../../src/bake/create-frame-baker.js';
import { planSourceSkin } from '../../src/bake/plan-source-skin.js';
import { playFile } from './play-file.js';

let tube: Uint8Array;
beforeAll(async () => {
  tube = await writeCharacter(createDemo('tube'));
});

const JSON_START = 20;
// biome-ignore lint/suspicious/noExplicitAny: tests look anywhere into the file
const jsonOf = (glb: Uint8Array): any => {
  const length = new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
  return JSON.parse(new TextDecoder().decode(glb.subarray(JSON_START, JSON_START + length)));
};
const errorsOf = async (glb: Uint8Array) =>
  (await validateBytes(glb)).issues.messages
    .filter(({ severity }) => severity === 0)
    .map(({ code, pointer }) => `${code} ${pointer}`);
const bake = async (bytes: Uint8Array, options?: BakeOptions, change?: (read: ReadResult) => void) => {
  const read = await readCharacterFromBytes(bytes);
  change?.(read);
  return bakeCharacter(read, options);
};
/** A file made from another by changing its document. */
const rewrite = async (bytes: Uint8Array, change: (read: ReadResult) => void) => {
  const { WebIO } = await import('@gltf-transform/core');
  const read = await readCharacterFromBytes(bytes);
  change(read);
  return new WebIO().writeBinary(read.document);
};
/** A skinning that no player has: its correction is fitted to few targets. */
const plain: StackSpec = { skin: {}, volume: { options: { harmonics: 0 } } };
const dual: StackSpec = { ...plain, skin: { skinning: 'dual-quaternion' } };
const restOf = (character: ReadResult['character']) =>
  character.surface.components.reduce((sum, { volume }) => sum + volume, 0);

describe('bakeCharacter, morph', () => {
  it('keeps the volume at frames and between them, within the tolerance', async () => {
    const plain = await playFile(tube);
    const rest = restOf(plain.character);
    expect(plain.worst(0, rest)).toBeGreaterThan(0.1);
    const result = await bake(tube);
    const played = await playFile(result.glb);
    expect(played.worst(0, rest, 240)).toBeLessThan(0.001);
    expect(await errorsOf(result.glb)).toEqual([]);
    expect(result.clips[0]!.worst.skinned).toBeLessThan(-0.1);
    expect(Math.abs(result.clips[0]!.worst.baked)).toBeLessThan(0.001);
  });

  it('gives the shape of the stack within the tolerance', async () => {
    const { character } = await readCharacterFromBytes(tube);
    const stack = createFrameSource(planBody(character));
    const pose = createPose(character);
    for (const tolerance of [0.003, 0.0003]) {
      const { glb, positionError } = await bake(tube, { tolerance });
      const played = await playFile(glb);
      let largest = 0;
      for (const time of [0.3, 0.77, 1, 1.5]) {
        samplePose(pose, character, character.clips[0], time);
        const exact = stack.evaluate(pose, time, 0).positions;
        const shown = played.pose(0, time);
        exact.forEach((x, i) => {
          largest = Math.max(largest, Math.abs(x - shown[i]!));
        });
      }
      const box = [0, 1, 2].map((r) => {
        const values = character.surface.positions.filter((_, i) => i % 3 === r);
        return Math.max(...values) - Math.min(...values);
      });
      expect(largest / Math.hypot(...box)).toBeLessThan(1.1 * tolerance);
      expect(positionError).toBeLessThan(tolerance);
    }
  });

  it('turns the normals with the surface', async () => {
    const { glb } = await bake(tube);
    const { accessors, meshes, animations } = jsonOf(glb);
    const [primitive] = meshes[0].primitives;
    for (const target of primitive.targets) {
      expect(Object.keys(target).sort()).toEqual(['NORMAL', 'POSITION']);
      expect(accessors[target.POSITION].min).toHaveLength(3);
    }
    const weights = animations[0].channels.filter((c: { target: { path: string } }) => c.target.path === 'weights');
    expect(weights).toHaveLength(1);
    expect(meshes[0].weights).toEqual(primitive.targets.map(() => 0));
    expect(meshes[0].extras.targetNames).toHaveLength(primitive.targets.length);
  });

  it('is the shapes themselves: one target per region, named after it, and their offset, the same in every clip', async () => {
    const finger = await writeCharacter(createDemo('finger', { vertices: 700 }));
    const { glb, targets, worstRegion } = await bake(finger, { stack: plain });
    const { meshes, animations } = jsonOf(glb);
    const { regions } = meshes[0].extras.isoskin;
    const names: string[] = meshes[0].extras.targetNames;
    expect(targets[0]!.count).toBe(names.length);
    expect(names).toEqual([...regions.map((name: string) => `isoskin ${name}`), 'isoskin offset']);
    expect(animations.length).toBeGreaterThan(1);
    expect(Math.abs(worstRegion!.skinned.change)).toBeGreaterThan(0.05);
    expect(Math.abs(worstRegion!.baked.change)).toBeLessThan(0.001);
    // The region of every triangle, run by run.
    const [primitive] = meshes[0].primitives;
    const runs: number[] = primitive.extras.isoskin.triangles;
    const counted = runs.reduce((sum, n, i) => sum + (i % 2 === 1 ? n : 0), 0);
    expect(3 * counted).toBe(jsonOf(glb).accessors[primitive.indices].count);
    expect(Math.max(...runs.filter((_, i) => i % 2 === 0))).toBe(regions.length - 1);
  });

  it('other skinnings than a player’s are shapes and no more extra targets than allowed, and hold all the same', async () => {
    const finger = await writeCharacter(createDemo('finger', { vertices: 700 }));
    const few = await bake(finger, { maxTargets: 3, tolerance: 0.0005, stack: dual });
    expect(few.targets[0]!.extra).toBe(3);
    // Too few targets are said to be too few, for the positions and for the volume.
    expect(few.warnings.map(({ code }) => code)).toEqual(['BAKE_TOLERANCE_MISSED', 'BAKE_VOLUME_MISSED']);
    const { glb, targets, worstRegion, positionError, warnings } = await bake(finger, {
      tolerance: 0.0005,
      stack: dual,
    });
    expect(warnings).toEqual([]);
    expect(positionError).toBeLessThan(0.0005);
    expect(targets[0]!.extra).toBeGreaterThan(3);
    expect(Math.abs(worstRegion!.skinned.change)).toBeGreaterThan(0.3);
    expect(Math.abs(few.worstRegion!.baked.change)).toBeLessThan(0.3 * Math.abs(few.worstRegion!.skinned.change));
    expect(Math.abs(worstRegion!.baked.change)).toBeLessThan(0.002);
    const { read, character } = await playFile(glb);
    const { extras } = jsonOf(glb).meshes[0];
    const extra = (extras.targetNames as string[]).filter((name) => name.startsWith('isoskin extra'));
    expect(extra).toHaveLength(targets[0]!.extra);
    for (const clip of character.clips) {
      expect(clip.channels.find(({ path }) => path === 'weights')!.interpolation).toBe('LINEAR');
    }
    expect(read.document.getRoot().listExtensionsRequired()).toEqual([]);
  });

  it('stores floats, integers on request, and compresses with meshopt', async () => {
    expect(jsonOf((await bake(tube)).glb).extensionsUsed).toBeUndefined();
    expect(jsonOf((await bake(tube, { compact: true })).glb).extensionsRequired).toEqual(['KHR_mesh_quantization']);
    const { glb } = await bake(tube, { compress: 'meshopt' });
    expect(jsonOf(glb).extensionsRequired).toContain('EXT_meshopt_compression');
    const played = await playFile(glb);
    expect(played.worst(0, restOf(played.character))).toBeLessThan(0.0011);
  });

  it('corrects only the clips asked for, but drives the targets in all', async () => {
    const bytes = await writeCharacter(createDemo('finger', { vertices: 700 }));
    const { glb, clips } = await bake(bytes, { clips: ['curl'] });
    expect(clips.map(({ name }) => name)).toEqual(['curl']);
    const [plain, baked] = [await playFile(bytes), await playFile(glb)];
    const rest = restOf(plain.character);
    const index = (name: string) => plain.character.clips.findIndex((clip) => clip.name === name);
    expect(baked.worst(index('curl'), rest)).toBeLessThan(0.001);
    expect(baked.worst(index('wave'), rest)).toBeCloseTo(plain.worst(index('wave'), rest), 5);
    expect(baked.character.clips.every(({ channels }) => channels.some(({ path }) => path === 'weights'))).toBe(true);
  });

  it('keeps amounts of its frames, not corrections: memory hardly grows with the clips', async () => {
    let [numbers, frames] = [0, 0];
    await bake(tube, {
      evaluate: async (samples, here) => {
        const block = here(samples);
        numbers = block.deltas.length + block.measures.length;
        frames = samples.length;
        return block;
      },
    });
    const { vertexCount } = createDemo('tube').surface;
    expect(frames).toBeGreaterThan(100);
    expect(numbers / frames).toBeLessThan(0.1 * vertexCount);
  });

  it('is the same every time, whoever evaluates the frames', async () => {
    const first = await bake(tube);
    const second = await bake(tube, {
      evaluate: async (samples, here, onDone) => {
        // The last third first, then the others: frames do not know each other.
        const [a, b] = [1, 2].map((n) => Math.round((n * samples.length) / 3)) as [number, number];
        const last = here(samples.slice(b));
        const first = here(samples.slice(0, a));
        onDone(samples.length);
        return joinBlocks([first, here(samples.slice(a, b)), last]);
      },
    });
    expect(Buffer.from(second.glb).equals(Buffer.from(first.glb))).toBe(true);
  });

  it('bakes a sheared node and keeps its matrix', async () => {
    const json = jsonOf(tube);
    const root = json.scenes[0].nodes[0];
    const { packGlb } = await import('../model-builder.js');
    const matrix = [1, 0, 0, 0, 0.3, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    json.nodes.push({ name: 'sheared', matrix, children: [root] });
    json.scenes[0].nodes[0] = json.nodes.length - 1;
    const sheared = packGlb(
      json,
      tube.subarray(JSON_START + new DataView(tube.buffer, tube.byteOffset).getUint32(12, true) + 8),
    );
    const { glb } = await bake(sheared);
    expect(jsonOf(glb).nodes.find((n: { name: string }) => n.name === 'sheared')).toMatchObject({ matrix });
  });
});

describe('bakeCharacter, what was there', () => {
  /** A tube with a morph target of its own that a STEP channel drives, shown by two nodes. */
  const withMorph = (shared: boolean) =>
    rewrite(tube, ({ document, groups }) => {
      const mesh = groups[0]!.getMesh()!;
      const primitive = mesh.listPrimitives()[0]!;
      const count = primitive.getAttribute('POSITION')!.getCount();
      const deltas = new Float32Array(3 * count);
      deltas.fill(0.05, 0, 30);
      const buffer = document.getRoot().listBuffers()[0]!;
      const accessor = (array: Float32Array<ArrayBuffer>, type: 'SCALAR' | 'VEC3') =>
        document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
      primitive.addTarget(document.createPrimitiveTarget('own').setAttribute('POSITION', accessor(deltas, 'VEC3')));
      mesh.setWeights([0.25]).setExtras({ targetNames: ['own'], keep: 'me' });
      const sampler = document
        .createAnimationSampler()
        .setInterpolation('STEP')
        .setInput(accessor(Float32Array.of(0, 1), 'SCALAR'))
        .setOutput(accessor(Float32Array.of(0, 1), 'SCALAR'));
      const channel = document
        .createAnimationChannel()
        .setTargetNode(groups[0]!)
        .setTargetPath('weights')
        .setSampler(sampler);
      document.getRoot().listAnimations()[0]!.addSampler(sampler).addChannel(channel);
      if (shared) document.getRoot().listScenes()[0]!.addChild(document.createNode('statue').setMesh(mesh));
    });

  it('keeps morph targets that are animated already', async () => {
    const bytes = await withMorph(false);
    const { glb } = await bake(bytes);
    const [plain, played] = [await playFile(bytes), await playFile(glb)];
    const { meshes } = jsonOf(glb);
    expect(meshes[0].extras).toMatchObject({ keep: 'me' });
    expect(meshes[0].extras.targetNames.slice(0, 2)).toEqual(['own', 'isoskin lower']);
    expect(meshes[0].weights[0]).toBe(0.25);
    for (const time of [0.5, 0.97, 1.03, 1.7]) {
      const pose = createPose(played.character);
      samplePose(pose, played.character, played.character.clips[0], time);
      expect(pose.morphWeights[0]).toBeCloseTo(time < 1 ? 0 : 1, 5);
    }
    // Its morph changes the volume before it is skinned; the target stays that of the rest shape.
    const rest = restOf(plain.character);
    expect(played.worst(0, rest)).toBeLessThan(0.001);
    expect(await errorsOf(glb)).toEqual([]);
  });

  it('gives a shared mesh a copy of its own', async () => {
    const { glb } = await bake(await withMorph(true));
    const { nodes, meshes } = jsonOf(glb);
    const statue = nodes.find((n: { name: string }) => n.name === 'statue');
    expect(meshes[statue.mesh].primitives[0].targets).toHaveLength(1);
    expect(
      meshes[nodes.find((n: { skin?: number }) => n.skin !== undefined).mesh].primitives[0].targets.length,
    ).toBeGreaterThan(1);
    expect(await errorsOf(glb)).toEqual([]);
  });

  it('normalises weights, as floats and as bytes', async () => {
    for (const bytes of [false, true]) {
      const file = await rewrite(tube, ({ sources }) => {
        const weights = sources[0]!.primitive.getAttribute('WEIGHTS_0')!;
        const array = weights.getArray() as Float32Array;
        if (bytes) weights.setArray(Uint8Array.from(array, (w) => Math.floor(200 * w))).setNormalized(true);
        else weights.setArray(Float32Array.from(array, (w) => 1.5 * w));
      });
      expect(await errorsOf(file)).not.toEqual([]);
      const { glb } = await bake(file);
      expect(await errorsOf(glb)).toEqual([]);
      const played = await playFile(glb);
      expect(played.worst(0, restOf(played.character))).toBeLessThan(0.0012);
    }
  });

  it('does nothing to a rigid character, and says so of one without clips', async () => {
    const rigid = await rewrite(tube, ({ sources }) => {
      const weights = sources[0]!.primitive.getAttribute('WEIGHTS_0')!;
      weights.setArray(Float32Array.from({ length: 4 * weights.getCount() }, (_, i) => (i % 4 === 0 ? 1 : 0)));
      sources[0]!.primitive.getAttribute('JOINTS_0')!.setArray(new Uint8Array(4 * weights.getCount()));
    });
    const still = await bake(rigid);
    expect(still.targets).toEqual([]);
    expect(jsonOf(still.glb).meshes[0].primitives[0].targets).toBeUndefined();
    const mute = await bake(await rewrite(tube, ({ document }) => document.getRoot().listAnimations()[0]!.dispose()));
    expect(mute.warnings.map(({ code }) => code)).toEqual(['NOTHING_TO_BAKE']);
    expect(mute.glb.length).toBeGreaterThan(1000);
  });
});

describe('bakeCharacter, cache', () => {
  it('plays without a skin and keeps the volume', async () => {
    const { glb, targets } = await bake(tube, { as: 'cache' });
    const json = jsonOf(glb);
    expect(json.skins).toBeUndefined();
    expect(JSON.stringify(json.meshes)).not.toContain('JOINTS');
    expect(targets[0]!.active).toBe(2);
    const rest = restOf((await playFile(tube)).character);
    expect((await playFile(glb)).worst(0, rest, 120)).toBeLessThan(0.001);
    expect(await errorsOf(glb)).toEqual([]);
  });

  it('is asked for where half a turn leaves no inverse, and holds there', async () => {
    const twisted = await rewrite(tube, ({ document, character, sources }) => {
      // Rings that belong to both bones alike shrink to a line.
      const weights = sources[0]!.primitive.getAttribute('WEIGHTS_0')!;
      const own = weights.getArray() as Float32Array;
      weights.setArray(Float32Array.from(own, (w) => (w > 0.2 && w < 0.8 ? 0.5 : Math.round(w))));
      const node = document.getRoot().listSkins()[0]!.listJoints()[1]!;
      const animation = document.getRoot().listAnimations()[0]!;
      for (const channel of animation.listChannels()) channel.dispose();
      const buffer = document.getRoot().listBuffers()[0]!;
      const axis = longestAxis(character.surface.positions);
      const turn = (angle: number) =>
        [0, 1, 2].map((r) => (r === axis ? Math.sin(angle / 2) : 0)).concat(Math.cos(angle / 2));
      const rest = node.getRotation();
      expect(rest.map(Math.abs)[3]).toBeCloseTo(1, 6);
      const sampler = document
        .createAnimationSampler()
        .setInput(
          document
            .createAccessor()
            .setType('SCALAR')
            .setArray(Float32Array.of(0, 0.5, 1))
            .setBuffer(buffer),
        )
        .setOutput(
          document
            .createAccessor()
            .setType('VEC4')
            .setArray(Float32Array.from([turn(0), turn(Math.PI / 2), turn(Math.PI)].flat()))
            .setBuffer(buffer),
        );
      animation
        .addSampler(sampler)
        .addChannel(
          document.createAnimationChannel().setTargetNode(node).setTargetPath('rotation').setSampler(sampler),
        );
    });
    const morph = await bake(twisted, { fps: 15, stack: dual });
    expect(morph.warnings.map(({ code }) => code)).toContain('CACHE_NEEDED');
    const cache = await bake(twisted, { as: 'cache', fps: 15, stack: dual });
    expect(cache.warnings.map(({ code }) => code)).not.toContain('CACHE_NEEDED');
    const stackWorst = Math.max(
      ...cache.clips[0]!.corrected.map((v, i) => Math.abs(v / cache.clips[0]!.target[i]! - 1)),
    );
    expect(Math.abs(cache.clips[0]!.worst.baked)).toBeLessThan(stackWorst + 0.001);
  });
});

function longestAxis(positions: Float64Array): number {
  const reach = [0, 1, 2].map((r) => {
    const values = positions.filter((_, i) => i % 3 === r);
    return Math.max(...values) - Math.min(...values);
  });
  return reach.indexOf(Math.max(...reach));
}

describe('bakeCharacter, the door', () => {
  it.each([
    [{ fps: 0 }, 'BAKE_FPS'],
    [{ tolerance: Number.NaN }, 'BAKE_TOLERANCE'],
    [{ maxTargets: 1.5 }, 'BAKE_MAX_TARGETS'],
    [{ as: 'film' }, 'BAKE_AS'],
    [{ compress: 'zip' }, 'BAKE_COMPRESS'],
    [{ clips: ['dance'] }, 'CLIP_UNKNOWN'],
  ])('refuses %j', async (options, code) => {
    await expect(bake(tube, options as BakeOptions)).rejects.toMatchObject({ code });
  });

  it('stops when asked to', async () => {
    const signal = AbortSignal.abort();
    await expect(bake(tube, { signal })).rejects.toThrow();
  });

  it.each([
    // Without a limit nothing is held back, and the total is exact.
    ['rubber', { smoothing: 1200, limit: 0 }],
    ['toy', { limit: 0 }],
    ['global', {}],
  ] as const)('takes any stack: %s', async (preset, options) => {
    const { volume, ...others } = presetStack(preset);
    const stack: StackSpec = { ...others, volume: { ...volume, options } };
    const { glb } = await bake(tube, { stack });
    const played = await playFile(glb);
    expect(played.worst(0, restOf(played.character))).toBeLessThan(0.0012);
  });
});

describe('planSourceSkin', () => {
  it('is the skin of the stack, on the vertices of the file', async () => {
    const read = await readCharacterFromBytes(tube);
    const { character } = read;
    const source = planSourceSkin(read);
    const stack = createFrameSource(planBody(character), { skin: {} });
    const pose = createPose(character);
    samplePose(pose, character, character.clips[0], 0.8);
    const expected = stack.evaluate(pose).positions;
    const out = new Float64Array(3 * source.pointCount);
    source.apply(out, new Float64Array(9 * source.pointCount), pose);
    source.welded.forEach((v, u) => {
      for (let r = 0; r < 3; r++) expect(out[3 * u + r]).toBeCloseTo(expected[3 * v + r]!, 6);
    });
  });
});
