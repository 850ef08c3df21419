/**
 * How long `isoskin bake` takes with the start of Node, what it spends its time on and how much memory it needs: the elephant with one and with all clips, and
 * a file of 76 clips (those of a model, again and again).
 *
 *   node benchmarks/bake.mjs [model with clips] [--runs 3] [--against other/packages/cli/bin/isoskin.js] [--csv benchmarks/results/bake.csv]
 *
 * seconds: by the clock, the shortest of the runs; cpu: processor seconds of all threads in that run; mib: most memory; other columns: where the main thread was, in
 * per cent (a run by itself, one thread). --against: another build, in turns with this one; its columns have `_before`. On a busy machine compare cpu.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const COMMAND = fileURLToPath(new URL('../packages/cli/bin/isoskin.js', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '3' }, against: { type: 'string' }, csv: { type: 'string' } },
});
const work = mkdtempSync(join(tmpdir(), 'isoskin-bake-'));
const elephant = join(work, 'elephant.glb');
run(COMMAND, [], 'demo', 'elephant', '-o', elephant);
const cases = [
  ['elephant', elephant, ['--clip', 'trunk'], 1],
  ['elephant', elephant, [], 4],
];
if (positionals[0]) {
  const many = join(work, 'many.glb');
  writeFileSync(many, repeatClips(readFileSync(positionals[0]), 76));
  cases.push([basename(positionals[0], '.glb'), many, [], 76]);
}
const rows = cases.map(([model, path, words, clips]) => {
  const best = new Map();
  for (let n = 0; n < Number(values.runs); n++) {
    for (const command of [COMMAND, ...(values.against ? [values.against] : [])]) {
      const one = time(command, path, words);
      const least = best.get(command) ?? one;
      best.set(command, Object.fromEntries(Object.keys(one).map((name) => [name, Math.min(one[name], least[name])])));
    }
  }
  const before = Object.entries(best.get(values.against) ?? {}).map(([name, value]) => [`${name}_before`, value]);
  const row = { model, clips, ...best.get(COMMAND), ...Object.fromEntries(before), ...profile(path, words) };
  console.log(JSON.stringify(row));
  return row;
});
rmSync(work, { recursive: true });
if (values.csv) {
  const names = Object.keys(rows[0]);
  writeFileSync(values.csv, `${[names, ...rows.map((row) => names.map((name) => row[name]))].join('\n')}\n`);
}

function time(command, path, words) {
  const tell = `process.on('exit',()=>process.stderr.write('\\n'+JSON.stringify(process.resourceUsage())))`;
  const start = performance.now();
  const options = ['--import', `data:text/javascript,${encodeURIComponent(tell)}`];
  const { stderr } = run(command, options, 'bake', path, '-o', join(work, 'out.glb'), '--force', ...words);
  const seconds = (performance.now() - start) / 1000;
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(stderr.trim().split('\n').at(-1));
  return {
    seconds: round(seconds, 2),
    cpu: round((userCPUTime + systemCPUTime) / 1e6, 2),
    mib: round(maxRSS / 1024, 0),
  };
}

/** Files of a profile → what is done in them; the innermost that is named here decides. */
function nameStep(url) {
  if (/\/judge\/|write-judged/.test(url)) return 'judge';
  if (/create-frame-baker|create-shape-frames/.test(url)) return 'frames';
  if (/bake-targets|solve-again|turn-directions/.test(url)) return 'targets';
  if (/create-frame-source|plan-body|plan-volume-meter/.test(url)) return 'plan';
  if (/read-|open-document|gltf-transform|\/patch\//.test(url)) return 'files';
  return /^node:|esm\/|bin\/isoskin/.test(url) ? 'start' : undefined;
}

function profile(path, words) {
  const folder = join(work, 'profile');
  const options = ['--cpu-prof', `--cpu-prof-dir=${folder}`];
  run(COMMAND, options, 'bake', path, '-o', join(work, 'out.glb'), '--force', '--jobs', '1', ...words);
  const [file] = readdirSync(folder);
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  rmSync(folder, { recursive: true });
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) for (const child of node.children ?? []) byId.get(child).parent = node;
  const sums = { start: 0, files: 0, plan: 0, frames: 0, targets: 0, judge: 0, other: 0 };
  let all = 0;
  samples.forEach((id, n) => {
    let node = byId.get(id);
    if (node.callFrame.functionName === '(idle)') return;
    while (node && !nameStep(node.callFrame.url)) node = node.parent;
    sums[node ? nameStep(node.callFrame.url) : 'other'] += timeDeltas[n];
    all += timeDeltas[n];
  });
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, Math.round((100 * sum) / all)]));
}

/** 3: it did what it was asked for, and says that some region got worse. */
function run(command, options, ...words) {
  const done = spawnSync(process.execPath, [...options, command, ...words], { encoding: 'utf8', maxBuffer: 1e9 });
  if (done.status !== 0 && done.status !== 3) throw new Error(`isoskin ${words.join(' ')}: ${done.stderr}`);
  return done;
}

function round(value, digits) {
  return Number(value.toFixed(digits));
}

/** The file with `count` clips: its own, one after the other. */
function repeatClips(glb, count) {
  const length = glb.readUInt32LE(12);
  const json = JSON.parse(glb.toString('utf8', 20, 20 + length));
  const own = json.animations;
  json.animations = Array.from({ length: count }, (_, i) => {
    const clip = own[i % own.length];
    return { ...clip, name: `${clip.name} ${i}` };
  });
  const text = Buffer.from(JSON.stringify(json));
  const chunk = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const out = Buffer.concat([glb.subarray(0, 20), chunk, glb.subarray(20 + length)]);
  out.writeUInt32LE(out.length, 8);
  out.writeUInt32LE(chunk.length, 12);
  return out;
}
