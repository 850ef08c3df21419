/**
 * The pages of `examples/` as files that any static server can serve: every `NNN-name/main.ts(x)` bundled, what its `make-files.mjs`
 * makes, everything else as it is, and a list of the pages.
 *
 * node scripts/build-examples.mjs [folder]      writes them (default: examples/dist)
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('../examples', import.meta.url));

/** Pages that need a package which the workspace may not have. */
const NEEDS = { '501-react-three-fiber': ['react', 'react-dom', '@react-three/fiber'] };

/** Numbered folders, in order. */
export function listExamples() {
  return readdirSync(folder)
    .filter((name) => /^\d{3}-/.test(name))
    .sort();
}

/** Packages that an example needs and that are not installed. */
export function listMissing(name) {
  const { resolve } = createRequire(import.meta.url);
  return (NEEDS[name] ?? []).filter((need) => {
    try {
      resolve(need);
      return false;
    } catch {
      return true;
    }
  });
}

/** `{ '/103-presets/index.html': '…', '/103-presets/main.js': … }`. */
export async function buildExamples(options = {}) {
  const { plugins = [], minify = false } = options;
  const names = listExamples().filter((name) => listMissing(name).length === 0);
  const entryPoints = names.flatMap((name) =>
    ['main.ts', 'main.tsx'].map((file) => join(folder, name, file)).filter((path) => existsSync(path)),
  );
  // esbuild knows no workers: the one that plans characters is an entry of its own, where the shared pieces are.
  const pages = Object.fromEntries(entryPoints.map((path) => [relative(folder, path).replace(/\.tsx?$/, ''), path]));
  const result = await build({
    entryPoints: { ...pages, 'shared/plan-worker': '@isoskin/core/plan-worker' },
    outdir: '/',
    bundle: true,
    splitting: true,
    chunkNames: 'shared/[name]-[hash]',
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    external: ['node:*'], // dynamic imports of glTF-Transform that a browser never reaches
    nodePaths: process.env.NODE_PATH?.split(delimiter) ?? [],
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    minify,
    write: false,
    logLevel: 'warning',
    plugins,
  });
  const files = {};
  for (const { path, contents } of result.outputFiles)
    files[path.replaceAll('\\', '/').replace(/^[A-Z]:/, '')] = contents;
  for (const name of names) files[`/${name}/index.html`] = readFileSync(join(folder, name, 'index.html'), 'utf8');
  for (const name of names) {
    const maker = join(folder, name, 'make-files.mjs');
    if (!existsSync(maker)) continue;
    const { makeFiles } = await import(pathToFileURL(maker).href);
    for (const [file, contents] of Object.entries(await makeFiles())) files[`/${name}/${file}`] = contents;
  }
  files['/shared/style.css'] = readFileSync(join(folder, 'shared/style.css'), 'utf8');
  files['/index.html'] = createIndex(names);
  return files;
}

function createIndex(names) {
  const links = names.map((name) => {
    const [, title] = /<h1>(.*?)<\/h1>/.exec(readFileSync(join(folder, name, 'index.html'), 'utf8'));
    return `<a href="${name}/"><b>${name.slice(0, 3)}</b>${title}</a>`;
  });
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>isoskin examples</title><link rel="stylesheet" href="shared/style.css"></head>
<body><main><h1>isoskin</h1><p>Each page is one idea.</p><nav>${links.join('')}</nav></main></body>
</html>`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const out = process.argv[2] ?? join(folder, 'dist');
  const files = await buildExamples({ minify: true });
  for (const [path, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), contents);
  }
  console.log(`${listExamples().length} pages in ${out}`);
}
