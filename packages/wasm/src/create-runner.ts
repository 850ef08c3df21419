/**
 * One character on the WASM kernels (C15). A frame is
 *
 *   SKIN  y = x + Σ λ φ (A n̄)   ·   EVALUATE  V, ∂V/∂λ, normals   ·   Δλ in TypeScript, f64   ·   DISPLACE  y + Σ Δλ φ (A n̄), the output
 *
 * with further steps (DISPLACE in place, EVALUATE) where the first is not good enough. Cold, λ = 0 in SKIN and every evaluation does the same,
 * so the bits are a function of pose and targets; warm, SKIN starts from the last frame's λ and one evaluation is enough.
 *
 * Tolerances are those of f32: volumes are sums in f64 of products in f32, and know a region to about 1e−7.
 */

import { createAmountSolver, IsoskinError } from '@isoskin/core/amounts';
import type {
  AmountEvaluator,
  AmountRunner,
  FramePlan,
  FrameRunner,
  MoveFrame,
  SolverReport,
} from '@isoskin/core/kernels';
import { createHold, isEqual } from './create-hold.js';
import { createSums, type Sums } from './create-sums.js';
import type { BlockPlan } from './lay-out-blocks.js';
import * as at from './layout.js';
import { openImage } from './open-image.js';
import type { Room, Slabs } from './open-slabs.js';
import { listPlaces } from './order-vertices.js';
import { type FrameImage, writeVectors } from './plan-image.js';
import type { Workers } from './start-workers.js';

/** A runner that can also do without the correction, as a measure of what it costs. */
export interface WasmRunner extends AmountRunner, FrameRunner {
  /** Plain linear skinning: into `skinned`, or with normals into `positions` and `normals`. */
  runSkin(boneMatrices: Float64Array, normals: boolean): void;
  /** Bytes of memory that the character takes. */
  readonly byteLength: number;
  /** Bytes that the passes of a warm frame read and write, each array once a pass. */
  readonly frameBytes: number;
}

/** Regions are exact enough; totals get one more step that needs no measuring. */
const TOLERANCE = 1e-5;
const TOTAL_TOLERANCE = 5e-7;
/** A step from here ends below 1e−6, and the normals of before it are right to half a degree. */
const LAST_STEP = 1e-3;
const LAST_WARM_STEP = 6e-3;
/** After a longer step of λ there is another one: nobody would see the normals of that surface. */
const NEAR = 0.03;
/** A thread is worth waking for this many vertices. */
const VERTICES_PER_THREAD = 5000;

export function createRunner(plan: FramePlan, slabs: Slabs, workers: () => Workers | undefined): WasmRunner {
  const { image, room, locate, free } = openImage(plan, slabs);
  const { buffer } = room.slab.memory;
  const run = createPhases(room, image.blocks.count, workers);
  const { blocks } = image;
  const floats = (name: Parameters<typeof locate>[0], length: number) => new Float32Array(buffer, locate(name), length);
  const { vertexCount, shapes } = plan;
  const matrices = floats('matrices', 16 * plan.boneCount);
  const positions = floats('outPositions', 4 * vertexCount);
  const normals = floats('outNormals', 4 * vertexCount);
  const skinned = floats('outSkinned', 4 * vertexCount);
  const parts = new Float64Array(buffer, locate('sums'), blocks.sumBytes >> 3);
  const sums = createSums(parts, blocks.blocks, shapes.regionCount);
  const amounts = new Float64Array(shapes.shapeCount);
  const surface = createSurface(run, blocks, { steps: floats('lambda', shapes.shapeCount), sums, amounts });
  const solver = createAmountSolver(shapes, {
    ...plan.solver,
    tolerance: Math.max(plan.solver.tolerance ?? 0, TOLERANCE),
    totalTolerance: TOTAL_TOLERANCE,
    lastStep: LAST_STEP,
    lastWarmStep: LAST_WARM_STEP,
    leads: true,
    cells: sums.cells,
  });
  const y = floats('surface', 4 * blocks.count);
  const places = listPlaces(new Uint32Array(buffer, locate('order'), blocks.count), vertexCount);
  const held = createHold(); // the surface of the last pose
  const heldAmounts = createHold(); // its amounts alone
  const words = new Uint32Array(buffer, room.base, at.FRAME_BYTES >> 2);
  let wantsSkinned = false;
  // Nothing to start from, or regions pressed against their ceilings: from there the solver may end in another place than from 0.
  let startsCold = true;
  let isDisposed = false;

  /** x̄ under morph targets: from the first of them on it is the character's own. */
  function ownRest(): Float32Array {
    const rest = floats('ownRest', (at.REST_BYTES >> 2) * blocks.count);
    if (words[at.FRAME_REST >> 2] !== rest.byteOffset) {
      rest.set(new Float32Array(buffer, words[at.FRAME_REST >> 2], rest.length));
      words[at.FRAME_REST >> 2] = rest.byteOffset;
    }
    return rest;
  }

  function check(): void {
    if (!isDisposed) return;
    throw new IsoskinError('WASM_DISPOSED', 'This character was disposed of; plan it again to go on.');
  }

  function solve(
    boneMatrices: Float64Array,
    targets: Float64Array,
    report: SolverReport,
    warm: boolean,
    wantsNormals: boolean,
    move?: MoveFrame,
  ): void {
    report.fallback = '';
    writeMatrices(matrices, boneMatrices);
    shapes.given?.measure(amounts, shapes.regionCount, boneMatrices);
    const isNear = warm && !startsCold && !move;
    surface.begin(wantsSkinned, wantsNormals, isNear);
    if (move) surface.lookAhead(solver, targets, report);
    solver.solve(surface, targets, report, isNear, move?.(y, places));
    startsCold = report.limited;
  }

  return {
    positions,
    normals,
    amounts,
    byteLength: image.byteLength,
    frameBytes: countFrameBytes(image),
    get skinned() {
      check();
      if (!wantsSkinned) run(at.SKIN, at.WITH_SKINNED, 0, blocks.vertexBlocks);
      wantsSkinned = true;
      return skinned;
    },
    setRest(vectors) {
      check();
      writeVectors(ownRest(), at.REST_BYTES, blocks, vectors);
      held.forget();
      heldAmounts.forget();
    },
    run(boneMatrices, targets, report, warm = false, move) {
      check();
      if (warm && held.is(boneMatrices, targets, amounts, report)) return;
      solve(boneMatrices, targets, report, warm, true, move);
      surface.write(solver.lambda);
      held.keep(boneMatrices, targets, amounts, report);
      heldAmounts.forget();
    },
    solve(boneMatrices, targets, report, warm = false) {
      check();
      if (warm && heldAmounts.is(boneMatrices, targets, amounts, report)) return;
      solve(boneMatrices, targets, report, warm, false);
      amounts.set(solver.lambda);
      held.forget();
      heldAmounts.keep(boneMatrices, targets, amounts, report);
    },
    runSkin(boneMatrices, withNormals) {
      check();
      writeMatrices(matrices, boneMatrices);
      run(at.SKIN, withNormals ? 0 : at.WITH_SKINNED, 0, blocks.vertexBlocks);
      if (withNormals) run(at.NORMALS, 0, 0, blocks.vertexBlocks);
      held.forget();
    },
    dispose() {
      if (!isDisposed) free();
      isDisposed = true;
    },
  };
}

