import type { ClusterStatus, Submission, WaitResult } from '@isoskin/cluster';
import { formatTable } from './format-table.js';
import { plainText } from './plain-text.js';

export function formatStatus(status: ClusterStatus): string {
  const { waiting, running, done, failed, workers, secondsLeft, characters, malformed } = status;
  const isIdle = waiting + running === 0;
  const left = isIdle ? '' : secondsLeft === undefined ? ', time left unknown' : `, ${formatSeconds(secondsLeft)} left`;
  const lines = [
    `${waiting} waiting, ${running} running, ${done} done, ${failed} failed; ${count(workers, 'worker')}${left}`,
  ];
  if (workers === 0 && !isIdle)
    lines.push('No worker of this version is there: start one with isoskin cluster worker.');
  const rows = characters.filter(({ state }) => state === 'running');
  if (rows.length > 0) {
    const table = rows.map(({ output, chunks, progress, id }) => [output, String(chunks), formatBar(progress), id]);
    lines.push('', formatTable([{ left: 'running' }, 'chunks', '', 'id'], table));
  }
  const dead = characters.filter(({ state }) => state === 'failed');
  if (dead.length > 0) {
    const columns = [{ left: 'failed' }, 'id', { left: 'reason' }];
    const table = dead.map(({ output, id, reason = '' }) => [output, id, reason]);
    lines.push('', formatTable(columns, table), '', 'Try them again with isoskin cluster retry --all.');
  }
  if (malformed.length > 0) {
    const ids = malformed.map((id) => plainText(id.slice(0, 40))).slice(0, 5);
    const more = malformed.length > ids.length ? ' …' : '';
    const is = malformed.length === 1 ? 'job is none' : 'jobs are none';
    lines.push(
      '',
      `${malformed.length} ${is} of isoskin’s and will not be done: isoskin cluster cancel ${ids.join(' ')}${more}`,
    );
  }
  return lines.join('\n');
}

export function formatSubmission({ added, queued, unchanged, refused }: Submission): string {
  const parts = [`${added} submitted`];
  if (queued > 0) parts.push(`${queued} already in the queue`);
  if (unchanged > 0) parts.push(`${unchanged} done before and unchanged`);
  if (refused.length > 0) parts.push(`${refused.length} refused`);
  return [`${parts.join(', ')}.`, ...refused.map((line) => `  ${plainText(line)}`)].join('\n');
}

export function formatWait({ done, failed, gone }: WaitResult): string {
  const parts = [`${done} done`, `${failed.length} failed`];
  if (gone > 0) parts.push(`${gone} gone`);
  const lines = [`${parts.join(', ')}.`];
  if (gone > 0)
    lines.push('  What is gone was cancelled, or Redis has lost its data; nothing was written: submit it again.');
  return [...lines, ...failed.map(({ output, reason }) => `  ${plainText(`${output}: ${reason}`)}`)].join('\n');
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

function formatBar(share: number): string {
  const filled = Math.round(10 * share);
  return '█'.repeat(filled) + '░'.repeat(10 - filled);
}

function formatSeconds(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
