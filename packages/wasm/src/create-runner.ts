/**
 * One character on the WASM kernels. A frame is: skin · V of the skin and a sweep over the directions · displace and evaluate,
 * and one more step: when warm two passes over the polygons, bone matrices in, nothing copied out.
 *
 * The iteration on λ is the TypeScript one (createAmountSolver), in f64. Tolerances are those of f32: volumes are sums in f64
 * of products in f32, and know a region to about 1e−7.
 */
import {
  type AmountEvaluator,
  createAmountSolver,
  type FramePlan,
  type FrameRunner,
  type SolverReport,
} from '@isoskin/core';
import * as at from './layout.js';
import type { Room, Slabs } from './open-slabs.js';
import type { Block } from './plan-blocks.js';
import { type FrameImage, planImage, writeVectors } from './plan-image.js';
import { createComponentScaler } from './scale-components.js';
import type { Workers } from './start-workers.js';

/** A runner that can also do without the correction, as a measure of what it costs. */
export interface WasmRunner extends FrameRunner {
  /** Plain linear skinning: into `skinned`, or with normals into `positions` and `normals`. */
  runSkin(boneMatrices: Float64Array, normals: boolean): void;
  /** Bytes of memory that the character takes. */
  readonly byteLength: number;
  /** Bytes that the passes of a warm frame read and write, each array once a pass. */
  readonly frameBytes: number;
}

/** Below, a relative change of volume is rounding of f32. */
const IDLE = 1e-6;
/** Regions are exact enough; totals get one more step that needs no measuring. */
const TOLERANCE = 1e-5;
const TOTAL_TOLERANCE = 2e-7;
const UNMEASURED = 2e-5;
/** A step from here ends below 1e−5, and the normals of before it are right to half a degree. */
const LAST_STEP = 1e-3;
/** A thread is worth waking for this many vertices. */
const VERTICES_PER_THREAD = 5000;

