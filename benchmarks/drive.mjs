/**
 * How well a driver (P1) plays what it was not taught, on every demo and every model of a folder. Clips are left out in turn, a quarter
 * of them at a time, and the driver that was taught on the others plays them; a model with one clip or none is judged on poses that
 * were not taught.
 *
 *   node benchmarks/drive.mjs [folder of models] [--only name] [--fps 30] [--csv benchmarks/results/drive.csv]
 *
 * Shares are of linear skinning's worst region on the same frames: the aim is worst ≤ 20 %, median of the frames ≤ 5 %. The solver's own
 * shares stand beside them: where limits hold regions back, no driver is better; `above` is what the driver adds to them at most.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createFrameSource, createPose, frameTimes, planBody, samplePose } from '../packages/core/dist/index.js';
import { createDemo, demoNames } from '../packages/demos/dist/index.js';
import { createDriver } from '../packages/drive/dist/index.js';
import {
  createPoseSampler,
  measureDriven,
  planDriveJudge,
  summarise,
  TEACH_SEEDS,
  teachAmounts,
} from '../packages/gltf/dist/index.js';
import { readCharacter } from '../packages/gltf/dist/node.js';

const FOLDS = 4;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fps: { type: 'string', default: '30' },
    csv: { type: 'string' },
    only: { type: 'string' },
    terms: { type: 'string' },
  },
});
const characters = demoNames.map((name) => [name, () => createDemo(name)]);
for (const folder of positionals) {
  for (const file of readdirSync(folder, { recursive: true }).filter((name) => /\.(glb|gltf)$/.test(name))) {
    characters.push([file.replace(/\.\w+$/, ''), async () => (await readCharacter(join(folder, file))).character]);
  }
}

const rows = [
  [
    ...['model', 'clips', 'left_out', 'regions', 'terms', 'frames', 'linear_worst', 'worst', 'median'],
    ...['worst_share', 'median_share', 'solver_worst_share', 'solver_median_share', 'above_share', 'seconds'],
  ],
];
const percent = (share) => `${(100 * share).toFixed(1)} %`;
for (const [name, open] of characters) {
  if (values.only && !values.only.split(',').some((part) => name.includes(part))) continue;
  const character = await open();
  const { clips } = character;
  const folds = Array.from({ length: clips.length > 1 ? Math.min(FOLDS, clips.length) : 1 }, (_, f) =>
    clips.length > 1 ? clips.filter((_, c) => c % FOLDS === f) : [],
  );
  for (const out of folds) {
    const start = performance.now();
    const stack = createFrameSource(planBody({ ...character, clips: clips.filter((clip) => !out.includes(clip)) }));
    if (!stack.volume.shapes?.shapes.regionCount) continue;
    const taught = teachAmounts(stack, values.terms ? { terms: Number(values.terms) } : {});
    const seconds = (performance.now() - start) / 1e3;
    const judged = out.length > 0 ? judgeClips(character, stack, taught, out) : judgePoses(character, stack, taught);
    const { poses, worst, median, linear, solver, above } = judged;
    const shares = [worst, median, solver.worst, solver.median, above].map((error) => error / linear.worst);
    const row = [
      ...[name, clips.length, out.map((clip) => clip.name).join(' ') || 'poses', taught.amounts.shapes.length],
      ...[taught.amounts.shapes.reduce((sum, { terms }) => sum + terms.length, 0), poses],
      ...[linear.worst, worst, median, ...shares].map(percent),
      seconds.toFixed(1),
    ];
    rows.push(row);
    console.log(rows[0].map((field, i) => `${field} ${row[i]}`).join('  '));
    if (values.csv) writeFileSync(values.csv, `${rows.map((row) => row.join(',')).join('\n')}\n`);
  }
}

function judgeClips(character, stack, taught, clips) {
  const pose = createPose(character);
  const moments = clips.flatMap((clip) => [...frameTimes(clip, Number(values.fps))].map((time) => [clip, time]));
  return judge(stack, taught, moments.length, (n) => {
    samplePose(pose, character, ...moments[n]);
    return pose;
  });
}

/** The poses of the certificate. */
function judgePoses(character, stack, { nodes, morphs, ...taught }) {
  const sampler = createPoseSampler(character, { nodes, morphs, seed: TEACH_SEEDS.judged });
  return judge(stack, { nodes, morphs, ...taught }, taught.amounts.certificate.poses, () => {
    sampler.next();
    return sampler.pose;
  });
}

function judge(stack, taught, count, poseOf) {
  const own = planDriveJudge(stack);
  const driver = createDriver(taught.amounts);
  const [linear, solver, driven] = [[], [], []];
  for (let n = 0; n < count; n++) {
    const pose = poseOf(n);
    own.pose(pose);
    linear.push(own.measureLinear());
    solver.push(own.measureSolved());
    driven.push(own.measureDriven(measureDriven(driver, pose, taught)));
  }
  const above = Math.max(0, ...driven.map((error, n) => error - solver[n]));
  return { poses: count, ...summarise(driven), linear: summarise(linear), solver: summarise(solver), above };
}
