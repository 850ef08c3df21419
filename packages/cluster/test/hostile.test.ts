/** Redis and the store in the hands of somebody else: no file is touched that was not asked for, and the others go on. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { cancelJobs, chooseKey, readStatus, retryJobs, startWorker, waitForJobs } from '../src/index.js';
import { type CharacterData, type ChunkData, characterId, claimMark, splitPriority } from '../src/queue/bake-queue.js';
import { contentKey } from '../src/work/chunk-key.js';
import { decodeChunk, encodeChunk } from '../src/work/encode-chunk.js';
import { signWork } from '../src/work/sign-work.js';
import { bin, createTestCluster, sleep } from './create-test-cluster.js';
import { hasRedis, redisNote, startRedis } from './start-redis.js';

vi.setConfig({ testTimeout: 180_000 }); // processes are started; the machine may be busy

const KEY = 'the secret of this studio';
const chunkFiles = (store: string) =>
  readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((name) => /[\da-f]{64}$/.test(name));

describe.skipIf(!hasRedis)(`a hostile Redis${redisNote}`, () => {
  let cluster: Awaited<ReturnType<typeof createTestCluster>>;
  beforeAll(async () => {
    cluster = await createTestCluster();
  });
  afterEach(async () => {
    await cluster.stopWorkers();
    await cluster.queue.obliterate({ force: true });
    await cluster.redis.flushall();
  });
  afterAll(() => cluster?.close());

  /** What submit wrote, changed; signed with a key if one is given. */
  const forge = async (data: CharacterData, change: object, key?: string) => {
    const { priority, chunks: _, ...work } = { ...data, ...change };
    const own = { ...work, content: contentKey(work.input.files, work.settings) };
    const jobId = characterId(work.output);
    await cluster.queue.remove(jobId);
    const { priority: _p, chunks, ...extra } = { ...data, ...change };
    const signed = key === undefined ? { ...own, signature: extra.signature } : signWork(own, key);
    const all = { ...signed, priority, ...(chunks !== undefined && { chunks }) } as CharacterData;
    await cluster.queue.add('character', all, { jobId, priority: splitPriority(5) });
    return jobId;
  };
  const submitted = async (folder: string, key?: string): Promise<CharacterData> => {
    await cluster.write(`${folder}/a.glb`);
    const options = { out: cluster.path(`${folder}-out`), ...(key !== undefined && { key }) };
    const { ids } = await cluster.submit(`${folder}/*.glb`, options);
    const job = await cluster.queue.getJob(ids[0]!);
    return job!.data as CharacterData;
  };

  it.each([
    ['without a key', undefined],
    ['with a key', KEY],
  ])('deletes no file that a job names as its chunk (A5), %s', async (_, key) => {
    const { path, queue, write } = cluster;
    const name = key ? 'keyed' : 'open';
    const data = await submitted(name, key);
    await write(`${name}/assets/hero.glb`);
    await write(`${name}/assets/chunks/ab/${'ab'.repeat(32)}`);
    // A character that claims to be split already, in the old form of its jobs, and one in the new.
    const chunks = [{ key: 'hero.glb', first: 0, end: 1 }];
    const change = { store: path(name, 'assets') };
    const ids = [
      await forge(data, { ...change, chunks, output: { ...data.output, key: 'b.glb' } }, key ?? ''),
      await forge(data, { ...change, chunks: 1, output: { ...data.output, key: 'c.glb' } }, key ?? ''),
    ];
    // And chunks that name what they like.
    const { priority: __, chunks: ___, ...work } = data;
    for (const victim of ['hero.glb', `chunks/ab/${'ab'.repeat(32)}`, '../a.glb']) {
      const chunk = { work: signWork({ ...work, ...change }, key ?? ''), chunk: { key: victim, first: 0, end: 1 } };
      await queue.add('chunk', chunk as ChunkData, { jobId: `x-${victim.length}` });
      ids.push(`x-${victim.length}`);
    }
    const worker = { roots: [path(name), path(`${name}-out`)], ...(key !== undefined && { key }) };
    cluster.work(worker);
    await waitForJobs(queue, ids);
    expect(existsSync(path(name, 'assets', 'hero.glb'))).toBe(true);
    expect(existsSync(path(name, 'assets', 'chunks', 'ab', 'ab'.repeat(32)))).toBe(true);
    expect(existsSync(path(name, 'a.glb'))).toBe(true);
  });

  it('does nothing that is not signed with its key, and tells no secret', async () => {
    const { path, queue } = cluster;
    const data = await submitted('signed', KEY);
    const own = characterId(data.output);
    const place = (key: string) => ({ output: { ...data.output, key } });
    const ids = [
      await forge(data, place('unsigned.glb')),
      await forge(data, place('weak.glb'), ''),
      await forge(data, place('other.glb'), 'another secret of 30 letters'),
    ];
    cluster.work({ key: KEY });
    const { failed } = await waitForJobs(queue, ids);
    expect(failed).toHaveLength(3);
    for (const { reason } of failed) expect(reason).toMatch(/not signed with the key of this worker.*CLUSTER_KEY/);
    expect(await waitForJobs(queue, [own])).toMatchObject({ done: 1 });
    expect(readdirSync(path('signed-out')).sort()).toEqual(['.isoskin', 'a.glb']);
    const dump = await cluster.redis.keys('*');
    expect(dump.join()).not.toContain(KEY);
    // A copy of a signed job under another name is not done either: one place, one job.
    await queue.add('character', data, { jobId: 'copy', priority: splitPriority(5) });
    expect((await waitForJobs(queue, ['copy'])).failed[0]?.reason).toMatch(/not one that/);
  });

  it('refuses to go without a key to a Redis on another machine', () => {
    const at = (url: string) => new Redis(url, { lazyConnect: true });
    for (const url of ['redis://127.0.0.1:1', 'redis://localhost', 'redis://[::1]:6379']) {
      expect(chooseKey(at(url), '')).toBe('');
    }
    expect(() => chooseKey(at('redis://queue.studio:6379'), '')).toThrow(/ISOSKIN_CLUSTER_KEY/);
    expect(() => chooseKey(at('redis://127.0.0.1.evil.com'), '')).toThrow(/ISOSKIN_CLUSTER_KEY/);
    expect(chooseKey(at('redis://queue.studio:6379'), KEY)).toBe(KEY);
    expect(() => chooseKey(at('redis://127.0.0.1'), 'short')).toThrow(/at least 16/);
    const redis = at('redis://queue.studio:6379');
    expect(() => startWorker({ redis })).toThrow(/ISOSKIN_CLUSTER_KEY/);
  });

  it('does not leave its root through a link inside it (A6)', async () => {
    const { path, queue } = cluster;
    const data = await submitted('jail');
    await mkdir(path('outside'));
    await mkdir(path('jail-out'), { recursive: true });
    await symlink(path('outside'), path('jail-out', 'link'));
    const storage = path('jail-out', 'link');
    const ids = [
      await forge(data, { output: { storage, key: 'pwn.glb' } }, ''),
      await forge(data, { output: { storage: join(storage, 'deep'), key: 'pwn.glb' } }, ''),
      await forge(data, { store: join(storage, 'store'), output: { ...data.output, key: 'c.glb' } }, ''),
      await forge(data, { input: { ...data.input, storage }, output: { ...data.output, key: 'd.glb' } }, ''),
    ];
    cluster.work({ roots: [path('jail'), path('jail-out')] });
    const { failed } = await waitForJobs(queue, ids);
    expect(failed).toHaveLength(4);
    for (const { reason } of failed) expect(reason).toMatch(/leads to ".*outside.*may not touch/);
    expect(readdirSync(path('outside'))).toEqual([]);
    expect(await waitForJobs(queue, [characterId(data.output)])).toMatchObject({ done: 1 });
  });

  it('computes a chunk again that was replaced by a false one with a true checksum (A10)', async () => {
    const { path, queue } = cluster;
    const data = await submitted('poison', KEY);
    cluster.work({ key: KEY });
    const id = characterId(data.output);
    expect(await waitForJobs(queue, [id])).toMatchObject({ done: 1 });
    const good = readFileSync(path('poison-out', 'a.glb'));
    const store = path('poison-out', '.isoskin');
    const [name] = chunkFiles(store);
    const truth = new Uint8Array(readFileSync(join(store, name!)));
    const block = decodeChunk(truth, name!, KEY)!;
    const deltas = block.deltas.map((x) => 5 * x);
    // By one who does not have the key.
    await writeFile(join(store, name!), encodeChunk({ ...block, deltas }, name!, ''));
    const again = await cluster.submit('poison/*.glb', { out: path('again'), store, key: KEY });
    expect(await waitForJobs(queue, again.ids)).toMatchObject({ done: 1 });
    expect(readFileSync(path('again', 'a.glb')).equals(good)).toBe(true);
    expect(new Uint8Array(readFileSync(join(store, name!)))).toEqual(truth);
  });

  it('shows, cancels and retries past jobs that make no sense (A10)', async () => {
    const { path, queue, redis } = cluster;
    const data = await submitted('bad');
    const own = characterId(data.output);
    const options = { priority: splitPriority(5) };
    for (const [n, junk] of [{}, null, [], 'text', 7, { output: null }, { output: { storage: 1 } }].entries()) {
      await queue.add('character', junk as unknown as CharacterData, { ...options, jobId: `junk-${n}` });
      await queue.add('chunk', junk as unknown as CharacterData, { ...options, jobId: `junk-chunk-${n}` });
      await queue.add('\x1b[2J', junk as unknown as CharacterData, { ...options, jobId: `junk-name-${n}` });
    }
    await redis.hset(`bull:${queue.name}:junk-0`, 'data', '{"broken');
    expect(await readStatus(queue)).toMatchObject({ running: 0 });
    expect(await cluster.submit('bad/*.glb', { out: path('bad-out') })).toMatchObject({ queued: 1 });
    expect(await cancelJobs(queue, redis, ['junk-0'])).toEqual(['junk-0']);
    cluster.work({ concurrency: 2 });
    expect(await waitForJobs(queue, [own])).toMatchObject({ done: 1 });
    const ids = Array.from({ length: 6 }, (_, n) => `junk-${n + 1}`);
    expect((await waitForJobs(queue, ids)).failed).toHaveLength(6);
    while ((await queue.getJobCountByTypes('active', 'waiting', 'prioritized', 'delayed')) > 0) await sleep(50);
    const status = await readStatus(queue);
    expect(status).toMatchObject({ done: 1, characters: [] });
    expect(status.malformed).toHaveLength(20);
    expect(await retryJobs(queue, 'all')).toEqual([]);
    await expect(retryJobs(queue, ['a.glb'])).rejects.toThrow(/called "a.glb"/);
    expect(await cancelJobs(queue, redis, 'all')).toHaveLength(20);
    expect(await readStatus(queue)).toMatchObject({ failed: 0, malformed: [] });
  });

  it('a submission replaces what another program put under its name', async () => {
    const { path, queue, write } = cluster;
    await write('squat/a.glb');
    const jobId = characterId({ storage: path('squat-out'), key: 'a.glb' });
    await queue.add('character', {} as CharacterData, { jobId, priority: splitPriority(5) });
    expect(await cluster.submit('squat/*.glb', { out: path('squat-out') })).toMatchObject({ added: 1 });
    cluster.work();
    expect(await waitForJobs(queue, [jobId])).toMatchObject({ done: 1 });
  });

  it('does not wait for the claim of a job that is gone (A10)', async () => {
    const { queue, redis } = cluster;
    const data = await submitted('claimed');
    const { events } = cluster;
    cluster.work();
    const id = characterId(data.output);
    expect(await waitForJobs(queue, [id])).toMatchObject({ done: 1 });
    const key = events()
      .filter(({ event }) => event === 'compute')
      .at(-1)!.key;
    // Its worker was killed in this chunk, and it was cancelled: the claim was left for a quarter of an hour.
    await redis.set(claimMark(key), 'a-job-that-is-gone', 'EX', 960);
    await cluster.stopWorkers();
    const again = await cluster.submit('claimed/*.glb', { out: cluster.path('claimed-again') });
    cluster.work();
    const start = Date.now();
    expect(await waitForJobs(queue, again.ids)).toMatchObject({ done: 1 });
    expect(Date.now() - start).toBeLessThan(60_000);
    expect(await redis.keys('isoskin:claim:*')).toEqual([]);
  });
});

