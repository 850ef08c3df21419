/** What the page of browser.test.ts runs: a bent tube on the WASM kernels and on the TypeScript stack. */
import { createCharacter, createFrameSource, createPose, POSE_STRIDE, planBody, presetStack } from '@isoskin/core';
import { createWasmKernels } from '@isoskin/wasm';
import { openRunner } from '../../core/test/kernels/open-runner.js';
import { tube } from '../../core/test/meshes.js';

async function compare() {
  const messages: string[] = [];
  const kernels = await createWasmKernels({ threads: 2, log: (message) => messages.push(message) });
  const character = createCharacter(tube({ around: 80, along: 100 }));
  const stack = createFrameSource(planBody(character), presetStack('organic'));
  const fast = openRunner(character, kernels);
  await new Promise((resolve) => setTimeout(resolve, 300)); // workers start
  const pose = createPose(character);
  let difference = 0;
  for (let degrees = 0; degrees <= 90; degrees += 3) {
    const half = (degrees * Math.PI) / 360;
    pose.locals.set([0, Math.sin(half), 0, Math.cos(half)], POSE_STRIDE + 3);
    const { positions } = stack.evaluate(pose);
    fast.evaluate(pose);
    const found = fast.runner.positions;
    for (let k = 0; k < positions.length / 3; k++) {
      for (let r = 0; r < 3; r++)
        difference = Math.max(difference, Math.abs(positions[3 * k + r]! - found[4 * k + r]!) / 7);
    }
  }
  return { threads: kernels.threads, relaxed: kernels.relaxed, messages, difference };
}

const host = globalThis as { result?: object };
compare().then(
  (result) => void (host.result = result),
  (error: Error) => void (host.result = { error: `${error.message}\n${error.stack}` }),
);
