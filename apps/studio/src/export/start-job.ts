/** Runs a job in its own worker; `cancel` ends it at once. */
import type { JOBS, JobMessage, JobName, JobProgress } from './job.worker.js';

export type Request<Name extends JobName> = Parameters<(typeof JOBS)[Name]>[0];
export type Answer<Name extends JobName> = Awaited<ReturnType<(typeof JOBS)[Name]>>;

export interface RunningJob<Result = unknown> {
  readonly done: Promise<Result>;
  cancel(): void;
}

export function startJob<Name extends JobName>(
  name: Name,
  request: Request<Name>,
  onProgress: (progress: JobProgress) => void,
): RunningJob<Answer<Name>> {
  const worker = new Worker(new URL('./job.worker.ts', import.meta.url), { type: 'module' });
  const done = new Promise<Answer<Name>>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<JobMessage>) => {
      if (data.kind === 'progress') return onProgress(data.progress);
      worker.terminate();
      if (data.kind === 'done') resolve(data.result as Answer<Name>);
      else reject(new Error(data.message));
    };
    worker.onerror = (event) => {
      worker.terminate();
      reject(new Error(event.message || 'The work could not be started: reload the page.'));
    };
  });
  worker.postMessage({ name, request });
  return { done, cancel: () => worker.terminate() };
}
