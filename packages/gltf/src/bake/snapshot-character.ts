/** The corrected surface at one moment as a static mesh: .glb with materials and UVs, or .obj, .ply, .stl of the welded surface. */
import {
  createFrameSource,
  createPose,
  IsoskinError,
  POSE_STRIDE,
  planBody,
  type StackSpec,
  samplePose,
} from '@isoskin/core';
import { judgeBytes, openGlb } from '../judge/judge-bytes.js';
import { dropUnused } from '../patch/drop-unused.js';
import { copyFile, type GltfFile } from '../patch/gltf-file.js';
import { writeGlb } from '../patch/write-glb.js';
import type { ReadResult } from '../read-character-from-bytes.js';
import { findClips } from './bake-options.js';
import { captureParts, placePoints } from './capture-parts.js';
import { createFrameBaker } from './create-frame-baker.js';
import { planBakedSurface } from './plan-baked-surface.js';
import { planSourceSkin } from './plan-source-skin.js';
import { refineDocument } from './refine-document.js';
import { writeCache } from './write-cache.js';
import { writeObj, writePly, writeStl } from './write-surface.js';

export const SNAPSHOT_FORMATS = ['glb', 'obj', 'ply', 'stl'] as const;
export type SnapshotFormat = (typeof SNAPSHOT_FORMATS)[number];

export interface SnapshotOptions {
  /** Default: preset `natural`. */
  readonly stack?: StackSpec;
  /** Name of the clip. Default: the default pose. */
  readonly clip?: string;
  /** Seconds. Default 0. */
  readonly time?: number;
  /** Default glb. */
  readonly format?: SnapshotFormat;
}

export async function snapshotCharacter(input: ReadResult, options: SnapshotOptions = {}): Promise<Uint8Array> {
  const { character: coarse } = input;
  const { time = 0, format = 'glb' } = options;
  const clip = options.clip === undefined ? -1 : coarse.clips.indexOf(findClips(coarse.clips, options.clip)[0]!);
  const last = coarse.clips[clip]?.duration ?? 0;
  if (!(time >= 0 && (clip < 0 || time <= last))) {
    throw new IsoskinError('TIME_OUTSIDE', `${time} s is not inside the clip: give a time from 0 to ${last} s`, 'time');
  }
  const planned = createFrameSource(planBody(coarse), options.stack, { rehearse: true });
  const sample = { clip, time };
  const { read, stack } = (await refineDocument(input, planned, [sample])) ?? { read: input, stack: planned };
  const { character } = read;
  const pose = createPose(character);
  samplePose(pose, character, character.clips[clip], time);
  if (format !== 'glb') {
    const { positions, normals } = stack.seek(character.clips[clip], time);
    const write = { obj: writeObj, ply: writePly, stl: writeStl }[format];
    return write(character.surface, positions, normals);
  }

  const source = planSourceSkin(read);
  const { deltas } = (await createFrameBaker(stack, source, { world: true }))([sample]);
  const surface = planBakedSurface({ read, source });
  surface.pose(sample);
  const parts = captureParts({ read, source }, surface, placePoints(surface, deltas));
  const file = copyFile(read.file);
  delete file.json.animations;
  placeNodes(file, read, pose.locals);
  writeCache(file, read, parts, []);
  const glb = await writeGlb(file);
  await judgeBytes(input.file, glb, ['cache', 'snapshot', 'refined', 'targets', 'skinWeights']);
  return writeGlb(dropUnused(openGlb(glb)));
}

/** What hangs on the joints stands where the clip puts it. */
function placeNodes({ json }: GltfFile, { character, nodes, nodeIndices }: ReadResult, locals: Float64Array): void {
  nodeIndices.forEach((index, n) => {
    // Nodes that the reader added are not in the file.
    const node = json.nodes![index];
    if (!node || character.skeleton.fixedMatrices.has(n)) return;
    const own = Array.from(locals.subarray(n * POSE_STRIDE, (n + 1) * POSE_STRIDE));
    const before = [...nodes[n]!.getTranslation(), ...nodes[n]!.getRotation(), ...nodes[n]!.getScale()];
    if (own.every((value, k) => value === before[k])) return;
    delete node.matrix;
    node.translation = own.slice(0, 3);
    node.rotation = own.slice(3, 7);
    node.scale = own.slice(7, 10);
  });
}
