/**
 * The dispatches of a frame: evaluations of the surface, each ending in a step of the amounts, then the surface for the caller.
 *
 *   (skin · apexes · measure · reduce · solve) × evaluations · displace (· emit)
 */
import type { FramePlan } from '@isoskin/core/kernels';
import { SHARED_REGIONS, SLICE, TILE, USAGE } from './constants.js';
import type { BufferPool } from './create-buffer-pool.js';
import { createPipeline } from './create-pipelines.js';
import type { GpuFrameOptions } from './gpu-frame.js';
import { type GpuLists, packShape } from './plan/plan-gpu-lists.js';
import { apexes } from './wgsl/apexes.js';
import { displace } from './wgsl/displace.js';
import { emit } from './wgsl/emit.js';
import { measure } from './wgsl/measure.js';
import type { OutputLayout } from './wgsl/output.js';
import { reduce } from './wgsl/reduce.js';
import { skin } from './wgsl/skin.js';
import { solve } from './wgsl/solve.js';

export interface Stage {
  readonly name: string;
  readonly pipeline: GPUComputePipeline;
  readonly group: GPUBindGroup;
  /** Workgroups of one instance, and for all instances. */
  readonly x: number;
  readonly y: number;
}

export interface StageBuffers {
  readonly rest: GPUBuffer;
  readonly inputs: GPUBuffer;
  readonly state: GPUBuffer;
  readonly positions: GPUBuffer;
  readonly normals: GPUBuffer;
}

export type StageOptions = Required<Pick<GpuFrameOptions, 'instances' | 'stride' | 'packed'>> &
  Pick<GpuFrameOptions, 'welded'>;

/** Workgroups that keep a large GPU busy; a crowd that has more lets each look after several characters, up to so many. */
const ENOUGH_GROUPS = 4096;
const MOST_PER_GROUP = 4;
/** Characters from which a dispatch more costs less than skinning the vertices of the apexes twice. */
const FEW = 8;

/** @returns the stages of a frame of up to so many evaluations. */
export function createStages(
  device: GPUDevice,
  pool: BufferPool,
  plan: FramePlan,
  planned: GpuLists,
  buffers: StageBuffers,
  { instances, stride, packed, welded }: StageOptions,
): (evaluations: number) => Stage[] {
  const { shape, pairTileCount, mostColumns, largestBlock } = planned;
  const words = 4 * instances;
  const { rest, inputs, state } = buffers;
  const lists = pool.upload('lists', planned.lists);
  const slices = pool.upload('slices', planned.slices);
  const points = pool.create('points', 16 * instances * shape.pointStride);
  const partials = pool.create('partial sums', words * shape.partialStride);
  const sums = pool.create('sums', words * shape.sumStride);
  const scratch = largestBlock > SHARED_REGIONS ? [pool.create('scratch', words * shape.scratchStride)] : [];
  // Welded outputs are kept apart when they are drawn several times.
  const createWelded = (name: string) => pool.create(`welded ${name}`, 16 * instances * plan.vertexCount);
  const output = welded ? { positions: createWelded('positions'), normals: createWelded('normals') } : buffers;
  const layout: OutputLayout = packed ? 'packed' : welded ? 16 : stride;
  const hasSubgroups = device.features.has('subgroups') && (device.adapterInfo?.subgroupMinSize ?? 0) >= SLICE;
  const isTogether = hasSubgroups && mostColumns <= SLICE;
  const apexJobs = shape.apexCount + shape.apexPairCount;
  const apexLanes = chooseLanes((shape.apexEdges - shape.members) / 4 / Math.max(1, shape.apexCount), TILE);
  const apexGroups = Math.ceil((apexJobs * apexLanes) / TILE);
  const isEarly = instances < FEW && apexGroups > 0;
  const skinOptions = { hasSubgroups: isTogether, influences: planned.influences };
  const reduceLanes = chooseLanes(shape.partialStride / Math.max(1, shape.entryCount), SLICE);
  const reduceGroups = Math.ceil((shape.entryCount * reduceLanes) / TILE);

  const perGroup = Math.max(1, Math.min(MOST_PER_GROUP, Math.floor((instances * shape.tileCount) / ENOUGH_GROUPS)));
  const y = Math.ceil(instances / perGroup);
  function createStage(name: string, code: string, x: number, bound: readonly GPUBuffer[], rows = y): Stage {
    const pipeline = createPipeline(device, `isoskin ${name}`, code);
    const entries = bound.map((buffer, binding) => ({ binding, resource: { buffer } }));
    const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
    return { name, pipeline, group, x, y: rows };
  }
  const uploadShape = (marks: Partial<typeof shape>) =>
    pool.upload('shape', packShape({ ...shape, instances, perGroup, ...marks }), USAGE.UNIFORM);

  function createEvaluation(marks: Partial<typeof shape>): Stage[] {
    const front = [uploadShape({ ...marks, apexGroups: isEarly ? apexGroups : 0 }), lists];
    const tiles = shape.tileCount;
    const own = [...front, slices, inputs, rest, state, points];
    return [
      ...(isEarly
        ? [createStage('skin', skin({ ...skinOptions, apexLanes }), tiles + apexGroups, own)]
        : [
            createStage('skin', skin({ ...skinOptions, apexLanes: 0 }), tiles, own),
            createStage('apexes', apexes(apexLanes, hasSubgroups), apexGroups, [...front, points, state]),
          ]),
      createStage('measure', measure(layout, hasSubgroups), tiles + pairTileCount, [
        ...front,
        ...[slices, points, partials, state, output.normals],
      ]),
      createStage('reduce', reduce(reduceLanes), reduceGroups, [...front, partials, state, sums]),
      createStage(
        'solve',
        solve(largestBlock),
        shape.blockCount,
        [...front, inputs, sums, state, ...scratch],
        instances,
      ),
    ].filter(({ x }) => x > 0);
  }

  const bound = [uploadShape({}), lists, slices, points, state, sums, output.positions];
  const finish = [createStage('displace', displace(layout, isTogether), shape.tileCount, bound)];
  if (welded) {
    const counts = pool.upload('drawn', Uint32Array.of(welded.length, plan.vertexCount), USAGE.UNIFORM);
    const front = [counts, pool.upload('welded', Uint32Array.from(welded))];
    const x = Math.ceil(welded.length / TILE);
    finish.push(
      createStage(
        'emit positions',
        emit(stride, 'points'),
        x,
        [...front, output.positions, buffers.positions],
        instances,
      ),
      createStage('emit normals', emit(stride, 'normals'), x, [...front, output.normals, buffers.normals], instances),
    );
  }
  const first = createEvaluation({ isFirst: 1 });
  const further = createEvaluation({});
  const final = createEvaluation({ isFinal: 1 });
  return (evaluations) =>
    evaluations < 2
      ? [...createEvaluation({ isFirst: 1, isFinal: 1 }), ...finish]
      : [...first, ...new Array<Stage[]>(evaluations - 2).fill(further).flat(), ...final, ...finish];
}

/** The power of two from `count` up, between 4 and `most`. */
function chooseLanes(count: number, most: number): number {
  let lanes = 4;
  while (lanes < most && lanes < count) lanes *= 2;
  return lanes;
}
