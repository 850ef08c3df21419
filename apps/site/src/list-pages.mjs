/** The pages of the site, in reading order: `{ title, pages: [{ source, title }] }` per section. A page is a Markdown file of the repository. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SECTIONS = [
  ['Guides', ['guides/web', 'guides/artist', 'guides/research', 'guides/pipeline']],
  [
    'Use',
    [
      'cli',
      'three',
      'studio',
      'bake',
      'drive',
      'engines',
      'stack',
      'weights',
      'rig',
      'wrinkles',
      'flesh',
      'contact',
      'simulate',
      'pipelines',
      'cluster',
    ],
  ],
  ['How it works', ['methods/index', 'kernels', 'webgpu', 'soft', 'reliability', 'compatibility']],
];
const HOUSE = ['ARCHITECTURE', 'CONTRIBUTING', 'CHANGELOG', 'SECURITY'];

export function listSections(root) {
  const read = (source) => ({ source, title: readTitle(join(root, source)) });
  const named = SECTIONS.map(([title, names]) => ({ title, pages: names.map((name) => read(`docs/${name}.md`)) }));
  const known = new Set(named.flatMap(({ pages }) => pages.map(({ source }) => source)));
  const list = (folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md') && !known.has(`${folder}/${name}`))
      .sort()
      .map((name) => read(`${folder}/${name}`));
  return [
    ...named,
    { title: 'Methods', pages: list('docs/methods').sort(byTitle) },
    { title: 'Decisions', pages: list('docs/decisions') },
    { title: 'More', pages: [...list('docs'), ...HOUSE.map((name) => read(`${name}.md`))] },
  ];
}

/** C2 before C11. */
function byTitle(a, b) {
  return a.title.localeCompare(b.title, 'en', { numeric: true });
}

function readTitle(path) {
  const [, title] = /^# (.+)$/m.exec(readFileSync(path, 'utf8'));
  return title
    .replace(/^Guide for (\w)([^:]*):.*$/, (_, first, rest) => first.toUpperCase() + rest)
    .replace(/[`*]/g, '');
}

/** Where a Markdown file stands on the site: README.md is the index of its folder. */
export function pagePath(source) {
  return source.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html');
}
