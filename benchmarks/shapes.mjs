/**
 * What the default volume step (C15) keeps, on every demo and every model of a folder: all clips, 240 frames per second, every frame
 * started cold, with the default limit and without one.
 *
 *   node benchmarks/shapes.mjs [folder of models] [--fps 240] [--csv benchmarks/results/shapes.csv]
 *
 * A pop is a frame in which the correction of some vertex moves further than the fastest vertex of the skin, by more than 0.2 % of the
 * size.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createFrameSource, frameTimes, planBody, presetStack } from '../packages/core/dist/index.js';
import { measureDiagonal, measureRegionError } from '../packages/core/dist/mesh.js';
import { createDemo, demoNames } from '../packages/demos/dist/index.js';
import { readCharacter } from '../packages/gltf/dist/node.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { fps: { type: 'string', default: '240' }, csv: { type: 'string' }, only: { type: 'string' } },
});
const fps = Number(values.fps);
const characters = demoNames.map((name) => [name, () => createDemo(name)]);
for (const folder of positionals) {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.glb'))) {
    characters.push([file.replace('.glb', ''), async () => (await readCharacter(`${folder}/${file}`)).character]);
  }
}

const { volume } = presetStack('organic');
const unlimited = { volume: { ...volume, options: { limit: 0 } } };
const rows = [
  [
    'model',
    'vertices',
    'regions',
    'frames',
    'total',
    'region_unlimited',
    'held_frames',
    'held_regions',
    'worst_held',
    'pops',
    'evaluations',
  ],
];
for (const [name, open] of characters) {
  if (values.only && !name.includes(values.only)) continue;
  const character = await open();
  if (character.clips.length === 0) continue;
  const free = judge(character, createFrameSource(planBody(character), unlimited));
  const kept = judge(character, createFrameSource(planBody(character), { volume }));
  const row = [
    ...[name, character.surface.vertexCount, kept.regions, kept.frames],
    ...[Math.max(free.total, kept.total).toExponential(1), free.region.toExponential(1)],
    ...[
      kept.heldFrames,
      kept.held.size,
      `${(100 * kept.region).toFixed(1)} %`,
      kept.pops,
      (kept.evaluations / kept.frames).toFixed(1),
    ],
  ];
  rows.push(row);
  console.log(rows[0].map((field, i) => `${field} ${row[i]}`).join('  '));
}
if (values.csv) writeFileSync(values.csv, `${rows.map((row) => row.join(',')).join('\n')}\n`);

function judge(character, stack) {
  const { componentVolumes } = stack.volume.shapes.shapes;
  const size = measureDiagonal(character.surface.positions);
  const count = 3 * character.surface.vertexCount;
  const last = { skinned: new Float64Array(count), corrected: new Float64Array(count) };
  const result = {
    regions: componentVolumes.length,
    frames: 0,
    total: 0,
    region: 0,
    heldFrames: 0,
    held: new Set(),
    pops: 0,
    evaluations: 0,
  };
  for (const clip of character.clips) {
    for (const [n, time] of frameTimes(clip, fps).entries()) {
      const { skinned, positions, report } = stack.seek(clip, time);
      let [sum, goal] = [0, 0];
      let isHeld = false;
      for (const [s, volume] of report.volumes.entries()) {
        sum += volume;
        goal += report.targets[s];
        const error = Math.abs(measureRegionError(volume, report.targets[s], componentVolumes[s]));
        result.region = Math.max(result.region, error);
        if (!report.inexact[s]) continue;
        isHeld = true;
        result.held.add(s);
      }
      result.frames++;
      result.evaluations += report.evaluations;
      if (isHeld) result.heldFrames++;
      result.total = Math.max(result.total, Math.abs(sum / goal - 1));
      if (n > 0 && isPop(skinned, positions, last, size)) result.pops++;
      last.skinned.set(skinned);
      last.corrected.set(positions);
    }
  }
  return result;
}

function isPop(skinned, corrected, last, size) {
  let [skin, correction] = [0, 0];
  for (let i = 0; i < skinned.length; i += 3) {
    let [moved, changed] = [0, 0];
    for (let k = i; k < i + 3; k++) {
      const step = skinned[k] - last.skinned[k];
      moved += step ** 2;
      changed += (corrected[k] - last.corrected[k] - step) ** 2;
    }
    skin = Math.max(skin, moved);
    correction = Math.max(correction, changed);
  }
  return Math.sqrt(correction) - Math.sqrt(skin) > 0.002 * size;
}
