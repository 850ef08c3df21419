/**
 * What planning costs at every size: a torus of 24 bones, the preset `organic`, the first plan of a process (as a page or a command meets it) and the best of
 * several, in processor time, so that other work on the machine hardly counts; the load of a saved plan beside it.
 *
 * node benchmarks/plan.mjs [vertices …]
 *
 * Writes benchmarks/results/tables/planning.csv. Build first (npm run build).
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { presetStack } from '@isoskin/core';
import { planCharacter } from '@isoskin/core/planner';
import { loadPlan, measurePlanKey } from '@isoskin/core/runtime';
import { createTorusInput } from './create-torus.mjs';

const SIZES = [6_000, 10_000, 20_000, 100_000, 1_000_000];
const TABLE = fileURLToPath(new URL('results/tables/planning.csv', import.meta.url));

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
  const best = Math.min(...Array.from({ length: rounds }, () => time(plan)));
  const load = () => loadPlan(bytes, measurePlanKey(input, volume));
  load();
  const loaded = Math.min(...Array.from({ length: 3 }, () => time(load)));
  const memory = (process.resourceUsage().maxRSS * 1024) / 1e9;
  return { vertices: input.parts[0].positions.length / 3, first, best, loaded, memory };
}

function describe({ vertices, first, best, loaded, memory }) {
  return [
    vertices.toLocaleString('en').replaceAll(',', ' '),
    `${first.toFixed(2)} s`,
    `${best.toFixed(2)} s`,
    `${((1e6 * best) / vertices).toFixed(1)} µs`,
    `${((100 * loaded) / best).toFixed(1)} %`,
    `${memory.toFixed(2)} GB`,
  ].join(',');
}

if (process.argv[2] === '--one') console.log(JSON.stringify(measure(Number(process.argv[3]))));
else {
  const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : SIZES;
  const self = fileURLToPath(import.meta.url);
  const rows = sizes.map((vertices) => {
    const row = describe(
      JSON.parse(execFileSync(process.execPath, [self, '--one', String(vertices)], { encoding: 'utf8' })),
    );
    console.log(row);
    return row;
  });
  const head = 'vertices,first,again,per vertex,load,memory';
  writeFileSync(TABLE, `# node benchmarks/plan.mjs, processor time\n${head}\n${rows.join('\n')}\n`);
}
