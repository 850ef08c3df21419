/** Starts a Redis of its own for a test, on a free port of this machine and in a folder of its own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
export const redisNote = hasRedis ? '' : ' (skipped: redis-server is not installed)';

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  /** SIGKILL: nothing is saved that is not on the disk. */
  kill(): Promise<void>;
  /** With what the last one left on the disk. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function startRedis(...options: string[]): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'isoskin-redis-'));
  const port = await findPort();
  const url = `redis://127.0.0.1:${port}`;
  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
    server = spawn('redis-server', [...place, '--save', '', '--appendonly', 'yes', ...options], { stdio: 'ignore' });
    await waitFor(port);
  };
  const kill = async (): Promise<void> => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const gone = new Promise((resolve) => server!.on('exit', resolve));
    server.kill('SIGKILL');
    await gone;
  };
  await start();
  return {
    url,
    port,
    folder,
    kill,
    start,
    async close() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function findPort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Until it answers at all, be it with a demand for a password; loading its file counts as no answer. */
async function waitFor(port: number): Promise<void> {
  for (let n = 0; ; n++) {
    const redis = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null });
    let reason = '';
    redis.on('error', (error) => {
      reason += error.message;
    });
    try {
      await redis.connect();
      await redis.ping();
      return;
    } catch (error) {
      if (/NOAUTH|ECONNRESET/.test(reason + (error as Error).message)) return;
      if (n > 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      redis.disconnect();
    }
  }
}
