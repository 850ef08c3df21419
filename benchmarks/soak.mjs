/**
 * A soak: random acts of one part of the product, one after the other, for as long as wanted; once a minute everything is collected and
 * the memory is written down.
 *
 *   node benchmarks/soak.mjs node|runtime|studio [minutes] [seed] [--csv benchmarks/results/soak-PART.csv]
 *
 *   node      in this process: read, stack and play (TypeScript, WASM), bake, bake again, bake by the command's threads, simulate
 *   runtime   three.js in Chromium: load, preserveVolume, play, switch off and on, dispose
 *   studio    the built page in Chromium: characters, presets, scrubbing, views, joints, painting, undo, export
 *
 * An act gives a word for what came out (a hash of the bytes, where there are bytes); the same act gives the same word every time, or the
 * soak fails. It also fails on any error, and where memory grows: median of the last third of the samples ÷ median of the second third.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

/** The first third warms up: code is compiled, caches fill, the heap finds its size. */
const MOST_GROWTH = 1.1;
const PARTS = ['node', 'runtime', 'studio'];
const { values, positionals } = parseArgs({ allowPositionals: true, options: { csv: { type: 'string' } } });
const [part = '', minutes = '1', seed = '1'] = positionals;
if (!PARTS.includes(part) || !(Number(minutes) > 0)) {
  console.error(`node benchmarks/soak.mjs ${PARTS.join('|')} [minutes] [seed] [--csv FILE]`);
  process.exit(1);
}

const random = createRandom(Number(seed));
const soaked = await openPart();
const rows = [];
const words = new Map();
const counts = {};
const start = performance.now();
const end = start + 60_000 * Number(minutes);
const pause = Math.min(60_000, (end - start) / 9);
let acts = 0;
let repeated = 0;
let next = start + pause;
try {
  while (performance.now() < end) {
    const { name, word } = await soaked.act(random);
    acts++;
    const kind = name.split(' ')[0];
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (words.has(name)) repeated++;
    if (word !== undefined && (words.get(name) ?? word) !== word) {
      throw new Error(`"${name}" gave ${words.get(name)} before and ${word} now (act ${acts})`);
    }
    if (word !== undefined) words.set(name, word);
    if (performance.now() < next) continue;
    next += pause;
    rows.push({ minute: ((performance.now() - start) / 60_000).toFixed(1), acts, ...(await soaked.measure()) });
    console.log(JSON.stringify(rows.at(-1)));
  }
} finally {
  await soaked.close();
}
if (values.csv) {
  const names = Object.keys(rows[0]);
  writeFileSync(values.csv, `${[names, ...rows.map((row) => names.map((name) => row[name]))].join('\n')}\n`);
}
const growth = Object.fromEntries(soaked.bounded.map((name) => [name, measureGrowth(name)]));
console.log(JSON.stringify({ part, seed: Number(seed), acts, counts, repeated, growth }));
if (Object.values(growth).some((share) => !(share <= MOST_GROWTH))) process.exitCode = 1;
// Threads of a part that did not end would hang here, and should.

function measureGrowth(name) {
  const third = Math.floor(rows.length / 3);
  const middle = (list) => list.map((row) => row[name]).sort((a, b) => a - b)[list.length >> 1];
  const [last, before] = [middle(rows.slice(-third)), middle(rows.slice(third, -third))];
  return last === before ? 1 : Number((last / before).toFixed(3));
}

/** What touches the browser is TypeScript of the tests: bundled, with the packages left where they are. */
async function openPart() {
  const outfile = resolve('out', 'soak', part, 'acts.mjs');
  mkdirSync(resolve('out', 'soak', part), { recursive: true });
  await build({
    ...{ entryPoints: [`benchmarks/soak/${part}-acts.ts`], outfile },
    ...{ bundle: true, platform: 'node', format: 'esm', packages: 'external', logLevel: 'error' },
  });
  const { openActs } = await import(pathToFileURL(outfile).href);
  return openActs();
}

function createRandom(start) {
  let a = start;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
