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
import type { AmountRunner, FrameMoves, FramePlan, FrameRunner, SolverReport } from '@isoskin/core/kernels';
import { createHold } from './create-hold.js';
import { createSums } from './create-sums.js';
import { createSurface, type RunPhase } from './create-surface.js';
import * as at from './layout.js';
import { Motion } from './motion.js';
import { openImage } from './open-image.js';
import type { Room, Slabs } from './open-slabs.js';
import { listPlaces } from './order-vertices.js';
import { type FrameImage, type LaidOut, writeVectors } from './plan-image.js';
import type { Workers } from './start-workers.js';

/** A runner that can also do without the correction, as a measure of what it costs. */
export interface WasmRunner extends AmountRunner, FrameRunner {
  /** Plain linear skinning: into `skinned`, or with normals into `positions` and `normals`. */
  runSkin(boneMatrices: Float64Array, normals: boolean): void;
  /** The next warm frame starts from these amounts of the regions. */
  startFrom(amounts: Float64Array): void;
  /** Bytes of memory that the character takes. */
  readonly byteLength: number;
  /** Bytes that the passes of a warm frame read and write, each array once a pass. */
  readonly frameBytes: number;
}

/** Regions are exact enough; totals get one more step that needs no measuring. */
const TOLERANCE = 1e-5;
const SOLVER = {
  totalTolerance: 5e-7,
  /** A step from here ends below 1e−6, and the normals of before it are right to half a degree. */
  lastStep: 1e-3,
  lastWarmStep: 6e-3,
  leads: true,
};
/** A thread is worth waking for this many vertices. */
const VERTICES_PER_THREAD = 5000;

export function createRunner(
  plan: FramePlan,
  slabs: Slabs,
  workers: () => Workers | undefined,
  laidOut?: LaidOut,
): WasmRunner {
  const opened = openImage(plan, slabs, laidOut);
  const { image, room, locate, claim, free } = opened;
  const { blocks } = image;
  const { shapes } = plan;
  const run = createPhases(room, blocks.count, workers);
  const { matrices, positions, normals, skinned, steps, y, places, sums, motion } = viewFrame(plan, opened);
  const amounts = new Float64Array(shapes.shapeCount);
  let moves: FrameMoves | undefined; // of this frame
  const onSkin = () => moves?.skinned?.(y, places) === true;
  const surface = createSurface(run, blocks, { steps, sums, amounts, motion, onSkin });
  const solver = createAmountSolver(shapes, {
    ...{ ...plan.solver, ...SOLVER, cells: sums.cells },
    tolerance: Math.max(plan.solver.tolerance ?? 0, TOLERANCE),
  });
  const [held, heldAmounts] = [createHold(), createHold()]; // the surface of the last pose; its amounts alone
  let [wantsSkinned, isDisposed] = [false, false];
  // Nothing to start from, or regions pressed against their ceilings: from there the solver may end in another place than from 0.
  let startsCold = true;

  function check(): void {
    if (isDisposed) throw new IsoskinError('WASM_DISPOSED', 'This character was disposed of; plan it again to go on.');
  }

  /** Plain skinning, on all blocks. */
  function runAll(phase: number, flags: number): void {
    claim();
    motion.forget();
    run(phase, flags, 0, blocks.vertexBlocks);
  }

  function solve(
    boneMatrices: Float64Array,
    targets: Float64Array,
    report: SolverReport,
    warm: boolean,
    wantsNormals: boolean,
  ): void {
    report.fallback = '';
    if (!claim()) motion.forget();
    motion.setBones(matrices, boneMatrices);
    shapes.given?.measure(amounts, shapes.regionCount, boneMatrices);
    const isNear = warm && !startsCold && !moves?.ahead;
    surface.begin(wantsSkinned, wantsNormals, isNear);
    if (moves?.ahead) surface.lookAhead(solver, targets, report);
    const hasMoved = moves?.ahead?.(y, places);
    if (hasMoved) motion.disturb();
    solver.solve(surface, targets, report, isNear, hasMoved);
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
      if (!wantsSkinned) runAll(at.SKIN, at.WITH_SKINNED);
      wantsSkinned = true;
      return skinned;
    },
    setRest(vectors) {
      check();
      writeVectors(ownRest(room, locate('ownRest'), blocks.count), at.REST_BYTES, blocks, vectors);
      motion.forget();
      held.forget();
      heldAmounts.forget();
    },
    run(boneMatrices, targets, report, warm = false, given) {
      check();
      moves = given;
      if (warm && !moves?.skinned && held.is(boneMatrices, targets, amounts, report)) return;
      solve(boneMatrices, targets, report, warm, true);
      surface.write(solver.lambda);
      held.keep(boneMatrices, targets, amounts, report);
      heldAmounts.forget();
    },
    solve(boneMatrices, targets, report, warm = false) {
      check();
      moves = undefined;
      if (warm && heldAmounts.is(boneMatrices, targets, amounts, report)) return;
      solve(boneMatrices, targets, report, warm, false);
      amounts.set(solver.lambda);
      held.forget();
      heldAmounts.keep(boneMatrices, targets, amounts, report);
    },
    startFrom(start) {
      solver.startFrom(start);
      startsCold = false;
      held.forget();
      heldAmounts.forget();
    },
    runSkin(boneMatrices, withNormals) {
      check();
      writeMatrices(matrices, boneMatrices);
      runAll(at.SKIN, withNormals ? 0 : at.WITH_SKINNED);
      if (withNormals) runAll(at.NORMALS, 0);
      held.forget();
    },
    dispose() {
      if (!isDisposed) free();
      isDisposed = true;
    },
  };
}

