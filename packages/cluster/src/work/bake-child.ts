/** A child process of a worker: takes one task after the other, keeps its character warm, and dies rather than harm anyone. */
import { appendFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { IsoskinError } from '@isoskin/core';
import { KEY_VARIABLE } from '../queue/choose-key.js';
import { createJobRunner, type Task } from './create-job-runner.js';

/** What the child is started with, as its one argument. */
export interface ChildOptions {
  readonly memory: number;
  readonly roots?: readonly string[];
  readonly log?: string;
}

export type ChildAnswer =
  | { readonly value: unknown; readonly rss: number }
  | { readonly error: { readonly message: string; readonly code: string }; readonly rss: number };

// Every character brings fresh closures that are compiled again: waiting a little longer with it costs 10 % less processor.
setFlagsFromString('--interrupt-budget=400000');

const { memory, roots, log }: ChildOptions = JSON.parse(process.argv[2]!);
const worker = process.ppid;
new Worker(new URL('./watch-process.js', import.meta.url), { workerData: { memory, parent: worker } }).unref();

const runner = createJobRunner({
  key: process.env[KEY_VARIABLE] ?? '',
  ...(roots && { roots }),
  // Written at once: the record outlives the process.
  ...(log && {
    log: (event, facts) => {
      appendFileSync(log, `${JSON.stringify({ time: Date.now(), pid: process.pid, worker, event, ...facts })}\n`);
    },
  }),
});

process.on('disconnect', () => process.exit());
process.on('message', async (task: Task) => {
  const answer = (rest: object): void => {
    process.send!({ ...rest, rss: process.memoryUsage.rss() });
  };
  try {
    answer({ value: await runner.run(task) });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    answer({ error: { message, code: error instanceof IsoskinError ? error.code : 'UNEXPECTED' } });
  }
});
