/**
 * Compares automatic weights with the artists' own on the real models in ../shared/models, and writes the tables into
 * docs/weights.md between its markers. `node scripts/compare-weights.mjs [--fps 15]`
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { autoWeights, createFrameSource, measureAgreement, planBody, planClipMeter } from '@isoskin/core';
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

const folder = new URL('../../shared/models/', import.meta.url);
const page = fileURLToPath(new URL('../docs/weights.md', import.meta.url));
const { values } = parseArgs({ options: { fps: { type: 'string', default: '15' } } });
if (!existsSync(folder)) {
  console.error('The models are not here (../shared/models beside the repository); nothing was compared.');
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
  const { character, bonesOfGroup } = await readCharacter(fileURLToPath(new URL(model, folder)));
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
const table = (head, rows) =>
  [head, head.map((_, i) => (i === 0 ? '---' : '--:')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
const sections = {
  agreement: table(['model (vertices)', ...heads], agreements),
  volume: table(['model', 'artist', ...heads], losses),
};
let text = readFileSync(page, 'utf8');
for (const [mark, body] of Object.entries(sections)) {
  const between = new RegExp(`(<!-- ${mark} -->\n)[\\s\\S]*?(<!-- end ${mark} -->)`);
  if (!between.test(text)) throw new Error(`docs/weights.md has lost its markers <!-- ${mark} -->`);
  text = text.replace(between, (_, begin, end) => `${begin}\n${body}\n\n${end}`);
}
writeFileSync(page, text);
console.log(`${sections.agreement}\n\n${sections.volume}`);
