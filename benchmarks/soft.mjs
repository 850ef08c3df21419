/**
 * The soft skin of a substance of particles: steps per second for 500, how the cost grows up to 5 000, and the ratio to
 * evaluating every primitive everywhere. A block of particles (spacing 1.3 thicknesses, R = 2e, 42 seeds each) that stretches
 * and waves over a floor, with volume control; no dynamics of the particles themselves. Processor time, one core.
 *
 * node benchmarks/soft.mjs [steps]
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createSoftWorld } from '@isoskin/soft';

const STEPS = Number(process.argv[2] ?? 60);
const DT = 1 / 60;

function createBlock(count) {
  const side = Math.round(Math.cbrt(count));
  const primitives = Array.from({ length: count }, (_, i) => {
    const cell = [i % side, Math.floor(i / side) % side, Math.floor(i / side / side)];
    const corners = cell.map((n, axis) => 1.3 * n + 0.3 * Math.sin((7 - 2 * axis) * i + axis));
    return { name: `p${i}`, object: 'paste', shape: 'point', thickness: 1, falloff: 'smooth', corners };
  });
  return createSoftWorld({
    objects: [{ name: 'paste' }],
    primitives,
    obstacles: [{ name: 'floor', shape: 'plane', position: [0, -0.7, 0] }],
    sampling: 2,
  });
}

function timeSteps(count, steps) {
  const world = createBlock(count);
  const start = world.corners.slice();
  const whole = world.volume();
  const step = (n) => {
    const swing = 0.1 * Math.sin(3 * n * DT);
    for (let at = 0; at < start.length; at += 9) {
      world.corners[at] = start[at] * (1 + swing);
      world.corners[at + 1] = start[at + 1] / (1 + swing) + 0.05 * Math.sin(9 * n * DT + start[at]);
      world.corners[at + 2] = start[at + 2];
    }
    world.update(DT);
  };
  for (let n = 1; n <= 5; n++) step(n);
  let best = Infinity;
  let sum = 0;
  for (let n = 6; n < 6 + steps; n++) {
    const before = process.cpuUsage();
    step(n);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
    sum += (user + system) / 1000;
  }
  return { best, mean: sum / steps, volume: world.volume() / whole, world };
}

/** Potentials of all primitives at a few seeds, as without neighbour lists, scaled to what one step measures. */
function timeEverywhere(world, count) {
  const { positions } = world.seedsSurface();
  const seeds = positions.length / 3;
  const { corners } = world;
  const tried = 400;
  let inside = 0;
  const before = process.cpuUsage();
  for (let s = 0; s < tried; s++) {
    const at = 3 * Math.floor((s * seeds) / tried);
    for (let probe = 0; probe < MEASUREMENTS; probe++) {
      const x = positions[at] + 1e-3 * probe;
      let sum = 0;
      for (let i = 0; i < count; i++) {
        const dx = x - corners[9 * i];
        const dy = positions[at + 1] - corners[9 * i + 1];
        const dz = positions[at + 2] - corners[9 * i + 2];
        const u = Math.sqrt(dx * dx + dy * dy + dz * dz) - 1;
        if (u < 1) sum += u < 0 ? 1 - u : (1 - u) ** 2 * (1 + 0.5 * u);
      }
      if (sum >= 1) inside++;
    }
  }
  const { user, system } = process.cpuUsage(before);
  if (inside === 0) throw new Error('no seed is inside');
  return ((user + system) / 1000) * (seeds / tried);
}
/** Measurements of the field per seed and step, as counted. */
const MEASUREMENTS = 5;

// A process per size: the compiler treats the first world of a process better than the next.
if (process.argv[3]) {
  const count = Number(process.argv[3]);
  const { best, mean, volume, world } = timeSteps(count, Math.max(5, Math.round((STEPS * 500) / count)));
  console.log(JSON.stringify({ count, best, mean, volume, everywhere: timeEverywhere(world, count) }));
} else {
  const rows = [500, 1000, 2000, 5000].map((count) =>
    JSON.parse(execFileSync(process.execPath, [fileURLToPath(import.meta.url), String(STEPS), String(count)])),
  );
  for (const { count, best, mean, volume, everywhere } of rows) {
    console.log(
      `${String(count).padStart(4)} particles   ${mean.toFixed(1)} ms mean, ${best.toFixed(1)} best` +
        `   ${(1000 / mean).toFixed(1)} steps/s (best ${(1000 / best).toFixed(1)})` +
        `   per particle ×${(best / count / (rows[0].best / 500)).toFixed(2)}` +
        `   everywhere ×${(everywhere / mean).toFixed(1)}   volume ${volume.toFixed(4)}`,
    );
  }
}
