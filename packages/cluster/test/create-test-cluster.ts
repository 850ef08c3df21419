/** A Redis, a folder with models, and workers in this process; their children run the built files. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { presetStack } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { BAKE_DEFAULTS, writeCharacter } from '@isoskin/gltf';
import {
  type BakeSettings,
  connectRedis,
  openQueue,
  type RunningWorker,
  type SubmitOptions,
  startWorker,
  submitFiles,
  type WorkerSettings,
} from '../src/index.js';
import { startRedis } from './start-redis.js';

export const bin = fileURLToPath(new URL('../../cli/bin/isoskin.js', import.meta.url));
export const SETTINGS: BakeSettings = { stack: presetStack(), ...BAKE_DEFAULTS };
export const LIMITS = { memory: 2048, seconds: 120 };
export const sleep = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

export interface LogEvent {
  readonly time: number;
  readonly pid: number;
  readonly worker: number;
  readonly event: string;
  readonly key: string;
}

export async function createTestCluster() {
  const server = await startRedis();
  const folder = await mkdtemp(join(tmpdir(), 'isoskin-cluster-'));
  const redis = await connectRedis(server.url);
  const queue = openQueue(redis);
  const workers = new Set<RunningWorker>();
  const path = (...parts: string[]) => join(folder, ...parts);
  let seen = 0;
  /** What workers have logged. */
  const events = (): LogEvent[] => {
    if (!existsSync(path('log'))) return [];
    const lines = readFileSync(path('log'), 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line));
  };
  return {
    server,
    redis,
    queue,
    path,
    async write(name: string, demo = 'tube', vertices?: number): Promise<Uint8Array> {
      const bytes = await writeCharacter(createDemo(demo, vertices === undefined ? {} : { vertices }));
      await mkdir(dirname(path(name)), { recursive: true });
      await writeFile(path(name), bytes);
      return bytes;
    },
    submit: (pattern: string, options: Partial<SubmitOptions> = {}) =>
      submitFiles(queue, {
        patterns: [path(pattern)],
        out: path('out'),
        settings: SETTINGS,
        limits: LIMITS,
        ...options,
      }),
    work(settings: Partial<WorkerSettings> = {}): RunningWorker {
      const worker = startWorker({ redis, lock: 10, log: path('log'), ...settings });
      workers.add(worker);
      return worker;
    },
    events,
    /** Keys of what was computed since the last call, in order. */
    computed(): string[] {
      const fresh = events().slice(seen);
      seen += fresh.length;
      return fresh.filter(({ event }) => event === 'compute').map(({ key }) => key);
    },
    /** What `isoskin bake` makes of a model. */
    bakeLocally(name: string, ...options: string[]): Buffer {
      const output = path(`local-${name.replaceAll('/', '-')}.glb`);
      const { stderr } = spawnSync(process.execPath, [bin, 'bake', path(name), '-o', output, ...options], {
        encoding: 'utf8',
      });
      if (stderr) throw new Error(stderr);
      return readFileSync(output);
    },
    async stopWorkers(): Promise<void> {
      await Promise.all([...workers].map((worker) => worker.close(true)));
      workers.clear();
    },
    async close(): Promise<void> {
      await this.stopWorkers();
      await queue.close();
      redis.disconnect();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
