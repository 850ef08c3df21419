/** The frame table on the WASM kernels: random meshes, all demos, all models, every clip. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createSolverReport, type FramePlan } from '@isoskin/core/kernels';
import { createDemo, demoNames } from '@isoskin/demos';
import { readCharacter } from '@isoskin/gltf/node';
import { createWasmKernels, detectFeatures } from '@isoskin/wasm';
import { describe, expect, it } from 'vitest';
import {
  compareFrames,
  describeDifference,
  FRAME_TOLERANCES,
  type FrameCase,
  listClipCases,
  listRandomCases,
  listSpecialCases,
  listTubeCases,
} from '../../core/test/kernels/frame-table.js';

const tolerance = FRAME_TOLERANCES.wasm;
const kernels = await createWasmKernels({ threads: 1 });
const plain = await createWasmKernels({
  features: { ...detectFeatures(), sharedMemory: false, relaxedSimd: false },
});

const openOn = (set: typeof kernels) => (plan: FramePlan) => {
  const runner = set.createRunner(plan);
  const report = createSolverReport(plan.volumes.regionCount);
  return {
    setRest: (positions: Float64Array) => runner.setRest(positions),
    run(bones: Float64Array, targets: Float64Array) {
      runner.run(bones, targets, report);
      return runner;
    },
    dispose: () => runner.dispose(),
  };
};

async function expectParity(cases: readonly FrameCase[], set = kernels): Promise<void> {
  expect(cases.length).toBeGreaterThan(0);
  for (const one of cases) {
    const found = await compareFrames(one, openOn(set), tolerance);
    if (process.env.ISOSKIN_SHOW) console.table([found]);
    expect(describeDifference(found, tolerance)).toBe('');
  }
}

describe('frame table, WASM', () => {
  it('tubes', () => expectParity(listTubeCases(10)));
  it('presets, many influences, morph targets, rest', () => expectParity(listSpecialCases(8)));
  it('tubes, plain SIMD in memory of its own', () => expectParity(listTubeCases(4), plain));
  it('random meshes (seeds 1 … 12)', () =>
    expectParity(
      listRandomCases(
        Array.from({ length: 12 }, (_, n) => n + 1),
        6,
      ),
    ));
  for (const name of demoNames) {
    it(`demo ${name}, all clips`, () => expectParity(listClipCases(name, createDemo(name, { vertices: 1000 }), 6)));
  }
});

const models = new URL('../../../../shared/models/', import.meta.url);
const MODELS = [
  'Fox.glb',
  'RiggedFigure.glb',
  'CesiumMan.glb',
  'RobotExpressive.glb',
  'Ghost.glb',
  'aframe_leftHand.glb',
  'webxr_hand_left.glb',
  'Manny/kaykit_Manny.gltf',
];
describe.skipIf(!existsSync(models))(
  'frame table, WASM, real models (skipped where ../shared/models is missing)',
  () => {
    for (const model of MODELS) {
      it(`${model}, all clips`, async () => {
        const { character } = await readCharacter(fileURLToPath(new URL(model, models)));
        const moving = listClipCases(model, character, 8, 30);
        if (moving.length > 0) await expectParity(moving);
      });
    }
  },
);
