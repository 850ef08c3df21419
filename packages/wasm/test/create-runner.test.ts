/** What a frame is a function of: cold of the pose alone, warm of the last frame to the tolerance; and nothing after dispose. */
import { createCharacter, createPose, POSE_STRIDE, type Pose, samplePose } from '@isoskin/core';
import {
  createSolverReport,
  type FramePlan,
  type FrameRunner,
  type SolverReport,
  typescriptAmountKernels,
} from '@isoskin/core/kernels';
import { createDemo } from '@isoskin/demos';
import { createWasmKernels, detectFeatures, type WasmRunner } from '@isoskin/wasm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openRunner, placeSurface, planFrameOf } from '../../core/test/kernels/open-runner.js';
import { tube } from '../../core/test/meshes.js';

const SEED = 20275;
const kernels = await createWasmKernels({ threads: 1 });

function turn(pose: Pose, node: number, degrees: number): Pose {
  const half = (degrees * Math.PI) / 360;
  pose.locals.set([0, Math.sin(half), 0, Math.cos(half)], POSE_STRIDE * node + 3);
  return pose;
}

const open = (input: Parameters<typeof createCharacter>[0]) => openRunner(createCharacter(input), kernels);

/** Everything that a frame gives. */
function take({ runner, report }: { runner: FrameRunner; report: SolverReport }) {
  return {
    positions: runner.positions.slice(),
    normals: runner.normals.slice(),
    amounts: runner.amounts.slice(),
    volumes: report.volumes.slice(),
  };
}

/** Bit for bit. */
function expectSame(found: ReturnType<typeof take>, expected: ReturnType<typeof take>): void {
  for (const name of ['positions', 'normals', 'amounts', 'volumes'] as const) {
    expect(`${name}: ${Buffer.compare(toBytes(found[name]), toBytes(expected[name]))}`).toBe(`${name}: 0`);
  }
}

const toBytes = ({ buffer, byteOffset, byteLength }: Float32Array | Float64Array) =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

function measureDistance(a: Float32Array, b: Float32Array): number {
  let most = 0;
  for (let i = 0; i < a.length; i++) if (i % 4 < 3) most = Math.max(most, Math.abs(a[i]! - b[i]!));
  return most;
}

it('clones share memory, but neither poses nor morphs nor their end', () => {
  const stack = open(tube());
  const read = (degrees: number) => {
    stack.evaluate(turn(createPose(stack.character), 1, degrees));
    return { bones: stack.bones.slice(), targets: stack.report.targets.slice(), frame: take(stack) };
  };
  const [bent, straight] = [read(70), read(10)];
  const plan = planFrameOf(stack.character);
  const report = createSolverReport(plan.volumes.regionCount);
  const runners = [1, 2, 3].map(() => kernels.createRunner(plan));
  const [one, two, three] = runners as [WasmRunner, WasmRunner, WasmRunner];
  three.setRest(plan.positions.map((x) => 1.1 * x));
  two.run(straight.bones, straight.targets, report);
  one.run(bent.bones, bent.targets, report);
  three.run(straight.bones, straight.targets, report);
  expectSame(take({ runner: one, report: { ...report, volumes: bent.frame.volumes } }), bent.frame);
  expectSame(take({ runner: two, report: { ...report, volumes: straight.frame.volumes } }), straight.frame);
  expect(measureDistance(three.positions, two.positions)).toBeGreaterThan(0.01);
  one.runSkin(bent.bones, true);
  two.run(straight.bones, straight.targets, report);
  expect(one.skinned).toEqual(one.positions); // skinned now, from bones of its own
  one.dispose();
  three.dispose();
  three.dispose();
  two.run(bent.bones, bent.targets, report);
  expectSame(take({ runner: two, report }), bent.frame);
  two.dispose();
});

