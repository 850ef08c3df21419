/**
 * All bytes of a file, and never more than allowed: a file by its size before it is read, a pipe by what has come; a device, which
 * has no end, not at all.
 */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Socket } from 'node:net';
import { basename } from 'node:path';
import { IsoskinError } from '@isoskin/core';
import { LIMITS } from '@isoskin/core/json';

/** Waiting for a pipe that nobody writes to would last for ever. Not on Windows, where it means nothing. */
const NO_WAIT = constants.O_NONBLOCK ?? 0;

/** @param most bytes; what has more is refused with `TOO_LARGE`. */
export async function readWholeFile(path: string, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const file = await open(path, constants.O_RDONLY | NO_WAIT);
  try {
    const before = await file.stat();
    if (before.isFIFO()) return await readPipe(file, path, Math.min(most, LIMITS.pipe));
    if (!before.isFile() && !before.isDirectory()) {
      const message = `"${path}" is a device and has no end: give a file`;
      throw new IsoskinError('FILE_DEVICE', message);
    }
    if (before.size > most) throw tooLarge(path, most);
    const data = await file.readFile();
    const after = await file.stat();
    // A file that is written to while it is read would be half old and half new.
    if (before.mtimeMs === after.mtimeMs && before.size === after.size && data.length === after.size) return data;
  } finally {
    await file.close().catch(() => {}); // a pipe closes itself
  }
  const message = 'The file was changed while it was being read: run this again';
  throw new IsoskinError('FILE_CHANGED', message, basename(path));
}

function tooLarge(path: string, most: number): IsoskinError {
  const message = `The file takes more than the ${Math.round(most / 2 ** 20)} MB that are allowed: raise --max-memory, or make it smaller`;
  return new IsoskinError('TOO_LARGE', message, basename(path));
}

/** Until its writer closes it. */
function readPipe(file: FileHandle, path: string, most: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const socket = new Socket({ fd: file.fd, readable: true, writable: false });
    const parts: Buffer[] = [];
    let length = 0;
    socket.setTimeout(LIMITS.silence);
    socket.on('timeout', () => {
      const message = `Nothing has come from the pipe "${path}" for ${LIMITS.silence / 1000} s: look at the program that writes it`;
      socket.destroy(new IsoskinError('FILE_SILENT', message));
    });
    socket.on('data', (part) => {
      length += part.length;
      parts.push(part);
      if (length > most) socket.destroy(tooLarge(path, most));
    });
    socket.on('error', reject);
    socket.on('end', () => {
      if (length > 0) return resolve(new Uint8Array(Buffer.concat(parts)));
      const message = `Nothing was written into the pipe "${path}": look at the program that writes it`;
      reject(new IsoskinError('FILE_SILENT', message));
    });
  });
}
