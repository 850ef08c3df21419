import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createDemo } from '@isoskin/demos';
import { BAKE_DEFAULTS, writeCharacter } from '@isoskin/gltf';
import type { Command } from 'commander';
import { bakeFile } from '../bake-file.js';
import { formatBake } from '../format-bake.js';
import { print } from '../print.js';
import { createProgress } from '../progress.js';
import { writeWhole } from '../write-whole.js';

const FOLDER = 'out';

export function addStart(program: Command): void {
  program
    .command('start')
    .description('Show what isoskin does on its own elephant: bake it, and write the file and a report to out/.')
    .action(async () => {
      const progress = createProgress();
      progress.update('making the elephant', 0, 1);
      await mkdir(FOLDER, { recursive: true });
      const plain = join(FOLDER, 'elephant.glb');
      await writeWhole(plain, await writeCharacter(createDemo('elephant')));
      progress.clear();
      const output = join(FOLDER, 'elephant-baked.glb');
      const report = join(FOLDER, 'elephant-report.html');
      const facts = await bakeFile(plain, { ...BAKE_DEFAULTS, output, report });
      print(formatBake(facts));
      print(
        [
          '',
          `Look:  open ${report} in a browser,`,
          `       and drop ${plain} and ${output} on any glTF viewer.`,
          'Next:  npx isoskin bake your-model.glb -o kept.glb --report kept.html',
        ].join('\n'),
      );
    });
}
