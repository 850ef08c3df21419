/** Where a path really leads: the links of what is there followed, and what is not there yet appended. */
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { IsoskinError } from '@isoskin/core';

export async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw cause;
    if (await isThere(path)) {
      throw new IsoskinError('STORAGE_LINK', `"${path}" is a link to nothing and is not followed: remove it.`);
    }
    return join(await realPlace(dirname(path)), basename(path));
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
