/**
 * What the page shows, as files: the same functions in the same order as `isoskin bake`, so the bytes are the same too.
 *
 * Paint and posed joints are first written into the character's own file. That file is what is baked, and what the command
 * would be given to repeat it.
 */
import { createPose, frameTimes, POSE_STRIDE, type StackSpec, samplePose } from '@isoskin/core';
import { listHarm } from '@isoskin/core/stack';
import {
  type BakeOptions,
  type BakeResult,
  bakeCharacter,
  describeBake,
  type ReadResult,
  readCharacterFromBytes,
  writeCharacter,
  writeGlb,
  writePaint,
  writeRotations,
  writeWeights,
} from '@isoskin/gltf';
import { createBakeReport } from '@isoskin/report';
import { draco, openSource } from '../engine/open-source.js';
import { namePaint, PAINT_ATTRIBUTES, PAINT_CHANNELS } from '../engine/paint-stack.js';
import type { SourceData } from '../engine/protocol.js';
import { applyPoseEdits, isPosed } from '../state/pose-edits.js';
import { unpackWeights } from '../state/skin-weights.js';
import type { Paint, PoseEdits } from '../state/studio-document.js';
import type { JobProgress } from './job.worker.js';
import { renumberPaint } from './renumber-paint.js';

export type ExportSettings = Required<Pick<BakeOptions, 'fps' | 'tolerance' | 'maxTargets' | 'as'>> & {
  readonly compress: boolean;
};

export interface ExportRequest {
  readonly source: SourceData;
  readonly stack: StackSpec;
  readonly paint: Paint;
  readonly pose: PoseEdits;
  readonly settings: ExportSettings;
}

export interface ExportResult {
  readonly name: string;
  /** That of the files: a .vrm stays one. */
  readonly ending: 'glb' | 'vrm';
  /** The baked character. */
  readonly glb: Uint8Array<ArrayBuffer>;
  /** The character with paint and poses, before baking. */
  readonly input: Uint8Array<ArrayBuffer>;
  readonly report: string;
  readonly stack: string;
  /** Largest volume error over all frames, before and after. */
  readonly volume: { readonly before: number; readonly after: number };
  readonly warnings: readonly string[];
}

export async function exportCharacter(
  { source, stack, paint, pose, settings }: ExportRequest,
  onProgress: (progress: JobProgress) => void,
): Promise<ExportResult> {
  const start = performance.now();
  const name = source.name.replace(/\.[^.]+$/, '');
  const ending = /\.vrm$/i.test(source.name) ? 'vrm' : 'glb'; // the same format
  onProgress({ words: 'Writing the character', share: 0 });
  const input = await writeInput(source, paint, pose);
  const read = await readCharacterFromBytes(input, { name, draco });
  const { compress, ...rest } = settings;
  const options: BakeOptions = {
    ...rest,
    ...(compress && { compress: 'meshopt' }),
    compact: false,
    stack: namePaint(stack, paint),
    details: true,
    onProgress: (done, total) => onProgress({ words: 'Baking frames', share: (0.95 * done) / total }),
  };
  const result = await bakeCharacter(read, options);
  onProgress({ words: 'Drawing the report', share: 0.95 });
  const warnings = [...read.character.warnings, ...result.warnings];
  const report = await createBakeReport(
    describeBake(read, result, options, {
      input: { name: `${name}.${ending}`, bytes: input.length },
      output: { name: `${name}-kept.${ending}`, bytes: result.glb.length },
      warnings,
      seconds: (performance.now() - start) / 1000,
    }),
  );
  return {
    name,
    ending,
    glb: result.glb,
    input,
    report,
    stack: `${JSON.stringify(options.stack, null, 2)}\n`,
    volume: measureWorst(result),
    warnings: [...listHarm(result.harm), ...result.warnings.map(({ message }) => message)],
  };
}

async function writeInput(source: SourceData, paint: Paint, pose: PoseEdits): Promise<Uint8Array<ArrayBuffer>> {
  const { character, file } = await openSource(source);
  const plain = source.kind === 'file' && /\.(glb|vrm)$/i.test(source.name) ? new Uint8Array(source.bytes) : undefined;
  const hasEdits =
    paint.weights !== undefined ||
    PAINT_CHANNELS.some((channel) => paint[channel]) ||
    character.clips.some((_, clip) => isPosed(pose, clip)) ||
    (file && !plain);
  const bytes = plain ?? (file ? undefined : new Uint8Array(await writeCharacter(character)));
  if (bytes && !hasEdits) return bytes;
  const own = file ?? (await readCharacterFromBytes(bytes!, { draco }));
  const { weights, ...channels } = file ? paint : renumberPaint(paint, character, own.character);
  const read = weights ? await own.reopen(await writeWeights(own, unpackWeights(weights))) : own;
  for (const channel of PAINT_CHANNELS) {
    if (channels[channel]) writePaint(read, PAINT_ATTRIBUTES[channel], channels[channel]);
  }
  writePose(read, pose);
  return writeGlb(read.file);
}

/** Posed joints become rotations of the clip, as dense as the studio plays them. */
function writePose({ character, ...read }: ReadResult, edits: PoseEdits): void {
  const pose = createPose(character);
  character.clips.forEach((clip, c) => {
    if (!isPosed(edits, c)) return;
    const nodes = new Set([...Object.keys(edits.loose), ...Object.keys(edits.keys[c] ?? {})].map(Number));
    const times = Float32Array.from(frameTimes(clip, 60));
    const values = new Map([...nodes].map((node) => [node, new Float32Array(4 * times.length)]));
    times.forEach((time, n) => {
      samplePose(pose, character, clip, time);
      applyPoseEdits(pose.locals, edits, c, time);
      for (const [node, rotations] of values) {
        const at = POSE_STRIDE * node + 3;
        rotations.set(pose.locals.subarray(at, at + 4), 4 * n);
      }
    });
    for (const [node, rotations] of values) writeRotations({ character, ...read }, c, node, times, rotations);
  });
}

function measureWorst({ clips }: BakeResult): ExportResult['volume'] {
  const worst = (list: readonly number[]) => list.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return {
    before: worst(clips.map((clip) => clip.worst.skinned)),
    after: worst(clips.map((clip) => clip.worst.baked)),
  };
}
