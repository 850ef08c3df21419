import { it } from 'vitest';
import { tube } from './meshes.js';
import { createStackBench, organicWith, limb } from './stack/stack-bench.js';
it('explore', () => {
  for (const limit of [0, 1e-3, 1e-2]) {
    const bench = createStackBench(tube(), organicWith({ options: { limit } }));
    const j = bench.run({ 1: { degrees: 90 } });
    const r = j.frame.reports[0]!;
    console.log(limit, r.inexact, r.volumes, r.targets, j.moved, j.total, j.region, r.evaluations);
  }
  const bench = createStackBench(limb([0, 3, 6, 9], { length: 6, around: 20, along: 64 }));
  const j = bench.run({ 3: { degrees: 75, axis: 'z' } });
  bench.meter.measure(j.x);
  console.log(bench.layer.regions.names, [...bench.meter.regionVolumes].map((v, s) => v / bench.layer.rest[s]! - 1), j.moved);
});
