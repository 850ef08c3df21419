/** Writes a baked file, reads the bytes back and judges them: what is told of a bake is what they play. */
import { type FrameSource, IsoskinError, type Warning } from '@isoskin/core';
import type { AllowedKind } from '../judge/allowed-changes.js';
import { checkPlayed, type PlayedCheck } from '../judge/check-played.js';
import { judgeBytes } from '../judge/judge-bytes.js';
import { planPlayback } from '../judge/plan-playback.js';
import { listUnused, zeroNumbers } from '../mend-numbers.js';
import type { GltfFile } from '../patch/gltf-file.js';
import { writeGlb } from '../patch/write-glb.js';
import type { ReadResult } from '../read-character-from-bytes.js';
import type { BakedCheck } from './check-samples.js';
import type { FrameBlock, MeasureLayout } from './create-frame-baker.js';
import type { Sample } from './list-sample-times.js';
import { planBakedSurface } from './plan-baked-surface.js';
import type { SourceSkin } from './plan-source-skin.js';

export interface Judged {
  /** What was opened, and what was baked (finer, where skin folds). */
  readonly input: ReadResult;
  readonly read: ReadResult;
  readonly stack: FrameSource;
  readonly source: SourceSkin;
  readonly samples: readonly Sample[];
  readonly block: FrameBlock;
  readonly layout: MeasureLayout;
  /** What may differ from the file that was opened. */
  readonly kinds: readonly AllowedKind[];
  /** Group → its node in the written file. */
  readonly nodes: readonly number[];
  /** What was computed; undefined where nothing was added. */
  readonly claimed: BakedCheck | undefined;
  readonly tolerance: number;
  readonly size: number;
  /** The corrections of `block` are in world units. */
  readonly world: boolean;
  readonly compress: 'meshopt' | undefined;
  readonly onSample: ((sample: number, positions: Float64Array) => void) | undefined;
}

export async function writeJudged(
  file: GltfFile,
  warnings: Warning[],
  bake: Judged,
): Promise<{ glb: Uint8Array<ArrayBuffer>; told: PlayedCheck }> {
  const { input, read, stack, source, samples, block, layout, claimed } = bake;
  const { file: clean, mended } = zeroNumbers(file, listUnused(file));
  if (mended.length > 0) {
    const message = `${mended.length} accessors that nothing uses hold no numbers (NaN or infinite); they are 0 now`;
    warnings.push({ code: 'NUMBERS_MENDED', message, place: `accessors[${mended[0]}]` });
  }
  const glb = await writeGlb(clean, bake.compress);
  await judgeBytes(zeroNumbers(input.file, mended).file, glb, bake.kinds);
  const playback = planPlayback(read, source, await read.reopen(glb), bake.nodes);
  const surface = planBakedSurface(stack.character, source);
  const told = checkPlayed(stack, source, playback, samples, block, layout, surface, bake.world, bake.onSample);
  if (claimed) compareClaims(claimed, told, samples, Math.max(5 * bake.tolerance, 2e-3), bake.size);
  return { glb, told };
}

/** The bytes must play what was computed: the rule that no silent fault of a writer survives. */
function compareClaims(
  claimed: BakedCheck,
  played: PlayedCheck,
  samples: readonly Sample[],
  limit: number,
  size: number,
): void {
  const components = played.volumes.length / samples.length;
  samples.forEach(({ clip, time }, n) => {
    if (clip < 0) return;
    const sum = ({ volumes }: BakedCheck) =>
      volumes.subarray(n * components, (n + 1) * components).reduce((total, v) => total + v, 0);
    const [claim, real] = [sum(claimed), sum(played)];
    const allowed = limit * Math.max(Math.abs(claim), 1e-3 * size ** 3) + played.rounding[n]!;
    if (Math.abs(real - claim) <= allowed) return;
    const off = `${(100 * (real / claim - 1)).toFixed(2)} %`;
    const message = `The result was read back and plays another volume than was computed (${off} at ${time} s); nothing is written: report this with the model`;
    throw new IsoskinError('RESULT_WRONG', message, `clip ${clip}`);
  });
}
