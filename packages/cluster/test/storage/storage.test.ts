/** Both kinds of storage through the same tests. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFileStorage } from '../../src/storage/create-file-storage.js';
import { createS3Storage } from '../../src/storage/create-s3-storage.js';
import { isInside, openStorage } from '../../src/storage/open-storage.js';
import { checkKey, type Storage } from '../../src/storage/storage.js';
import { writerMark } from '../../src/storage/writer-mark.js';
import { startS3, type TestS3 } from '../start-s3.js';

let folder = '';
let s3: TestS3;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isoskin-storage-'));
  s3 = await startS3('models', 'many');
});
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true });
});

const bytes = (...values: number[]) => Uint8Array.from(values);
const KINDS: readonly [string, () => Storage][] = [
  ['folder', () => createFileStorage(join(folder, 'place'))],
  ['S3', () => createS3Storage('s3://models/some/place/', s3.variables)],
];

describe.each(KINDS)('storage in a %s', (_, create) => {
  it('gives back what was put, and knows what is not there', async () => {
    const storage = create();
    expect(await storage.get('a/b.glb')).toBeUndefined();
    expect(await storage.exists('a/b.glb')).toBe(false);
    await storage.put('a/b.glb', bytes(1, 2, 3));
    expect(await storage.get('a/b.glb')).toEqual(bytes(1, 2, 3));
    expect(await storage.exists('a/b.glb')).toBe(true);
    await storage.put('a/b.glb', bytes(4));
    expect(await storage.get('a/b.glb')).toEqual(bytes(4));
    await storage.put('empty', bytes());
    expect(await storage.get('empty')).toEqual(bytes());
    await storage.remove('a/b.glb');
    await storage.remove('a/b.glb');
    expect(await storage.exists('a/b.glb')).toBe(false);
  });

  it('puts once what may be put once', async () => {
    const storage = create();
    expect(await storage.putIfAbsent('chunks/ab/abc', bytes(1))).toBe(true);
    expect(await storage.putIfAbsent('chunks/ab/abc', bytes(2))).toBe(false);
    expect(await storage.get('chunks/ab/abc')).toEqual(bytes(1));
  });

  it('keeps names with spaces, signs and other scripts', async () => {
    const storage = create();
    const names = ['ä ö/ü.glb', "it's (1)!.glb", 'a+b&c=d%20e.glb', '狐/走る.glb', '<b>.glb', '#1?.glb', '..a/b..'];
    for (const [n, name] of names.entries()) await storage.put(`names/${name}`, bytes(n));
    for (const [n, name] of names.entries()) expect(await storage.get(`names/${name}`)).toEqual(bytes(n));
    expect(await storage.list('names/')).toEqual(names.map((name) => `names/${name}`).sort());
    expect(await storage.list('names/it')).toEqual(["names/it's (1)!.glb"]);
    expect(await storage.list('nothing')).toEqual([]);
  });

  it('refuses names that lead out', async () => {
    const storage = create();
    for (const key of [
      '../x',
      'a/../../x',
      '/etc/passwd',
      'a//b',
      './a',
      '',
      'a\\b',
      'a\0b',
      'a\nb',
      'x'.repeat(2000),
    ]) {
      await expect(storage.get(key)).rejects.toMatchObject({ code: 'STORAGE_KEY' });
      await expect(storage.put(key, bytes(1))).rejects.toMatchObject({ code: 'STORAGE_KEY' });
      await expect(storage.putIfAbsent(key, bytes(1))).rejects.toMatchObject({ code: 'STORAGE_KEY' });
      await expect(storage.exists(key)).rejects.toMatchObject({ code: 'STORAGE_KEY' });
    }
  });
});

describe('a folder', () => {
  it('lets exactly one of many writers put, and leaves no temporary file', async () => {
    const storage = createFileStorage(join(folder, 'race'));
    const wrote = await Promise.all(Array.from({ length: 20 }, (_, n) => storage.putIfAbsent('one', bytes(n))));
    expect(wrote.filter(Boolean)).toHaveLength(1);
    expect(await storage.get('one')).toEqual(bytes(wrote.indexOf(true)));
    await Promise.all(Array.from({ length: 20 }, (_, n) => storage.put('two', bytes(n, n))));
    const [a, b] = (await storage.get('two'))!;
    expect(a).toBe(b);
    expect(await readdir(join(folder, 'race'))).toEqual(['one', 'two']);
  });

  it('follows links inside, and none that lead out', async () => {
    const place = join(folder, 'links');
    const outside = join(folder, 'outside');
    await mkdir(join(place, 'real'), { recursive: true });
    await mkdir(outside);
    await writeFile(join(outside, 'secret.glb'), 'secret');
    await writeFile(join(place, 'real', 'fox.glb'), 'fox');
    await symlink(join(place, 'real', 'fox.glb'), join(place, 'inside.glb'));
    await symlink(join(outside, 'secret.glb'), join(place, 'secret.glb'));
    await symlink(outside, join(place, 'door'));
    await symlink(place, join(place, 'real', 'circle'));
    const storage = createFileStorage(place);
    expect(new TextDecoder().decode(await storage.get('inside.glb'))).toBe('fox');
    for (const key of ['secret.glb', 'door/secret.glb', 'door']) {
      await expect(storage.get(key)).rejects.toMatchObject({ code: 'STORAGE_LINK' });
    }
    await expect(storage.put('door/new.glb', bytes(1))).rejects.toMatchObject({ code: 'STORAGE_LINK' });
    await expect(storage.put('door/deep/new.glb', bytes(1))).rejects.toMatchObject({ code: 'STORAGE_LINK' });
    expect(await readdir(outside)).toEqual(['secret.glb']);
    // Listed, so that whoever asks for it hears why it is refused; folders behind links are not entered.
    expect(await storage.list('')).toEqual(['door', 'inside.glb', 'real/fox.glb', 'secret.glb']);
    // A result replaces a link, not what the link shows.
    await storage.put('secret.glb', bytes(7));
    expect(await readFile(join(outside, 'secret.glb'), 'utf8')).toBe('secret');
  });

  it('says what to do when it cannot write', async () => {
    await writeFile(join(folder, 'file'), '');
    const storage = createFileStorage(join(folder, 'file', 'below'));
    await expect(storage.put('a', bytes(1))).rejects.toThrow(/cannot be written.*choose another folder/);
    expect(await storage.exists('a')).toBe(false);
  });

  it('sweeps after writers that were killed, not after those at work', async () => {
    const storage = createFileStorage(join(folder, 'swept'));
    await storage.put('a', bytes(1));
    const dead = `a.0-0.${writerMark(99999999)}.tmp`;
    const alive = `a.0-0.${writerMark()}.tmp`;
    // The same machine's name, and processes counted anew: a container.
    const elsewhere = `a.0-0.99999999@${hostname()}.tmp`;
    for (const name of [dead, alive, elsewhere]) await writeFile(join(folder, 'swept', name), 'half');
    await storage.tidy('a');
    expect(await readdir(join(folder, 'swept'))).toEqual(['a', alive, elsewhere].sort());
  });
});

describe('S3', () => {
  it('lists more keys than one answer holds', async () => {
    const storage = createS3Storage('s3://many', s3.variables);
    const keys = Array.from({ length: 1010 }, (_, n) => `k/${String(n).padStart(4, '0')}`);
    for (let n = 0; n < keys.length; n += 50) {
      await Promise.all(keys.slice(n, n + 50).map((key) => storage.put(key, bytes(1))));
    }
    expect(await storage.list('k/')).toEqual(keys);
  });

  it('wants keys, a bucket and an answer', async () => {
    expect(() => createS3Storage('s3://models', {})).toThrow(/AWS_ACCESS_KEY_ID/);
    expect(() => createS3Storage('s3://', s3.variables)).toThrow(/names no bucket/);
    expect(() => createS3Storage('s3://models/../other', s3.variables)).toThrow(/leads out/);
    const wrong = createS3Storage('s3://models', { ...s3.variables, AWS_ACCESS_KEY_ID: 'wrong' });
    await expect(wrong.get('a')).rejects.toThrow(/403.*check the keys/);
    const nowhere = createS3Storage('s3://nothing-here', s3.variables);
    await expect(nowhere.put('a', bytes(1))).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
  });
});

describe('openStorage', () => {
  it('makes addresses absolute, and knows what lies inside', () => {
    expect(openStorage('/a/b/../c/').url).toBe('/a/c');
    expect(isInside('/a/c', '/a')).toBe(true);
    expect(isInside('/a', '/a')).toBe(true);
    expect(isInside('/ab', '/a')).toBe(false);
    expect(isInside('/a', '/')).toBe(true);
    expect(isInside('s3://b/x', 's3://b')).toBe(true);
    expect(isInside('s3://bad', 's3://b')).toBe(false);
  });
});

describe('checkKey', () => {
  it('never lets a key leave its folder (seed 5)', () => {
    const part = fc.constantFrom('..', '.', '', 'a', 'b.glb', '\\', '\0', '...', '%2e%2e', '~');
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        const key = parts.join('/');
        let isFine = true;
        try {
          checkKey(key);
        } catch {
          isFine = false;
        }
        if (isFine) expect(join('/root', key)).toBe(`/root/${key}`);
        expect(isFine).toBe(!parts.some((p) => ['..', '.', '', '\\', '\0'].includes(p)));
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});
