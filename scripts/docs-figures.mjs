/**
 * Figures that cannot drift. What stands in a page between <!-- figure: id --> and <!-- /figure --> is written by this script, from a result
 * file in benchmarks/results or from a command that it runs (scripts/list-figures.mjs). Transcripts are `console` blocks, which
 * scripts/run-docs.mjs runs.
 *
 * npm run docs:figures [-- --check]
 *
 * --check   writes nothing. Fails where a page says something else than its source, where a table of measurements has no source, and where
 *           a model that is cheap to measure gives other figures than the committed ones. The packages must be built.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listFigures, measureAgain } from './list-figures.mjs';
import { ROOT } from './list-packages.mjs';

const FIGURE = /<!-- figure: ([\w-]+) -->(\n?)([\s\S]*?)<!-- \/figure -->/g;
/** A number that somebody measured: with a unit, or alone in its cell. */
const MEASURED = /^[\s*≈+−-]*\d[\d .,]*(e[−-]\d+)?\s?(%|ms|µs|ns|s|kB|MB|GB|°|×|x)?[\s*]*(\D.*)?$/;
/** Columns of tables that say what to write, not what was measured. */
const WRITTEN = /\b(default|meaning|exit code|versions?|option)\b/i;

/** README and all pages of docs. Notes on decisions are records of their day and keep their figures. */
export function listFigurePages() {
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true }).map(
    (name) => `docs/${name.replaceAll('\\', '/')}`,
  );
  const isPage = (page) => page.endsWith('.md') && page !== 'docs/licences.md';
  return ['README.md', ...pages.filter(isPage).sort()];
}

/** The text with all its figures as `figures` (id → Markdown) has them. */
export function fillFigures(text, figures) {
  return text.replace(FIGURE, (_, id, newline) => {
    if (!Object.hasOwn(figures, id)) throw new Error(`there is no figure “${id}” in scripts/list-figures.mjs`);
    const body = newline ? `${newline}\n${figures[id]}\n\n` : figures[id];
    return `<!-- figure: ${id} -->${body}<!-- /figure -->`;
  });
}

/** Lines of the tables of measurements that stand outside of the markers. */
export function listLooseTables(text) {
  const blank = (part) => part.replace(/[^\n]/g, '');
  const rest = text.replace(/^```[\s\S]*?^```$/gm, blank).replace(FIGURE, blank);
  return [...rest.matchAll(/^\|.*\n\|[-:| ]+\|\n((?:\|.*\n?)+)/gm)]
    .filter(([table, body]) => {
      const [head] = table.split('\n', 1);
      const cells = body.split('\n').flatMap((row) => row.split('|').slice(2, -1));
      return !WRITTEN.test(head) && cells.filter((cell) => MEASURED.test(cell.trim())).length >= 4;
    })
    .map(({ index }) => rest.slice(0, index).split('\n').length);
}

async function main(check) {
  const figures = await listFigures();
  const used = new Set();
  const faults = [];
  for (const page of listFigurePages()) {
    const path = join(ROOT, page);
    const text = readFileSync(path, 'utf8');
    for (const [, id] of text.matchAll(FIGURE)) used.add(id);
    const filled = fillFigures(text, figures);
    if (filled !== text && check)
      faults.push(`${page} says something else than its sources; run: npm run docs:figures`);
    if (filled !== text && !check) writeFileSync(path, filled);
    if (filled !== text) console.log(`${page}: ${check ? 'differs' : 'written'}`);
    if (page.startsWith('docs/decisions/')) continue;
    for (const line of listLooseTables(filled))
      faults.push(`${page}:${line}: measurements without a source; put them between markers`);
  }
  for (const id of Object.keys(figures)) if (!used.has(id)) faults.push(`no page shows the figure “${id}”`);
  const models = join(ROOT, '../shared/models');
  if (check) faults.push(...measureAgain(existsSync(models) ? models : undefined));
  for (const fault of faults) console.error(fault);
  console.log(`${used.size} figures, ${faults.length} faults`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.includes('--check'));
