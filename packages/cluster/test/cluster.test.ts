import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { presetStack, type StackSpec } from '@isoskin/core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { cancelJobs, openStorage, readStatus, retryJobs, waitForJobs } from '../src/index.js';
import { type CharacterData, characterId, splitPriority } from '../src/queue/bake-queue.js';
import { contentKey } from '../src/work/chunk-key.js';
import { signWork } from '../src/work/sign-work.js';
import { createTestCluster, LIMITS, SETTINGS, sleep } from './create-test-cluster.js';
import { hasRedis, redisNote } from './start-redis.js';
import { startS3 } from './start-s3.js';

vi.setConfig({ testTimeout: 180_000 }); // processes are started; the machine may be busy

describe.skipIf(!hasRedis)(`a cluster${redisNote}`, () => {
  let cluster: Awaited<ReturnType<typeof createTestCluster>>;
  beforeAll(async () => {
    cluster = await createTestCluster();
  });
  afterEach(async () => {
    await cluster.stopWorkers();
    await cluster.queue.obliterate({ force: true });
  });
  afterAll(() => cluster?.close());
  const chunkFiles = (store: string) =>
    readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((name) => /[\da-f]{64}$/.test(name));

  it.each([
    ['defaults', [], {}, {}],
    ['many chunks', [], {}, { chunkSize: 20 }],
    ['a cache', ['--as', 'cache', '--fps', '12'], { as: 'cache', fps: 12 }, { chunkSize: 9 }],
    ['driven', ['--drive', '--range', '30', '--fps', '12'], { drive: true, range: 30, fps: 12 }, { chunkSize: 30 }],
    [
      'other options',
      ['--preset', 'rubber', '--clip', 'WAVE', '--compress', 'meshopt', '--tolerance', '0.004', '--compact'],
      { stack: presetStack('rubber'), clips: ['WAVE'], compress: 'meshopt', tolerance: 0.004, compact: true },
      { chunkSize: 50 },
    ],
  ] as const)('writes the bytes of a local bake: %s', async (name, flags, settings, options) => {
    const { path, queue, write } = cluster;
    await write('same/finger.glb', 'finger', 400);
    const out = path(`out-${name}`);
    cluster.work({ concurrency: 2 });
    const { ids } = await cluster.submit('same/*.glb', { settings: { ...SETTINGS, ...settings }, out, ...options });
    expect(await waitForJobs(queue, ids)).toEqual({ done: 1, failed: [], gone: 0 });
    const local = cluster.bakeLocally('same/finger.glb', ...flags);
    expect(readFileSync(`${out}/finger.glb`).equals(local)).toBe(true);
  });

  it('bakes stacks whose frames belong together in one piece: whole clips, or the whole character', async () => {
    const { path, queue, write } = cluster;
    await write('whole/finger.glb', 'finger', 400);
    const third = 1 / 3;
    const anchor = (triangle: number) => ({ triangle, barycentric: [third, third, third] }) as const;
    const tool = { a: anchor(40), b: anchor(120), width: 0.2 };
    const folded = { ...presetStack('organic'), wrinkles: { tools: [tool] } };
    await writeFile(path('folded.json'), JSON.stringify(folded));
    cluster.work({ concurrency: 2 });
    const bake = async (stack: StackSpec, out: string) => {
      cluster.computed();
      const settings = { ...SETTINGS, stack, fps: 12 };
      const { ids } = await cluster.submit('whole/*.glb', { settings, chunkSize: 5, out: path(out) });
      expect(await waitForJobs(queue, ids)).toEqual({ done: 1, failed: [], gone: 0 });
      return { bytes: readFileSync(path(out, 'finger.glb')), chunks: cluster.computed().length };
    };
    const flesh = await bake(presetStack('flesh'), 'flesh-out');
    expect(flesh.chunks).toBe(2); // curl and wave
    const local = cluster.bakeLocally('whole/finger.glb', '--preset', 'flesh', '--fps', '12');
    expect(flesh.bytes.equals(local)).toBe(true);
    const wrinkled = await bake(folded, 'folded-out');
    expect(wrinkled.chunks).toBe(0);
    const other = cluster.bakeLocally('whole/finger.glb', '--stack', path('folded.json'), '--fps', '12');
    expect(wrinkled.bytes.equals(other)).toBe(true);
  });

  it('reads a .gltf with its files, as the local bake does', async () => {
    const { path, queue, write } = cluster;
    const glb = await write('parts.glb');
    const json = readJson(glb);
    json.buffers[0].uri = 'data%20of/tube.bin';
    json.images = [{ uri: 'gone.png' }];
    await mkdir(path('parts', 'sub', 'data of'), { recursive: true });
    await writeFile(path('parts', 'sub', 'tube.gltf'), JSON.stringify(json));
    await writeFile(path('parts', 'sub', 'data of', 'tube.bin'), glb.subarray(28 + jsonLength(glb)));
    cluster.work();
    const { ids } = await cluster.submit('parts/**/*.gltf');
    expect(await waitForJobs(queue, ids)).toMatchObject({ done: 1 });
    const local = cluster.bakeLocally('parts/sub/tube.gltf');
    expect(readFileSync(path('out', 'sub', 'tube.glb')).equals(local)).toBe(true);
  });

  it('computes a chunk once, whatever is asked again', async () => {
    const { path, queue, write } = cluster;
    await write('again/a.glb');
    await write('again/deep/copy-of-a.glb');
    cluster.work({ concurrency: 3 });
    const submit = (tolerance = 0.001) =>
      cluster.submit('again/**/*.glb', { chunkSize: 40, settings: { ...SETTINGS, tolerance }, out: path('again-out') });
    cluster.computed();
    const first = await submit();
    expect(first).toMatchObject({ added: 2, queued: 0, unchanged: 0 });
    expect(await submit()).toMatchObject({ added: 0, queued: 2 });
    await waitForJobs(queue, first.ids);
    const keys = cluster.computed();
    expect(keys).toHaveLength(4); // 121 samples, for both files together
    expect(new Set(keys).size).toBe(4);
    expect(chunkFiles(path('again-out', '.isoskin'))).toHaveLength(4);
    expect(await submit()).toMatchObject({ added: 0, unchanged: 2, ids: [] });

    const before = readFileSync(path('again-out', 'a.glb'));
    await rm(path('again-out', 'a.glb'));
    const second = await submit();
    expect(second).toMatchObject({ added: 1, unchanged: 1 });
    await waitForJobs(queue, second.ids);
    expect(readFileSync(path('again-out', 'a.glb')).equals(before)).toBe(true);
    const third = await submit(0.01);
    expect(third.added).toBe(2);
    await waitForJobs(queue, third.ids);
    expect(readFileSync(path('again-out', 'a.glb')).equals(before)).toBe(false);
    expect(cluster.computed()).toEqual([]);
  });

  it('computes a chunk again that was damaged in the store', async () => {
    const { path, queue, write } = cluster;
    await write('hurt/a.glb');
    const options = { chunkSize: 50, out: path('hurt-out') };
    cluster.work();
    await waitForJobs(queue, (await cluster.submit('hurt/*.glb', options)).ids);
    const good = readFileSync(path('hurt-out', 'a.glb'));
    const store = path('hurt-out', '.isoskin');
    const [victim, gone] = chunkFiles(store);
    await writeFile(`${store}/${victim}`, readFileSync(`${store}/${victim}`).fill(1, 100, 200));
    await rm(`${store}/${gone}`);
    await rm(path('hurt-out', 'a.glb'));
    cluster.computed();
    const { ids } = await cluster.submit('hurt/*.glb', options);
    expect(await waitForJobs(queue, ids)).toMatchObject({ done: 1, failed: [] });
    expect(cluster.computed().sort()).toEqual([victim, gone].sort());
    expect(readFileSync(path('hurt-out', 'a.glb')).equals(good)).toBe(true);
  });

  it('puts bad files into the dead-letter list with the reason, and goes on', async () => {
    const { path, queue, write } = cluster;
    const glb = await write('mixed/good.glb');
    const describe = (buffer: object) => JSON.stringify({ ...readJson(glb), buffers: [{ byteLength: 9, ...buffer }] });
    await writeFile(path('mixed', 'cut.glb'), glb.subarray(0, 3000));
    await writeFile(path('mixed', 'empty.glb'), '');
    await writeFile(path('mixed', 'text.glb'), 'no model');
    await writeFile(path('mixed', 'out.gltf'), describe({ uri: '../../secret.bin' }));
    cluster.work({ concurrency: 2 });
    const { ids } = await cluster.submit('mixed/*');
    const { done, failed } = await waitForJobs(queue, ids);
    expect(done).toBe(1);
    expect(failed).toHaveLength(4);
    const status = await readStatus(queue);
    expect(status).toMatchObject({ done: 1, failed: 4, waiting: 0, running: 0, workers: 1 });
    const reasonOf = (name: string) => status.characters.find(({ output }) => output.endsWith(`/${name}.glb`))?.reason;
    expect(reasonOf('cut')).toMatch(/cut off or corrupt/);
    expect(reasonOf('empty')).toMatch(/empty/);
    expect(reasonOf('text')).toMatch(/\S{3}/);
    expect(reasonOf('out')).toMatch(/leads out of the model's folder/);
    expect(existsSync(path('out', 'cut.glb'))).toBe(false);
  });

  it('stops a job that takes too long or too much memory, and only that job; retry gives it more', async () => {
    const { path, queue, write } = cluster;
    await write('limits/a.glb');
    cluster.work();
    const slow = await cluster.submit('limits/*.glb', { limits: { ...LIMITS, seconds: 0.05 }, out: path('slow') });
    const large = await cluster.submit('limits/*.glb', { limits: { ...LIMITS, memory: 64 }, out: path('large') });
    const fine = await cluster.submit('limits/*.glb', { out: path('fine') });
    const { failed, done } = await waitForJobs(queue, [...slow.ids, ...large.ids, ...fine.ids]);
    expect(done).toBe(1);
    expect(failed.map(({ reason }) => reason).sort()).toEqual([
      expect.stringMatching(/more than 64 MiB.*--memory/),
      expect.stringMatching(/longer than 0.05 seconds.*--time-limit/),
    ]);
    await expect(retryJobs(queue, ['nothing'])).rejects.toThrow(/called "nothing"/);
    expect(await retryJobs(queue, [slow.ids[0]!], { seconds: 120 })).toEqual([path('slow', 'a.glb')]);
    expect(await retryJobs(queue, 'all', LIMITS)).toEqual([path('large', 'a.glb')]);
    expect(await waitForJobs(queue, [...slow.ids, ...large.ids])).toEqual({ done: 2, failed: [], gone: 0 });
    const results = ['slow', 'large', 'fine'].map((name) => readFileSync(path(name, 'a.glb')));
    expect(results.every((bytes) => bytes.equals(results[0]!))).toBe(true);
  });

  it('fails a whole character with the reason of its chunk, and drops the other chunks', async () => {
    const { path, queue, write } = cluster;
    await write('poison/a.glb');
    await writeFile(path('no-folder'), '');
    const worker = cluster.work();
    const options = { store: path('no-folder', 'store'), chunkSize: 20, out: path('poison-out') };
    const { ids } = await cluster.submit('poison/*.glb', options);
    const { failed } = await waitForJobs(queue, ids);
    expect(failed[0]?.reason).toMatch(/cannot be written.*choose another folder/);
    await worker.close();
    expect(
      await queue.getJobCounts('active', 'waiting', 'prioritized', 'waiting-children', 'delayed', 'failed'),
    ).toEqual({
      ...{ active: 0, waiting: 0, prioritized: 0, 'waiting-children': 0, delayed: 0, failed: 1 },
    });
  });

  it('cancels what waits and what is being baked', async () => {
    const { path, queue, redis, write } = cluster;
    await write('cancel/slow.glb', 'elephant');
    await write('cancel/b.glb');
    await write('cancel/c.glb');
    const options = { settings: { ...SETTINGS, fps: 240 }, out: path('cancel-out') };
    const slow = await cluster.submit('cancel/slow.glb', { ...options, priority: 1 });
    const rest = await cluster.submit('cancel/{b,c}.glb', options);
    cluster.work();
    while ((await readStatus(queue)).running === 0) await sleep(50);
    await sleep(500);
    expect(await cancelJobs(queue, redis, ['slow.glb'])).toEqual([path('cancel-out', 'slow.glb')]);
    expect(await cancelJobs(queue, redis, [rest.ids[1]!])).toEqual([path('cancel-out', 'c.glb')]);
    await expect(cancelJobs(queue, redis, ['slow.glb'])).rejects.toThrow(/called "slow.glb"/);
    expect(await waitForJobs(queue, [...slow.ids, ...rest.ids])).toEqual({ done: 1, failed: [], gone: 2 });
    expect(existsSync(path('cancel-out', 'slow.glb'))).toBe(false);
    expect(await readStatus(queue)).toMatchObject({ waiting: 0, running: 0, failed: 0, done: 1 });
    expect(await redis.keys('isoskin:*')).toEqual([]);
  });

  it('takes the urgent first, and finishes one character before it begins the next', async () => {
    const { path, queue, write } = cluster;
    for (const name of ['late', 'soon', 'first']) await write(`order/${name}.glb`);
    const submit = (name: string, priority: number) =>
      cluster.submit(`order/${name}.glb`, { priority, chunkSize: 40, out: path('order-out') });
    const ids = [await submit('late', 10), await submit('soon', 2), await submit('first', 1)].flatMap((s) => s.ids);
    cluster.work();
    await waitForJobs(queue, ids);
    const jobs = await Promise.all(ids.map((id) => queue.getJob(id)));
    const ended = jobs.map((job) => job!.finishedOn!);
    expect([...ended].sort((a, b) => b - a)).toEqual(ended);
    await expect(submit('late', 0)).rejects.toThrow(/no priority/);
    await expect(submit('late', 2.5)).rejects.toThrow(/no priority/);
  });

  it('does not fill Redis faster than workers empty it', async () => {
    const { path, queue, write } = cluster;
    for (let n = 0; n < 6; n++) await write(`flood/${n}.glb`, 'tube', 120);
    let most = 0;
    let isWaiting = false;
    const submitted = cluster.submit('flood/*.glb', {
      ...{ lookahead: 2, out: path('flood-out') },
      onProgress: (_, __, waiting) => {
        isWaiting ||= waiting;
      },
    });
    while (!isWaiting) await sleep(20);
    most = Math.max(most, (await readStatus(queue)).waiting);
    cluster.work();
    const { ids } = await submitted;
    expect(most).toBe(2);
    expect(await waitForJobs(queue, ids)).toMatchObject({ done: 6 });
  });

  it('refuses an input that was replaced, and an output that is in use', async () => {
    const { path, queue, write } = cluster;
    await write('changed/a.glb');
    const options = { out: path('changed-out') };
    const { ids } = await cluster.submit('changed/*.glb', options);
    const other = { ...options, settings: { ...SETTINGS, fps: 10 } };
    await expect(cluster.submit('changed/*.glb', other)).rejects.toThrow(/being baked just now/);
    await write('changed/a.glb', 'tube', 300);
    cluster.work();
    const { failed } = await waitForJobs(queue, ids);
    expect(failed[0]?.reason).toMatch(/"a.glb" has changed since/);
    const again = await cluster.submit('changed/*.glb', options);
    expect(again.added).toBe(1);
    expect(await waitForJobs(queue, again.ids)).toMatchObject({ done: 1 });
    await rm(path('changed', 'a.glb'));
    await expect(cluster.submit('changed/*.glb', options)).rejects.toThrow(/matches no .glb/);
  });

  it('keeps to its folders: links, same names, inputs as outputs', async () => {
    const { path, write } = cluster;
    await write('secret/secret.glb');
    await write('links/a.glb');
    await symlink(path('secret', 'secret.glb'), path('links', 'stolen.glb'));
    await symlink(path('secret'), path('links', 'door'));
    const { added, refused } = await cluster.submit('links/**/*.glb');
    expect(added).toBe(1);
    expect(refused).toEqual([expect.stringMatching(/stolen.glb.*link out of/)]);
    await expect(cluster.submit('links/*.glb', { out: path('links') })).rejects.toThrow(/one of the inputs/);
    // The same folder by another name, and a result that is the buffer of what it is made of, or of a neighbour.
    await symlink(path('links'), path('other-name'));
    await expect(cluster.submit('links/a.glb', { out: path('other-name') })).rejects.toThrow(/one of the inputs/);
    await write('beside/a.glb');
    for (const uri of ['model.glb', 'sub/other.glb']) {
      const json = { asset: { version: '2.0' }, buffers: [{ uri, byteLength: 4 }] };
      await writeFile(path('beside', 'model.gltf'), JSON.stringify(json));
      await write(`beside/${uri}`);
      await write('sub/other.glb');
      const patterns = [path('beside', 'model.gltf'), path('sub/../sub/*.glb')].slice(0, uri === 'model.glb' ? 1 : 2);
      const out = path('beside', uri === 'model.glb' ? '' : 'sub');
      await expect(cluster.submit('', { patterns, out })).rejects.toThrow(/one of the inputs/);
    }
    await write('links/a.gltf');
    await expect(cluster.submit('links/a.*')).rejects.toThrow(/both be written to "a.glb"/);
    // An output folder that is a link out of the place leads nowhere.
    await write('deep/sub/a.glb');
    await mkdir(path('deep-out'));
    await symlink(path('secret'), path('deep-out', 'sub'));
    cluster.work();
    const { ids } = await cluster.submit('deep/**/*.glb', { out: path('deep-out') });
    const { failed } = await waitForJobs(cluster.queue, ids);
    expect(failed[0]?.reason).toMatch(/link out of/);
    expect(readdirSync(path('secret'))).toEqual(['secret.glb']);
  });

  it('does not believe what it finds in Redis', async () => {
    const { path, queue, write } = cluster;
    await write('forged/a.glb');
    await cluster.submit('forged/*.glb');
    const [job] = await queue.getJobs(['prioritized']);
    const data = job!.data as CharacterData;
    const forge = async (id: string, change: object) => {
      // Here is no key, so anybody can sign; the other doors have to hold.
      const { priority, chunks: _, ...work } = { ...data, output: { ...data.output, key: `${id}.glb` }, ...change };
      const content = contentKey(work.input?.files ?? [], work.settings);
      const signed = { ...signWork({ ...work, content }, ''), priority };
      const jobId = characterId(work.output);
      await queue.add('character', signed, { jobId, priority: splitPriority(5) });
      return jobId;
    };
    const polluted = JSON.parse('{"__proto__":{"polluted":true}}');
    const ids = [
      await forge('up', { output: { storage: path('out'), key: '../escaped.glb' } }),
      await forge('absolute', { output: { storage: path('out'), key: path('escaped.glb') } }),
      await forge('elsewhere', { output: { storage: path('elsewhere'), key: 'escaped.glb' } }),
      await forge('nothing', { input: null }),
      await forge('stack', { settings: { ...SETTINGS, stack: { layers: 'all' } } }),
      await forge('proto', { settings: { ...SETTINGS, stack: { ...polluted, layers: [polluted] } } }),
    ];
    cluster.work({ roots: [path('forged'), path('out')] });
    const { failed } = await waitForJobs(queue, ids);
    expect(failed).toHaveLength(ids.length);
    expect(failed.find(({ id }) => id === ids[2])?.reason).toMatch(/may not touch.*--root/);
    expect(existsSync(path('escaped.glb')) || existsSync(path('elsewhere'))).toBe(false);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(await waitForJobs(queue, [job!.id!])).toMatchObject({ done: 1 });
  });

  it('copies a model without clips, as the local bake does', async () => {
    const { path, queue, write } = cluster;
    const glb = await write('still.glb');
    const { animations: _, ...json } = readJson(glb);
    json.buffers[0].uri = 'still.bin';
    await mkdir(path('still'));
    await writeFile(path('still', 'still.gltf'), JSON.stringify(json));
    await writeFile(path('still', 'still.bin'), glb.subarray(28 + jsonLength(glb)));
    cluster.work();
    const { ids } = await cluster.submit('still/*.gltf', { out: path('still-out') });
    expect(await waitForJobs(queue, ids)).toMatchObject({ done: 1 });
    expect(readFileSync(path('still-out', 'still.glb')).equals(cluster.bakeLocally('still/still.gltf'))).toBe(true);
  });

  it('survives the death of a child', async () => {
    const { path, queue, write } = cluster;
    await write('death/a.glb', 'finger');
    cluster.work();
    const seen = cluster.events().length;
    const { ids } = await cluster.submit('death/*.glb', { out: path('death-out') });
    const victim = async () => {
      for (;;) {
        const [event] = cluster.events().slice(seen);
        if (event) return event.pid;
        await sleep(10);
      }
    };
    process.kill(await victim(), 'SIGKILL');
    expect(await waitForJobs(queue, ids)).toEqual({ done: 1, failed: [], gone: 0 });
    const pids = cluster
      .events()
      .slice(seen)
      .map(({ pid }) => pid);
    expect(new Set(pids).size).toBe(2);
    expect(readdirSync(path('death-out'), { recursive: true, encoding: 'utf8' }).join()).not.toContain('.tmp');
  });

  it('says so when results cannot be written', async () => {
    const { path, queue, write } = cluster;
    await write('blocked/a.glb');
    await writeFile(path('a-file'), '');
    cluster.work();
    const { ids } = await cluster.submit('blocked/*.glb', { out: path('a-file'), store: path('blocked-store') });
    const { failed } = await waitForJobs(queue, ids);
    expect(failed[0]?.reason).toMatch(/cannot be written.*choose another folder/);
    expect((await readStatus(queue)).characters[0]?.attempts).toBe(4);
  });

  it('says so when the disk is full or read-only, leaves nothing behind, and goes on when that is mended', async (test) => {
    const { path, queue, write } = cluster;
    const mount = (name: string, options: string) =>
      spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path(name)]).status === 0;
    await write('disk/a.glb');
    await mkdir(path('full'), { recursive: true });
    await mkdir(path('fixed'), { recursive: true });
    if (!mount('full', 'size=8k')) return test.skip('file systems cannot be mounted here');
    try {
      expect(mount('fixed', 'ro')).toBe(true);
      cluster.work({ concurrency: 2 });
      const submit = (name: string) => cluster.submit('disk/*.glb', { out: path(name), store: path('disk-store') });
      const ids = [...(await submit('full')).ids, ...(await submit('fixed')).ids];
      const { failed } = await waitForJobs(queue, ids);
      expect(failed.map(({ reason }) => reason).sort()).toEqual([
        expect.stringMatching(/fixed\/a.glb" cannot be written: the disk is read-only/),
        expect.stringMatching(/full\/a.glb" cannot be written: the disk is full/),
      ]);
      expect(readdirSync(path('full'))).toEqual([]);
      spawnSync('mount', ['-o', 'remount,size=1m', path('full')]);
      cluster.computed();
      await retryJobs(queue, [path('full')]);
      expect(await waitForJobs(queue, ids.slice(0, 1))).toMatchObject({ done: 1 });
      expect(cluster.computed()).toEqual([]);
    } finally {
      spawnSync('umount', [path('full')]);
      spawnSync('umount', [path('fixed')]);
    }
  });

  it('reads, stores and writes in S3', async () => {
    const { queue, write } = cluster;
    const s3 = await startS3('assets', 'baked');
    const before = { ...process.env };
    Object.assign(process.env, s3.variables);
    try {
      const assets = openStorage('s3://assets/film');
      await assets.put('a/tube.glb', await write('s3/tube.glb'));
      cluster.work({ concurrency: 2 });
      cluster.computed();
      const options = { patterns: ['s3://assets/film/**/*.glb'], out: 's3://baked/film', chunkSize: 40 };
      const { ids } = await cluster.submit('', options);
      expect(await waitForJobs(queue, ids)).toEqual({ done: 1, failed: [], gone: 0 });
      const result = await openStorage('s3://baked/film').get('a/tube.glb');
      expect(Buffer.from(result!).equals(cluster.bakeLocally('s3/tube.glb'))).toBe(true);
      expect(cluster.computed()).toHaveLength(4);
      expect(await openStorage('s3://baked/film/.isoskin').list('chunks/')).toHaveLength(4);
      expect(await cluster.submit('', options)).toMatchObject({ added: 0, unchanged: 1 });
    } finally {
      await cluster.stopWorkers();
      process.env = before;
      await s3.close();
    }
  });
});

function jsonLength(glb: Uint8Array): number {
  return new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
}

// biome-ignore lint/suspicious/noExplicitAny: a test changes what it likes in it
function readJson(glb: Uint8Array): any {
  return JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + jsonLength(glb))));
}