interface SurfaceArrays {
  /** What SKIN and DISPLACE add, by shape. */
  readonly steps: Float32Array;
  readonly sums: Sums;
  /** λ of all shapes; those beyond the regions are given. */
  readonly amounts: Float64Array;
}

interface Surface extends AmountEvaluator {
  /** A new pose: the first evaluation skins. @param isNear it starts where the last one ended. */
  begin(wantsSkinned: boolean, wantsNormals: boolean, isNear: boolean): void;
  /** y after the first step of the search, which goes on from there. */
  lookAhead(solver: ReturnType<typeof createAmountSolver>, targets: Float64Array, report: SolverReport): void;
  /** y at `lambda` into the output. */
  write(lambda: Float64Array): void;
}

/** y in memory, at the λ that was last evaluated. */
function createSurface(run: RunPhase, blocks: BlockPlan, { steps, sums, amounts }: SurfaceArrays): Surface {
  const { vertexBlocks, volumeBlocks } = blocks;
  const allBlocks = blocks.blocks.length;
  const K = sums.volumes.length;
  const shown = new Float64Array(K);
  let flags = at.WITH_DIRECTIONS;
  let wants = false; // normals
  let has = false; // those of y
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
    run(at.DISPLACE, 0, 0, vertexBlocks);
    shown.set(lambda);
    isShown = true;
  }

  const surface: Surface = {
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
        run(at.SKIN, flags | (isMoved ? at.WITH_AMOUNTS : 0), 0, vertexBlocks);
        isSkinned = true;
        shown.set(lambda);
      }
      if (allBlocks > volumeBlocks) run(at.APEXES, 0, volumeBlocks, allBlocks);
      has = wants && isNear;
      run(at.EVALUATE, has ? 0 : at.WITHOUT_NORMALS, 0, volumeBlocks);
      sums.measure();
    },
    measureJacobian() {}, // every evaluation does
    finish() {}, // every frame ends with `write`
    write(lambda) {
      if (!has) run(at.NORMALS, 0, 0, vertexBlocks);
      writeSteps(lambda);
      run(at.DISPLACE, at.WITH_POSITIONS, 0, vertexBlocks);
      amounts.set(lambda);
    },
  };
  return surface;
}

/** SKIN, EVALUATE, DISPLACE; see the arrays that each reads and writes. */
function countFrameBytes({ blocks: { count, rings, bases, given, records } }: FrameImage): number {
  const skin = (at.REST_BYTES + 12 + 16 + 16) * count + bases.byteLength + given.byteLength;
  const evaluate = (16 + 16 + 4 + 16) * count + rings.byteLength + records.byteLength + bases.byteLength;
  const displace = (16 + 16 + 4 + 16) * count + bases.byteLength;
  return skin + evaluate + displace;
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

/** Vectors of three into 16 bytes each: #B×12 into four columns. */
export function writeMatrices(out: Float32Array, matrices: Float64Array): void {
  for (let from = 0, to = 0; from < matrices.length; from += 3, to += 4) {
    out[to] = matrices[from]!;
    out[to + 1] = matrices[from + 1]!;
    out[to + 2] = matrices[from + 2]!;
  }
}
