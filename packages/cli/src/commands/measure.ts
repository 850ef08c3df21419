import { checkBudget, createFrameSource, planBody, planClipMeter, presetStack, type StackSpec } from '@isoskin/core';
import { describeRigidParts } from '@isoskin/core/mesh';
import { type MeasureOptions, measureTwists } from '@isoskin/core/quality';
import type { Command } from 'commander';
import { chooseClips } from '../choose-clips.js';
import { formatMeasure, type ModelMeasure } from '../format-measure.js';
import { readInput } from '../load-input.js';
import { addLoadOptions, budgetOptions, type LoadOptions, loadOptions } from '../load-options.js';
import { answer } from '../print.js';
import { createProgress } from '../progress.js';
import { readFps } from '../read-number.js';
import { addStackOptions, readStack, type StackOptions } from '../stack-options.js';

interface Options extends StackOptions, LoadOptions {
  readonly clip?: string;
  readonly fps: number;
  readonly quality?: boolean;
  readonly intersections?: boolean;
  readonly json?: boolean;
}

const SKIN_ONLY: StackSpec = { skin: {} };

const EXAMPLES = `
Examples:
  $ isoskin measure model.glb --clip Run
  $ isoskin measure model.glb --skinning dual-quaternion --json
  $ isoskin measure model.glb --preset rubber --quality`;

export function addMeasure(program: Command): void {
  const command = program
    .command('measure')
    .description('Measure the volume of every clip, frame by frame, in total and per region.')
    .argument('<model>', 'a .glb, .gltf or .vrm file, or - for stdin')
    .option('--clip <name>', 'this clip only')
    .option('--fps <number>', 'frames per second', readFps, 30);
  addLoadOptions(addStackOptions(command))
    .option('--quality', 'judge the shape of the corrected skin too (without a stack: that of the preset natural)')
    .option('--intersections', 'count triangles that cross each other (slow)')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: Options) => {
      const measured = await measureModel(path, options);
      answer(measured, formatMeasure, options);
    });
}

async function measureModel(path: string, options: Options): Promise<ModelMeasure> {
  const { fps, quality = false, intersections = false } = options;
  // Quality compares a corrected skin with the plain one, so it needs a correction.
  const spec = await readStack(options, quality ? presetStack() : SKIN_ONLY);
  const { character } = await readInput(path, loadOptions(options));
  const clips = chooseClips(character, options.clip);
  const { maxWork } = budgetOptions(options); // frames are not kept: memory is no matter
  checkBudget(character, { clips, rate: fps, maxWork });
  const meter = planClipMeter(createFrameSource(planBody(character), spec, { rehearse: true }));
  const progress = createProgress();
  const measured = clips.map((clip) => {
    const onFrame = (done: number, total: number) => progress.update(`measuring ${clip.name}`, done, total);
    return meter.measure(clip, { fps, quality, intersections, onFrame } satisfies MeasureOptions);
  });
  progress.clear();
  const { skinning = 'linear' } = spec.skin ?? {};
  const keepsTwists = skinning !== 'linear' || spec.volume?.options?.twist;
  const twist = keepsTwists ? undefined : measureTwists(character, clips, fps);
  const { rest, regions } = meter.meter;
  const warnings = [...character.warnings, ...describeRigidParts(character, regions.rigid)];
  return { model: path, rest, stack: spec, clips: measured, ...(twist && { twist }), warnings };
}
