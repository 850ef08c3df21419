/** Runs an export in its own worker; `cancel` ends it at once. */
import type { ExportMessage } from './export.worker.js';
import type { ExportProgress, ExportRequest, ExportResult } from './export-character.js';

export interface RunningExport {
  readonly done: Promise<ExportResult>;
  cancel(): void;
}

export function startExport(request: ExportRequest, onProgress: (progress: ExportProgress) => void): RunningExport {
  const worker = new Worker(new URL('./export.worker.ts', import.meta.url), { type: 'module' });
  const done = new Promise<ExportResult>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<ExportMessage>) => {
      if (data.kind === 'progress') return onProgress(data.progress);
      worker.terminate();
      if (data.kind === 'done') resolve(data.result);
      else reject(new Error(data.message));
    };
    worker.onerror = (event) => {
      worker.terminate();
      reject(new Error(event.message || 'The export could not be started: reload the page.'));
    };
  });
  worker.postMessage(request);
  return { done, cancel: () => worker.terminate() };
}
