/**
 * What this machine has of what isoskin can use, and what it costs where something is missing. Nothing is sent anywhere but to the
 * Redis that was named.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { connectRedis } from '@isoskin/cluster';
import { createWasmKernels } from '@isoskin/wasm';

export interface Finding {
  readonly name: string;
  /** `missing`: isoskin works without it, at a cost; `broken`: something will fail. */
  readonly state: 'found' | 'missing' | 'broken';
  readonly found: string;
  /** What is slower or impossible, and what to do. Empty where nothing is. */
  readonly cost: string;
}

export interface MachineOptions {
  readonly redis?: string | undefined;
  /** A folder that has the `webgpu` package, if any has. Default: the one that the command runs in. */
  readonly folder?: string;
}

const { resolve } = createRequire(import.meta.url);
const PATIENCE_MS = 10_000;

export async function examineMachine(options: MachineOptions = {}): Promise<readonly Finding[]> {
  const { redis, folder = process.cwd() } = options;
  return Promise.all([
    examineNode(),
    examinePackages(),
    examineProcessors(),
    examineWasm(),
    examineGpu(folder),
    examineRedis(redis),
    examineStudio(),
  ]);
}

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
}

function readManifest(path: URL | string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}

const ownManifest = (): Manifest => readManifest(new URL('../package.json', import.meta.url));

function examineNode(): Finding {
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
  const wanted = /(\d+)\.(\d+)/.exec(ownManifest().engines.node)!.slice(1).map(Number) as [number, number];
  const isOld = major < wanted[0] || (major === wanted[0] && minor < wanted[1]);
  const cost = isOld ? `isoskin is tested with Node ${wanted.join('.')} and later: install a newer one` : '';
  return { name: 'Node', state: isOld ? 'broken' : 'found', found: process.versions.node, cost };
}

/** All packages of isoskin are released together: two versions in one folder do not fit each other. */
function examinePackages(): Finding {
  const { version, dependencies } = ownManifest();
  const names = Object.keys(dependencies).filter((name) => name.startsWith('@isoskin/'));
  const others = names
    .map((name) => ({ name, version: readManifest(resolve(`${name}/package.json`)).version }))
    .filter((other) => other.version !== version);
  if (others.length === 0) return { name: 'isoskin', state: 'found', found: version, cost: '' };
  const list = others.map((other) => `${other.name} ${other.version}`).join(', ');
  const cost = 'packages of different releases do not fit each other: npm install isoskin@latest';
  return { name: 'isoskin', state: 'broken', found: `${version} with ${list}`, cost };
}

function examineProcessors(): Finding {
  const count = availableParallelism();
  const memory = `${(totalmem() / 2 ** 30).toFixed(1)} GiB`;
  const found = `${count} ${count === 1 ? 'processor' : 'processors'}, ${memory}`;
  const cost = count > 1 ? '' : 'bakes of large files run on one thread';
  return { name: 'processors', state: count > 1 ? 'found' : 'missing', found, cost };
}

async function examineWasm(): Promise<Finding> {
  const complaints: string[] = [];
  try {
    const kernels = await createWasmKernels({ log: (message) => complaints.push(message) });
    const simd = kernels.relaxed ? 'relaxed SIMD' : 'SIMD';
    const found = `${simd}, ${kernels.threads} ${kernels.threads === 1 ? 'thread' : 'threads'}`;
    kernels.dispose();
    return { name: 'WASM', state: complaints.length > 0 ? 'missing' : 'found', found, cost: complaints.join(' ') };
  } catch (error) {
    const cost = `frames are computed in TypeScript, several times slower (${describe(error)})`;
    return { name: 'WASM', state: 'missing', found: 'none', cost };
  }
}

/** In a process of its own: a driver that crashes takes only that down. */
const GPU_PROBE = `const { create } = await import(process.argv[1]);
const adapter = await create([]).requestAdapter();
const { vendor, architecture, device, description } = adapter?.info ?? {};
console.log(adapter ? description || [vendor, architecture, device].filter(Boolean).join(' ') || 'a device' : '');
process.exit();`;

async function examineGpu(folder: string): Promise<Finding> {
  const without = 'only programs that use @isoskin/webgpu in Node need it; browsers bring their own';
  let path: string;
  try {
    path = createRequire(join(folder, 'here.js')).resolve('webgpu');
  } catch {
    const cost = `${without}: npm install webgpu`;
    return { name: 'WebGPU', state: 'missing', found: 'no package “webgpu” here', cost };
  }
  try {
    const args = ['--input-type=module', '-e', GPU_PROBE, pathToFileURL(path).href];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: PATIENCE_MS });
    const found = stdout.trim();
    if (found) return { name: 'WebGPU', state: 'found', found, cost: '' };
    return { name: 'WebGPU', state: 'missing', found: 'no device', cost: `${without}; a driver for Vulkan is missing` };
  } catch {
    const cost = `${without}; a driver for Vulkan is missing`;
    return { name: 'WebGPU', state: 'missing', found: 'the device did not open', cost };
  }
}

async function examineRedis(url: string | undefined): Promise<Finding> {
  try {
    const redis = await connectRedis(url);
    const info = await redis.info('server');
    redis.disconnect();
    const found = `Redis ${/redis_version:(\S+)/.exec(info)?.[1] ?? 'of unknown version'}`;
    return { name: 'Redis', state: 'found', found, cost: '' };
  } catch (error) {
    const cost = `only “isoskin cluster” needs it, everything else runs on this machine alone (${describe(error)})`;
    return { name: 'Redis', state: 'missing', found: 'does not answer', cost };
  }
}

function examineStudio(): Finding {
  const page = join(resolve('@isoskin/studio/package.json'), '../dist/index.html');
  if (existsSync(page)) return { name: 'studio', state: 'found', found: 'built', cost: '' };
  const cost = '“isoskin studio” has nothing to show: npm run build, in the clone';
  return { name: 'studio', state: 'broken', found: 'not built', cost };
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
