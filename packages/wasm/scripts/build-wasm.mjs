/**
 * Compiles the AssemblyScript kernels — those of frames four times: plain and relaxed SIMD, own and shared memory; those of folds, bakes and contact once — into TypeScript modules
 * of base64 text, so that Node, bundlers and plain pages load them without configuration. Does nothing when up to date.
 *
 * node packages/wasm/scripts/build-wasm.mjs
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { main } from 'assemblyscript/asc';

const folder = fileURLToPath(new URL('..', import.meta.url));
const ONCE = ['fold', 'bake', 'search'];
const targets = ['frame', ...ONCE].map((name) => `${folder}src/generated/${name}-code.ts`);
const OPTIONS = '-O3 --converge --noAssert --disableWarning 112 --runtime stub --importMemory'.split(' ');
const FEATURES = ['simd', 'bulk-memory', 'threads'].flatMap((name) => ['--enable', name]);
const SHARED = ['--sharedMemory', '--maximumMemory', '65536'];
const RELAXED = ['--enable', 'relaxed-simd'];

const sources = ['src/layout.ts', ...readdirSync(`${folder}assembly`).map((name) => `assembly/${name}`)].filter(
  (name) => name.endsWith('.ts'),
);
const files = new Map(sources.map((name) => [name, readFileSync(folder + name, 'utf8')]));
const hash = createHash('sha256').update(JSON.stringify([...files]));
const stamp = hash
  .update(readFileSync(fileURLToPath(import.meta.url)))
  .digest('hex')
  .slice(0, 16);
const head = `// Made by scripts/build-wasm.mjs from assembly/ (${stamp}). Do not edit.\n`;

if (targets.some((target) => !existsSync(target) || !readFileSync(target, 'utf8').startsWith(head))) {
  const codes = {
    plain: await compile([]),
    plainShared: await compile(SHARED),
    relaxed: await compile(RELAXED),
    relaxedShared: await compile([...RELAXED, ...SHARED]),
  };
  mkdirSync(`${folder}src/generated`, { recursive: true });
  const lines = Object.entries(codes).map(
    ([name, bytes]) => `  ${name}: '${Buffer.from(bytes).toString('base64')}',\n`,
  );
  writeFileSync(
    targets[0],
    `${head}export const FRAME_CODE = {
${lines.join('')}};
`,
  );
  for (const [n, name] of ONCE.entries()) {
    codes[name] = await compile([], `${name}-index`);
    const text = Buffer.from(codes[name]).toString('base64');
    writeFileSync(
      targets[n + 1],
      `${head}export const ${name.toUpperCase()}_CODE = '${text}';
`,
    );
  }
  const sizes = Object.entries(codes).map(([name, { length }]) => `${name} ${length}`);
  console.log(`Kernels compiled, bytes: ${sizes.join(', ')}`);
}

async function compile(more, entry = 'index') {
  let binary;
  const words = [`assembly/${entry}.ts`, ...OPTIONS, ...FEATURES, ...more, '--outFile', 'frame.wasm'];
  const { error, stderr } = await main(words, {
    readFile: (name) => files.get(name.replace(/^\.\//, '')) ?? null,
    writeFile: (_name, contents) => {
      binary = contents;
    },
    listFiles: () => [],
  });
  if (error) throw new Error(`The kernels could not be compiled: ${error.message}\n${stderr.toString()}`);
  return binary;
}
