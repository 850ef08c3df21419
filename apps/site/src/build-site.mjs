/**
 * The whole site as static files for any folder of any web server: landing page from the README, guides and docs, API reference, examples,
 * studio. Nothing is loaded from other hosts.
 *
 * node apps/site/src/build-site.mjs [folder]      default: apps/site/dist; the packages and the studio must be built (npm run build)
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildApi } from './build-api.mjs';
import { listSections, pagePath } from './list-pages.mjs';
import { renderMarkdown } from './render-markdown.mjs';
import { relativeLink, renderPage } from './render-page.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const { repository } = JSON.parse(readFileSync(join(ROOT, 'packages/core/package.json'), 'utf8'));
const REPOSITORY = repository.url.replace(/^git\+|\.git$/g, '');
const out = process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url));
const start = performance.now();

const studio = join(ROOT, 'apps/studio/dist');
if (!existsSync(join(studio, 'index.html'))) throw new Error('The studio is not built: npm run build');
rmSync(out, { recursive: true, force: true });

const api = await buildApi(ROOT);
const sections = listSections(ROOT).map(({ title, pages }) => ({
  title,
  pages: pages.map((page) => ({ ...page, path: pagePath(page.source) })),
}));
const apiPages = Object.entries(api).map(([name, text]) => {
  const source = `api/${name}`;
  const title = /^# (.+)$/m.exec(text)?.[1].replaceAll('\\', '') ?? name;
  return { source, path: pagePath(source), title, text };
});
apiPages.sort((a, b) => (a.title < b.title ? -1 : 1)); // “API”, its index, comes first
sections.push({ title: 'API', pages: apiPages });
const pages = sections.flatMap((section) => section.pages);
const bySource = new Map(pages.map((page) => [page.source, page.path]));

/** A file of the repository as a path of the site; what the site does not have is in the repository. */
function siteLink(path) {
  if (bySource.has(path)) return bySource.get(path);
  if (path === 'README.md') return 'index.html';
  if (/^docs\/images\//.test(path)) return path;
  if (/^examples\/?$/.test(path)) return 'examples/index.html';
  return `${REPOSITORY}/blob/main/${path}`;
}

const index = [];
const write = (path, contents) => {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), contents);
};
const render = ({ source, path, text = readFileSync(join(ROOT, source), 'utf8') }) => {
  const page = renderMarkdown(text, source, (target) => relativeLink(path, siteLink(target)));
  const title = page.headings[0]?.text ?? 'isoskin';
  const headings = page.headings.map((heading) => heading.text).join(' ');
  const most = source.startsWith('api/') ? 400 : 6000;
  index.push({ path, title, headings, text: page.text.slice(0, most) });
  return { ...page, title };
};

pages.forEach((page, n) => {
  const { html, title } = render(page);
  write(page.path, renderPage({ path: page.path, title, html, sections, next: pages[n + 1] }));
});
writeLanding();
write('search-index.js', `window.searchIndex = ${JSON.stringify(index)};\n`);
for (const name of ['site.css', 'site.js']) write(name, readFileSync(new URL(name, import.meta.url)));
cpSync(join(ROOT, 'apps/studio/public/icon.svg'), join(out, 'icon.svg'));
cpSync(join(ROOT, 'docs/images'), join(out, 'docs/images'), { recursive: true });
cpSync(studio, join(out, 'studio'), { recursive: true });
execFileSync(process.execPath, [join(ROOT, 'scripts/build-examples.mjs'), join(out, 'examples')]);
const processor = process.cpuUsage().user / 1e6;
const wall = (performance.now() - start) / 1000;
console.log(`${pages.length + 1} pages in ${out}, ${wall.toFixed(1)} s (${processor.toFixed(1)} s of processor)`);

/** The README, with doors below its first words. */
function writeLanding() {
  const { html } = render({ source: 'README.md', path: 'index.html' });
  const doors = `<p class="doors"><a href="studio/index.html">Open the studio</a><a href="docs/guides/web.html">Guide for web developers</a><a href="docs/guides/artist.html">… for artists</a><a href="examples/index.html">Examples</a></p>`;
  const withDoors = html.replace('</p>', `</p>\n${doors}`);
  const title = 'isoskin: characters whose flesh keeps its volume';
  write('index.html', renderPage({ path: 'index.html', title, html: withDoors, sections, isLanding: true }));
}
