/**
 * Coverage-guided fuzzing of the doors (fuzz/doors.ts) with V8's own coverage: no native engine, any Node.
 *
 *   node scripts/fuzz.mjs stack|scene|job|forged|reader|model [seconds] [seed]
 *
 * Inputs that found something are left in out/fuzz/corpus-….json; small ones are kept in fuzz/corpus/doors/. An input that breaks a property is left under out/fuzz/ and the command ends with a non-zero code; make a test of it in
 * fuzz/repro.test.ts.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const NAMES = ['stack', 'scene', 'job', 'forged', 'reader', 'model'];
const [name = '', seconds = '60', seed = '1'] = process.argv.slice(2);
if (!NAMES.includes(name) || !(Number(seconds) > 0)) {
  console.error(`node scripts/fuzz.mjs ${NAMES.join('|')} [seconds] [seed]`);
  process.exit(1);
}

const folder = join('out', 'fuzz');
// A folder of its own for each run: two may go on beside each other.
const file = resolve(folder, name, 'version', 'doors.mjs');
mkdirSync(join(folder, name, 'version'), { recursive: true });
// The cluster reads its version beside itself.
writeFileSync(join(folder, name, 'package.json'), '{ "version": "fuzz" }');
await build({
  stdin: {
    contents: `
      export { applyDamages } from './fuzz/mutate-json.ts';
      export { createModelDoor } from './fuzz/model-door.ts';
      export { DOORS } from './fuzz/doors.ts';
      export { readModel, readOnly } from './fuzz/targets.ts';
      export { randomDamages } from './fuzz/random-damages.ts';
      export { runCoverage } from './fuzz/run-coverage.ts';`,
    resolveDir: '.',
  },
  bundle: true,
  platform: 'node',
  format: 'esm',
  outfile: file,
  logLevel: 'error',
});
const fuzz = await import(pathToFileURL(file).href);
const { applyDamages, createModelDoor, DOORS, randomDamages, runCoverage } = fuzz;
const models = { model: fuzz.readModel, reader: fuzz.readOnly };
const door =
  name in models
    ? createModelDoor(join('fuzz', 'corpus', 'glb'), models[name])
    : {
        ...DOORS[name],
        damage: (tree, random) => applyDamages(tree, randomDamages(random)),
        ...{ patience: 1000, batch: { least: 250, most: 20_000 } },
      };
const found = new Set();
const figures = await runCoverage(door, {
  ...{ seconds: Number(seconds), seed: Number(seed), url: pathToFileURL(file).href },
  onFinding(tree, error) {
    const message = String(error?.message ?? error);
    if (found.has(message.slice(0, 60))) return;
    found.add(message.slice(0, 60));
    const text = JSON.stringify(tree);
    const path = join(folder, `${name}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.json`);
    writeFileSync(path, text);
    console.error(`${path}: ${error?.stack ?? message}`);
  },
});
const { kept, ...rest } = figures;
writeFileSync(join(folder, `corpus-${name}.json`), `${JSON.stringify(kept)}\n`);
console.log(JSON.stringify({ door: name, seed: Number(seed), ...rest, kept: kept.length }));
process.exit(found.size > 0 ? 1 : 0);
