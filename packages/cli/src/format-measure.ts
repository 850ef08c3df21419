import type { ClipMeasure, StackSpec, Warning } from '@isoskin/core';
import { type ClipQuality, HARM_KINDS, HARM_LIMITS, type TwistLoss } from '@isoskin/core/quality';
import { formatChange, formatNumber, formatPercent, formatShare } from './format-number.js';
import { type Column, formatTable } from './format-table.js';
import { plainText } from './plain-text.js';
import { sparkline } from './sparkline.js';

/** Loss of a section from which on something is said of it. */
const TOLD_TWIST = 0.05;

/** What `measure --json` prints. */
export interface ModelMeasure {
  readonly model: string;
  readonly rest: number;
  readonly stack: StackSpec;
  readonly clips: readonly ClipMeasure[];
  /** The joint whose twist takes most of its section, where the stack does nothing about it. */
  readonly twist?: TwistLoss;
  readonly warnings: readonly Warning[];
}

/** Regions in the table for a person; JSON has all of them. */
const LISTED = 20;

/** The same for a person: a row per clip, the regions that change most, and what the correction could not do. */
export function formatMeasure({ model, rest, clips, twist, warnings }: ModelMeasure): string {
  const blocks = [
    `${plainText(model)}: rest volume ${formatNumber(rest)}`,
    formatClips(clips),
    `Regions, worst frame of ${clips.length === 1 ? 'the clip' : 'all clips'}, worst first\n${formatRegions(clips)}`,
  ];
  const quality = formatQuality(clips);
  if (quality) blocks.push(`Shape of the corrected skin, worst frame\n${quality}`);
  const inexact = formatInexact(clips);
  if (inexact) blocks.push(inexact);
  if (twist && twist.lost > TOLD_TWIST) {
    const { joint, clip, lost } = twist;
    const where = `${plainText(joint)} in ${plainText(clip)}`;
    blocks.push(`  A twist takes ${formatShare(lost)} of the section at ${where}: --preset anatomic gives it back`);
  }
  if (warnings.length > 0) blocks.push(warnings.map(({ message }) => `  ! ${plainText(message)}`).join('\n'));
  return blocks.join('\n\n');
}

function formatClips(clips: readonly ClipMeasure[]): string {
  const corrected = clips.some(({ worst }) => worst.corrected !== undefined);
  const crossings = clips.some(({ frames }) => frames.some(({ intersections }) => intersections));
  const columns: Column[] = [{ left: 'clip' }, 'frames', { left: 'volume over time' }, 'worst', 'at'];
  if (corrected) columns.push('corrected');
  if (crossings) columns.push('crossing triangles');
  const rows = clips.map((clip) => {
    const changes = clip.frames.map(({ skinned, target }) => skinned / target - 1);
    const row = [
      clip.name,
      String(clip.frames.length),
      sparkline(changes),
      formatChange(clip.worst.skinned),
      `${clip.frames[worstOf(changes)]!.time.toFixed(2)} s`,
    ];
    if (corrected) row.push(formatChange(clip.worst.corrected ?? 0));
    if (crossings) {
      const sum = (kind: 'skinned' | 'corrected') =>
        clip.frames.reduce((total, frame) => total + (frame.intersections?.[kind] ?? 0), 0);
      row.push(corrected ? `${sum('skinned')} → ${sum('corrected')}` : String(sum('skinned')));
    }
    return row;
  });
  return formatTable(columns, rows);
}

function formatRegions(clips: readonly ClipMeasure[]): string {
  const regions = clips[0]!.regions;
  const corrected = regions.some(({ worst }) => worst.corrected !== undefined);
  const whole = regions.reduce((sum, { rest }) => sum + rest, 0);
  const columns: Column[] = [{ left: 'region' }, 'rest volume', 'share', 'worst', { left: 'in clip' }];
  if (corrected) columns.splice(4, 0, 'corrected');
  const worst = regions.map((_, s) => {
    const changes = clips.map((clip) => clip.regions[s]!.worst.skinned);
    const clip = worstOf(changes);
    return { s, clip, change: changes[clip]! };
  });
  worst.sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
  const rows = worst.slice(0, LISTED).map(({ s, clip, change }) => {
    const { name, rest } = regions[s]!;
    const row = [
      name,
      formatNumber(rest),
      formatPercent((100 * rest) / whole),
      formatChange(change),
      clips[clip]!.name,
    ];
    if (corrected) {
      const after = clips.map((one) => one.regions[s]!.worst.corrected ?? 0);
      row.splice(4, 0, formatChange(after[worstOf(after)]!));
    }
    return row;
  });
  const next = worst[LISTED];
  const more = next
    ? `\n  … and ${worst.length - LISTED} that change by at most ${formatPercent(100 * Math.abs(next.change))}`
    : '';
  return formatTable(columns, rows) + more;
}

function formatQuality(clips: readonly ClipMeasure[]): string {
  const rows = clips.flatMap(({ name, quality }) =>
    quality ? [[name, ...QUALITIES.map(([, show]) => show(quality))]] : [],
  );
  return rows.length === 0 ? '' : formatTable([{ left: 'clip' }, ...QUALITIES.map(([title]) => title)], rows);
}

const QUALITIES: readonly (readonly [title: string, show: (quality: ClipQuality) => string])[] = [
  ['flipped', ({ flipped }) => formatPercent(100 * flipped)],
  ['stretch 99 %', ({ stretch99 }) => stretch99.toFixed(3)],
  ['stretch max', ({ stretchMax }) => stretchMax.toFixed(3)],
  ['roughness', ({ roughness }) => roughness.toFixed(3)],
  ['temporal', ({ temporal }) => temporal.toFixed(3)],
  ['locality', ({ locality }) => locality.toExponential(1)],
  ['moved (RMS)', ({ rms }) => formatPercent(100 * rms)],
  ['misplaced', ({ misplaced }) => formatPair(misplaced.mean)],
  ['overlap', ({ overlap }) => formatPair(overlap.worst)],
  ['visible', ({ visible }) => formatPair(visible.worst)],
  ...HARM_KINDS.filter((kind) => kind !== 'flipped').map(
    (kind) => [kind, ({ harm }: ClipQuality) => markHarm(harm[kind].value, HARM_LIMITS[kind])] as const,
  ),
];

/** Q11: “!” above its limit. */
function markHarm(value: number, limit: number): string {
  return `${formatPercent(value)}${value > limit ? ' !' : ''}`;
}

/** Q9, Q10: the plain skin, and the corrected one. */
function formatPair({ skinned, corrected }: { skinned: number; corrected: number }): string {
  return `${formatPercent(100 * skinned)} → ${formatPercent(100 * corrected)}`;
}

function formatInexact(clips: readonly ClipMeasure[]): string {
  const worst = new Map<string, number>();
  for (const { inexact } of clips) {
    for (const { name, error } of inexact) worst.set(name, Math.max(error, worst.get(name) ?? 0));
  }
  if (worst.size === 0) return '';
  const list = [...worst].sort((a, b) => b[1] - a[1]).map(([name, error]) => `${name} ${formatPercent(100 * error)}`);
  return `Regions held back by the limit, so that the character stays recognisable (largest error): ${plainText(list.join(', '))}.`;
}

/** Index of the change of largest size. */
function worstOf(changes: readonly number[]): number {
  return changes.reduce((best, change, i) => (Math.abs(change) > Math.abs(changes[best]!) ? i : best), 0);
}