describe('a cold frame', () => {
  const DEGREES = [0, 15, 40, 75, 110, 30];

  it('is a function of the pose: random access = sequential = threaded, bit for bit', async () => {
    const stack = open(tube({ around: 120, along: 130 })); // three threads' worth
    const plan = planFrameOf(stack.character);
    const read = (degrees: number) => {
      stack.evaluate(turn(createPose(stack.character), 1, degrees));
      return { bones: stack.bones.slice(), targets: stack.report.targets.slice() };
    };
    const expected = DEGREES.map((degrees) => ({ near: read(degrees + 1), ...read(degrees), frame: take(stack) }));
    for (const threads of detectFeatures().sharedMemory ? [1, 2, 3] : [1]) {
      const set = await createWasmKernels({ threads });
      expect(set.threads).toBe(threads);
      const runner = set.createRunner(plan);
      const report = createSolverReport(plan.volumes.regionCount);
      await new Promise((resolve) => setTimeout(resolve, 200)); // the workers start
      for (const n of [4, 1, 1, 5, 0, 3, 2, 4]) {
        const { bones, targets, near, frame } = expected[n]!;
        runner.run(near.bones, near.targets, report, true); // a warm frame before
        runner.run(bones, targets, report);
        expectSame(take({ runner, report }), frame);
      }
      runner.dispose();
      set.dispose();
    }
  });

  it('is the same whether the skinned positions are asked for or not, and after plain skinning', () => {
    const stack = open(tube());
    const pose = createPose(stack.character);
    stack.evaluate(turn(pose, 1, 70));
    const expected = take(stack);
    const { skinned } = stack.runner;
    stack.evaluate(pose);
    expectSame(take(stack), expected);
    expect(measureDistance(skinned, expected.positions)).toBeGreaterThan(1e-3);
    stack.runner.runSkin(stack.bones, true);
    expect(measureDistance(skinned, stack.runner.positions)).toBe(0);
    stack.evaluate(pose, true);
    expect(measureDistance(stack.runner.positions, expected.positions)).toBeLessThan(7e-6);
  });

  it(`moves nothing at rest and under rigid motion, bit for bit (seed ${SEED})`, () => {
    const stack = open(tube({ around: 24, along: 30 }));
    const { skinned } = stack.runner;
    const angle = fc.double({ min: -180, max: 180, noNaN: true });
    fc.assert(
      fc.property(angle, fc.double({ min: -3, max: 3, noNaN: true }), (degrees, shift) => {
        const pose = createPose(stack.character);
        pose.locals.set([shift, -shift, 0.5 * shift], 0);
        stack.evaluate(turn(pose, 0, degrees));
        expect(stack.runner.positions).toEqual(skinned);
        expect(stack.runner.amounts.every((amount) => amount === 0)).toBe(true);
        const normals = stack.runner.normals.slice(); // the first evaluation was the last
        stack.runner.runSkin(stack.bones, true);
        expect(stack.runner.normals).toEqual(normals);
      }),
      { seed: SEED },
    );
  });
});

describe('a warm frame', () => {
  it('agrees with the cold one to 1e-6 of the size, from one evaluation', () => {
    const [cold, warm] = [open(tube({ around: 24, along: 30 })), open(tube({ around: 24, along: 30 }))];
    const pose = createPose(cold.character);
    for (let n = 0; n < 90; n++) {
      turn(pose, 1, 60 + 40 * Math.sin(0.02 * n));
      cold.evaluate(pose);
      warm.evaluate(pose, true);
      expect(measureDistance(cold.runner.positions, warm.runner.positions) / 7).toBeLessThan(1e-6);
      if (n > 0) expect(warm.report.evaluations).toBe(1);
    }
  });

  it('of amounts alone agrees with it, too, and is the same bits while the pose is held', () => {
    const stack = open(tube({ around: 24, along: 30 }));
    const plan = planFrameOf(stack.character);
    const [cold, warm] = [0, 1].map(() => kernels.createRunner(plan));
    const report = { ...stack.report, ...createSolverReport(plan.volumes.regionCount) };
    for (let n = 0; n < 40; n++) {
      stack.evaluate(turn(createPose(stack.character), 1, 60 + 40 * Math.sin(0.05 * n)));
      cold!.solve(stack.bones, stack.report.targets, createSolverReport(report.volumes.length));
      warm!.solve(stack.bones, stack.report.targets, report, n > 0);
      for (const [s, amount] of warm!.amounts.entries()) expect(amount).toBeCloseTo(cold!.amounts[s]!, 5);
      if (n > 1) expect(report.evaluations).toBe(1);
      const held = warm!.amounts.slice();
      for (let again = 0; again < 3; again++) warm!.solve(stack.bones, stack.report.targets, report, true);
      expect(warm!.amounts).toEqual(held);
    }
  });

  // A frame in which a region pays for its push starts from 0: all of the elephant, many of the hero, few of the hand.
  for (const [name, clipName, saved] of [
    ['elephant', 'trot', 0],
    ['hero', 'punch', 0],
    ['hand', 'wave', 0.05],
  ] as const) {
    it(`does so on the ${name}, ${clipName}`, () => {
      const character = createDemo(name, { vertices: 1000 });
      const clip = character.clips.find((one) => one.name === clipName)!;
      const [cold, warm] = [1, 2].map(() => openRunner(character, kernels));
      const pose = createPose(character);
      const { positions } = character.surface;
      const size = Math.max(...positions) - Math.min(...positions);
      let [coldSum, warmSum] = [0, 0];
      for (let n = 0; n < 60; n++) {
        samplePose(pose, character, clip, n / 60);
        cold!.evaluate(pose);
        warm!.evaluate(pose, true);
        expect(measureDistance(cold!.runner.positions, warm!.runner.positions) / size).toBeLessThan(1e-6);
        coldSum += cold!.report.evaluations;
        warmSum += warm!.report.evaluations;
      }
      expect(warmSum).toBeLessThanOrEqual((1 - saved) * coldSum);
    });
  }

  it('rests when the pose is held, and goes on when anything changes', () => {
    const stack = open(tube());
    const pose = createPose(stack.character);
    stack.evaluate(turn(pose, 1, 60), true);
    stack.evaluate(turn(pose, 1, 61), true);
    const held = take(stack);
    stack.evaluate(pose, true);
    expectSame(take(stack), held);
    const { runner, report, bones } = stack;
    const targets = report.targets.map((volume) => 1.01 * volume);
    runner.run(bones, targets, report, true);
    expect(measureDistance(runner.positions, held.positions)).toBeGreaterThan(1e-3);
    runner.setRest(stack.character.surface.positions.map((x) => 1.01 * x));
    const before = runner.positions.slice();
    runner.run(bones, targets, report, true);
    expect(measureDistance(runner.positions, before)).toBeGreaterThan(1e-4);
  });

  it('has nothing of what ran before the last cold one, or before it was told where to start', () => {
    const [used, fresh] = [open(tube()), open(tube())];
    const pose = createPose(used.character);
    for (const n of [0, 1, 2, 3]) used.evaluate(turn(pose, 1, 60 + 0.05 * n), n > 0);
    for (const one of [used, fresh]) {
      one.evaluate(turn(pose, 1, 60));
      one.evaluate(turn(pose, 1, 60.3), true);
    }
    expectSame(take(used), take(fresh));
    const start = fresh.runner.amounts.slice();
    for (const n of [0, 1, 2]) used.evaluate(turn(pose, 1, 60.3 + 0.05 * n), true);
    for (const one of [used, fresh]) {
      (one.runner as WasmRunner).startFrom(start);
      one.evaluate(turn(pose, 1, 60.4), true);
    }
    expectSame(take(used), take(fresh));
  });

  it('starts anew where the pose is another one', () => {
    const [cold, warm] = [open(tube()), open(tube())];
    const pose = createPose(cold.character);
    for (const degrees of [120, 0, 90, -100]) {
      cold.evaluate(turn(pose, 1, degrees));
      warm.evaluate(pose, true);
      expect(measureDistance(cold.runner.positions, warm.runner.positions) / 7).toBeLessThan(1e-5);
    }
  });
});

