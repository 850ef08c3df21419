/**
 * Does what the README, the guides, the page on pipelines and the READMEs of the packages say: every code block of a page, in its order, in one empty
 * folder. The words behind the three backticks say what a block is:
 *
 *   sh              commands; each block must end well. `npm install` lines are run against a registry, else left out
 *   console         lines after `$ ` are run; what is printed must have the lines that follow, `…` for any others
 *   js main.js      (html, json, ts …) a file of that name
 *   js, ts          a piece of a program: it must bundle, so its imports exist
 *   anything skip   not run: a server that does not end, a sketch
 *
 * node scripts/run-docs.mjs [page …]     default: all of them; on the packages of this clone, which must be built
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from './list-packages.mjs';

/** Pages whose blocks are run, relative to the root. */
export function listJourneys() {
  const guides = readdirSync(join(ROOT, 'docs/guides')).sort();
  const readmes = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}/README.md`),
  );
  return ['README.md', ...guides.map((name) => `docs/guides/${name}`), 'docs/pipelines.md', ...readmes].filter((page) =>
    existsSync(join(ROOT, page)),
  );
}

/** `{ language, words, code, line }` of every fenced block. */
export function listBlocks(text) {
  return [...text.matchAll(/^```(\w+)([^\n]*)\n([\s\S]*?)^```$/gm)].map(({ 1: language, 2: words, 3: code, index }) => {
    const line = text.slice(0, index).split('\n').length;
    return { language, words: words.trim().split(/\s+/).filter(Boolean), code, line };
  });
}

/** Runs a page; throws with its name and line at the first block that does not do what it should. Returns how many ran. */
export async function runPage(page, { env = process.env, install = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'isoskin-docs-'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  if (!install) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  let count = 0;
  try {
    for (const block of listBlocks(readFileSync(join(ROOT, page), 'utf8'))) {
      if (block.words.includes('skip')) continue;
      try {
        await runBlock(block, { folder, env, install });
        count++;
      } catch (error) {
        throw new Error(`${page}:${block.line}: ${error.message}`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return count;
}

async function runBlock({ language, words, code }, { folder, env, install }) {
  const [file] = words;
  if (file) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), code);
  } else if (language === 'sh') {
    const lines = code.split('\n').filter((line) => install || !/^npm (install|i|init) /.test(line));
    runShell(lines.join('\n'), folder, env);
  } else if (language === 'console') {
    for (const part of code.split(/^\$ /m).filter(Boolean)) {
      const [command, ...expected] = part.split('\n');
      compareLines(runShell(command, folder, env), expected);
    }
  } else if (language === 'js' || language === 'ts') {
    await bundle(code, language, folder);
  }
}

function runShell(script, cwd, env) {
  if (script.trim() === '') return '';
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`exit code ${status}\n${script}\n${stdout}${stderr}`);
  return stdout;
}

/** Numbers that are next to nothing differ between machines in their last bits. */
const normalise = (line) =>
  line
    .replace(/[+−-]?\d+(\.\d+)?e[−-]\d+/g, '≈0')
    .replace(/[\s─]+/g, ' ')
    .trim();

function compareLines(output, expected) {
  const lines = output.split('\n').map(normalise);
  let from = 0;
  for (const line of expected.map(normalise)) {
    if (line === '' || line === '…') continue;
    const found = lines.indexOf(line, from);
    if (found < 0) throw new Error(`the page says “${line}”, which was not printed:\n${output}`);
    from = found + 1;
  }
}

async function bundle(contents, loader, resolveDir) {
  const external = ['node:*', ...builtinModules, 'react', 'react-dom', '@react-three/fiber'];
  const stdin = { contents, loader, resolveDir };
  const options = { bundle: true, write: false, format: 'esm', platform: 'node', logLevel: 'silent', external };
  await build({ ...options, stdin, target: 'es2022' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const pages = process.argv.length > 2 ? process.argv.slice(2) : listJourneys();
  for (const page of pages) {
    const start = performance.now();
    const count = await runPage(page);
    console.log(`${page}: ${count} blocks, ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
}
