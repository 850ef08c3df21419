/** The entry of the `isoskin` command. A command is one file in `commands/` and one line in the list below. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addBake } from './commands/bake.js';
import { addBakeChunk } from './commands/bake-chunk.js';
import { addBakeMerge } from './commands/bake-merge.js';
import { addCheck } from './commands/check.js';
import { addCluster } from './commands/cluster.js';
import { addDemo } from './commands/demo.js';
import { addDoctor } from './commands/doctor.js';
import { addInspect } from './commands/inspect.js';
import { addMeasure } from './commands/measure.js';
import { addRig } from './commands/rig.js';
import { addSimulate } from './commands/simulate.js';
import { addSnapshot } from './commands/snapshot.js';
import { addStart } from './commands/start.js';
import { addStudio } from './commands/studio.js';
import { addTables } from './commands/tables.js';
import { addWeights } from './commands/weights.js';
import { addWrinkle } from './commands/wrinkle.js';
import { describeError } from './describe-error.js';

const COMMANDS: readonly ((program: Command) => void)[] = [
  addInspect,
  addMeasure,
  addCheck,
  addBake,
  addBakeChunk,
  addBakeMerge,
  addCluster,
  addSnapshot,
  addDemo,
  addSimulate,
  addTables,
  addRig,
  addWeights,
  addWrinkle,
  addStudio,
  addStart,
  addDoctor,
];

const EXAMPLES = `
Examples:
  $ isoskin inspect model.glb                      what the file holds, and what was mended in it
  $ isoskin measure model.glb                      how much volume its clips lose
  $ isoskin measure model.glb --preset organic     … and with the volume kept
  $ isoskin bake model.glb -o kept.glb             a file that keeps its volume in every viewer
  $ isoskin check "assets/**/*.glb" --max-loss 5%  which models lose more than they may
  $ isoskin tables                                 the figures of the literature beside those of isoskin`;

async function run(): Promise<void> {
  const { version, description } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const program = new Command('isoskin')
    .description(description)
    .version(version)
    .option('--verbose', 'show where an error comes from')
    .addHelpText('after', EXAMPLES)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    // Errors are told once, below, in our own words.
    .configureOutput({ outputError: () => {} });
  for (const add of COMMANDS) add(program);
  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help')) {
      process.exitCode = error.exitCode;
      return;
    }
    process.exitCode = 1;
    process.stderr.write(`${describeError(error, process.argv.includes('--verbose'))}\n`);
  }
}

// A reader that has seen enough (`| head`) is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

await run();