describe('a warm frame that moves some bones', () => {
  const character = createDemo('hero', { vertices: 3000 });
  const plan = planFrameOf(character);
  const hand = character.skeleton.names.indexOf('arm.L.4');
  const report = () => createSolverReport(plan.volumes.regionCount);
  const poser = openRunner(character, kernels); // for bone matrices and targets
  const bend = (degrees: readonly number[]) => {
    const pose = createPose(character);
    degrees.forEach((angle, n) => void turn(pose, hand + n, angle));
    poser.evaluate(pose);
    return { bones: poser.bones.slice(), targets: poser.report.targets.slice() };
  };

  it('leaves blocks alone that neither bones nor amounts have moved', () => {
    const runner = kernels.createRunner(plan);
    const own = report();
    for (const degrees of [4, 4.1, 4.2, 4.3]) {
      const { bones, targets } = bend([degrees]);
      runner.normals.fill(7); // what is not measured again stays
      runner.run(bones, targets, own, true);
    }
    const kept = runner.normals.filter((x, i) => i % 4 === 0 && x === 7).length / plan.vertexCount;
    expect(kept).toBeGreaterThan(0.7);
    expect(kept).toBeLessThan(0.95);
    runner.dispose();
  });

  it(`has the bits of a frame that makes all blocks anew, whatever ran before (seed ${SEED})`, () => {
    const frame = fc.record({
      kind: fc.constantFrom('warm', 'warm', 'warm', 'cold', 'clone', 'amounts', 'skin', 'skinned'),
    });
    const bends = fc.record({ degrees: fc.array(fc.double({ min: 0, max: 60, noNaN: true }), { maxLength: 3 }) });
    const step = fc.tuple(frame, bends, fc.integer({ min: 1, max: 5 }));
    fc.assert(
      fc.property(fc.array(step, { minLength: 3, maxLength: 8 }), (steps) => {
        const [some, clone, all] = [
          kernels.createRunner(plan),
          kernels.createRunner(plan),
          kernels.createRunner({ ...plan }),
        ];
        const [own, its, full] = [report(), report(), report()];
        let now = [0, 0, 0];
        for (const [{ kind }, { degrees }, count] of steps) {
          for (let n = 1; n <= count; n++) {
            const { bones, targets } = bend(
              now.map((from, i) => from + (n / count) * ((degrees[i] ?? from) - from) * 0.1),
            );
            if (kind === 'clone') clone.run(bones, targets, its, true);
            for (const [runner, to] of [
              [some, own],
              [all, full],
            ] as const) {
              if (runner === all) all.setRest(plan.positions); // all are made anew
              if (kind === 'skin') runner.runSkin(bones, true);
              if (kind === 'skinned') void runner.skinned;
              if (kind === 'amounts') runner.solve(bones, targets, to, true);
              else runner.run(bones, targets, to, kind !== 'cold');
            }
            if (kind !== 'amounts')
              expectSame(take({ runner: some, report: own }), take({ runner: all, report: full }));
            expect(some.amounts).toEqual(all.amounts);
          }
          now = now.map((from, i) => from + 0.1 * ((degrees[i] ?? from) - from));
        }
        for (const runner of [some, clone, all]) runner.dispose();
      }),
      { seed: SEED, numRuns: 60 },
    );
  });
});

