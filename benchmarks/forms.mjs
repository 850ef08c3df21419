/**
 * The two forms that @isoskin/three draws shapes in: what they take on the GPU, and what a frame costs in Chromium with nothing but vertices to draw.
 *
 *   node benchmarks/forms.mjs [--csv benchmarks/results/forms.csv]
 *
 * The GPU of the machine that this is written for is a program (SwiftShader): compare the columns of a row, not the rows of two machines.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';

const CASES = [
  ['tube', 'organic'],
  ['finger', 'organic'],
  ['tube', 'natural'],
  ['finger', 'natural'],
  ['tube', 'anatomic'],
  ['hand', 'organic'],
  ['hero', 'organic'],
  ['hand', 'natural'],
  ['hero', 'natural'],
  ['hand', 'anatomic'],
  ['hero', 'anatomic'],
];
const VERTICES = 5720;
const { values } = parseArgs({ options: { csv: { type: 'string' } } });
const { openForms } = (await runnerImport('./benchmarks/forms/open-forms.ts')).module;
const page = await openForms();
const rows = [
  ['model', 'preset', 'vertices', 'shapes', 'morph_bytes', 'sparse_bytes', 'off_ms', 'morph_ms', 'sparse_ms'],
];
try {
  for (const [model, preset] of CASES) {
    const { count, shapes, bytes, off, morph, sparse } = await page.measure(model, preset, VERTICES);
    const times = [off, morph, sparse].map((time) => time.toFixed(3));
    rows.push([model, preset, count, shapes, bytes.morph.toFixed(0), bytes.sparse.toFixed(1), ...times]);
    console.log(rows.at(-1).join('\t'));
  }
} finally {
  await page.close();
}
if (values.csv) writeFileSync(values.csv, `${rows.map((row) => row.join(',')).join('\n')}\n`);
