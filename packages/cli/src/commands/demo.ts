import { createDemo, createWrinkledStack, demoNames, wrinkledNames } from '@isoskin/demos';
import { writeCharacter } from '@isoskin/gltf';
import { Argument, type Command } from 'commander';
import { formatCount } from '../format-number.js';
import { besideOf, print } from '../print.js';
import { numberReader } from '../read-number.js';
import { refuseAllInputs, writeWhole } from '../write-whole.js';

interface Options {
  readonly output?: string;
  readonly vertices?: number;
  readonly wrinkles?: string;
}

const readCount = numberReader('Give a whole number of vertices, 50 or more.', {
  min: 50,
  max: 20_000_000,
  whole: true,
});

export function addDemo(program: Command): void {
  program
    .command('demo')
    .description('Write one of isoskin’s own characters as a .glb, with its skeleton and clips.')
    .addArgument(new Argument('<name>', 'which one').choices(demoNames))
    .option('-o, --output <file>', 'the .glb to write (default: <name>.glb), or - for stdout')
    .option('--vertices <count>', 'how fine its skin is', readCount)
    .option('--wrinkles <file>', `also write a stack with its wrinkles (${wrinkledNames.join(', ')})`)
    .action(async (name: string, { output = `${name}.glb`, vertices, wrinkles }: Options) => {
      await refuseAllInputs([output, wrinkles], []);
      const character = createDemo(name, vertices === undefined ? {} : { vertices });
      const stack = wrinkles === undefined ? undefined : createWrinkledStack(name, character);
      const bytes = await writeCharacter(character);
      await writeWhole(output, bytes);
      if (wrinkles !== undefined) await writeWhole(wrinkles, `${JSON.stringify(stack, null, 2)}\n`);
      const clips = character.clips.map((clip) => `${clip.name} ${clip.duration.toFixed(1)} s`).join(', ');
      const count = formatCount(character.surface.vertexCount);
      const text = `${output}: ${name}, ${count} vertices, ${character.skeleton.boneCount} bones; clips ${clips}.`;
      print(text, besideOf(output, wrinkles));
    });
}
