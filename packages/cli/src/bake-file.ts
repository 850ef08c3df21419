import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { IsoskinError, presetStack } from '@isoskin/core';
import { listHarm, listUsedLayers } from '@isoskin/core/stack';
import {
  type BakedClip,
  type BakeOptions,
  type BakeResult,
  bakeCharacter,
  describeBake,
  findWorseRegions,
  WORSE_REGION,
} from '@isoskin/gltf';
import { type LoadedModel, readLoadedModel } from '@isoskin/gltf/node';
import type { DrawAll } from '@isoskin/report';
import type { BakedFileOptions } from './bake-options.js';
import { createBakePool } from './create-bake-pool.js';
import { formatShare } from './format-number.js';
import { loadInput } from './load-input.js';
import { budgetOptions, loadOptions } from './load-options.js';
import { createProgress } from './progress.js';
import { readStack } from './stack-options.js';
import { createTimeLeft } from './time-left.js';
import { checkGlbName, refuseAllInputs, writeWhole } from './write-whole.js';

export interface BakeFileOptions extends BakedFileOptions {
  readonly output: string;
  readonly report?: string;
  readonly jobs?: number;
  /** Write the file also where it looks worse than plain skinning, or its worst region is worse. */
  readonly force?: boolean;
}

export type BakeFacts = Awaited<ReturnType<typeof bakeFile>>;

/** `fault` says what looks worse than plain skinning and which region got worse, in sentences; `written` is false where the result was too bad to be kept. */
export async function bakeFile(path: string, options: BakeFileOptions) {
  const { output, report } = options;
  checkGlbName(output);
  await refuseAllInputs([output, report], [path, options.stack]);
  const stack = await readStack(options, presetStack());
  const start = performance.now();
  // The finer mesh of folded skin is known only here.
  const folds = listUsedLayers(stack).wrinkles !== undefined;
  const model = await loadInput(path, loadOptions(options));
  const jobs = chooseJobs(options.jobs, measureModel(model));
  const pool = createBakePool(folds ? 1 : jobs);
  const progress = createProgress();
  try {
    const read = await readLoadedModel(model);
    const timeLeft = createTimeLeft();
    const settings: BakeOptions = {
      stack,
      fps: options.fps,
      as: options.as,
      tolerance: options.tolerance,
      maxTargets: options.maxTargets,
      compact: options.compact,
      threads: pool,
      details: report !== undefined,
      onProgress: (done, total) => progress.update(`baking frames${timeLeft(done / total)}`, done, total),
      ...(options.compress && { compress: options.compress }),
      ...(options.drive && { drive: true, onTeach: (done, total) => progress.update('teaching poses', done, total) }),
      ...(options.range !== undefined && { range: options.range }),
      ...(options.clip && { clips: options.clip }),
      ...budgetOptions(options),
    };
    const result = await bakeCharacter(read, settings);
    const fault = [...listHarm(result.harm), ...tellWorse(result.worseRegions)].join(' ') || undefined;
    // Visible harm, or a clip whose worst region is worse than plain skinning's worst one: a file that is worse than none.
    const isBad = result.harm?.broken.length || findWorseRegions(result.worstRegions, WORSE_REGION).length > 0;
    const written = !isBad || options.force === true;
    if (written) await writeWhole(output, result.glb);
    const seconds = (performance.now() - start) / 1000;
    const sizes = { input: measureModel(model), output: result.glb.length };
    const warnings = [...read.character.warnings, ...result.warnings];
    if (report !== undefined && written) {
      const { createBakeReport, decodeTextures, drawStill } = await import('@isoskin/report');
      progress.update('drawing the report', 1, 1);
      const files = {
        input: { name: basename(path), bytes: sizes.input },
        output: { name: basename(output), bytes: sizes.output },
        warnings,
        seconds,
      };
      const data = describeBake(read, result, settings, files);
      const { triangles, parts } = data;
      const pictures = pool && (await decodeTextures(data));
      pool?.share('pictures', { triangles, parts, pictures });
      const draw: DrawAll = (stills) =>
        pool!.run('pictures', stills, (still) => drawStill(triangles, still, parts, pictures));
      await writeWhole(report, await createBakeReport(data, pool && draw));
    }
    const { glb: _, refined: __, ...rest } = result;
    const clips = result.clips.map(({ film: _, ...clip }): BakedClip => clip); // frames are for the page
    return { model: path, output, report, written, fault, sizes, seconds, ...rest, clips, warnings };
  } finally {
    progress.clear();
    await pool?.close();
  }
}

/** Below this a thread takes longer to start than it saves. */
const SMALL_FILE = 100_000;

function chooseJobs(jobs: number | undefined, size: number): number {
  if (jobs === undefined) return size < SMALL_FILE ? 1 : Math.min(16, availableParallelism());
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= 256) return jobs;
  throw new IsoskinError('JOBS', `${jobs} threads cannot be started: give a whole number from 1 to 256 for --jobs.`);
}

/** Bytes of the model, with the files that it refers to. */
export function measureModel({ bytes, files }: LoadedModel): number {
  return Object.values(files).reduce((sum, data) => sum + data.length, bytes.length);
}

/** Of every region of every clip: the one that the file plays worse than plain skinning does, most of all. */
function tellWorse([worst, ...others]: BakeResult['worseRegions']): string[] {
  if (!worst) return [];
  const { skinned, baked } = worst;
  const more = others.length > 0 ? `, and ${others.length} more got worse (--report shows all)` : '';
  return [
    `The region "${baked.name}" changes by ${formatShare(baked.change, 2)} at ${baked.time.toFixed(3)} s of "${baked.clip}"; plain skinning changes it by ${formatShare(Math.abs(skinned.change), 2)} at most there${more}.`,
  ];
}
