import { Worker } from 'node:worker_threads';
import type { BakeThreads } from '@isoskin/gltf';
import type { ThreadMessage } from './bake-worker.js';

export interface BakePool extends BakeThreads {
  close(): Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  /** Its next answer, or its failure. */
  call(message: ThreadMessage): Promise<unknown>;
  /** Kind of task → when it has been told about it. */
  readonly told: Map<string, Promise<unknown>>;
}

/** `jobs` − 1 threads that work beside this one; none: undefined. They start at once, and load while this one reads the model. */
export function createBakePool(jobs: number): BakePool | undefined {
  if (jobs < 2) return undefined;
  const threads = Array.from({ length: jobs - 1 }, startThread);
  return {
    share(kind, work) {
      for (const { told, call } of threads) told.set(kind, call({ kind, work }));
    },
    async run<Task, Answer>(
      kind: string,
      tasks: readonly Task[],
      here: (task: Task) => Answer | Promise<Answer>,
      onDone?: (task: Task) => void,
    ): Promise<Answer[]> {
      const answers: Answer[] = new Array(tasks.length);
      let next = 0;
      const take = async (answer: (task: Task) => Promise<Answer>): Promise<void> => {
        while (next < tasks.length) {
          const at = next++;
          answers[at] = await answer(tasks[at]!);
          onDone?.(tasks[at]!);
        }
      };
      const onThisThread = take(async (task) => {
        await new Promise(setImmediate); // let the answers of the others in
        return here(task);
      });
      const onThread = async ({ call, told }: Thread): Promise<void> => {
        await Promise.race([told.get(kind), onThisThread]); // a thread that starts too late is not waited for
        await take((task) => call({ kind, task: cutOut(task) }) as Promise<Answer>);
      };
      await Promise.all([onThisThread, ...threads.map(onThread)]);
      return answers;
    },
    async close() {
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}

function startThread(): Thread {
  const worker = new Worker(new URL('./bake-worker.js', import.meta.url));
  const waiting: { resolve(answer: unknown): void; reject(error: unknown): void }[] = [];
  let failure: { readonly error: unknown } | undefined;
  worker.on('message', (answer) => waiting.shift()?.resolve(answer));
  worker.on('error', (error) => {
    failure = { error };
    for (const { reject } of waiting.splice(0)) reject(error);
  });
  const call = (message: ThreadMessage): Promise<unknown> => {
    const answer = new Promise((resolve, reject) => {
      if (failure) reject(failure.error);
      else waiting.push({ resolve, reject });
    });
    answer.catch(() => {}); // nobody may be waiting yet when a thread fails
    if (!failure) worker.postMessage(message);
    return answer;
  };
  return { worker, call, told: new Map() };
}

/** Parts of larger arrays by themselves: a message would carry the whole. */
function cutOut<Task>(task: Task): Task {
  const cut = (value: unknown): unknown =>
    value instanceof Float32Array && value.byteLength < value.buffer.byteLength ? value.slice() : value;
  if (typeof task !== 'object' || task === null || Array.isArray(task)) return task;
  return Object.fromEntries(Object.entries(task).map(([name, value]) => [name, cut(value)])) as Task;
}
