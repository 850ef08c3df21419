/** Bad weather: workers and Redis are killed while 200 characters are baked. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeCharacter } from '@isoskin/gltf';
import { createDemo } from '@isoskin/implicit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRedis, redisNote, startRedis, type TestRedis } from './start-redis.js';

const SEED = 11;
const COUNT = 200;
const WORKERS = 4;
const FPS = '6';
const bin = fileURLToPath(new URL('../../cli/bin/isoskin.js', import.meta.url));
const reference = fileURLToPath(new URL('./bake-locally.mjs', import.meta.url));

describe.skipIf(!hasRedis)(`a cluster in bad weather${redisNote}`, () => {
  let folder = '';
  let redis: TestRedis;
  const workers = new Set<ChildProcess>();
  const path = (...parts: string[]) => join(folder, ...parts);
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [bin, 'cluster', ...args, '--redis', redis.url], { encoding: 'utf8' });
  const startWorker = (): void => {
    const options = ['--concurrency', '1', '--lock', '6', '--log', path('log'), '--redis', redis.url];
    const worker = spawn(process.execPath, [bin, 'cluster', 'worker', ...options], { stdio: 'ignore' });
    worker.on('exit', () => workers.delete(worker));
    workers.add(worker);
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'isoskin-kill-'));
    await mkdir(path('in'));
    const glb = await writeCharacter(createDemo('tube', { vertices: 120 }));
    for (let n = 0; n < COUNT; n++) await writeFile(path('in', `tube-${n}.glb`), withNumber(glb, n));
    redis = await startRedis();
  });
  afterAll(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await redis?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it(`bakes ${COUNT} characters through kills of workers and of Redis, each chunk once (seed ${SEED})`, async () => {
    const random = mulberry32(SEED);
    const submitted = run('submit', path('in', '*.glb'), '--out', path('out'), '--fps', FPS, '--chunk', '13');
    expect(submitted.stderr).toBe('');
    expect(submitted.stdout).toContain(`${COUNT} submitted`);

    const kills: { readonly time: number; readonly worker: number }[] = [];
    const countOut = () => (existsSync(path('out')) ? readdirSync(path('out')).filter(isModel).length : 0);
    for (let n = 0; n < WORKERS; n++) startWorker();
    let isRedisKilled = false;
    const end = Date.now() + 240_000;
    let next = 5;
    while (countOut() < COUNT && Date.now() < end) {
      await sleep(20 + 200 * random());
      const done = countOut();
      if (!isRedisKilled && done > COUNT * 0.4) {
        isRedisKilled = true;
        await redis.kill();
        await sleep(1000);
        await redis.start();
      } else if (done >= next) {
        // By progress, not by time: a fast machine is hit as often as a slow one.
        next = done + 10 + 10 * random();
        const victim = [...workers][Math.floor(random() * workers.size)]!;
        kills.push({ time: Date.now(), worker: victim.pid! });
        victim.kill('SIGKILL');
        startWorker();
      }
    }
    expect(isRedisKilled).toBe(true);
    expect(kills.length).toBeGreaterThan(5);

    // The queue knows that all is done, and nothing was given up.
    let status = { done: 0, waiting: -1, running: -1, failed: -1 };
    while (status.done < COUNT && Date.now() < end) {
      await sleep(500);
      status = JSON.parse(run('status', '--json').stdout);
    }
    expect(status).toMatchObject({ done: COUNT, waiting: 0, running: 0, failed: 0 });

    spawnSync(process.execPath, [reference, path('in'), path('local'), FPS]);
    const wrong = readdirSync(path('in')).filter(
      (name) => !readFileSync(path('out', name)).equals(readFileSync(path('local', name))),
    );
    expect(wrong).toEqual([]);
    expect(listAll(path('out')).filter((name) => name.endsWith('.tmp'))).toEqual([]);

    const events = readFileSync(path('log'), 'utf8').trim().split('\n').map(parseEvent);
    const computed = new Map<string, LogEvent[]>();
    for (const event of events.filter(({ event }) => event === 'compute')) {
      computed.set(event.key, [...(computed.get(event.key) ?? []), event]);
    }
    expect(computed.size).toBe(listAll(path('out', '.isoskin')).filter((name) => /\/[\da-f]{64}$/.test(name)).length);
    const again = [...computed.values()].filter((list) => list.length > 1);
    for (const list of again) {
      for (const { worker, time, key } of list.slice(0, -1)) {
        // An orphan may begin with what it was sent before it sees that its worker is dead.
        const kill = kills.find((one) => one.worker === worker && one.time + 2000 >= time);
        expect(kill, `${key} was computed again though its worker was not killed`).toBeDefined();
        const stored = events.find((one) => one.event === 'stored' && one.key === key && one.time < kill!.time);
        expect(stored, `${key} was computed again though it was stored before the kill`).toBeUndefined();
      }
    }
    expect(again.length).toBeLessThanOrEqual(kills.length);
    if (process.env.ISOSKIN_TEST_FACTS) {
      const facts = { kills: kills.length, chunks: computed.size, again: again.length };
      appendFileSync(process.env.ISOSKIN_TEST_FACTS, `${JSON.stringify(facts)}\n`);
    }
  }, 300_000);
});

interface LogEvent {
  readonly time: number;
  readonly worker: number;
  readonly event: string;
  readonly key: string;
}

function parseEvent(line: string): LogEvent {
  return JSON.parse(line);
}

const isModel = (name: string): boolean => name.endsWith('.glb');
const sleep = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

function listAll(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' });
}

/** The same model with a number in its scene: other bytes in, other bytes out. */
function withNumber(glb: Uint8Array, number: number): Uint8Array {
  const length = new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
  json.scenes[0].extras = { number };
  const text = new TextEncoder().encode(JSON.stringify(json));
  const padded = Math.ceil(text.length / 4) * 4;
  const out = new Uint8Array(20 + padded + glb.length - 20 - length).fill(0x20, 0, 20 + padded);
  out.set(glb.subarray(0, 20));
  out.set(text, 20);
  out.set(glb.subarray(20 + length), 20 + padded);
  const view = new DataView(out.buffer);
  view.setUint32(8, out.length, true);
  view.setUint32(12, padded, true);
  return out;
}

function mulberry32(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
