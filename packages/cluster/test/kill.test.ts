/**
 * Bad weather: the submitter, workers, their children and Redis are killed while 40 characters are baked.
 *
 *   ISOSKIN_KILL_COUNT=1000 ISOSKIN_KILL_SEED=12 npx vitest run packages/cluster/test/kill.test.ts      a long run, figures printed
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDemo } from '@isoskin/demos';
import { writeCharacter } from '@isoskin/gltf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRedis, redisNote, startRedis, type TestRedis } from './start-redis.js';

const SEED = Number(process.env.ISOSKIN_KILL_SEED ?? 11);
const COUNT = Number(process.env.ISOSKIN_KILL_COUNT ?? 40);
/** Milliseconds for all of it, many times what a machine of its own takes. */
const PATIENCE = 240_000 + 3000 * Math.max(0, COUNT - 200);
/** Models between two kills of Redis, and of anybody else: at least two and ten of them, however few models there are. */
const REDIS_EVERY = Math.min(80, 0.4 * COUNT);
const KILL_EVERY = Math.min(10, COUNT / 20);
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

  it(
    `bakes ${COUNT} characters through kills of workers and of Redis, each chunk once (seed ${SEED})`,
    async () => {
      const random = mulberry32(SEED);
      const submission = ['submit', path('in', '*.glb'), '--out', path('out'), '--fps', FPS, '--chunk', '13'];
      const submitter = spawn(process.execPath, [bin, 'cluster', ...submission, '--redis', redis.url]);
      await sleep(600 + 600 * random());
      submitter.kill('SIGKILL');
      const submitted = run(...submission);
      expect(submitted.stderr).toBe('');
      const counts = JSON.parse(run('status', '--json').stdout);
      expect(counts).toMatchObject({ waiting: COUNT, failed: 0 });

      const kills: { readonly time: number; readonly worker: number; readonly kind: 'worker' | 'child' }[] = [];
      const children = new Set<number>();
      const countOut = () => (existsSync(path('out')) ? readdirSync(path('out')).filter(isModel).length : 0);
      for (let n = 0; n < WORKERS; n++) startWorker();
      let redisKills = 0;
      const end = Date.now() + PATIENCE;
      let next = KILL_EVERY / 2;
      while (countOut() < COUNT && Date.now() < end) {
        await sleep(20 + 200 * random());
        const done = countOut();
        if (done > REDIS_EVERY * (redisKills + 1)) {
          redisKills++;
          await redis.kill();
          await sleep(1000);
          await redis.start();
        } else if (done >= next) {
          // By progress, not by time: a fast machine is hit as often as a slow one.
          next = done + KILL_EVERY * (1 + random());
          const victim = [...workers][Math.floor(random() * workers.size)]!;
          const [child] = listChildren(victim.pid!);
          for (const pid of listChildren(victim.pid!)) children.add(pid);
          if (child !== undefined && random() < 0.3) {
            kills.push({ time: Date.now(), worker: victim.pid!, kind: 'child' });
            process.kill(child, 'SIGKILL');
          } else {
            kills.push({ time: Date.now(), worker: victim.pid!, kind: 'worker' });
            victim.kill('SIGKILL');
            startWorker();
          }
        }
      }
      expect(redisKills).toBeGreaterThan(0);
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
      // Who was killed left nobody behind: a child sees that its worker is gone and ends.
      expect([...children].filter((pid) => isOrphan(pid))).toEqual([]);
      if (process.env.ISOSKIN_KILL_COUNT) {
        const count = (kind: string) => kills.filter((kill) => kill.kind === kind).length;
        const facts = { workers: count('worker'), children: count('child'), redis: redisKills, submitter: 1 };
        console.log(JSON.stringify({ models: COUNT, killed: facts, chunks: computed.size, again: again.length }));
      }
    },
    2 * PATIENCE,
  );
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

/** Process numbers of the children of a process; none where there is no /proc. */
function listChildren(parent: number): number[] {
  const isChild = (pid: string) => parentOf(pid) === parent;
  return existsSync('/proc') ? readdirSync('/proc').filter(isChild).map(Number) : [];
}

/** A child that lives on after its worker has a new parent. */
function isOrphan(pid: number): boolean {
  const parent = parentOf(String(pid));
  return parent !== undefined && parent <= 1;
}

function parentOf(pid: string): number | undefined {
  if (!/^\d+$/.test(pid)) return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : Number(parent);
  } catch {
    return undefined; // it has ended
  }
}

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
