import { Button } from '../controls/button.js';
import type { JobProgress } from '../export/job.worker.js';

interface RunningProps {
  readonly label: string;
  readonly progress: JobProgress;
  readonly onCancel: () => void;
}

/** A job that runs: what it does, how far it is, and a way out. */
export function Running({ label, progress, onCancel }: RunningProps) {
  const percent = Math.round(100 * progress.share);
  return (
    <div class="export" role="status">
      <p>{progress.words} …</p>
      <progress class="export-progress" max={100} value={percent} aria-label={label} />
      <div class="export-foot">
        <span class="number">{percent} %</span>
        <span class="spacer" />
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </div>
  );
}
