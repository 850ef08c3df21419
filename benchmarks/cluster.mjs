/**
 * The cluster against the local bake, and two workers against one, interleaved: wall time, and the processor time of the
 * processes that take part, which other programs on the machine change less. Workers, Redis and the local process are started
 * before the clock. Every result is compared byte by byte. Needs a build and redis-server.
 *
 *   node benchmarks/cluster.mjs [rounds] [models] [demo]
 */
import { fork, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectRedis, LIMIT_DEFAULTS, openQueue, submitFiles, waitForJobs } from '@isoskin/cluster';
import { presetStack } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { BAKE_DEFAULTS, bakeCharacter, writeCharacter } from '@isoskin/gltf';
import { readCharacter } from '@isoskin/gltf/node';

const script = fileURLToPath(import.meta.url);
const bin = fileURLToPath(new URL('../packages/cli/bin/isoskin.js', import.meta.url));
if (process.argv[2] === 'local') serveLocal();
else await measure(Number(process.argv[2] ?? 3), Number(process.argv[3] ?? 6), process.argv[4] ?? 'hero');

/** All models one after the other in one process. */
function serveLocal() {
  process.once('message', async ({ from, to }) => {
    mkdirSync(to);
    for (const name of readdirSync(from)) {
      const { glb } = await bakeCharacter(await readCharacter(join(from, name)));
      writeFileSync(join(to, name), glb);
    }
    process.send('done');
  });
  process.send('ready');
}

async function measure(rounds, models, demo) {
  const folder = mkdtempSync(join(tmpdir(), 'isoskin-bench-'));
  const input = join(folder, 'in');
  mkdirSync(input);
  const glb = await writeCharacter(createDemo(demo));
  for (let n = 0; n < models; n++) writeFileSync(join(input, `${n}.glb`), withNumber(glb, n));
  const { vertices, samples } = await countWork(join(input, '0.glb'));
  const port = await findPort();
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
  const server = spawn('redis-server', [...place, '--save', '', '--appendonly', 'yes'], { stdio: 'ignore' });
  await sleep(1000);
  const redis = await connectRedis(`redis://127.0.0.1:${port}`);
  const queue = openQueue(redis);
  const rows = [];
  const add = (row) => {
    rows.push(row);
    console.log(describe(row));
  };
  try {
    for (let round = 0; round < rounds; round++) {
      const local = join(folder, `local-${round}`);
      add({ kind: 'local', ...(await runLocal(input, local)) });
      for (const count of [1, 2]) {
        const out = join(folder, `out-${round}-${count}`);
        add({ kind: `${count} worker${count > 1 ? 's' : ''}`, ...(await runCluster(redis, queue, count, input, out)) });
        for (const name of readdirSync(local)) {
          if (!readFileSync(join(local, name)).equals(readFileSync(join(out, name))))
            throw new Error(`${name} differs`);
        }
        rmSync(out, { recursive: true });
      }
    }
  } finally {
    await queue.close();
    redis.disconnect();
    server.kill();
    rmSync(folder, { recursive: true });
  }
  const best = (kind, field) => Math.min(...rows.filter((row) => row.kind === kind).map((row) => row[field]));
  const million = (models * vertices * samples) / 1e6;
  console.log(
    `\n${models} × ${demo}: ${vertices} vertices × ${samples} half frames; ${availableParallelism()} cores; best of ${rounds}`,
  );
  console.log(
    `2 workers against 1: ${(best('1 worker', 'wall') / best('2 workers', 'wall')).toFixed(2)} times as fast`,
  );
  console.log(
    `1 worker against local: wall ${(best('1 worker', 'wall') / best('local', 'wall')).toFixed(3)}, processor ${(best('1 worker', 'cpu') / best('local', 'cpu')).toFixed(3)}`,
  );
  for (const kind of ['local', '1 worker', '2 workers']) {
    console.log(`${kind}: ${(best(kind, 'cpu') / million).toFixed(2)} s of processor per million frame·vertices`);
  }
}

async function runLocal(from, to) {
  const child = fork(script, ['local']);
  await answer(child);
  const result = await timed([child], async () => {
    child.send({ from, to });
    await answer(child);
  });
  child.kill();
  return result;
}

async function runCluster(redis, queue, count, input, out) {
  const url = `redis://${redis.options.host}:${redis.options.port}`;
  const options = ['cluster', 'worker', '--concurrency', '1', '--redis', url];
  const workers = Array.from({ length: count }, () => spawn(process.execPath, [bin, ...options]));
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.stdout.once('data', resolve))));
  await sleep(1500); // their children load
  const result = await timed(workers, async () => {
    const settings = { stack: presetStack(), ...BAKE_DEFAULTS };
    const submission = { patterns: [`${input}/*.glb`], out, settings, limits: LIMIT_DEFAULTS };
    const { ids } = await submitFiles(queue, submission);
    await waitForJobs(queue, ids);
    return Math.max(...(await Promise.all(ids.map(async (id) => (await queue.getJob(id)).finishedOn))));
  });
  for (const worker of workers) worker.kill('SIGTERM');
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.on('exit', resolve))));
  return result;
}

/** Wall and processor seconds of a run, which may say when it ended; `foreign`: cores that other programs used meanwhile. */
async function timed(processes, run) {
  const seconds = () => processes.reduce((sum, { pid }) => sum + treeSeconds(pid), 0);
  const [before, busy, start] = [seconds(), busySeconds(), Date.now()];
  const wall = (((await run()) ?? Date.now()) - start) / 1000;
  const cpu = seconds() - before;
  return { wall, cpu, foreign: Math.max(0, busySeconds() - busy - cpu) / wall };
}

function describe({ kind, wall, cpu, foreign }) {
  const times = `${wall.toFixed(2)} s wall, ${cpu.toFixed(2)} s processor`;
  return `${kind.padEnd(10)} ${times}; other programs: ${foreign.toFixed(2)} cores, load ${loadavg()[0].toFixed(1)}`;
}

/** Processor seconds of a process and its children, those included that have ended. */
function treeSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return children.reduce((sum, child) => sum + treeSeconds(child), own);
  } catch {
    return 0;
  }
}

function busySeconds() {
  const [, user, nice, system] = readFileSync('/proc/stat', 'utf8').split('\n')[0].split(/\s+/).map(Number);
  return (user + nice + system) / 100;
}

async function countWork(file) {
  const read = await readCharacter(file);
  let samples = 0;
  const evaluate = async (list, here) => {
    samples = list.length;
    return here(list);
  };
  await bakeCharacter(read, { evaluate });
  return { samples, vertices: read.character.surface.vertexCount };
}

function answer(child) {
  return new Promise((resolve) => child.once('message', resolve));
}

function sleep(time) {
  return new Promise((resolve) => setTimeout(resolve, time));
}

async function findPort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** The same model with a number in its scene, so that nothing is found ready. */
function withNumber(glb, number) {
  const length = new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
  json.scenes[0].extras = { number };
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const out = Buffer.concat([glb.subarray(0, 20), padded, glb.subarray(20 + length)]);
  out.writeUInt32LE(out.length, 8);
  out.writeUInt32LE(padded.length, 12);
  return out;
}
