import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, open, readdir, readFile, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { IsoskinError } from '@isoskin/core';
import { realPlace } from './real-place.js';
import { checkKey, type Storage, storageError } from './storage.js';
import { isAbandoned, writerMark } from './writer-mark.js';

/**
 * A folder as storage. Links may point anywhere inside the folder; whatever they reach outside is refused. With `roots` the
 * folder itself has to lie in one of them, looked at each time it is used: a link on the way to it may change.
 */
export function createFileStorage(folder: string, roots?: readonly string[]): Storage {
  const places = createPlaces(folder, roots);
  const { pathOf, realInside, holderOf } = places;
  const exists = async (key: string): Promise<boolean> =>
    (await orNothing(() => realInside(pathOf(key)))) !== undefined;
  return {
    url: folder,
    async place(key) {
      const path = pathOf(key);
      return join(await realPlace(dirname(path)), basename(path));
    },
    exists,
    async get(key) {
      const path = pathOf(key);
      try {
        const bytes = await readFile(await realInside(path));
        return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      } catch (cause) {
        if (isAbsent(cause)) return undefined;
        if (cause instanceof IsoskinError) throw cause;
        throw storageError(`"${path}" cannot be read${reasonOf(cause)}.`, cause);
      }
    },
    put: (key, bytes) => writeBeside(places, key, bytes, rename),
    async putIfAbsent(key, bytes) {
      if (await exists(key)) return false;
      let isFirst = true;
      await writeBeside(places, key, bytes, (from, to) =>
        link(from, to).catch((cause) => {
          if (!isCode(cause, 'EEXIST')) throw cause;
          isFirst = false;
        }),
      );
      return isFirst;
    },
    async tidy(key) {
      const own = `${basename(pathOf(key))}.`;
      const place = await holderOf(key);
      for (const name of place === undefined ? [] : await readdir(place).catch(() => [])) {
        if (name.startsWith(own) && isAbandoned(name)) await rm(join(place!, name), { force: true });
      }
    },
    async remove(key) {
      const place = await holderOf(key);
      if (place !== undefined) await rm(join(place, basename(pathOf(key))), { force: true });
    },
    async list(prefix) {
      await places.checkRoots();
      return (await listKeys(places, prefix, folder, '')).sort();
    },
  };
}

interface Places {
  readonly folder: string;
  pathOf(key: string): string;
  /** Refuses a folder that links lead out of all roots; before anything is made or read there. */
  checkRoots(): Promise<void>;
  /** The real path of what is there; refuses one outside of the folder. */
  realInside(path: string): Promise<string>;
  /** The real folder that a key lies in; nothing when there is none. Refuses one that links lead out to. */
  holderOf(key: string): Promise<string | undefined>;
}

function createPlaces(folder: string, roots: readonly string[] | undefined): Places {
  const pathOf = (key: string): string => join(folder, ...checkKey(key).split('/'));
  const checkRoots = async (): Promise<void> => {
    if (!roots) return;
    const real = await realPlace(folder);
    for (const root of roots) {
      if (!/^s3:/i.test(root) && isBelow(real, await realPlace(root))) return;
    }
    const message = `"${folder}" leads to "${real}", which this worker may not touch: start it with --root ${real}.`;
    throw new IsoskinError('STORAGE_ROOT', message);
  };
  const realInside = async (path: string): Promise<string> => {
    await checkRoots();
    const [root, real] = await Promise.all([realpath(folder), realpath(path)]);
    if (isBelow(real, root)) return real;
    const message = `"${path}" is a link out of "${folder}" and is not followed: put the file itself there`;
    throw new IsoskinError('STORAGE_LINK', message);
  };
  return {
    folder,
    pathOf,
    checkRoots,
    realInside,
    holderOf: (key) => orNothing(() => realInside(dirname(pathOf(key)))),
  };
}

/** Writes beside the target and lets `place` give it its name, so that nobody ever sees half a file. */
async function writeBeside(
  { folder, pathOf, checkRoots, realInside }: Places,
  key: string,
  bytes: Uint8Array,
  place: (from: string, to: string) => Promise<void>,
): Promise<void> {
  const path = pathOf(key);
  try {
    await checkRoots();
    await mkdir(folder, { recursive: true });
    await makeFolder(folder, dirname(path), realInside);
    const target = join(await realInside(dirname(path)), basename(path));
    const temporary = `${target}.${randomUUID()}.${writerMark()}.tmp`;
    try {
      const file = await open(temporary, 'wx');
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await place(temporary, target);
    } finally {
      await rm(temporary, { force: true });
    }
  } catch (cause) {
    if (cause instanceof IsoskinError) throw cause;
    throw storageError(`"${path}" cannot be written${reasonOf(cause)}.`, cause);
  }
}

/** Keys below a folder that begin with `prefix`. */
async function listKeys(places: Places, prefix: string, path: string, key: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((cause) => {
    if (isAbsent(cause)) return [];
    throw storageError(`The folder "${path}" cannot be read${reasonOf(cause)}.`, cause);
  });
  const isFolder = async (link: string): Promise<boolean> => {
    const real = await places.realInside(link).catch(() => undefined);
    return real !== undefined && (await lstat(real)).isDirectory();
  };
  const keys: string[] = [];
  for (const entry of entries) {
    const [name, own] = [key + entry.name, join(path, entry.name)];
    // Folders that are links are not entered: they may lead in a circle.
    if (entry.isDirectory() && (prefix.startsWith(`${name}/`) || name.startsWith(prefix))) {
      keys.push(...(await listKeys(places, prefix, own, `${name}/`)));
    } else if (name.startsWith(prefix) && (entry.isFile() || (entry.isSymbolicLink() && !(await isFolder(own))))) {
      keys.push(name);
    }
  }
  return keys;
}

/** Undefined for what is not there. */
async function orNothing<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (cause) {
    if (isAbsent(cause)) return undefined;
    throw cause;
  }
}

const isBelow = (path: string, root: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);

/** Makes a folder below `root` one level at a time, and looks where each level really is before it makes the next. */
async function makeFolder(root: string, folder: string, check: (path: string) => Promise<string>): Promise<void> {
  if (folder === root || folder.length <= root.length) return;
  await makeFolder(root, dirname(folder), check);
  await check(dirname(folder));
  await mkdir(folder).catch((cause) => {
    if (!isCode(cause, 'EEXIST')) throw cause;
  });
}

const isCode = (cause: unknown, code: string): boolean => (cause as NodeJS.ErrnoException)?.code === code;
const isAbsent = (cause: unknown): boolean => isCode(cause, 'ENOENT') || isCode(cause, 'ENOTDIR');

const REASONS: Record<string, string> = {
  ENOSPC: ': the disk is full; make room and retry',
  EDQUOT: ': the disk quota is used up; make room and retry',
  EACCES: ': that is not permitted here; check the owner of the folder',
  EPERM: ': that is not permitted here; check the owner of the folder',
  EROFS: ': the disk is read-only; choose another folder',
  ENOTDIR: ': a part of its path is a file; choose another folder',
  EEXIST: ': a part of its path is a file; choose another folder',
  EISDIR: ': it is a folder; choose another name',
};

function reasonOf(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? ` (${message})`;
}
