/** docs/methods/index.md, the sources and the bibliography speak of the same methods. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Sources of the packages and apps, without what is built. */
function listSources(): string[] {
  const rooms = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
  );
  const folders = rooms
    .flatMap((room) => [`${room}/src`, `${room}/assembly`])
    .filter((path) => existsSync(join(root, path)));
  return folders.flatMap((folder) =>
    (readdirSync(join(root, folder), { recursive: true }) as string[])
      .filter((name) => /\.(ts|tsx|mjs)$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
}

/** Ids in a text, ranges such as D1–D9 written out. */
function listIds(text: string): string[] {
  const ids = [...text.matchAll(/(?<![\w.])([A-IPQ])(\d{1,2})(?:–\1(\d{1,2}))?(?!\w)/g)];
  return ids.flatMap(([, letter, from, to]) =>
    Array.from({ length: Number(to ?? from) - Number(from) + 1 }, (_, n) => `${letter}${Number(from) + n}`),
  );
}

const comments = (text: string) => (text.match(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g) ?? []).join('\n');
const sort = (ids: Iterable<string>) => [...new Set(ids)].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
const index = read('docs/methods/index.md');
const [tables] = index.split('\n## Sources');
const known = sort([...tables!.matchAll(/^\| ([A-Z]\d+) \|/gm)].map((match) => match[1]!));

describe('the index of methods', () => {
  it('finds ids and ranges, in comments alone', () => {
    expect(listIds('C15, D1–D3 (A5(b)), M8, S3, H200, v0.C4')).toEqual(['C15', 'D1', 'D2', 'D3', 'A5']);
    expect(comments("/** B4 */ const a = 'M3'; // C6\nfetch('http://x')")).toBe('/** B4 */\n// C6');
  });

  it('has every id that the sources name, and no other', () => {
    const named = listSources().flatMap((path) => listIds(comments(read(path))));
    expect(known).toEqual(sort(named));
  });

  it('has an equation, a source and a place for each', () => {
    const rows = tables!.split('\n').filter((line) => /^\| [A-Z]\d+ \|/.test(line));
    for (const row of rows) {
      const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
      expect(cells, row).toHaveLength(7);
      for (const cell of cells.slice(1, -1)) expect(cell, row).not.toBe('');
      expect(cells[5], row).toMatch(/^\[.+\]\(.+\)$/);
    }
  });

  it('cites only what stands in its list, and its list stands in the bibliography', () => {
    const sources = [...index.matchAll(/^(\d+)\. .*?, \*(.+?)\*, (\d{4})/gm)];
    const cited = sort([...index.matchAll(/\[(\d+)\](?!\()/g)].map((match) => match[1]!));
    for (const number of cited) expect(sources.map((match) => match[1])).toContain(number);
    const bibliography = read('docs/bibliography.md').replace(/\s+/g, ' ');
    for (const [, , title] of sources) expect(bibliography).toContain(title);
  });

  it('agrees with CITATION.cff: every work that it cites is in the bibliography with its year', () => {
    const works = [...read('CITATION.cff').matchAll(/^ {4}title: (.+)\n(?: {4}.+\n)*? {4}year: (\d+)/gm)];
    expect(works.length).toBeGreaterThan(3);
    const bibliography = read('docs/bibliography.md').replace(/\s+/g, ' ');
    for (const [, title, year] of works) {
      const at = bibliography.indexOf(title!.trim());
      expect(at, title).toBeGreaterThan(-1);
      expect(bibliography.slice(at, at + title!.length + 90), title).toContain(year);
    }
  });
});

describe('a reader of the repository', () => {
  it('is sent to nothing that is not in it', () => {
    const docs = (readdirSync(join(root, 'docs'), { recursive: true }) as string[]).filter((name) =>
      name.endsWith('.md'),
    );
    const pages = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', ...docs.map((name) => `docs/${name}`)];
    const elsewhere = /METHODS(?!\.csv)\b(?=\.md| [A-Z]\d)|REAL-MODELS|\bseed 00\d|\.\.\/shared\//;
    const lost = [...listSources(), ...pages]
      .filter((path) => path !== 'docs/models.md') // says where tests look for models that anybody can have
      .filter((path) => elsewhere.test(read(path)));
    expect(lost).toEqual([]);
  });
});
