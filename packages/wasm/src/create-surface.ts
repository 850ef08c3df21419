/** y in memory, at the λ that was last evaluated: what the search for amounts measures, phase by phase, on the blocks that have changed. */
import type { createAmountSolver } from '@isoskin/core/amounts';
import type { AmountEvaluator, SolverReport } from '@isoskin/core/kernels';
import { isEqual } from './create-hold.js';
import type { Sums } from './create-sums.js';
import type { BlockPlan } from './lay-out-blocks.js';
import * as at from './layout.js';
import type { Motion } from './motion.js';

/** After a longer step of λ there is another one: nobody would see the normals of that surface. */
const NEAR = 0.03;

export type RunPhase = (phase: number, flags: number, from: number, to: number) => void;

export interface SurfaceArrays {
  /** What SKIN and DISPLACE add, by shape. */
  readonly steps: Float32Array;
  readonly sums: Sums;
  /** λ of all shapes; those beyond the regions are given. */
  readonly amounts: Float64Array;
  readonly motion: Motion;
  /** Moves the skin, where something does. */
  readonly onSkin: () => boolean;
}

export interface Surface extends AmountEvaluator {
  /** A new pose: the first evaluation skins. @param isNear it starts where the last one ended. */
  begin(wantsSkinned: boolean, wantsNormals: boolean, isNear: boolean): void;
  /** y after the first step of the search, which goes on from there. */
  lookAhead(solver: ReturnType<typeof createAmountSolver>, targets: Float64Array, report: SolverReport): void;
  /** y at `lambda` into the output. */
  write(lambda: Float64Array): void;
}

export function createSurface(
  run: RunPhase,
  blocks: BlockPlan,
  { steps, sums, amounts, motion, onSkin }: SurfaceArrays,
): Surface {
  const { vertexBlocks, volumeBlocks } = blocks;
  const allBlocks = blocks.blocks.length;
  const K = sums.volumes.length;
  const shown = new Float64Array(K);
  let flags = at.WITH_DIRECTIONS;
  let wants = false; // normals
  let isNear = false; // y may be the last surface but one
  let isSkinned = false;
  let isShown = false; // y is at the λ that comes next

  /** What λ changes by; amounts that are given are in y since SKIN. */
  function writeSteps(lambda: Float64Array): void {
    isNear = true;
    for (let s = 0; s < steps.length; s++) {
      steps[s] = s < K ? lambda[s]! - shown[s]! : 0;
      isNear &&= Math.abs(steps[s]!) <= NEAR;
    }
  }

  function show(lambda: Float64Array): void {
    writeSteps(lambda);
    if (motion.displace(steps)) run(at.DISPLACE, 0, 0, vertexBlocks);
    shown.set(lambda);
    isShown = true;
  }

  /** x, with the amounts of `steps` as `skinFlags` say. */
  function skin(skinFlags: number): void {
    if (motion.skin(steps, skinFlags)) run(at.SKIN, skinFlags, 0, vertexBlocks);
    if (onSkin()) motion.disturb();
    isSkinned = true;
  }

  function measure(withNormals: boolean): void {
    if (motion.evaluate(withNormals)) {
      if (allBlocks > volumeBlocks) run(at.APEXES, 0, volumeBlocks, allBlocks);
      run(at.EVALUATE, withNormals ? 0 : at.WITHOUT_NORMALS, 0, volumeBlocks);
    }
    sums.measure();
  }

  /** V of plain skinning; then what is given is added to y. */
  function measurePlain(): void {
    steps.fill(0);
    skin(flags & ~at.WITH_GIVEN);
    measure(false);
    for (let s = K; s < steps.length; s++) steps[s] = amounts[s]!;
    if (motion.displace(steps)) run(at.DISPLACE, at.WITH_GIVEN, 0, vertexBlocks);
    shown.fill(0);
    isShown = true;
  }

  const surface: Surface = {
    ...(steps.length > K && { measurePlain }),
    volumes: sums.volumes,
    jacobian: sums.jacobian,
    begin(wantsSkinned, wantsNormals, startsNear) {
      isSkinned = false;
      isShown = false;
      wants = wantsNormals;
      isNear = startsNear;
      flags = at.WITH_DIRECTIONS | (wantsSkinned ? at.WITH_SKINNED : 0) | (steps.length > K ? at.WITH_GIVEN : 0);
    },
    lookAhead(solver, targets, report) {
      solver.begin(surface, targets, report, false);
      show(solver.lambda);
    },
    evaluate(lambda) {
      if (isSkinned) {
        if (!isShown || !isEqual(lambda, shown)) show(lambda);
        isShown = false;
      } else {
        for (let s = 0; s < steps.length; s++) steps[s] = s < K ? lambda[s]! : amounts[s]!;
        const isMoved = lambda.some((amount) => amount !== 0); // never in cold frames
        skin(flags | (isMoved ? at.WITH_AMOUNTS : 0));
        shown.set(lambda);
      }
      measure(wants && isNear);
    },
    measureJacobian() {}, // every evaluation does
    finish() {}, // every frame ends with `write`
    write(lambda) {
      if (motion.measureNormals()) run(at.NORMALS, 0, 0, vertexBlocks);
      writeSteps(lambda);
      if (motion.write(steps)) run(at.DISPLACE, at.WITH_POSITIONS, 0, vertexBlocks);
      amounts.set(lambda);
    },
  };
  return surface;
}
