/**
 * Whether this tree is slower than a commit before it: both are built, and their benchmarks run in turns in one run. What is compared are
 * ratios of times that were taken together (a frame ÷ plain skinning with normals, on one thread), so that a busy or another machine does not
 * matter much; the better of the rounds counts on both sides.
 *
 *   ratio_head ≤ 1.15 · ratio_base        for every set of kernels and size
 *
 * npm run bench:guard [-- base] [--rounds 3] [--sizes 5720]      base: a commit, default the last one before HEAD
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TOLERANCE = 1.15;
const RATIOS = ['frame', 'cold'];

/** Sentences about every ratio of `head` that is more than TOLERANCE times that of `base`; both: name → the ratios of all rounds. */
export function compareRatios(base, head) {
  const faults = [];
  for (const [name, ratios] of head) {
    const before = Math.min(...(base.get(name) ?? []));
    const now = Math.min(...ratios);
    if (now > TOLERANCE * before)
      faults.push(
        `${name}: ${now.toFixed(2)}× plain skinning, ${before.toFixed(2)}× before (${(now / before).toFixed(2)}×)`,
      );
  }
  return faults;
}

/** name → ratio of one run of a tree's own benchmark. */
function runBenchmark(tree, sizes) {
  const words = ['benchmarks/run.mjs', '--json', '--details', '--quick', '--sizes', sizes];
  const text = execFileSync(process.execPath, words, {
    cwd: tree,
    encoding: 'utf8',
    maxBuffer: 1e8,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const rows = JSON.parse(text).rows.filter(({ threads }) => threads === 1);
  return rows.flatMap(({ kernels, vertices, undisturbed }) =>
    RATIOS.filter((name) => undisturbed[name] > 0).map((name) => [
      `${kernels}, ${vertices} vertices, ${name}`,
      undisturbed[name] / undisturbed.skinNormals,
    ]),
  );
}

/** A tree of `commit` with the packages of this one installed and its own built. */
function checkOut(commit) {
  const tree = mkdtempSync(join(tmpdir(), 'isoskin-base-'));
  git('worktree', 'add', '--detach', '--force', tree, commit);
  const link = (name) => symlinkSync(join(ROOT, 'node_modules', name), join(tree, 'node_modules', name), 'junction');
  mkdirSync(join(tree, 'node_modules/@isoskin'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules'))) if (name !== '@isoskin') link(name);
  for (const parent of ['packages', 'apps'])
    for (const name of readdirSync(join(tree, parent)))
      symlinkSync(join(tree, parent, name), join(tree, 'node_modules/@isoskin', name), 'junction');
  execFileSync(process.execPath, ['packages/wasm/scripts/build-wasm.mjs'], { cwd: tree, stdio: 'inherit' });
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-b', 'packages/wasm'], { cwd: tree, stdio: 'inherit' });
  return tree;
}

function git(...words) {
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
}

function main() {
  const { values, positionals } = parseArgs({
    options: { rounds: { type: 'string', default: '3' }, sizes: { type: 'string', default: '5720' } },
    allowPositionals: true,
  });
  const base = git('rev-parse', positionals[0] ?? 'HEAD~1');
  const tree = checkOut(base);
  const found = { base: new Map(), head: new Map() };
  try {
    for (let round = 0; round < Number(values.rounds); round++)
      for (const side of round % 2 === 0 ? ['base', 'head'] : ['head', 'base'])
        for (const [name, ratio] of runBenchmark(side === 'base' ? tree : ROOT, values.sizes))
          found[side].set(name, [...(found[side].get(name) ?? []), ratio]);
  } finally {
    git('worktree', 'remove', '--force', tree);
    rmSync(tree, { recursive: true, force: true });
  }
  for (const [name, ratios] of found.head) {
    const before = found.base.get(name);
    const show = (list) => (list ? `${Math.min(...list).toFixed(2)}×` : '–');
    console.log(`${name.padEnd(40)} base ${show(before)}  head ${show(ratios)}`);
  }
  const faults = compareRatios(found.base, found.head);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
