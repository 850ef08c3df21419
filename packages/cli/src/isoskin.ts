/** The entry of the `isoskin` command. A command is one file in `commands/` and one line in the list below. */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { describeError } from './describe-error.js';

/** Loaded when they are asked for: most of the time of a short command is that of loading what it does not use. */
const COMMANDS: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  inspect: async () => (await import('./commands/inspect.js')).addInspect,
  measure: async () => (await import('./commands/measure.js')).addMeasure,
  check: async () => (await import('./commands/check.js')).addCheck,
  bake: async () => (await import('./commands/bake.js')).addBake,
  'bake-chunk': async () => (await import('./commands/bake-chunk.js')).addBakeChunk,
  'bake-merge': async () => (await import('./commands/bake-merge.js')).addBakeMerge,
  cluster: async () => (await import('./commands/cluster.js')).addCluster,
  snapshot: async () => (await import('./commands/snapshot.js')).addSnapshot,
  demo: async () => (await import('./commands/demo.js')).addDemo,
  simulate: async () => (await import('./commands/simulate.js')).addSimulate,
  tables: async () => (await import('./commands/tables.js')).addTables,
  rig: async () => (await import('./commands/rig.js')).addRig,
  weights: async () => (await import('./commands/weights.js')).addWeights,
  wrinkle: async () => (await import('./commands/wrinkle.js')).addWrinkle,
  studio: async () => (await import('./commands/studio.js')).addStudio,
  start: async () => (await import('./commands/start.js')).addStart,
  doctor: async () => (await import('./commands/doctor.js')).addDoctor,
};

const EXAMPLES = `
Examples:
  $ isoskin inspect model.glb                      what the file holds, and what was mended in it
  $ isoskin measure model.glb                      how much volume its clips lose
  $ isoskin measure model.glb --preset natural     … and with the volume kept
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
  const asked = Object.entries(COMMANDS).filter(([name]) => name === process.argv[2]);
  for (const [, load] of asked.length > 0 ? asked : Object.entries(COMMANDS)) (await load())(program);
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
