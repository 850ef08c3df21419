import type { Amounts, JudgedRegion } from '@isoskin/gltf';
import type { BakeFacts } from './bake-file.js';
import { formatBytes, formatChange, formatPercent, formatShare } from './format-number.js';
import { formatTable } from './format-table.js';
import { formatWarning, plainText } from './plain-text.js';
import { sparkline } from './sparkline.js';

/** What a bake did, for a person: a row per clip, what was written, what to know. */
export function formatBake(facts: BakeFacts): string {
  const { model, output, report, sizes, seconds, clips, warnings } = facts;
  const blocks = [`${plainText(model)} → ${plainText(output)}`];
  if (clips.length > 0) blocks.push(formatClips(clips, facts.worstRegions));
  const lines = formatRegions(facts.regions);
  lines.push(
    ...facts.targets.map(({ node, count, keys, active, extra }) => {
      const targets = count === 1 ? '1 morph target' : `${count} morph targets`;
      const beside = extra > 0 ? ` (${extra} beside the shapes)` : '';
      return `  ${plainText(node || 'mesh')}: ${targets}${beside}, at most ${active} at once, ${keys} keys`;
    }),
  );
  if (facts.drive) lines.push(...formatDrive(facts.drive));
  const ratio = sizes.input > 0 ? ` (${(sizes.output / sizes.input).toFixed(2)}× of ${formatBytes(sizes.input)})` : '';
  lines.push(`  ${formatBytes(sizes.output)}${ratio}, ${seconds.toFixed(1)} s`);
  if (report !== undefined) lines.push(`  report: ${plainText(report)}`);
  blocks.push(lines.join('\n'));
  if (warnings.length > 0) blocks.push(warnings.map((warning) => `  ${formatWarning(warning)}`).join('\n'));
  return blocks.join('\n\n');
}

/** How the body was cut, and why not finer. */
function formatRegions({ count, layered, short, few }: BakeFacts['regions']): string[] {
  if (count === 0) return [];
  const reasons = [
    layered > 0 ? `${layered} more pieces move with the layers that they lie on` : '',
    short > 0 ? `${short} joined a neighbour, as the mesh is too coarse there for a volume of their own` : '',
    few > 0 ? `${few} joined the neighbour that moves most like them, to need fewer morph targets` : '',
  ].filter((reason) => reason !== '');
  return [`  ${count === 1 ? '1 region' : `${count} regions`}${reasons.length > 0 ? `; ${reasons.join('; ')}` : ''}`];
}

function formatDrive({ shapes, inputs, certificate }: Amounts): string[] {
  const of = ({ worst, median }: { worst: number; median: number }) =>
    `${formatShare(worst)} (median ${formatShare(median)})`;
  const terms = shapes.reduce((sum, shape) => sum + shape.terms.length, 0);
  return [
    `  drive: ${shapes.length} amounts of ${inputs.length} inputs, ${terms} terms`,
    `    worst region of ${certificate.poses} poses that were not taught: ${of(certificate)}; solver ${of(certificate.solver)}; linear skinning ${of(certificate.linear)}`,
  ];
}

function formatClips(clips: BakeFacts['clips'], worstRegions: readonly JudgedRegion[]): string {
  const volume = [{ left: 'clip' }, { left: 'volume over time' }, 'skinned', 'baked'];
  const columns = [...volume, { left: 'worst region' }, 'skinned', 'baked', 'moved off'];
  const rows = clips.map((clip) => {
    const region = worstRegions.find(({ skinned, baked }) => (skinned.clip || baked.clip) === clip.name);
    return [
      clip.name,
      sparkline(clip.skinned.map((v, i) => (clip.target[i] === 0 ? 0 : v / clip.target[i]! - 1))),
      formatChange(clip.worst.skinned),
      formatChange(clip.worst.baked),
      region ? region.skinned.name || region.baked.name : '–',
      region ? formatChange(region.skinned.change) : '–',
      region ? formatChange(region.baked.change) : '–',
      formatPercent(100 * clip.positionError),
    ];
  });
  return formatTable(columns, rows);
}
