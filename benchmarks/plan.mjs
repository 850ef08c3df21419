/**
 * What planning costs at every size: a torus of 24 bones, the preset `organic`, the first plan of a process (as a page or a command meets it) and the best of
 * several, in processor time, so that other work on the machine hardly counts, and by the clock; the load of a saved plan beside it, and which stage costs
 * how much. Up to 20 000 vertices also with bends (the preset `natural`), and a whole frame source with them and with contact.
 *
 * node benchmarks/plan.mjs [vertices …]
 *
 * Writes the rows of these sizes into benchmarks/results/tables/planning.csv and benchmarks/results/planning-stages.csv; benchmarks/plot-results.mjs draws the latter. Build first
 * (npm run build).
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import { createCharacter, createFrameSource, planBody, presetStack } from '@isoskin/core';
import { planCharacter } from '@isoskin/core/planner';
import { loadPlan, measurePlanKey } from '@isoskin/core/runtime';
import { createTorusInput } from './create-torus.mjs';

const SIZES = [6_000, 10_000, 20_000, 100_000, 300_000, 1_000_000, 4_000_000];
/** Up to this many vertices bends and contact are measured, too. */
const COARSE = 21_000;
/** Stage → the functions that it begins with; what is in none of them is told as `other`. */
const STAGES = {
  surface: ['createStillCharacter'],
  room: ['get bvh', 'get clusters', 'get room'],
  directions: ['measureDirections'],
  regions: ['get closed', 'planRegions', 'joinRegions', 'mergeRegions'],
  volumes: ['planRegionVolumes', 'measureMap', 'planTargetVolumes', 'measureTetrahedra'],
  shapes: ['draftShapes', 'planShapes', 'joinShapes'],
  key: ['measurePlanKey', 'savePlan'],
};

function time(run) {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** In a process of its own. */
function measure(vertices) {
  const input = createTorusInput(vertices);
  const { volume } = presetStack('organic');
  let bytes;
  const plan = () => {
    bytes = planCharacter(input, volume);
  };
  const first = time(plan);
  const rounds = Math.max(1, Math.min(8, Math.round(200_000 / vertices)));
  const measureBest = (run) => Math.min(...Array.from({ length: rounds }, () => time(run)));
  const clocks = [];
  const best = measureBest(() => {
    const start = performance.now();
    plan();
    clocks.push((performance.now() - start) / 1000);
  });
  const shares = profile(plan, rounds);
  const load = () => loadPlan(bytes, measurePlanKey(input, volume));
  load();
  const loaded = Math.min(...Array.from({ length: 3 }, () => time(load)));
  const memory = (process.resourceUsage().maxRSS * 1024) / 1e9;
  const more = measureMore(input, vertices, measureBest);
  const clock = Math.min(...clocks);
  return { vertices: input.parts[0].positions.length / 3, first, best, clock, loaded, memory, shares, ...more };
}

function measureMore(input, vertices, measureBest) {
  if (vertices > COARSE) return {};
  const natural = presetStack('natural');
  const stack = { ...natural, contact: {} };
  return {
    bends: measureBest(() => planCharacter(input, natural.volume)),
    contact: measureBest(() => createFrameSource(planBody(createCharacter(input)), stack).volume?.framePlan?.()),
  };
}

/** Shares of the stages in what `run` does, by where the thread is found every millisecond: by itself, as looking takes time. */
function profile(run, rounds) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: 1000 });
  session.post('Profiler.start');
  for (let n = 0; n < rounds; n++) run();
  const sums = Object.fromEntries([...Object.keys(STAGES), 'other'].map((stage) => [stage, 0]));
  session.post('Profiler.stop', (_, { profile: { nodes, samples } }) => {
    const byId = new Map(nodes.map((node) => [node.id, node]));
    for (const node of nodes) for (const child of node.children ?? []) byId.get(child).parent = node;
    const stageOf = ({ functionName }) => Object.keys(STAGES).find((stage) => STAGES[stage].includes(functionName));
    for (const id of samples) {
      let node = byId.get(id);
      while (node && !stageOf(node.callFrame)) node = node.parent;
      sums[node ? stageOf(node.callFrame) : 'other'] += 1 / samples.length;
    }
  });
  return sums;
}

const count = (vertices) => vertices.toLocaleString('en').replaceAll(',', ' ');

function describe({ vertices, first, best, clock, loaded, memory, bends, contact }) {
  return [
    count(vertices),
    `${first.toFixed(2)} s`,
    `${best.toFixed(2)} s`,
    `${clock.toFixed(2)} s`,
    `${((1e6 * best) / vertices).toFixed(1)} µs`,
    `${((100 * loaded) / best).toFixed(1)} %`,
    `${memory.toFixed(2)} GB`,
    ...[bends, contact].map((seconds) => (seconds === undefined ? '–' : `${seconds.toFixed(2)} s`)),
  ].join(',');
}

/** µs per vertex. */
function describeStages({ vertices, best, shares }) {
  return [count(vertices), ...Object.values(shares).map((share) => ((1e6 * best * share) / vertices).toFixed(2))].join(
    ',',
  );
}

/** Rows of other sizes stay. */
function write(name, head, rows) {
  const table = fileURLToPath(new URL(`results/${name}.csv`, import.meta.url));
  const width = head.split(',').length;
  const before = readFileSync(table, 'utf8')
    .trim()
    .split('\n')
    .slice(2)
    .map((row) => row.split(','));
  const all = new Map([...before, ...rows.map((row) => row.split(','))].map((row) => [row[0], row]));
  const lines = [...all.values()]
    .sort((a, b) => Number(a[0].replaceAll(' ', '')) - Number(b[0].replaceAll(' ', '')))
    .map((row) => [...row, ...Array(width - row.length).fill('–')].join(','));
  writeFileSync(table, `# node benchmarks/plan.mjs, processor time\n${head}\n${lines.join('\n')}\n`);
}

if (process.argv[2] === '--one') console.log(JSON.stringify(measure(Number(process.argv[3]))));
else {
  const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : SIZES;
  const self = fileURLToPath(import.meta.url);
  const rows = sizes.map((vertices) => {
    const row = JSON.parse(execFileSync(process.execPath, [self, '--one', String(vertices)], { encoding: 'utf8' }));
    console.log(describe(row));
    console.log(`  ${describeStages(row)}`);
    return row;
  });
  write(
    'tables/planning',
    'vertices,first,again,by the clock,per vertex,load,memory,with bends,and contact',
    rows.map(describe),
  );
  const stages = `vertices,${[...Object.keys(STAGES), 'other'].join(',')}`;
  write('planning-stages', stages, rows.map(describeStages));
}
