import { createStack, planClipMeter } from '@isoskin/core';
import { createDemo } from '@isoskin/implicit';
import type { Command } from 'commander';
import { formatMeasure } from '../format-measure.js';
import { print } from '../print.js';
import { createProgress } from '../progress.js';

/** Frames per second that are enough for a first look. */
const FPS = 12;

export function addStart(program: Command): void {
  program
    .command('start')
    .description('Show what isoskin does on its own elephant: the volume of every clip, skinned and corrected.')
    .action(() => {
      const progress = createProgress();
      progress.update('making the elephant', 0, 1);
      const character = createDemo('elephant');
      const stack = createStack(character);
      const { meter, measure } = planClipMeter(stack);
      const clips = character.clips.map((clip) => {
        const onFrame = (done: number, total: number) => progress.update(`measuring ${clip.name}`, done, total);
        return measure(clip, { fps: FPS, onFrame });
      });
      progress.clear();
      const model = 'isoskin’s demo elephant, linear skinning and preset organic';
      print(formatMeasure({ model, rest: meter.rest, stack: stack.spec, clips, warnings: character.warnings }));
      print('\nNext: npx isoskin measure your-model.glb --preset organic');
    });
}
