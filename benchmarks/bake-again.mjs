/**
 * What is left of a file that is baked, baked again, and given other weights before or after: on every demo and every model of a folder.
 *
 *   node benchmarks/bake-again.mjs [folder of models] [--fps 10] [--csv benchmarks/results/bake-again.csv]
 *
 * plain, baked, twice, after_weights: largest change of the whole volume over all clips, as a plain glTF player plays the file, of the
 * input, bake(input), bake(bake(input)) and bake(weights(input)); new_errors: errors of gltf-validator that the input does not have, in
 * any of these and weights(bake(input)); views: buffer views of what was given that are the same bytes in what came out, of how many.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { validateBytes } from 'gltf-validator';
import {
  autoWeights,
  createFrameSource,
  createPose,
  frameTimes,
  planBody,
  samplePose,
} from '../packages/core/dist/index.js';
import { measureVolumes, planClosedSurface } from '../packages/core/dist/mesh.js';
import { createDemo, demoNames } from '../packages/demos/dist/index.js';
import { bakeCharacter, readCharacterFromBytes, writeCharacter, writeWeights } from '../packages/gltf/dist/index.js';
import { readCharacter } from '../packages/gltf/dist/node.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { fps: { type: 'string', default: '10' }, csv: { type: 'string' }, only: { type: 'string' } },
});
const fps = Number(values.fps);
const models = demoNames.map((name) => [name, () => writeCharacter(createDemo(name))]);
for (const folder of positionals) {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.glb')))
    models.push([file.replace('.glb', ''), () => new Uint8Array(readFileSync(join(folder, file)))]);
}
const temporary = join(mkdtempSync(join(tmpdir(), 'isoskin-again-')), 'model.glb');
const names = ['model', 'clips', 'plain', 'baked', 'twice', 'after_weights', 'new_errors', 'views', 'of'];
const rows = [names];
for (const [name, open] of models) {
  if (values.only && !name.includes(values.only)) continue;
  const input = await open();
  const { clips } = (await readCharacterFromBytes(input)).character;
  if (clips.length === 0) continue;
  const baked = await bake(input);
  const twice = await bake(baked);
  const weighed = await weigh(input);
  const after = await bake(weighed);
  const before = await weigh(baked);
  const known = new Set(await listErrors(input));
  let errors = 0;
  for (const glb of [baked, twice, weighed, after, before])
    errors += (await listErrors(glb)).filter((error) => !known.has(error)).length;
  const pairs = [
    ...[
      [input, baked],
      [baked, twice],
      [input, weighed],
      [weighed, after],
      [baked, before],
    ],
  ];
  const [same, of] = pairs.map(([a, b]) => compareViews(a, b)).reduce((sum, one) => [sum[0] + one[0], sum[1] + one[1]]);
  const volumes = [];
  for (const glb of [input, baked, twice, after]) volumes.push(`${(100 * (await playWorst(glb))).toFixed(3)} %`);
  rows.push([name, clips.length, ...volumes, errors, same, of]);
  console.log(names.map((field, i) => `${field} ${rows.at(-1)[i]}`).join('  '));
}
rmSync(join(temporary, '..'), { recursive: true });
if (values.csv) writeFileSync(values.csv, `${rows.join('\n')}\n`);

async function bake(bytes) {
  return (await bakeCharacter(await readCharacterFromBytes(bytes), { fps })).glb;
}

async function weigh(bytes) {
  writeFileSync(temporary, bytes);
  const read = await readCharacter(temporary);
  const { surface, skeleton } = read.character;
  return writeWeights(read, autoWeights(surface, skeleton, { method: 'heat', bonesOfGroup: read.bonesOfGroup }));
}

/** By kind: what the input has, the output may have again, at the numbers that it got. */
async function listErrors(bytes) {
  const { issues } = await validateBytes(bytes, { maxIssues: 0 });
  return issues.messages.filter(({ severity }) => severity === 0).map(({ code }) => code);
}

/** How many views of `before` have the same bytes in `after`, under the same number. */
function compareViews(before, after) {
  const [a, b] = [listViews(before), listViews(after)];
  return [a.filter((view, n) => b[n] && Buffer.compare(view, b[n]) === 0).length, a.length];
}

function listViews(glb) {
  const length = Buffer.from(glb.buffer, glb.byteOffset).readUInt32LE(12);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
  const binary = glb.subarray(28 + length);
  return (json.bufferViews ?? []).map(({ byteOffset = 0, byteLength }) =>
    binary.subarray(byteOffset, byteOffset + byteLength),
  );
}

async function playWorst(bytes) {
  const { character } = await readCharacterFromBytes(bytes);
  const stack = createFrameSource(planBody(character), { skin: {} });
  const closed = planClosedSurface(character.surface);
  const extended = new Float64Array(3 * (closed.vertexCount + closed.apexCount));
  const volumes = new Float64Array(character.surface.components.length);
  const measure = () => {
    measureVolumes(volumes, closed, extended);
    return volumes.reduce((sum, volume) => sum + volume, 0);
  };
  const pose = createPose(character);
  extended.set(character.surface.positions);
  const rest = measure();
  let worst = 0;
  for (const clip of character.clips) {
    for (const time of frameTimes(clip, fps)) {
      samplePose(pose, character, clip, time);
      extended.set(stack.evaluate(pose, time, 0).positions);
      worst = Math.max(worst, Math.abs(measure() / rest - 1));
    }
  }
  return worst;
}
