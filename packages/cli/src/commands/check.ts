import { relative, resolve } from 'node:path';
import { listModels } from '@isoskin/cluster/models';
import { IsoskinError } from '@isoskin/core';
import type { Command } from 'commander';
import { type CheckOptions, checkModel, type ModelCheck } from '../check-model.js';
import { createSarif, formatCheck, formatJunit } from '../format-check.js';
import { addLoadOptions } from '../load-options.js';
import { plainJson } from '../plain-text.js';
import { besideOf, print, printJson } from '../print.js';
import { createProgress } from '../progress.js';
import { readFps, readShare } from '../read-number.js';
import { refuseAllInputs, writeWhole } from '../write-whole.js';

interface Options extends CheckOptions {
  readonly json?: boolean;
  /** Files to write. */
  readonly sarif?: string;
  readonly junit?: string;
}

const EXAMPLES = `
Examples:
  $ isoskin check "assets/**/*.glb" --max-loss 5%
  $ isoskin check hero.glb fox.vrm --max-loss 5% --max-region-loss 25%
  $ isoskin check "assets/**/*.glb" --sarif isoskin.sarif --junit isoskin.xml

Exit codes: 0 all keep their volume, 3 a model loses more, 1 a model cannot be read.`;

/** Exit code where a model loses more than it may. */
const LOST = 3;

export function addCheck(program: Command): void {
  const command = program
    .command('check')
    .description('Say which models lose more volume than they may: a lint for assets.')
    .argument('<pattern...>', 'models: "assets/**/*.glb", hero.vrm')
    .option('--max-loss <share>', 'most that the volume may change in any frame: 5% or 0.05', readShare, 0.05)
    .option('--max-region-loss <share>', 'the same for every region (default: not judged)', readShare)
    .option('--fps <number>', 'frames per second', readFps, 30);
  addLoadOptions(command)
    .option('--json', 'print JSON')
    .option('--sarif <file>', 'also write SARIF 2.1.0, for code scanning; - for stdout')
    .option('--junit <file>', 'also write JUnit XML, for test reports; - for stdout')
    .addHelpText('after', EXAMPLES)
    .action(async (patterns: string[], options: Options) => {
      const { maxLoss, maxRegionLoss, sarif, junit } = options;
      const paths = await listPaths(patterns);
      await refuseAllInputs([sarif, junit], paths);
      const progress = createProgress();
      const models: ModelCheck[] = [];
      for (const path of paths) {
        progress.update(`checking ${path}`, models.length, paths.length);
        models.push(await checkModel(path, options));
      }
      progress.clear();
      if (sarif !== undefined) await writeWhole(sarif, `${plainJson(createSarif(models, program.version()!), 2)}\n`);
      if (junit !== undefined) await writeWhole(junit, formatJunit(models));
      const isRefused = models.some(({ status }) => status === 'refused');
      const isLost = models.some(({ status }) => status === 'lost');
      const beside = besideOf(sarif, junit);
      if (options.json) printJson({ passed: !isRefused && !isLost, maxLoss, maxRegionLoss, models }, beside);
      else print(formatCheck(models, options), beside);
      if (isRefused || isLost) process.exitCode = isRefused ? 1 : LOST;
    });
}

/** Paths of all models, as seen from here, each once. */
async function listPaths(patterns: readonly string[]): Promise<string[]> {
  const paths = new Set<string>();
  for (const pattern of patterns) {
    if (/^s3:/i.test(pattern)) {
      throw new IsoskinError('CHECK_PLACE', `"${pattern}" is not on this machine: check files of a folder.`);
    }
    const { storage, keys } = await listModels(pattern);
    for (const key of keys) paths.add(relative('', resolve(storage.url, key)).replaceAll('\\', '/'));
  }
  return [...paths].sort();
}