/** The arrays of a frame in memory, and what is known of its blocks. */
function viewFrame(
  { vertexCount, boneCount, shapes }: FramePlan,
  { image, room, locate }: ReturnType<typeof openImage>,
) {
  const { buffer } = room.slab.memory;
  const { blocks, reach } = image;
  const floats = (name: Parameters<typeof locate>[0], length: number) => new Float32Array(buffer, locate(name), length);
  const words = (name: Parameters<typeof locate>[0], length: number) => new Uint32Array(buffer, locate(name), length);
  const parts = new Float64Array(buffer, locate('sums'), blocks.sumBytes >> 3);
  return {
    matrices: floats('matrices', 16 * boneCount),
    positions: floats('outPositions', 4 * vertexCount),
    normals: floats('outNormals', 4 * vertexCount),
    skinned: floats('outSkinned', 4 * vertexCount),
    steps: floats('lambda', shapes.shapeCount),
    y: floats('surface', 4 * blocks.count),
    places: listPlaces(words('order', blocks.count), vertexCount),
    sums: createSums(parts, blocks.blocks, shapes.regionCount),
    motion: new Motion(reach, words('blocks', (at.BLOCK_BYTES * blocks.blocks.length) >> 2)),
  };
}

/** x̄ under morph targets: from the first of them on it is the character's own. */
function ownRest({ slab, base }: Room, own: number, count: number): Float32Array {
  const { buffer } = slab.memory;
  const rest = new Float32Array(buffer, own, (at.REST_BYTES >> 2) * count);
  const frame = new Uint32Array(buffer, base, at.FRAME_BYTES >> 2);
  if (frame[at.FRAME_REST >> 2] !== own) rest.set(new Float32Array(buffer, frame[at.FRAME_REST >> 2], rest.length));
  frame[at.FRAME_REST >> 2] = own;
  return rest;
}

/** SKIN, EVALUATE, DISPLACE; see the arrays that each reads and writes. */
function countFrameBytes({ blocks: { count, rings, bases, given, records } }: FrameImage): number {
  const skin = (at.REST_BYTES + 12 + 16 + 16) * count + bases.byteLength + given.byteLength;
  const evaluate = (16 + 16 + 4 + 16) * count + rings.byteLength + records.byteLength + bases.byteLength;
  const displace = (16 + 16 + 4 + 16) * count + bases.byteLength;
  return skin + evaluate + displace;
}

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
