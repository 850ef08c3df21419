/**
 * Every method that a character could be skinned with, against finite-element truth, in one table: linear skinning, dual quaternions, Delta
 * Mush, Direct Delta Mush, centres of rotation (measured only: patents) and the presets of isoskin.
 *
 *   node benchmarks/peers/measure-peers.mjs <folder of truth cases> [--csv file]        (also: isoskin tables --physics <folder>)
 *
 * distance   RMS distance from the truth's vertices near the joint to the surface, mean over the angles, in limb radii
 * total, region   largest change of the volume of the whole and of a region by joint, over all cases
 * misplaced, overlap   means over all frames (Q9, Q10)
 * frame, set-up   processor time on the elbow (5 826 vertices), TypeScript, one thread
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createFrameSource,
  createPose,
  planBody,
  planVolumeMeter,
  presetStack,
  samplePose,
} from '../../packages/core/dist/index.js';
import { planSkinning } from '../../packages/core/dist/kernels.js';
import { planFlesh } from '../../packages/core/dist/quality.js';
import { readCharacter } from '../../packages/gltf/dist/node.js';
import { planCentresOfRotation } from './centres-of-rotation.mjs';
import { planDeltaMush } from './delta-mush.mjs';
import { planDirectDeltaMush } from './direct-delta-mush.mjs';
import { measureSurfaceDistance } from './measure-surface-distance.mjs';

const skins = (character, skinning) => {
  const plan = planSkinning(character, { skinning });
  const count = 3 * character.surface.vertexCount;
  const out = { positions: new Float64Array(count), directions: new Float64Array(count) };
  const skin = (pose) => {
    plan.apply(out, pose);
    return out.positions;
  };
  const bones = (pose) => {
    plan.apply(out, pose);
    return plan.bones;
  };
  return { skin, bones };
};
const stackOf = (spec) => (character) => {
  const source = createFrameSource(planBody(character), spec);
  return (pose) => source.evaluate(pose).positions;
};
const WEIGHTS = 'weights';
/** Name, what plans a function from pose to positions, what it needs. */
export const METHODS = [
  ['linear', (c) => skins(c, 'linear').skin, WEIGHTS],
  ['dual quaternions', (c) => skins(c, 'dual-quaternion').skin, `${WEIGHTS}, own shader`],
  ['Delta Mush', (c) => planDeltaMush(c, skins(c, 'linear').skin), `${WEIGHTS}, the whole mesh in every frame`],
  ['Delta Mush, rigid', (c) => planDeltaMush(c, skins(c, 'rigid').skin), 'one bone a vertex, the whole mesh'],
  [
    'Direct Delta Mush',
    (c) => planDirectDeltaMush(c, skins(c, 'linear').bones),
    `${WEIGHTS}, 10 numbers a bone and vertex`,
  ],
  [
    'centres of rotation',
    (c) => planCentresOfRotation(c, skins(c, 'linear').bones, skins(c, 'linear').skin),
    `${WEIGHTS}, patents`,
  ],
  ['rubber', stackOf(presetStack('rubber')), WEIGHTS],
  ['organic', stackOf(presetStack('organic')), WEIGHTS],
  ['natural', stackOf(presetStack('natural')), WEIGHTS],
  ['anatomic', stackOf(presetStack('anatomic')), WEIGHTS],
  ['anatomic + contact', stackOf({ ...presetStack('anatomic'), contact: {} }), WEIGHTS],
];
export const COLUMNS = ['total', 'region', 'misplaced', 'overlap', 'frame', 'set-up', 'needs'];

/** Rows of strings, one per method, and the cases' names. */
export async function measurePeers(folder, progress = () => {}) {
  const cases = await Promise.all(
    readdirSync(folder)
      .filter((file) => file.endsWith('.glb'))
      .map((file) => readCase(folder, file.slice(0, -4))),
  );
  const rows = METHODS.map(([name, plan, needs], n) => {
    progress(name, n, METHODS.length);
    return measureMethod(name, plan, needs, cases);
  });
  return { cases: cases.map(({ name }) => name), rows };
}

/** A method on all cases: the strings of its row. */
function measureMethod(name, plan, needs, cases) {
  const sums = { total: 0, region: 0, misplaced: 0, overlap: 0, frames: 0 };
  const distances = [];
  let setUp = 0;
  let frame = Number.POSITIVE_INFINITY;
  for (const one of cases) {
    const start = process.cpuUsage();
    const run = plan(one.character);
    const spent = elapsed(start);
    let distance = 0;
    for (const { pose, truth } of one.frames) {
      const positions = run(pose);
      distance += one.distance(positions, truth) / one.frames.length;
      sums.total = Math.max(sums.total, Math.abs(one.meter.measure(positions) / one.meter.rest - 1));
      one.meter.regionVolumes.forEach((v, s) => {
        sums.region = Math.max(sums.region, Math.abs(v / one.meter.restRegions[s] - 1));
      });
      const flesh = one.flesh.measure(positions, 1);
      sums.misplaced += flesh.misplaced;
      sums.overlap += flesh.overlap;
      sums.frames++;
    }
    distances.push(distance);
    if (one.name !== 'elbow') continue;
    setUp = spent;
    for (let round = 0; round < 8; round++) frame = Math.min(frame, timeFrames(run, one.frames));
  }
  const percent = (value) => `${(100 * value).toFixed(value < 0.001 ? 3 : 2)} %`;
  return [
    name,
    ...distances.map((d) => d.toFixed(3)),
    ...[percent(sums.total), percent(sums.region)],
    ...[percent(sums.misplaced / sums.frames), percent(sums.overlap / sums.frames)],
    ...[`${frame.toFixed(2)} ms`, `${setUp.toFixed(0)} ms`, needs],
  ];
}

function timeFrames(run, frames) {
  const start = process.cpuUsage();
  for (const { pose } of frames) run(pose);
  return elapsed(start) / frames.length;
}

function elapsed(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** A case with its poses and what judges it. Key i of its clip is frame i of the case, key 0 the rest pose. */
export async function readCase(folder, name) {
  const { joints, rest, triangles, frames } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  const { character } = await readCharacter(join(folder, `${name}.glb`));
  const [clip] = character.clips;
  const { volume } = createFrameSource(planBody(character));
  return {
    name,
    character,
    triangles: triangles.flat(),
    frames: frames.map(({ positions }, n) => {
      const pose = createPose(character);
      samplePose(pose, character, clip, n + 1);
      return { pose, truth: Float64Array.from(positions.flat()) };
    }),
    flesh: planFlesh(character),
    meter: planVolumeMeter(character, volume),
    distance: measureSurfaceDistance(character.surface, joints, rest.flat(), triangles.flat()),
  };
}

if (process.argv[1]?.endsWith('measure-peers.mjs')) {
  const [folder, flag, file] = process.argv.slice(2);
  const { cases, rows } = await measurePeers(folder);
  const all = [['method', ...cases, ...COLUMNS], ...rows];
  for (const row of all) console.log(row.join(' | '));
  const csv = all.map((row) => row.map((field) => field.replaceAll(', ', ' · ')).join(','));
  const head = '# node benchmarks/peers/measure-peers.mjs <truth>; finite-element cases that are not in the repository';
  if (flag === '--csv') writeFileSync(file, `${[head, ...csv].join('\n')}\n`);
}
