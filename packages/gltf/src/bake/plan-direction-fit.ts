/** What `fitDirections` needs: the directions of the file, frames spread over the samples, and which targets are near a vertex. */

import type { Character, Surface } from '@isoskin/core';
import { createPose, IsoskinError, samplePose } from '@isoskin/core/frames';
import { readNumbers } from '../read-numbers.js';
import { runTasks } from '../threads/bake-threads.js';
import type { BakeJob } from './bake-job.js';
import type { BakeStack } from './create-frame-baker.js';
import type { DirectionFrames, DirectionSource, NearShapes, RestFrame } from './fit-directions.js';
import type { Sample } from './list-samples.js';
import { cutRows, type ExactRows, planRowReader } from './plan-rows.js';
import { gatherVertices, type SourceSkin } from './plan-source-skin.js';
import { measureNormals } from './turn-direction.js';

export interface PartDirections extends DirectionSource {
  readonly part: number;
  readonly semantic: 'NORMAL' | 'TANGENT';
}

/** NORMAL and TANGENT of the parts that have them, of a group or of all. */
export function listDirections({ read, source }: Pick<BakeJob, 'read' | 'source'>, group?: number): PartDirections[] {
  return read.character.parts.flatMap((part, p): PartDirections[] => {
    if (group !== undefined && part.group !== group) return [];
    return (['NORMAL', 'TANGENT'] as const).flatMap((semantic) => {
      const accessor = read.sources[p]!.primitive.getAttribute(semantic);
      const width = semantic === 'NORMAL' ? 3 : 4;
      if (!accessor || accessor.getElementSize() !== width || accessor.getCount() !== part.vertexCount) return [];
      const directions = readNumbers(accessor, width, semantic);
      if (!directions.every(Number.isFinite)) {
        const message = `${semantic} holds something that is no number: export the model again without compression`;
        throw new IsoskinError('NOT_FINITE', message, part.name);
      }
      return [{ part: p, semantic, width, points: source.partPoints[p]!, directions }];
    });
  });
}

/** Frames, and frames × points, that are looked at. */
const MOST_FRAMES = 400;
const MOST_POINTS = 4e5;
const LEAST_FRAMES = 16;

/** What frames are captured into: memory that all threads see. */
export type CaptureWork = Pick<DirectionFrames, 'count' | 'matrices' | 'normals' | 'edges'>;

export interface CaptureTask extends ExactRows {
  /** Frames, and the sample of each. */
  readonly frames: readonly number[];
  readonly samples: readonly Sample[];
}

/** Frames of a task. */
const CHUNK = 4;

/** @param largest of every amount, 0 where it is not used. */
export async function captureDirectionFrames(
  job: BakeJob,
  largest: Float64Array,
  amountOf: (sample: number, amount: number) => number,
): Promise<DirectionFrames> {
  const { source, samples } = job;
  const all = samples.flatMap(({ clip }, n) => (clip >= 0 ? [n] : []));
  const most = Math.max(LEAST_FRAMES, Math.min(MOST_FRAMES, Math.floor(MOST_POINTS / source.pointCount)));
  const count = Math.min(all.length, most);
  const [shapeCount, { vertexCount }] = [largest.length, job.stack.character.surface];
  const frames = {
    count,
    amounts: new Float64Array(shareBytes(8 * count * shapeCount)),
    matrices: new Float64Array(shareBytes((8 * 9 * count * source.matrices.length) / 12)),
    normals: new Float32Array(shareBytes(4 * count * 3 * vertexCount)),
    edges: new Float32Array(shareBytes(4 * count * 3 * vertexCount)),
  };
  const sampleOf = (f: number) => all[Math.floor(((f + 0.5) * all.length) / count)]!;
  const tasks = Array.from({ length: Math.ceil(count / CHUNK) }, (_, t): CaptureTask => {
    const own = Array.from({ length: Math.min(CHUNK, count - CHUNK * t) }, (_, i) => CHUNK * t + i);
    const list = own.map(sampleOf);
    return { frames: own, samples: list.map((n) => samples[n]!), ...cutRows(job, list) };
  });
  const { amounts, ...work } = frames;
  const threads = typeof SharedArrayBuffer === 'function' ? job.threads : undefined;
  threads?.share('captured', work);
  await runTasks(threads, 'captured', tasks, createFrameCapture(job, work));
  for (let f = 0; f < count; f++) {
    for (let s = 0; s < shapeCount; s++) {
      if (largest[s] !== 0) amounts[s * count + f] = amountOf(sampleOf(f), s) / Math.abs(largest[s]!);
    }
  }
  return frames;
}