export function createRunner(plan: FramePlan, slabs: Slabs, workers: () => Workers | undefined): WasmRunner {
  const image = planImage(plan);
  const room = slabs.find(image.byteLength);
  const { buffer } = room.slab.memory;
  image.write(buffer, room.base);
  const run = createPhases(room, image.blocks.count, workers);
  const { sections, blocks } = image;
  const floats = (name: keyof typeof sections, length: number) =>
    new Float32Array(buffer, room.base + sections[name], length);
  const { vertexCount, boneCount, volumes, smooth } = plan;
  const K = volumes.regionCount;
  const rest = floats('rest', 4 * blocks.count);
  const matrices = floats('matrices', 16 * boneCount);
  const lambdaOut = floats('lambda', K);
  const activityOut = floats('activity', K);
  const positions = floats('outPositions', 4 * vertexCount);
  const normals = floats('outNormals', 4 * vertexCount);
  const skinned = floats('outSkinned', 4 * vertexCount);
  const sums = createSums(new Float64Array(buffer, room.base + sections.sums, blocks.sumBytes >> 3), blocks.blocks, K);

  const { vertexBlocks, volumeBlocks, fieldBlocks } = blocks;
  const allBlocks = blocks.blocks.length;
  const solver = createAmountSolver(K, smooth.blocks, plan.wholes, {
    ...plan.solver,
    tolerance: Math.max(plan.solver.tolerance ?? 0, TOLERANCE),
    idle: IDLE,
    totalTolerance: TOTAL_TOLERANCE,
    unmeasured: UNMEASURED,
    lastStep: LAST_STEP,
    cells: sums.cells,
  });
  const scaler = createComponentScaler(plan, blocks.places);
  const surface = floats('surface', 4 * blocks.count);
  const activity = new Float64Array(K);
  const field = smooth.sweeps > 1 && smooth.sweeps % 2 === 0 ? at.SECOND_FIELD : 0;
  let wantsSkinned = false;
  let cold = true;
  let evaluations = 0; // of this frame
  let expected = 1; // of a frame like the last one
  let hasJacobian = false;
  let hasNormals = false;
  let hasPositions = false;
  let isFinished = false; // a step was taken after the last evaluation
  let expectsFinish = false;

  const evaluator: AmountEvaluator = {
    volumes: sums.volumes,
    jacobian: sums.jacobian,
    evaluate(lambda) {
      copyNumbers(lambdaOut, lambda);
      // Which evaluation will be the last is guessed from the last frame, and whether one more step follows it.
      evaluations++;
      hasNormals = evaluations >= expected;
      hasPositions = hasNormals && !expectsFinish;
      hasJacobian = evaluations === 1 || cold;
      isFinished = false;
      const output = (hasNormals ? at.WITH_NORMALS : 0) | (hasPositions ? at.WITH_POSITIONS : 0);
      const flags = (hasJacobian ? at.WITH_SLOPES : 0) | output | field;
      run(at.DISPLACE, (evaluations === 1 ? at.WITH_FADE : 0) | field, 0, vertexBlocks);
      measure(flags);
      sums.measureVolumes();
      if (hasJacobian) sums.measureJacobian();
    },
    measureJacobian() {
      if (hasJacobian) return;
      measure(at.WITH_SLOPES | field);
      sums.measureJacobian();
      hasJacobian = true;
    },
    finish(lambda) {
      copyNumbers(lambdaOut, lambda);
      run(at.DISPLACE, (hasNormals ? at.WITH_POSITIONS : 0) | field, 0, vertexBlocks);
      hasPositions = hasNormals;
      isFinished = true;
    },
  };

  function measure(flags: number): void {
    run(at.APEXES, flags, fieldBlocks, allBlocks);
    run(at.EVALUATE, flags, 0, volumeBlocks);
  }

  function scaleComponents(targets: Float64Array, report: SolverReport): void {
    run(at.DISPLACE, field, 0, vertexBlocks);
    scaler.apply(surface, report.volumes, targets, activity);
    report.fallback = 'scale';
    measure(at.WITH_NORMALS | at.WITH_POSITIONS | field);
    sums.measureVolumes();
    solver.judge(sums.volumes, targets, report);
  }

  return {
    positions,
    normals,
    byteLength: image.byteLength,
    frameBytes: countFrameBytes(image),
    get skinned() {
      if (!wantsSkinned) run(at.SKIN, at.WITH_SKINNED, 0, vertexBlocks);
      wantsSkinned = true;
      return skinned;
    },
    setRest: (vectors) => writeVectors(rest, blocks, vectors),
    run(boneMatrices, targets, report) {
      report.fallback = '';
      report.limited = false;
      report.evaluations = 1;
      writeMatrices(matrices, boneMatrices);
      run(at.SKIN, at.WITH_DIRECTIONS | (wantsSkinned ? at.WITH_SKINNED : 0), 0, vertexBlocks);
      run(at.APEXES, at.OF_SKIN, fieldBlocks, allBlocks);
      run(at.MEASURE, 0, 0, fieldBlocks);
      sums.measureVolumes();
      if (!solver.measureActivity(activity, sums.volumes, targets)) {
        run(at.EVALUATE, at.OF_SKIN | at.WITH_NORMALS | at.WITH_POSITIONS, 0, vertexBlocks);
        cold = true;
        return solver.rest(sums.volumes, report);
      }
      copyNumbers(activityOut, activity);
      for (let n = 1; n < smooth.sweeps; n++) run(at.SWEEP, n % 2 === 1 ? at.SECOND_FIELD : 0, 0, fieldBlocks);
      evaluations = 0;
      solver.solve(evaluator, targets, report);
      if (scaler.isNeeded(report.volumes, targets, activity)) scaleComponents(targets, report);
      else if (!hasNormals) run(at.EVALUATE, at.WITH_NORMALS | at.WITH_POSITIONS | field, 0, vertexBlocks);
      else if (!hasPositions) run(at.DISPLACE, at.WITH_POSITIONS | field, 0, vertexBlocks);
      expected = evaluations;
      expectsFinish = isFinished;
      cold = false;
    },
    runSkin(boneMatrices, withNormals) {
      writeMatrices(matrices, boneMatrices);
      run(at.SKIN, withNormals ? 0 : at.WITH_SKINNED, 0, vertexBlocks);
      if (withNormals) run(at.EVALUATE, at.OF_SKIN | at.WITH_NORMALS | at.WITH_POSITIONS, 0, vertexBlocks);
    },
    reset() {
      cold = true;
      solver.reset();
    },
    dispose: () => room.free(),
  };
}

