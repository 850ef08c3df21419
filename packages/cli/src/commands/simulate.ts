import { extname } from 'node:path';
import { IsoskinError } from '@isoskin/core';
import { type Command, InvalidArgumentError } from 'commander';
import { formatChange } from '../format-number.js';
import { PIPE, readInput } from '../load-input.js';
import { plainText } from '../plain-text.js';
import { besideOf, print, printJson } from '../print.js';
import { createProgress } from '../progress.js';
import type { SimulationFacts } from '../simulate-scene.js';
import { sparkline } from '../sparkline.js';
import { createTimeLeft } from '../time-left.js';
import { refuseInputs, writeWhole } from '../write-whole.js';

interface Options {
  readonly drop?: string;
  readonly output?: string;
  readonly frames?: number;
  readonly volumeControl: boolean;
  readonly json?: boolean;
}

/** `sceneNames`, written out: the help does not load soft bodies. */
const SCENES = 'merge, fall, pinch, roller, muscle, squeeze';

const EXAMPLES = `
Examples:
  $ isoskin simulate merge --json                            two points meet and part; their volume, frame by frame
  $ isoskin simulate merge --no-volume-control -o merge.glb  … and what happens without control
  $ isoskin simulate pinch -o pinch.glb                      paste is cut in two and pressed together again
  $ isoskin simulate my-scene.json -o out.glb --frames 300   a scene of your own
  $ isoskin simulate --drop character.glb -o dropped.glb     a character falls down: a new clip "drop" in its file`;

export function addSimulate(program: Command): void {
  program
    .command('simulate')
    .description('Let soft objects fall, touch, break and melt together; their volume is kept.')
    .argument('[scene]', `a .json file, or one of ${SCENES}`)
    .option('--drop <model>', 'let a character (.glb, .gltf) fall on the floor instead, as a ragdoll of its own bones')
    .option('-o, --output <file>', 'the .glb to write: an animation that any viewer plays; - for stdout')
    .option('--frames <count>', 'how many frames, the start included (default: as long as the scene says)', readCount)
    .option('--no-volume-control', 'measure the volume, do not keep it')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string | undefined, options: Options) => {
      const { drop, output, frames, volumeControl, json } = options;
      if ((name === undefined) === (drop === undefined)) {
        throw new IsoskinError(
          'SCENE_FILE',
          `Give a scene (${SCENES}, or a .json file) or --drop with a model, one of the two.`,
        );
      }
      if (output !== undefined) {
        if (output !== PIPE && extname(output).toLowerCase() !== '.glb') {
          throw new IsoskinError('OUTPUT_FORMAT', `"${output}" is not a .glb: simulations are written as .glb only.`);
        }
        await refuseInputs(output, [(name ?? drop)!]);
      }
      if (name === undefined) return dropModel(drop!, options);
      // Soft bodies and what moves them are loaded by this command alone.
      const { readScene, simulateScene } = await import('../simulate-scene.js');
      const read = await readScene(name);
      const scene = volumeControl ? read : { ...read, volumeControl: false };
      const progress = createProgress();
      const timeLeft = createTimeLeft();
      const { facts, bytes } = await simulateScene(scene, {
        surface: output !== undefined,
        ...(frames !== undefined && { frames }),
        onFrame: (done, total) => progress.update(`frame ${done} of ${total}${timeLeft(done / total)}`, done, total),
      }).finally(() => progress.clear());
      if (output !== undefined) await writeWhole(output, bytes!);
      const beside = besideOf(output);
      if (json) printJson({ ...facts, ...(output !== undefined && { output }) }, beside);
      else print(formatFacts(facts, output), beside);
    });
}

/** A character falls; the file gets the clip. */
async function dropModel(model: string, options: Options): Promise<void> {
  const { output, frames, json } = options;
  const { dropCharacter } = await import('@isoskin/soft');
  const { writeClip, writeGlb } = await import('@isoskin/gltf');
  const read = await readInput(model, {});
  const progress = createProgress();
  const timeLeft = createTimeLeft();
  const { clip, ...facts } = await dropCharacter(read.character, {
    ...(frames !== undefined && { duration: (frames - 1) / 60 }),
    onFrame: (done, total) => progress.update(`frame ${done} of ${total}${timeLeft(done / total)}`, done, total),
  }).finally(() => progress.clear());
  if (output !== undefined) {
    writeClip(read, clip);
    await writeWhole(output, await writeGlb(read.file));
  }
  const beside = besideOf(output);
  if (json) return printJson({ model, clip: clip.name, duration: clip.duration, ...facts, output }, beside);
  const lines = [
    `${plainText(read.character.name)} falls: ${facts.bodies} parts, ${clip.duration.toFixed(2)} s`,
    `  volume    every part within ${formatChange(Math.max(1 - facts.volumes[0], facts.volumes[1] - 1))}`,
    `  rest      ${(100 * facts.rest).toFixed(2)} % of its largest kinetic energy is left`,
    ...(output !== undefined
      ? [`  written   ${plainText(output)}, clip "${clip.name}"; isoskin bake keeps its flesh`]
      : []),
  ];
  print(lines.join('\n'), beside);
}

function formatFacts({ scene, frames, fps, events }: SimulationFacts, output: string | undefined): string {
  const changes = frames.map(({ volume }) => volume - 1);
  const worst = changes.reduce((most, change) => (Math.abs(change) > Math.abs(most) ? change : most), 0);
  const contacts = frames.reduce((most, frame) => Math.max(most, frame.contacts), 0);
  const lines = [
    `${plainText(scene)}: ${frames.length} frames, ${((frames.length - 1) / fps).toFixed(2)} s`,
    `  volume    ${sparkline(changes)}  at most ${formatChange(worst)}`,
    `  pieces    ${frames[0]!.pieces} at the start, ${frames.at(-1)!.pieces} at the end`,
    `  contacts  at most ${contacts} at once`,
    ...events.map(({ kind, time }) => `  ${kind.padEnd(8)}  at ${time.toFixed(2)} s`),
  ];
  if (output !== undefined) lines.push(`  written   ${plainText(output)}`);
  return lines.join('\n');
}

function readCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 100_000) return count;
  throw new InvalidArgumentError('Give a whole number of frames, 1 to 100000.');
}
