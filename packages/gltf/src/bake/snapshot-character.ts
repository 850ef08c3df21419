/** The corrected surface at one moment as a static mesh: .glb with materials and UVs, or .obj, .ply, .stl of the welded surface. */
import { createPose, createStack, IsoskinError, POSE_STRIDE, type StackSpec, samplePose } from '@isoskin/core';
import type { ReadResult } from '../read-character-from-bytes.js';
import { captureParts, placePoints } from './capture-parts.js';
import { createFrameBaker } from './create-frame-baker.js';
import { listDirections } from './list-directions.js';
import { planBakedSurface } from './plan-baked-surface.js';
import { planSourceSkin } from './plan-source-skin.js';
import { refineRead } from './refine-read.js';
import { writeBinary } from './write-binary.js';
import { writeCache } from './write-cache.js';
import { writeObj, writePly, writeStl } from './write-surface.js';

export const SNAPSHOT_FORMATS = ['glb', 'obj', 'ply', 'stl'] as const;
export type SnapshotFormat = (typeof SNAPSHOT_FORMATS)[number];

export interface SnapshotOptions {
  /** Default: preset `organic`. */
  readonly stack?: StackSpec;
  /** Name of the clip. Default: the default pose. */
  readonly clip?: string;
  /** Seconds. Default 0. */
  readonly time?: number;
  /** Default glb. */
  readonly format?: SnapshotFormat;
}

/** The document of `read` is changed when a .glb is asked for. */
export async function snapshotCharacter(input: ReadResult, options: SnapshotOptions = {}): Promise<Uint8Array> {
  const { character: coarse } = input;
  const { time = 0, format = 'glb' } = options;
  const clip = options.clip === undefined ? -1 : coarse.clips.findIndex(({ name }) => name === options.clip);
  if (options.clip !== undefined && clip < 0) {
    const names = coarse.clips.map(({ name }) => `"${name}"`).join(', ');
    throw new IsoskinError('CLIP_UNKNOWN', `There is no clip "${options.clip}": choose among ${names || 'none'}`);
  }
  const last = coarse.clips[clip]?.duration ?? 0;
  if (!(time >= 0 && (clip < 0 || time <= last))) {
    throw new IsoskinError('TIME_OUTSIDE', `${time} s is not inside the clip: give a time from 0 to ${last} s`, 'time');
  }
  const planned = createStack(coarse, options.stack);
  const sample = { clip, time };
  const { read, stack } = (await refineRead(input, planned, [sample])) ?? { read: input, stack: planned };
  const { character } = read;
  const pose = createPose(character);
  samplePose(pose, character, character.clips[clip], time);
  if (format !== 'glb') {
    const { positions, normals } = stack.seek(character.clips[clip], time);
    const write = { obj: writeObj, ply: writePly, stl: writeStl }[format];
    return write(character.surface, positions, normals);
  }

  const source = planSourceSkin(read);
  const { deltas } = createFrameBaker(stack, source, { regions: false, world: true })([sample]);
  const surface = planBakedSurface(character, source);
  surface.pose(sample);
  const directions = read.groups.flatMap((_, group) => listDirections(read, source, group));
  const parts = captureParts(character, source, surface, placePoints(surface, deltas), directions);
  const root = read.document.getRoot();
  for (const animation of root.listAnimations()) animation.dispose();
  // What hangs on the joints stands where the clip puts it.
  read.nodes.forEach((node, n) => {
    if (character.skeleton.fixedMatrices.has(n)) return;
    const [x, y, z, a, b, c, d, ...scale] = pose.locals.subarray(n * POSE_STRIDE, (n + 1) * POSE_STRIDE);
    node
      .setTranslation([x!, y!, z!])
      .setRotation([a!, b!, c!, d!])
      .setScale(scale as [number, number, number]);
  });
  writeCache(read, parts, []);
  for (const accessor of root.listAccessors()) if (accessor.listParents().length === 1) accessor.dispose();
  return writeBinary(read, undefined);
}
