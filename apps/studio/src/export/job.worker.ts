/** One job, off the page. Cancelling is ending the worker. */
import { bindMesh, weighCharacter } from './bind-mesh.js';
import { exportCharacter } from './export-character.js';

export interface JobProgress {
  readonly words: string;
  /** 0 … 1. */
  readonly share: number;
}

/** What is asked for and given back, by name. */
export const JOBS = { export: exportCharacter, bind: bindMesh, weigh: weighCharacter };
export type JobName = keyof typeof JOBS;

export type JobMessage =
  | { readonly kind: 'progress'; readonly progress: JobProgress }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly message: string };

type Job = (request: unknown, onProgress: (progress: JobProgress) => void) => Promise<unknown>;

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<{ readonly name: JobName; readonly request: unknown }>) => void) | null;
  postMessage(message: JobMessage): void;
};

scope.onmessage = async ({ data }) => {
  try {
    const job = JOBS[data.name] as Job;
    const result = await job(data.request, (progress) => scope.postMessage({ kind: 'progress', progress }));
    scope.postMessage({ kind: 'done', result });
  } catch (error) {
    scope.postMessage({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
};
