/**
 * What the contact layer adds to a frame of skin + volume on `hand` (8 600 vertices), in poses without contact, while all
 * fingers bend, and in the fist. Processor time of the best of many sweeps, the stacks taking turns, so that other work on the
 * machine hardly counts. Targets: 5 % without contact, 25 % with all fingers bending.
 *
 * node benchmarks/contact.mjs
 */
import { createStack, presetStack } from '@isoskin/core';
import { createDemo } from '@isoskin/implicit';
import { closeHand } from './close-hand.mjs';

const ROUNDS = 30;
const hand = createDemo('hand');
const plain = presetStack('organic').layers;
const stacks = {
  'skin + volume': createStack(hand),
  joints: createStack(hand, withContact({ parts: false, relax: false })),
  parts: createStack(hand, withContact({ joints: false, relax: false })),
  relax: createStack(hand, withContact({ joints: false, parts: false })),
  contact: createStack(hand, withContact({})),
};

function withContact(options) {
  return { layers: [plain[0], { layer: 'contact', ...options }, ...plain.slice(1)] };
}

for (const [name, from, to] of [
  ['without contact', 0, 0.1],
  ['all fingers bending', 0.1, 0.8],
  ['fist', 0.8, 1],
]) {
  const poses = Array.from({ length: 20 }, (_, n) => closeHand(hand, from + ((to - from) * n) / 20));
  const best = Object.fromEntries(Object.keys(stacks).map((key) => [key, Number.POSITIVE_INFINITY]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [key, stack] of Object.entries(stacks)) {
      const start = process.cpuUsage();
      for (const pose of poses) stack.evaluate(pose, 0, 1 / 60);
      const { user, system } = process.cpuUsage(start);
      best[key] = Math.min(best[key], (user + system) / 1000 / poses.length);
    }
  }
  const base = best['skin + volume'];
  const row = Object.keys(stacks).map((key) => `${key} ×${(best[key] / base).toFixed(2)}`);
  console.log(`${name.padEnd(20)} ${base.toFixed(2)} ms   ${row.slice(1).join('   ')}`);
}
