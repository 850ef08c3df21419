/**
 * What the contact layer adds to a frame of skin + volume on `hand` (8 600 vertices), in poses without contact, while all
 * fingers bend, and in the fist, and to planning. Processor time of the best of many sweeps, the stacks taking turns, so that
 * other work on the machine hardly counts. Targets: 3 % without contact, 15 % with all fingers bending, planning 2 × volume's.
 *
 * node benchmarks/contact.mjs
 */
import { createFrameSource, planBody, presetStack } from '@isoskin/core';
import { planContact } from '@isoskin/core/stack';
import { createDemo } from '@isoskin/demos';
import { closeHand } from './close-hand.mjs';

const ROUNDS = 30;
const hand = createDemo('hand');
const time = (run) => {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};
const least = (run) => Math.min(...Array.from({ length: 3 }, () => time(run)));
const volume = least(() => createFrameSource(planBody(hand)));
const contact = least(() => planContact(hand));
console.log(
  `planning: volume ${volume.toFixed(0)} ms, contact ${contact.toFixed(0)} ms = ×${(contact / volume).toFixed(2)}`,
);

const stacks = [
  createFrameSource(planBody(hand)),
  createFrameSource(planBody(hand), { ...presetStack('organic'), contact: {} }),
];
for (const [name, from, to] of [
  ['without contact', 0, 0.1],
  ['all fingers bending', 0.1, 0.8],
  ['fist', 0.8, 1],
]) {
  const poses = Array.from({ length: 20 }, (_, n) => closeHand(hand, from + ((to - from) * n) / 20));
  const best = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [n, stack] of stacks.entries()) {
      const spent = time(() => {
        for (const pose of poses) stack.evaluate(pose, 0, 1 / 60);
      });
      best[n] = Math.min(best[n], spent / poses.length);
    }
  }
  console.log(`${name.padEnd(20)} ${best[0].toFixed(2)} ms   contact ×${(best[1] / best[0]).toFixed(3)}`);
}