/** Captures the frames of a task on any thread; answers with how many. */
export function createFrameCapture(
  { stack, source }: { readonly stack: BakeStack; readonly source: SourceSkin },
  { count, matrices, normals, edges }: CaptureWork,
): (task: CaptureTask) => number {
  const { character } = stack;
  const { surface } = character;
  const pose = createPose(character);
  const points = new Float64Array(3 * source.pointCount);
  const positions = new Float64Array(3 * surface.vertexCount);
  const now = createFrame(surface.vertexCount);
  const far = listFarNeighbours(character);
  const readRow = planRowReader(stack, source);
  return ({ frames, samples, ...rows }) => {
    for (const [i, f] of frames.entries()) {
      samplePose(pose, character, character.clips[samples[i]!.clip], samples[i]!.time);
      source.apply(points, undefined, pose, readRow(rows, i, frames.length));
      gatherVertices(positions, points, source);
      measureFrame(now, surface, positions, far);
      spread(normals, now.normals, 3, count, f);
      spread(edges, now.edges, 3, count, f);
      spread(matrices, source.matrices, 12, count, f);
    }
    return frames.length;
  };
}

/** Memory that all threads see, where there is such a thing. */
function shareBytes(length: number): ArrayBuffer | SharedArrayBuffer {
  return typeof SharedArrayBuffer === 'function' ? new SharedArrayBuffer(length) : new ArrayBuffer(length);
}

/** Frame f of `count`, in between the others: the first numbers of every item, as many as an item has in `out`. */
function spread(out: Float32Array | Float64Array, from: Float64Array, width: number, count: number, f: number): void {
  const kept = Math.min(9, width);
  for (let i = 0, to = kept * f; i < from.length; i += width, to += kept * count) {
    for (let k = 0; k < kept; k++) out[to + k] = from[i + k]!;
  }
}

/** N and T of the rest shape; `scale` of the group's parts. */
export function measureRestFrame(character: Character, scale: number): RestFrame {
  const { surface } = character;
  const rest = createFrame(surface.vertexCount);
  measureFrame(rest, surface, surface.positions, listFarNeighbours(character));
  return { ...rest, mirror: scale < 0 ? -1 : 1 };
}

type Frame = Pick<RestFrame, 'normals' | 'edges'>;

function createFrame(count: number): Frame {
  return { normals: new Float64Array(3 * count), edges: new Float64Array(3 * count) };
}

/** Of every vertex the neighbour whose edge is longest across the normal; itself where there is none. */
function listFarNeighbours({ surface }: Character): Uint32Array {
  const { neighbours, positions: x, vertexCount } = surface;
  const normals = new Float64Array(3 * vertexCount);
  measureNormals(normals, surface, x);
  const far = Uint32Array.from({ length: vertexCount }, (_, v) => v);
  for (let v = 0; v < vertexCount; v++) {
    let longest = 0;
    for (let e = neighbours.offsets[v]!; e < neighbours.offsets[v + 1]!; e++) {
      const j = neighbours.values[e]!;
      let [square, along] = [0, 0];
      for (let r = 0; r < 3; r++) {
        const d = x[3 * j + r]! - x[3 * v + r]!;
        square += d * d;
        along += d * normals[3 * v + r]!;
      }
      if (square - along * along > longest) [longest, far[v]] = [square - along * along, j];
    }
  }
  return far;
}

