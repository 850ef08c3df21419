import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { IsoskinError } from '@isoskin/core';
import { KEY_VARIABLE } from '../queue/choose-key.js';
import type { ChildAnswer, ChildOptions } from './bake-child.js';
import { LIMIT_DEFAULTS, type WorkLimits } from './cluster-work.js';
import { type Task, warmKey } from './create-job-runner.js';

export interface ChildPool {
  /** Runs a task in a child within its limits. A child that breaks them, or `signal`, is killed; the pool lives on. */
  run<T>(task: Task, signal?: AbortSignal): Promise<T>;
  close(): void;
}

export interface ChildPoolOptions {
  /** Children to start at once, before there is work for them. Default 0. */
  readonly ready?: number;
  readonly roots?: readonly string[];
  readonly log?: string;
  /** The cluster's secret. */
  readonly key?: string;
}

/** Codes of faults that another attempt may not have. Everything else is the file's own fault. */
const PASSING = new Set(['STORAGE_FAILED', 'CHUNK_LOST', 'CHILD_DIED', 'UNEXPECTED']);

export function isPassing(error: unknown): boolean {
  return !(error instanceof IsoskinError) || PASSING.has(error.code);
}

interface Child {
  readonly process: ChildProcess;
  readonly memory: number;
  /** What it has loaded; empty for a fresh one. */
  warm: string;
  isBusy: boolean;
  /** The end of what it said on stderr. */
  said: string;
}

/** The built file, also when this one is run from its source. */
const entry = fileURLToPath(new URL('../../dist/work/bake-child.js', import.meta.url));

export function createChildPool({ ready = 0, key = '', ...options }: ChildPoolOptions = {}): ChildPool {
  const children = new Set<Child>();

  const start = (memory: number): Child => {
    const settings: ChildOptions = { memory, ...options };
    const child: Child = {
      process: fork(entry, [JSON.stringify(settings)], {
        serialization: 'advanced',
        // Not among the arguments, which everybody on the machine can read.
        env: { ...process.env, [KEY_VARIABLE]: key },
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        // Helpers of the garbage collector only take cores from other children.
        execArgv: [`--max-old-space-size=${memory}`, '--single-threaded-gc'],
      }),
      memory,
      warm: '',
      isBusy: false,
      said: '',
    };
    child.process.stderr!.on('data', (text) => {
      child.said = (child.said + text).slice(-4000);
    });
    child.process.on('exit', () => children.delete(child));
    child.process.on('error', () => {}); // its exit says the same
    children.add(child);
    return child;
  };
  const stop = (child: Child): void => {
    children.delete(child);
    child.process.kill('SIGKILL');
  };

  /** The child that has this character, else a fresh or idle one with the right cap. */
  const take = (task: Task): Child => {
    const { memory } = task.work.limits;
    const idle = [...children].filter((child) => !child.isBusy);
    const fitting = idle.filter((child) => child.memory === memory);
    const key = warmKey(task.work);
    const child = fitting.find(({ warm }) => warm === key) ?? fitting.find(({ warm }) => warm === '') ?? fitting[0];
    if (child) return child;
    for (const other of idle) stop(other);
    return start(memory);
  };

  const runOn = <T>(child: Child, task: Task, signal: AbortSignal | undefined): Promise<T> => {
    const { limits } = task.work;
    child.isBusy = true;
    child.warm = warmKey(task.work);
    return new Promise<T>((resolve, reject) => {
      let reason: IsoskinError | undefined;
      const end = (why: IsoskinError): void => {
        reason = why;
        stop(child);
      };
      const timer = setTimeout(() => end(overTime(limits)), 1000 * limits.seconds);
      const onAbort = (): void => end(new IsoskinError('CANCELLED', 'Cancelled.'));
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        child.process.off('message', onMessage).off('close', onClose);
        child.isBusy = false;
      };
      const onMessage = (message: ChildAnswer): void => {
        settle();
        // Garbage of good jobs must not be counted against the next one.
        if (message.rss > (child.memory * 2 ** 20) / 2) stop(child);
        if ('value' in message) resolve(message.value as T);
        else reject(new IsoskinError(message.error.code, message.error.message));
      };
      const onClose = (code: number | null, by: NodeJS.Signals | null): void => {
        settle();
        reject(reason ?? causeOfDeath(child, limits, code, by));
      };
      child.process.on('message', onMessage).on('close', onClose);
      signal?.addEventListener('abort', onAbort);
      if (signal?.aborted) onAbort();
      else child.process.send(task, (error) => error && child.process.kill('SIGKILL'));
    });
  };

  for (let n = 0; n < ready; n++) start(LIMIT_DEFAULTS.memory);
  return {
    async run<T>(task: Task, signal?: AbortSignal) {
      const child = take(task);
      const isFresh = child.warm === '';
      try {
        return await runOn<T>(child, task, signal);
      } catch (error) {
        // What earlier jobs left behind may have been too much: the verdict is a fresh child's.
        const mayBeInnocent = error instanceof IsoskinError && error.code === 'MEMORY_LIMIT' && !isFresh;
        if (mayBeInnocent) return await runOn<T>(start(task.work.limits.memory), task, signal);
        throw error;
      }
    },
    close() {
      for (const child of [...children]) stop(child);
    },
  };
}

function overTime({ seconds }: WorkLimits): IsoskinError {
  const message = `It took longer than ${seconds} seconds and was stopped: look at the file, or retry with a higher --time-limit.`;
  return new IsoskinError('TIME_LIMIT', message);
}

function causeOfDeath({ said }: Child, limits: WorkLimits, code: number | null, by: string | null): IsoskinError {
  if (/isoskin: memory limit|out of memory|allocation failed/i.test(said)) {
    const message = `It needed more than ${limits.memory} MiB and was stopped: look at the file, or retry with a higher --memory.`;
    return new IsoskinError('MEMORY_LIMIT', message);
  }
  return new IsoskinError('CHILD_DIED', `The process that worked on it ended with ${by ?? `code ${code}`}: retry it.`);
}
