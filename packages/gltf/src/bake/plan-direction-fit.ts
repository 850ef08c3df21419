/** What `fitDirections` needs of a bake by shapes: frames spread over its samples, and which shapes are near a vertex. */
import type { Character, FrameSource, Surface } from '@isoskin/core';
import type { FrameBlock } from './create-frame-baker.js';
import { measureNormals } from './create-normal-fit.js';
import type { DirectionFrames, NearShapes, RestFrame } from './fit-directions.js';
import type { Sample } from './list-sample-times.js';
import type { ShapeSource } from './list-shape-deltas.js';
import { planBakedSurface } from './plan-baked-surface.js';
import type { SourceSkin } from './plan-source-skin.js';

/** Frames, and frames × points, that are looked at. */
const MOST_FRAMES = 240;
const MOST_POINTS = 2e6;
const LEAST_FRAMES = 16;

/** @param amountOf amount of a shape in a sample;  `largest` of every shape, 0 where it is not used. */
export function captureDirectionFrames(
  character: Character,
  source: SourceSkin,
  samples: readonly Sample[],
  block: FrameBlock,
  largest: Float64Array,
  amountOf: (sample: number, shape: number) => number,
): DirectionFrames {
  const { surface } = character;
  const all = samples.flatMap(({ clip }, n) => (clip >= 0 ? [n] : []));
  const most = Math.max(LEAST_FRAMES, Math.min(MOST_FRAMES, Math.floor(MOST_POINTS / source.pointCount)));
  const count = Math.min(all.length, most);
  const [shapeCount, pointCount, vertexCount] = [largest.length, source.pointCount, surface.vertexCount];
  const frames = {
    count,
    shapeCount,
    pointCount,
    vertexCount,
    amounts: new Float64Array(count * shapeCount),
    blends: new Float32Array(count * 9 * pointCount),
    normals: new Float32Array(count * 3 * vertexCount),
    edges: new Float32Array(count * 3 * vertexCount),
  };
  const baked = planBakedSurface(character, source);
  const now = createFrame(vertexCount);
  const far = listFarNeighbours(character);
  for (let f = 0; f < count; f++) {
    const n = all[Math.floor(((f + 0.5) * all.length) / count)]!;
    baked.pose(samples[n]!);
    baked.offsets.set(block.deltas.subarray(3 * pointCount * n, 3 * pointCount * (n + 1)));
    baked.place();
    measureFrame(now, surface, baked.positions, far);
    frames.normals.set(now.normals, 3 * vertexCount * f);
    frames.edges.set(now.edges, 3 * vertexCount * f);
    frames.blends.set(baked.blends, 9 * pointCount * f);
    for (let s = 0; s < shapeCount; s++) {
      if (largest[s] !== 0) frames.amounts[f * shapeCount + s] = amountOf(n, s) / Math.abs(largest[s]!);
    }
  }
  return frames;
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
    for (let r = 3 * v; r < 3 * v + 3; r++) {
      edges[r] = x[3 * far[v]! + r - 3 * v]! - x[r]!;
      along += edges[r]! * normals[r]!;
    }
    for (let r = 3 * v; r < 3 * v + 3; r++) edges[r]! -= along * normals[r]!;
    const length = Math.hypot(edges[3 * v]!, edges[3 * v + 1]!, edges[3 * v + 2]!);
    for (let r = 3 * v; r < 3 * v + 3; r++) edges[r]! *= length > 0 ? 1 / length : 0;
  }
}

/** Own: shapes that push the vertex. Near: those of the joints that it hangs on, and of joints up to two bones away from them. */
export function planNearShapes(
  stack: FrameSource,
  { shapes: planned, regions: regionOf }: ShapeSource,
  used: ReadonlySet<number>,
): NearShapes {
  const { skeleton, binding } = stack.character;
  const { joints } = stack.volume!.regions;
  const { offsets, shapes } = planned;
  // Joints that are at most two bones away.
  const { parents, nodeCount } = skeleton;
  const neighbours = Array.from({ length: nodeCount }, (_, node) => [node, parents[node]!].filter((n) => n >= 0));
  for (let node = 0; node < nodeCount; node++) neighbours[parents[node]!]?.push(node);
  const around = Array.from({ length: nodeCount }, () => new Set<number>());
  for (const s of used) {
    const joint = joints[regionOf[s]!]!;
    if (joint < 0) continue;
    for (const near of neighbours[joint]!) for (const node of neighbours[near]!) around[node]!.add(s);
  }
  return {
    own: (vertex) =>
      Array.from(shapes.subarray(offsets[vertex]!, offsets[vertex + 1]!)).filter((shape) => used.has(shape)),
    near: (vertex) => {
      const bones = binding.bones.subarray(binding.offsets[vertex]!, binding.offsets[vertex + 1]!);
      return [...new Set(Array.from(bones).flatMap((bone) => [...around[skeleton.boneNodes[bone]!]!]))];
    },
  };
}