/** SKIN, MEASURE, DISPLACE, EVALUATE, DISPLACE; see the arrays that each reads and writes. */
function countFrameBytes({ blocks: { count, rings, bases, halo, records } }: FrameImage): number {
  const lists = rings.byteLength + records.byteLength;
  const skin = 88 * count;
  const measure = 48 * count + lists;
  const displace = 60 * count + bases.byteLength + halo.byteLength;
  const evaluate = 56 * count + lists + bases.byteLength;
  const output = 60 * count + bases.byteLength;
  return skin + measure + displace + evaluate + output;
}

type RunPhase = (phase: number, flags: number, from: number, to: number) => void;

/** Phases on one thread or several: the blocks are the same, and so are the bits. */
function createPhases({ slab, base }: Room, vertexCount: number, findWorkers: () => Workers | undefined): RunPhase {
  const threads = Math.floor(vertexCount / VERTICES_PER_THREAD);
  const { code } = slab;
  return (phase, flags, from, to) => {
    const workers = threads > 1 && to - from > 1 ? findWorkers() : undefined;
    if (workers) workers.run(slab, base, phase, flags, from, to, threads);
    else code.runBlocks(base, phase, flags, from, to);
  };
}

/** The sums of the blocks, added up in the order of the blocks. */
function createSums(parts: Float64Array, blocks: readonly Block[], K: number) {
  const volumes = new Float64Array(K);
  const jacobian = new Float64Array(K * K);
  const volumeTerms: Term[] = [];
  const slopeTerms: Term[] = [];
  for (const { region, home, sums, columns } of blocks) {
    const from = sums >> 3;
    if (region >= 0) volumeTerms.push({ to: region, from, scale: 1 / 3 });
    if (home >= 0) volumeTerms.push({ to: home, from: from + 1, scale: -1 / 3 });
    for (const [c, column] of columns.entries()) {
      if (region >= 0) slopeTerms.push({ to: region * K + column, from: from + 2 + 2 * c, scale: 1 });
      if (home >= 0) slopeTerms.push({ to: home * K + column, from: from + 2 + 2 * c, scale: -1 });
    }
  }
  return {
    volumes,
    jacobian,
    /** Of J, that blocks add to. */
    cells: new Set(slopeTerms.map(({ to }) => to)),
    measureVolumes: createSum(volumes, parts, volumeTerms),
    measureJacobian: createSum(jacobian, parts, slopeTerms),
  };
}

interface Term {
  readonly to: number;
  readonly from: number;
  readonly scale: number;
}

/** out[to] = Σ scale · parts[from]. */
function createSum(out: Float64Array, parts: Float64Array, terms: readonly Term[]): () => void {
  const to = Uint32Array.from(terms, (term) => term.to);
  const from = Uint32Array.from(terms, (term) => term.from);
  const scales = Float64Array.from(terms, (term) => term.scale);
  return () => {
    out.fill(0);
    for (let n = 0; n < to.length; n++) out[to[n]!]! += scales[n]! * parts[from[n]!]!;
  };
}

/** f64 → f32; for a few numbers faster than `set`. */
function copyNumbers(out: Float32Array, values: Float64Array): void {
  for (let n = 0; n < values.length; n++) out[n] = values[n]!;
}

/** #B×12 into four columns of 16 bytes. */
function writeMatrices(out: Float32Array, matrices: Float64Array): void {
  for (let from = 0, to = 0; from < matrices.length; from += 3, to += 4) {
    out[to] = matrices[from]!;
    out[to + 1] = matrices[from + 1]!;
    out[to + 2] = matrices[from + 2]!;
  }
}
