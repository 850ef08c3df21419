/**
 * A thread beside the work that ends the whole process when it uses too much memory or its worker has gone. Typed arrays lie
 * outside of the heap that Node can limit, and a long computation hears no message: so somebody else has to look.
 */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const { memory, parent } = workerData as { memory: number; parent: number };

setInterval(() => {
  const isTooLarge = process.memoryUsage.rss() > memory * 2 ** 20;
  if (!isTooLarge && process.ppid === parent) return;
  if (isTooLarge) writeSync(2, 'isoskin: memory limit\n');
  process.kill(process.pid, 'SIGKILL');
}, 100);