function measureFrame({ normals, edges }: Frame, surface: Surface, x: Float64Array, far: Uint32Array): void {
  measureNormals(normals, surface, x);
  for (let v = 0; v < far.length; v++) {
    let along = 0;
    let square = 0;
    for (let r = 3 * v; r < 3 * v + 3; r++) {
      edges[r] = x[3 * far[v]! + r - 3 * v]! - x[r]!;
      along += edges[r]! * normals[r]!;
    }
    for (let r = 3 * v; r < 3 * v + 3; r++) {
      edges[r]! -= along * normals[r]!;
      square += edges[r]! ** 2;
    }
    for (let r = 3 * v; r < 3 * v + 3; r++) edges[r]! *= square > 0 ? 1 / Math.sqrt(square) : 0;
  }
}

/** Point of a group → targets that push it, the strongest first. */
export function listOwnShapes(moving: ReadonlyMap<number, Float64Array>, largest: Float64Array): NearWork['own'] {
  const [first] = moving.values();
  const offsets = new Uint32Array((first?.length ?? 0) / 3 + 1);
  const values: number[] = [];
  for (let u = 0; u + 1 < offsets.length; u++) {
    const own: { shape: number; size: number }[] = [];
    for (const [shape, d] of moving) {
      const square = d[3 * u]! ** 2 + d[3 * u + 1]! ** 2 + d[3 * u + 2]! ** 2;
      if (square > 0) own.push({ shape, size: Math.abs(largest[shape]!) * Math.sqrt(square) });
    }
    own.sort((a, b) => b.size - a.size);
    for (const { shape } of own) values.push(shape);
    offsets[u + 1] = values.length;
  }
  return { offsets, values: Uint32Array.from(values) };
}

/** What decides which shapes are near: data alone. */
export interface NearWork {
  /** First point of the group, and the targets that move each of its points. */
  readonly firstPoint: number;
  readonly own: { readonly offsets: Uint32Array; readonly values: Uint32Array };
  /** Targets that move anything, and the region of each (none: beyond the list). */
  readonly moving: readonly number[];
  readonly regions: Uint32Array;
}

/** Near: shapes of the joints that a vertex hangs on, and of joints up to two bones away, and the turns of its own. */
export function planNearShapes(
  { stack }: { readonly stack: BakeStack },
  { firstPoint, own, moving, regions }: NearWork,
  turns: readonly (readonly [amount: number, node: number])[],
): NearShapes {
  const { skeleton, binding, surface } = stack.character;
  const joints = stack.volume?.regions.joints ?? [];
  // Joints that are at most two bones away.
  const { parents, nodeCount } = skeleton;
  const neighbours = Array.from({ length: nodeCount }, (_, node) => [node, parents[node]!].filter((n) => n >= 0));
  for (let node = 0; node < nodeCount; node++) neighbours[parents[node]!]?.push(node);
  const around = Array.from({ length: nodeCount }, () => new Set<number>());
  for (const s of moving) {
    const joint = joints[regions[s] ?? -1] ?? -1;
    if (joint < 0) continue;
    for (const near of neighbours[joint]!) for (const node of neighbours[near]!) around[node]!.add(s);
  }
  for (const [a, node] of turns) around[node]!.add(a);
  const lists = around.map((set) => Uint32Array.from(set));
  const highest = [...moving, ...turns.map(([a]) => a)].reduce((most, a) => Math.max(most, a), 0);
  const seen = new Uint32Array(highest + 1); // the last call that found it
  let call = 0;
  return {
    own: (point) => own.values.subarray(own.offsets[point - firstPoint], own.offsets[point - firstPoint + 1]),
    addNear(list, count, vertex) {
      // A normal is that of the triangles around, whose corners may hang on other joints.
      const { offsets, values } = surface.neighbours;
      let to = count;
      call++;
      for (let i = offsets[vertex]! - 1; i < offsets[vertex + 1]!; i++) {
        const k = i < offsets[vertex]! ? vertex : values[i]!;
        for (let e = binding.offsets[k]!; e < binding.offsets[k + 1]!; e++) {
          const found = lists[skeleton.boneNodes[binding.bones[e]!]!]!;
          for (let f = 0; f < found.length; f++) {
            if (seen[found[f]!] === call) continue;
            seen[found[f]!] = call;
            list[to++] = found[f]!;
          }
        }
      }
      return to;
    },
  };
}
