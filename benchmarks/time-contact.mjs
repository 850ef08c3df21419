/**
 * Part of benchmarks/contact.mjs: what the contact layer adds to a frame of skin + volume on `hand` (8 600 vertices), in poses without
 * contact, while all fingers bend, and in the fist, on the layers and on WASM, and to planning. Processor time of the best of many sweeps, the
 * two stacks taking turns, so that other work on the machine hardly counts. Targets: 3 % without contact, 15 % with all fingers bending,
 * planning 2 × volume's.
 */
import { createFrameSource, planBody, presetStack } from '@isoskin/core';
import { planContact } from '@isoskin/core/stack';
import { createDemo } from '@isoskin/demos';
import { createWasmKernels } from '@isoskin/wasm';
import { openContact } from '@isoskin/wasm/contact';
import { closeHand } from './close-hand.mjs';

const ROUNDS = 40;
const POSES = 10;
/** Frames before the clock starts: the engine compiles what runs often. */
const WARM = 400;

function time(run) {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

export async function timeContact() {
  const hand = createDemo('hand');
  const body = planBody(hand);
  const plain = presetStack('organic');
  const least = (run) => Math.min(...Array.from({ length: 3 }, () => time(run)));
  const volume = least(() => createFrameSource(planBody(hand), plain));
  const contact = least(() => planContact(hand));
  console.log(
    `planning: volume ${volume.toFixed(0)} ms, contact ${contact.toFixed(0)} ms = ×${(contact / volume).toFixed(2)}`,
  );
  for (const kernels of [undefined, await createWasmKernels({ threads: 1, contact: openContact })]) {
    const sources = [plain, { ...plain, contact: {} }].map((stack) => createFrameSource(body, stack, { kernels }));
    for (let n = 0; n < WARM; n++) for (const source of sources) source.evaluate(closeHand(hand, (n % POSES) / POSES));
    for (const [name, from, to] of [
      ['without contact', 0, 0.1],
      ['all fingers bending', 0.1, 0.8],
      ['fist', 0.8, 1],
    ])
      timePoses(`${sources[1].backend}, ${name}`, hand, from, to, sources);
  }
}

function timePoses(name, hand, from, to, sources) {
  const best = [0, 0];
  for (let n = 0; n < POSES; n++) {
    const pose = closeHand(hand, from + ((to - from) * n) / POSES);
    const spent = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < 2 * ROUNDS; round++) {
      const k = round % 2;
      spent[k] = Math.min(
        spent[k],
        time(() => sources[k].evaluate(pose)),
      );
    }
    for (const k of [0, 1]) best[k] += spent[k] / POSES;
  }
  const [alone, both] = best;
  console.log(`${name.padEnd(32)} ${alone.toFixed(2)} → ${both.toFixed(2)} ms   contact ×${(both / alone).toFixed(3)}`);
}
