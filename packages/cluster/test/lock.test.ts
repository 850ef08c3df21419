/** A worker that falls silent, as a machine that sleeps or loses its network: its job goes to another, and it does no harm. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readStatus, waitForJobs } from '../src/index.js';
import { bin, createTestCluster, SETTINGS, sleep } from './create-test-cluster.js';
import { hasRedis, redisNote } from './start-redis.js';

vi.setConfig({ testTimeout: 180_000 }); // processes are started; the machine may be busy

describe.skipIf(!hasRedis)(`a silent worker${redisNote}`, () => {
  let cluster: Awaited<ReturnType<typeof createTestCluster>>;
  let silent: ChildProcess | undefined;
  beforeAll(async () => {
    cluster = await createTestCluster();
  });
  afterAll(async () => {
    silent?.kill('SIGKILL');
    await cluster?.close();
  });

  it('loses its lock; the job is done by another, and once', async () => {
    const { path, queue, server, write } = cluster;
    await write('in/a.glb', 'finger');
    const settings = { ...SETTINGS, fps: 40 };
    const { ids } = await cluster.submit('in/*.glb', { settings, chunkSize: 400 });
    const options = ['--redis', server.url, '--lock', '1', '--concurrency', '1'];
    silent = spawn(process.execPath, [bin, 'cluster', 'worker', ...options, '--log', path('silent-log')]);
    while ((await readStatus(queue)).running === 0) await sleep(20);
    silent.kill('SIGSTOP');
    cluster.work({ lock: 1 });
    expect(await waitForJobs(queue, ids)).toEqual({ done: 1, failed: [], gone: 0 });
    const before = readFileSync(path('out', 'a.glb'));
    expect(before.equals(cluster.bakeLocally('in/a.glb', '--fps', '40'))).toBe(true);

    // It wakes up and goes on with what it believes to be its job.
    silent.kill('SIGCONT');
    await sleep(1500);
    expect(silent.exitCode).toBe(null);
    expect(readFileSync(path('out', 'a.glb')).equals(before)).toBe(true);
    expect(await readStatus(queue)).toMatchObject({ done: 1, failed: 0, running: 0, waiting: 0 });

    // It is as good as new: stopped, it finishes and leaves.
    await write('in/b.glb');
    await cluster.stopWorkers();
    const more = await cluster.submit('in/b.glb');
    expect(await waitForJobs(queue, more.ids)).toMatchObject({ done: 1 });
    const left = new Promise((resolve) => silent!.on('exit', resolve));
    silent.kill('SIGTERM');
    expect(await left).toBe(0);
  });
});