describe('shapes of given amounts', () => {
  it('are displaced by and not solved for: the surface of the TypeScript kernels', () => {
    const plan = addShape(planFrameOf(createCharacter(tube()), { skin: {}, volume: { options: { harmonics: 0 } } }));
    const K = plan.shapes.regionCount;
    const stack = open(tube());
    stack.evaluate(turn(createPose(stack.character), 1, 60));
    const { bones, report: own } = stack;
    const report = createSolverReport(K);
    const [wasm, typescript] = [kernels.createRunner(plan), typescriptAmountKernels.createRunner(plan)];
    for (const runner of [wasm, typescript]) runner.amounts[K] = 0.05;
    typescript.solve(bones, own.targets, report);
    wasm.run(bones, own.targets, report);
    expect(wasm.amounts[K]).toBe(0.05);
    for (let s = 0; s < K; s++) expect(report.volumes[s]! / own.targets[s]!).toBeCloseTo(1, 5);
    const wanted = placeSurface(plan, bones, typescript.amounts);
    for (const [i, x] of wanted.entries()) {
      expect(Math.abs(wasm.positions[4 * Math.trunc(i / 3) + (i % 3)]! - x)).toBeLessThan(2e-6);
    }
    expect(measureDistance(wasm.positions, stack.runner.positions)).toBeGreaterThan(1e-2);
    const positions = wasm.positions.slice();
    wasm.amounts[K] = 0.04; // held pose, other amount
    wasm.run(bones, own.targets, createSolverReport(K), true);
    expect(measureDistance(wasm.positions, positions)).toBeGreaterThan(1e-3);
  });
});

describe('after dispose', () => {
  it('a character refuses to run and leaves others alone; disposing twice is harmless', () => {
    const gone = open(tube());
    const pose = turn(createPose(gone.character), 1, 50);
    gone.evaluate(pose);
    gone.dispose();
    const other = open(tube()); // stands where the first one stood
    other.evaluate(turn(pose, 1, 80));
    const expected = take(other);
    const refused = expect.objectContaining({ code: 'WASM_DISPOSED' });
    expect(() => gone.evaluate(pose)).toThrow(refused);
    expect(() => gone.evaluate(pose, true)).toThrow(refused);
    expect(() => gone.runner.setRest(gone.character.surface.positions)).toThrow(refused);
    expect(() => gone.runner.skinned).toThrow(refused);
    gone.dispose();
    expectSame(take(other), expected);
    const third = open(tube());
    other.evaluate(pose);
    expectSame(take(other), expected);
    third.dispose();
    other.dispose();
  });
});

/** One more shape, of a given amount: every third vertex by 1. */
function addShape(plan: FramePlan): FramePlan {
  const { shapes } = plan;
  const lists = Array.from({ length: plan.vertexCount }, (_, k) => {
    const entries: [number, number][] = [];
    for (let e = shapes.offsets[k]!; e < shapes.offsets[k + 1]!; e++)
      entries.push([shapes.shapes[e]!, shapes.values[e]!]);
    return k % 3 === 0 ? [...entries, [shapes.shapeCount, 1] as [number, number]] : entries;
  });
  const offsets = new Uint32Array(plan.vertexCount + 1);
  for (const [k, list] of lists.entries()) offsets[k + 1] = offsets[k]! + list.length;
  const all = lists.flat();
  return {
    ...plan,
    shapes: {
      ...shapes,
      shapeCount: shapes.shapeCount + 1,
      offsets,
      shapes: Uint32Array.from(all, ([shape]) => shape),
      values: Float64Array.from(all, ([, value]) => value),
    },
  };
}
