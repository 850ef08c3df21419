import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findPort, hasRedis, redisNote, startRedis, type TestRedis } from '../../../cluster/test/start-redis.js';
import { formatStatus } from '../../src/format-cluster.js';
import { runIsoskin, runJson, runRefused, writeDemo } from '../run-isoskin.js';

vi.setConfig({ testTimeout: 180_000 }); // processes are started; the machine may be busy

const bin = fileURLToPath(new URL('../../bin/isoskin.js', import.meta.url));
let folder = '';
const path = (...parts: string[]) => join(folder, ...parts);
const workers: ChildProcess[] = [];
const startWorker = (...args: string[]) => {
  const worker = spawn(process.execPath, [bin, 'cluster', 'worker', ...args]);
  const output = { text: '' };
  worker.stdout.on('data', (text) => {
    output.text += text;
  });
  workers.push(worker);
  return { worker, output };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isoskin-cli-cluster-'));
  await writeDemo(path('in', 'tube.glb'), 'tube');
  await writeDemo(path('in', 'sub', 'tube.glb'), 'tube');
  await writeFile(path('in', 'bad.glb'), 'glTF');
});
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

describe('cluster without a Redis', () => {
  it('says what is missing, without the password', async () => {
    const url = `redis://:hush@127.0.0.1:${await findPort()}`;
    const message = runRefused('cluster', 'status', '--redis', url);
    expect(message).toMatch(/No Redis answers at redis:\/\/127.0.0.1:\d+: start one/);
    expect(message).not.toContain('hush');
    expect(runRefused('cluster', 'status', '--redis', 'http://127.0.0.1')).toContain('redis://host:port');
  });

  it('refuses options that make no sense', () => {
    expect(runRefused('cluster', 'submit', 'x.glb')).toContain('--out');
    expect(runRefused('cluster', 'worker', '--concurrency', '0')).toContain('--concurrency');
    expect(runRefused('cluster', 'worker', '--lock', '-1')).toContain('--lock');
  });
});

describe.skipIf(!hasRedis)(`cluster${redisNote}`, () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis('--requirepass', 'pa%ss word');
  });
  afterAll(() => redis?.close());
  const at = () => ['--redis', `redis://:${encodeURIComponent('pa%ss word')}@127.0.0.1:${redis.port}`];

  it('submits, bakes, tells, retries and cancels', async () => {
    expect(runRefused('cluster', 'status', '--redis', redis.url)).toContain('password');
    expect(runRefused('cluster', 'submit', path('none', '*.glb'), '--out', path('out'), ...at())).toContain(
      'matches no',
    );
    expect(runRefused('cluster', 'cancel', ...at())).toContain('--all');
    expect(runRefused('cluster', 'retry', 'fox', ...at())).toContain('"fox"');
    expect(
      runRefused('cluster', 'submit', path('in', '*'), '--out', path('out'), '--priority', '11', ...at()),
    ).toContain('priority');
    const submit = ['cluster', 'submit', path('in', '**', '*.glb'), '--out', path('out'), ...at()];
    expect(runIsoskin(...submit).stdout).toContain('3 submitted.');
    expect(runJson('cluster', 'status', ...at())).toMatchObject({ waiting: 3, running: 0, done: 0, workers: 0 });
    expect(runIsoskin('cluster', 'status', ...at()).stdout).toContain('No worker of this version is there');
    expect(runIsoskin('cluster', 'cancel', 'sub/tube.glb', ...at()).stdout).toContain('1 cancelled');

    const { worker, output } = startWorker('--concurrency', '1', ...at());
    const waited = runIsoskin(...submit, '--wait');
    expect(waited.stdout).toMatch(/1 submitted, 2 already in the queue\.\n2 done, 1 failed\.\n .*bad\.glb: .*cut off/);
    expect({ status: waited.status, stderr: waited.stderr }).toEqual({ status: 1, stderr: '' });
    runIsoskin('bake', path('in', 'tube.glb'), '-o', path('local.glb'));
    const local = readFileSync(path('local.glb'));
    expect(readFileSync(path('out', 'tube.glb')).equals(local)).toBe(true);
    expect(readFileSync(path('out', 'sub', 'tube.glb')).equals(local)).toBe(true);
    expect(runIsoskin('cluster', 'status', ...at()).stdout).toMatch(
      /2 done, 1 failed; 1 worker[\s\S]*bad.glb .*cut off/,
    );
    expect(runJson('cluster', 'retry', '--all', ...at())).toEqual({ retried: [path('out', 'bad.glb')] });
    expect(runJson(...submit)).toMatchObject({ unchanged: 2 });

    const left = new Promise((resolve) => worker.on('exit', resolve));
    worker.kill('SIGINT');
    expect(await left).toBe(0);
    expect(output.text).toMatch(/^ready {2}1 at a time\n/);
    expect(output.text).toMatch(/\ndone {2}.*tube.glb\n/);
    expect(output.text).toMatch(/\nfailed {2}.*bad.glb: .*cut off/);
    expect(output.text).toMatch(/\nstopping/);
  });

  const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
  it.skipIf(!hasOpenssl)(`speaks TLS${hasOpenssl ? '' : ' (skipped: openssl is not installed)'}`, async () => {
    const [key, certificate] = [path('key.pem'), path('certificate.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    spawnSync('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      key,
      '-out',
      certificate,
      ...subject,
    ]);
    if (!existsSync(certificate)) throw new Error('openssl made no certificate');
    const port = await findPort();
    const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate];
    const secure = await startRedis('--tls-port', String(port), '--tls-auth-clients', 'no', ...files);
    try {
      const url = `rediss://localhost:${port}`;
      // Whom nobody vouches for is not trusted.
      expect(runRefused('cluster', 'status', '--redis', url)).toContain('No Redis answers');
      const { stdout } = spawnSync(process.execPath, [bin, 'cluster', 'status', '--json'], {
        encoding: 'utf8',
        env: { ...process.env, ISOSKIN_REDIS: url, NODE_EXTRA_CA_CERTS: certificate },
      });
      expect(JSON.parse(stdout)).toMatchObject({ waiting: 0, workers: 0 });
    } finally {
      await secure.close();
    }
  });
});

describe('formatStatus', () => {
  it('shows names from files as text, and never a command of the terminal', () => {
    const character = { id: '1', state: 'failed', input: '', chunks: 1, progress: 0, attempts: 1 } as const;
    const text = formatStatus({
      ...{ workers: 1, waiting: 0, running: 0, done: 1, failed: 1, secondsLeft: 0 },
      characters: [{ ...character, output: '/out/\x1b[2Jfox\n.glb', reason: 'no\x07' }],
      malformed: ['\x1b]0;title'],
    });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f]/);
    expect(text).toContain('/out/·[2Jfox·.glb');
  });
});
