/**
 * What contact promises, measured: every clip of the demos, a finger bent to 150° and a hand that closes, and every clip of the models of a folder.
 *
 *   overlap       flesh twice in one place (Q10), mean of the frames, in % of the body: linear skinning, volume alone, with contact
 *   stretch       99th percentile of |e|/|ē| of the worst frame, with contact against volume alone
 *   displacement  largest |f| by contact against the deepest penetration that it meets on the surface without it
 *   temporal      Q6 at 240 frames a second, in the second around the deepest contact: volume alone, with contact
 *   region        worst error of a region that no limit holds back
 *   bones         whether any bone differs from volume alone's
 *
 * Fine is skin whose edges are shorter than a third of its thickness, for half of its area. Then what contact costs (time-contact.mjs).
 *
 * node benchmarks/contact.mjs [folder of models] [--only finger,CesiumMan] [--csv file] [--solid file] [--constants json] [--cost] [--ablate]
 *
 * --solid  a module with solid(positions, triangles) and split(triangles, vertices) that measures the overlap instead of the core
 * --constants  constants of contact to try instead (docs/decisions/contact.md): '{"face":0.5}'
 * --cost   only what it costs
 * --ablate  only the ablation of docs/decisions/contact.md: half and double of every constant, on the finger and the toy
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { CONTACT_CONSTANTS } from '@isoskin/core/stack';
import { createDemo } from '@isoskin/demos';
import { readCharacter } from '../packages/gltf/dist/node.js';
import { bend, closeHand } from './close-hand.mjs';
import { judgeContact } from './judge-contact.mjs';
import { DEMOS } from './models.mjs';
import { timeContact } from './time-contact.mjs';

const { values, positionals } = parseArgs({
  options: {
    only: { type: 'string' },
    csv: { type: 'string' },
    solid: { type: 'string' },
    constants: { type: 'string', default: '{}' },
    cost: { type: 'boolean', default: false },
    ablate: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
Object.assign(CONTACT_CONSTANTS, JSON.parse(values.constants));
const [folder] = positionals;
const only = values.only?.split(',');
const solid = values.solid && (await import(pathToFileURL(resolve(values.solid))));
const files = folder ? readdirSync(folder).filter((file) => file.endsWith('.glb')) : [];
const rows = [];
if (values.ablate) ablate();
else if (!values.cost) {
  for (const name of DEMOS) if (!only || only.includes(name)) judge(name, createDemo(name));
  for (const file of files) {
    const name = file.slice(0, -4);
    if (!only || only.includes(name)) judge(name, (await readCharacter(join(folder, file))).character);
  }
  summarise();
}
if (values.csv && rows.length > 0) {
  const names = Object.keys(rows[0]);
  const lines = [names, ...rows.map((row) => names.map((key) => row[key]))];
  writeFileSync(values.csv, `${lines.map((line) => line.join(',')).join('\n')}\n`);
}
if (values.cost || !(only || values.ablate)) await timeContact();

/** As joints move: they start and stop. */
function ease(t) {
  return t * t * (3 - 2 * t);
}

/** Half and double of every constant, and all as they are. */
function ablate() {
  const models = ['finger', 'toy'].map((name) => [name, createDemo(name)]);
  console.log('| constant | value | finger | toy | stretch | displacement |\n|---|---|---|---|---|---|');
  for (const [name, value] of [['', 0], ...Object.entries(CONTACT_CONSTANTS)])
    for (const factor of name === '' ? [1] : [0.5, 2]) {
      const tried = Number.isInteger(value) && value > 2 ? Math.round(factor * value) : factor * value;
      if (name !== '') CONTACT_CONSTANTS[name] = tried;
      rows.length = 0;
      for (const [model, character] of models) judge(model, character, 0, ['to 150°', 'bend']);
      if (name !== '') CONTACT_CONSTANTS[name] = value;
      const most = (key) => Math.max(...rows.map((row) => Number(row[key])));
      console.log(
        `| ${name === '' ? 'all as they are |' : `\`${name}\` ${value} | ${tried}`} | ${rows.map((row) => row.contact).join(' | ')} | ${most('stretch')} | ${most('displacement')} |`,
      );
    }
}

/** The rows of a character's clips. */
function judge(name, character, fps, clips) {
  const moves = character.clips.map((clip) => ({ name: clip.name, duration: clip.duration, clip }));
  if (name === 'finger')
    moves.push({ name: 'to 150°', duration: 1, pose: (t) => bend(character, 'finger.2', [1, 0, 0], 150 * ease(t)) });
  if (name === 'hand') moves.push({ name: 'closing', duration: 1, pose: (t) => closeHand(character, ease(t)) });
  const chosen = clips ? moves.filter((move) => clips.includes(move.name)) : moves;
  for (const row of judgeContact(name, character, chosen, solid, fps)) {
    rows.push(row);
    if (!clips) console.log(Object.values(row).join('  '));
  }
}

function summarise() {
  const fine = rows.filter((row) => row.skin === 'fine');
  const sum = (key) => fine.reduce((total, row) => total + Number(row[key]), 0);
  const most = (list, figure) => list.reduce((worst, row) => Math.max(worst, figure(row)), 0).toFixed(3);
  const above = (row) => row.contact - row.linear;
  console.log(
    `fine skin: overlap ${(sum('contact') / sum('linear')).toFixed(3)} of linear skinning's (volume alone ${(sum('volume') / sum('linear')).toFixed(3)})`,
  );
  console.log(
    `above linear skinning, points: fine ${most(fine, above)}, coarse ${most(
      rows.filter((row) => row.skin === 'coarse'),
      above,
    )}`,
  );
  for (const key of ['stretch', 'displacement', 'temporal', 'region'])
    console.log(`largest ${key}: ${most(rows, (row) => Number(row[key]))}`);
}
