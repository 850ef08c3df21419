import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createAreaQueue } from '../../src/regions/create-area-queue.js';

const SEED = 20271;

it(`hands patches out by area, then by number, whatever the order of pushes and pops (seed ${SEED})`, () => {
  const step = fc.option(fc.integer({ min: 0, max: 5 }), { nil: null });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = createAreaQueue();
      const model: [area: number, patch: number][] = [];
      for (const [patch, area] of steps.entries()) {
        if (area !== null) {
          queue.push(patch, area);
          model.push([area, patch]);
          continue;
        }
        model.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
        const wanted = model.shift();
        expect(queue.pop()).toBe(wanted?.[1] ?? -1);
        if (wanted) expect(queue.area).toBe(wanted[0]);
      }
    }),
    { seed: SEED, numRuns: 200 },
  );
});
