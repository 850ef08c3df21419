import { useEffect, useRef, useState } from 'preact/hooks';
import type { JobName, JobProgress } from '../export/job.worker.js';
import { type Answer, type Request, type RunningJob, startJob } from '../export/start-job.js';
import { messageOf } from '../state/notices.js';

/** A job of a dialog: how far it is, until it fails or is cancelled, or the dialog goes on; it ends with the dialog. */
export function useJob<Name extends JobName>(name: Name) {
  const [{ progress, error }, set] = useState<{ progress?: JobProgress; error?: string }>({});
  const running = useRef<RunningJob | undefined>(undefined);
  const cancel = () => {
    running.current?.cancel();
    set({});
  };
  useEffect(() => () => running.current?.cancel(), []);
  /** Undefined where it failed: `error` says why. */
  const run = async (request: Request<Name>): Promise<Answer<Name> | undefined> => {
    set({ progress: { words: 'Starting', share: 0 } });
    const job = startJob(name, request, (now) => set((last) => (last.progress ? { progress: now } : last)));
    running.current = job;
    try {
      return await job.done;
    } catch (cause) {
      set({ error: messageOf(cause) });
      return undefined;
    }
  };
  return { progress, error, run, cancel, fail: (words: string) => set({ error: words }) };
}
