/** Entry of the bundle that gpu-frame.test.ts runs in Node: options (JSON), models (name=path); the answers as JSON on stdout. */
import { readFileSync } from 'node:fs';
import { create, globals } from 'webgpu';
import { runCases } from './gpu-cases.js';

Object.assign(globalThis, globals);
const gpu = create([]);
Object.assign(globalThis, { isoskinGpu: gpu }); // kept alive: collected, it takes the process with it
const [options, ...files] = process.argv.slice(2) as [string, ...string[]];
const models = Object.fromEntries(
  files.map((file) => {
    const [name, path] = file.split('=') as [string, string];
    return [name, new Uint8Array(readFileSync(path))];
  }),
);
const answers = await runCases(gpu, { ...JSON.parse(options), models });
process.stdout.write(`\n${JSON.stringify(answers)}\n`, () => process.exit(0));