describe.skipIf(!hasRedis)(`a Redis that goes${redisNote}`, () => {
  const run = (...args: string[]) => {
    const child = spawn(process.execPath, [bin, 'cluster', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { text: '' };
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        said.text += text;
      });
    }
    const left = new Promise<number | null>((resolve) => child.on('exit', resolve));
    return { child, said, left };
  };

  it('submit --wait does not call lost jobs done (A10)', async () => {
    const cluster = await createTestCluster();
    try {
      await cluster.write('lost/a.glb');
      const place = ['--out', cluster.path('lost-out'), '--redis', cluster.server.url];
      const { said, left } = run('submit', cluster.path('lost', '*.glb'), ...place, '--wait');
      while ((await readStatus(cluster.queue)).waiting === 0) await sleep(50);
      await cluster.redis.flushall();
      expect(await left).toBe(1);
      expect(said.text).toMatch(/0 done, 0 failed, 1 gone\.\n.*Redis has lost its data.*submit it again/);
    } finally {
      await cluster.close();
    }
  });

  it('a worker ends on SIGTERM although Redis has gone for good (A16)', async () => {
    const redis = await startRedis();
    const { child, said, left } = run('worker', '--concurrency', '1', '--redis', redis.url);
    try {
      while (!said.text.includes('ready')) await sleep(50);
      await redis.kill();
      while (!said.text.includes('is gone')) await sleep(50);
      await sleep(8000); // its connections have begun to try again for ever
      const start = Date.now();
      child.kill('SIGTERM');
      expect(await Promise.race([left, sleep(20_000).then(() => 'still there')])).toBe(1);
      expect(Date.now() - start).toBeLessThan(20_000);
      expect(said.text).toContain('Redis has not come back');
    } finally {
      child.kill('SIGKILL');
      await redis.close();
    }
  });
});

describe('two containers', () => {
  const unshare = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0;
  it.skipIf(!unshare)('that count their processes each from 1 write under two temporary names (A10)', () => {
    const file = join(dirname(bin), '..', '..', 'cluster', 'dist', 'storage', 'writer-mark.js');
    const script = `import(${JSON.stringify(file)}).then(({ writerMark }) => console.log(writerMark(1)))`;
    const ask = () => spawnSync('unshare', ['--pid', '--fork', process.execPath, '-e', script], { encoding: 'utf8' });
    const [a, b] = [ask().stdout, ask().stdout];
    expect(a).toMatch(/^1@\w{16}\n$/);
    expect(a).not.toBe(b);
  });
});
