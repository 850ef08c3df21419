/**
 * Compares automatic weights with the artists' own on public models (docs/models.md), and writes the tables of docs/weights.md:
 * benchmarks/results/tables/weights-agreement.csv and weights-volume.csv, which `npm run docs:figures` puts on the page.
 *
 * node scripts/compare-weights.mjs <folder of models> [--fps 15]
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { autoWeights, createFrameSource, planBody, planClipMeter } from '@isoskin/core';
import { measureAgreement } from '@isoskin/core/weights';
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
  heat: { method: 'heat' },
};
const SKIN_ONLY = { skin: {} };

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
