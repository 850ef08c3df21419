/**
 * Coverage-guided fuzzing of everything that reads a file (jazzer.js), from the corpus in the repository.
 *
 *   node scripts/fuzz.mjs glb|stack|scene [seconds]
 *
 * A crash leaves its input under out/fuzz/ and ends with a non-zero code; make a test of it in fuzz/repro.test.ts.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const TARGETS = { glb: 'readModel', stack: 'readStackJson', scene: 'readSceneJson' };
const [name = 'glb', seconds = '60'] = process.argv.slice(2);
const target = TARGETS[name];
if (!target || !(Number(seconds) > 0)) {
  console.error('node scripts/fuzz.mjs glb|stack|scene [seconds]');
  process.exit(1);
}

const out = join('out', 'fuzz', name);
const corpus = join(out, 'corpus');
mkdirSync(corpus, { recursive: true });
for (const file of readdirSync(join('fuzz', 'corpus', name))) {
  copyFileSync(join('fuzz', 'corpus', name, file), join(corpus, file));
}

// jazzer.js instruments CommonJS as it is required, so everything goes into one such file.
const input = name === 'glb' ? 'new Uint8Array(data)' : 'data.toString("utf8")';
await build({
  stdin: {
    contents: `import { ${target} } from './fuzz/targets.ts'; export const fuzz = (data) => ${target}(${input});`,
    resolveDir: '.',
  },
  bundle: true,
  platform: 'node',
  format: 'cjs',
  outfile: join(out, 'target.cjs'),
  define: { 'import.meta.url': '__url' },
  banner: { js: 'const __url = require("node:url").pathToFileURL(__filename).href;' },
  conditions: ['browser'],
  logLevel: 'error',
});
writeFileSync(join(out, 'glb.dict'), '"glTF"\n"JSON"\n"BIN\\x00"\n"accessors"\n"byteOffset"\n"__proto__"\n');

// jazzer.js needs glibc 2.38; an older system can give the loader and libraries of a newer one in front of Node.
const [command, ...before] = [...(process.env.ISOSKIN_FUZZ_LOADER?.split(' ') ?? []), process.execPath];
const result = spawnSync(
  command,
  [
    ...before,
    join('node_modules', '@jazzer.js', 'core', 'dist', 'cli.js'),
    join(out, 'target.cjs'),
    corpus,
    '--timeout=5000',
    '-i=target.cjs',
    '--',
    `-max_total_time=${seconds}`,
    '-max_len=65536',
    '-rss_limit_mb=2048',
    `-dict=${join(out, 'glb.dict')}`,
    `-artifact_prefix=${out}/`,
    '-print_final_stats=1',
  ],
  { stdio: 'inherit' },
);
process.exit(result.status ?? 1);
