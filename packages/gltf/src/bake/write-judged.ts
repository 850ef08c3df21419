/** Writes a baked file, reads the bytes back and judges them: what is told of a bake is what they play. */
import { IsoskinError, type Warning } from '@isoskin/core';
import type { AllowedKind } from '../judge/allowed-changes.js';
import { checkPlayed, type PlayedCheck } from '../judge/check-played.js';
import { judgeBytes } from '../judge/judge-bytes.js';
import { planPlayback } from '../judge/plan-playback.js';
import { listUnused, zeroNumbers } from '../mend-numbers.js';
import type { GltfFile } from '../patch/gltf-file.js';
import { writeGlb } from '../patch/write-glb.js';
import type { BakeJob } from './bake-job.js';
import type { Details } from './summarise-clip.js';

export interface JudgeOptions {
  /** What was opened, before it was made finer. */
  readonly opened: GltfFile;
  /** What may differ from it. */
  readonly kinds: readonly AllowedKind[];
  /** Group → its node in the written file. */
  readonly nodes: readonly number[];
  readonly compress: 'meshopt' | undefined;
  readonly details: Details | undefined;
}

export async function writeJudged(
  job: BakeJob,
  file: GltfFile,
  warnings: Warning[],
  { opened, kinds, nodes, compress, details }: JudgeOptions,
): Promise<{ glb: Uint8Array<ArrayBuffer>; told: PlayedCheck }> {
  const { file: clean, mended } = zeroNumbers(file, listUnused(file));
  if (mended.length > 0) {
    const message = `${mended.length} accessors that nothing uses hold no numbers (NaN or infinite); they are 0 now`;
    warnings.push({ code: 'NUMBERS_MENDED', message, place: `accessors[${mended[0]}]` });
  }
  const glb = await writeGlb(clean, compress);
  await judgeBytes(zeroNumbers(opened, mended).file, glb, kinds);
  const playback = planPlayback(job.read, job.source, await job.read.replay(glb), nodes);
  return { glb, told: await checkPlayed(job, { ...playback, harm: job.harm }, details) };
}

/** The bytes must play the volumes that were computed, #samples×#components: the rule that no silent fault of a writer survives. */
export function compareClaims(job: BakeJob, claimed: Float64Array, played: PlayedCheck): void {
  const { samples, size, tolerance } = job;
  const components = played.volumes.length / samples.length;
  const limit = Math.max(5 * tolerance, 2e-3);
  samples.forEach(({ clip, time }, n) => {
    if (clip < 0) return;
    const sum = (volumes: Float64Array) =>
      volumes.subarray(n * components, (n + 1) * components).reduce((total, v) => total + v, 0);
    const [claim, real] = [sum(claimed), sum(played.volumes)];
    const allowed = limit * Math.max(Math.abs(claim), 1e-3 * size ** 3) + played.rounding[n]!;
    if (Math.abs(real - claim) <= allowed) return;
    const off = `${(100 * (real / claim - 1)).toFixed(2)} %`;
    const message = `The result was read back and plays another volume than was computed (${off} at ${time} s); nothing is written: report this with the model`;
    throw new IsoskinError('RESULT_WRONG', message, `clip ${clip}`);
  });
}
