/**
 * Compares automatic weights with the artists' own on public models (docs/models.md), and writes the tables of docs/weights.md:
 * benchmarks/results/tables/weights-agreement.csv, weights-volume.csv and weights-refined.csv, which `npm run docs:figures` puts on the page.
 *
 * node scripts/compare-weights.mjs <folder of models> [--fps 15]
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { autoWeights, createFrameSource, planBody, planClipMeter } from '@isoskin/core';
import { planFlesh } from '@isoskin/core/quality';
import { measureAgreement, refineWeights } from '@isoskin/core/weights';
import { readCharacter } from '@isoskin/gltf/node';

const MODELS = [
  'Fox.glb',
  'RiggedFigure.glb',
  'CesiumMan.glb',
  'RobotExpressive.glb',
  'Ghost.glb',
  'aframe_leftHand.glb',
  'webxr_hand_left.glb',
  'Manny/kaykit_Manny.gltf',
];
const METHODS = {
  bone: { method: 'bone' },
  visible: { method: 'visible' },
  'visible, no ℓ': { method: 'visible', lengths: false },
  'visible, no ℓ, normals': { method: 'visible', visibility: 'normals', lengths: false },
  'heat, c = 1': { method: 'heat', locality: 1 },
  'heat, c = 4': { method: 'heat' },
};
const SKIN_ONLY = { skin: {} };
/** Refined weights are judged at moments between those that they were made for, too. */
const FPS = 60;

const { values, positionals } = parseArgs({
  options: { fps: { type: 'string', default: '15' } },
  allowPositionals: true,
});
const [folder] = positionals;
if (!folder) {
  console.error('Say where the models are: node scripts/compare-weights.mjs <folder>');
  process.exit(1);
}

const percent = (share) => (100 * share).toFixed(1);
const median = (list) => {
  const sorted = [...list].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};

/** The change of largest size over all frames of all clips under linear skinning, and its clip. */
function measureWorst(character) {
  const meter = planClipMeter(createFrameSource(planBody(character), SKIN_ONLY));
  let worst = 0;
  for (const clip of character.clips) {
    const { skinned } = meter.measure(clip, { fps: Number(values.fps) }).worst;
    if (Math.abs(skinned) > Math.abs(worst)) worst = skinned;
  }
  return worst;
}

/** Worst frames under linear skinning: change of volume, misplaced flesh and overlap in the artist's own cut, and the way from the artist's skin. */
function judge(character, artist) {
  const source = createFrameSource(planBody(character), SKIN_ONLY);
  const before = createFrameSource(planBody(artist), SKIN_ONLY);
  const flesh = planFlesh(artist);
  const { meter } = planClipMeter(before);
  const box = artist.surface.positions.reduce(
    (box, x, i) => [box[0].with(i % 3, Math.min(box[0][i % 3], x)), box[1].with(i % 3, Math.max(box[1][i % 3], x))],
    [Array(3).fill(Infinity), Array(3).fill(-Infinity)],
  );
  const size = Math.hypot(...box[1].map((high, r) => high - box[0][r]));
  const worst = { volume: 0, visible: 0, misplaced: 0, overlap: 0, way: 0 };
  for (const clip of artist.clips) {
    for (let n = 0; n <= clip.duration * FPS; n++) {
      const x = source.seek(clip, n / FPS).positions;
      const { positions, bones, pose } = before.seek(clip, n / FPS);
      const target = meter.measureTargets(bones, n / FPS, pose.morphWeights);
      const figures = { ...flesh.measure(x, target / meter.rest), volume: meter.measure(x) / target - 1 };
      for (const [name, value] of Object.entries(figures)) {
        if (Math.abs(value) > Math.abs(worst[name])) worst[name] = value;
      }
      for (let i = 0; i < x.length; i += 3) {
        const way = Math.hypot(x[i] - positions[i], x[i + 1] - positions[i + 1], x[i + 2] - positions[i + 2]);
        worst.way = Math.max(worst.way, way / size);
      }
    }
  }
  return worst;
}

const refinements = [];
const agreements = [];
const losses = [];
const near = Object.fromEntries(Object.keys(METHODS).map((name) => [name, []]));
for (const model of MODELS) {
  const { character, bonesOfGroup } = await readCharacter(join(folder, model));
  const name = model.replace(/^.*\/|\.\w+$/g, '');
  const agreement = [`${name} (${character.surface.vertexCount})`];
  const loss = [name, character.clips.length === 0 ? 'no clip' : percent(measureWorst(character))];
  for (const [method, options] of Object.entries(METHODS)) {
    const binding = autoWeights(character.surface, character.skeleton, { ...options, bonesOfGroup });
    const shares = measureAgreement(character.binding, binding, character.skeleton);
    near[method].push(shares.near);
    agreement.push(`${percent(shares.near)} (${percent(shares.same)})`);
    loss.push(character.clips.length === 0 ? '' : percent(measureWorst({ ...character, binding })));
  }
  if (character.clips.length > 0) {
    const binding = refineWeights(character);
    const heat = { ...character, binding: autoWeights(character.surface, character.skeleton, { bonesOfGroup }) };
    const [artist, refined] = [character, { ...character, binding }].map((one) => judge(one, character));
    const [automatic, better] = [heat, { ...heat, binding: refineWeights(heat) }].map((one) => judge(one, character));
    refinements.push([
      name,
      ...['volume', 'visible', 'misplaced', 'overlap'].map((k) => `${percent(artist[k])} → ${percent(refined[k])}`),
      (refined.volume / artist.volume).toFixed(2).replace('-', ''),
      percent(refined.way),
      `${percent(automatic.volume)} → ${percent(better.volume)}`,
    ]);
  }
  agreements.push(agreement);
  if (character.clips.length > 0) losses.push(loss);
  console.error(name);
}
agreements.push(['**median**', ...Object.values(near).map((list) => `**${percent(median(list))}**`)]);

const heads = Object.keys(METHODS);
const quote = (cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const write = (name, rows) => {
  const lines = [
    '# node scripts/compare-weights.mjs <folder of models>',
    ...rows.map((row) => row.map(quote).join(',')),
  ];
  writeFileSync(new URL(`../benchmarks/results/tables/${name}.csv`, import.meta.url), `${lines.join('\n')}\n`);
};
write('weights-agreement', [['model (vertices)', ...heads], ...agreements]);
write('weights-volume', [['model', 'artist', ...heads], ...losses]);
write('weights-refined', [
  ['model', 'volume', 'visible volume', 'misplaced', 'overlap', 'ratio', 'farthest vertex', 'volume, from heat'],
  ...refinements,
]);
