/** The part of a temporary name that says who writes it: the process, and the one space of numbers that it is counted in. */
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Containers may share a name and count their processes each from 1: the kernel's own number for that count tells them apart. */
const SPACE = createHash('sha256')
  .update([hostname(), ask(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))].join())
  .update(ask(() => readlinkSync('/proc/self/ns/pid')))
  .digest('hex')
  .slice(0, 16);

export function writerMark(pid = process.pid): string {
  return `${pid}@${SPACE}`;
}

/** Whether a temporary name is that of a process of this machine (or container) that is no longer there. */
export function isAbandoned(name: string): boolean {
  const [, pid, space] = /\.(\d+)@(\w+)\.tmp$/.exec(name) ?? [];
  return pid !== undefined && space === SPACE && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function ask(read: () => string): string {
  try {
    return read();
  } catch {
    return ''; // another system than Linux
  }
}
