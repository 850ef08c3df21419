/**
 * The nodes whose rotation moves a region, and the morphs that reach it.
 *
 * A region and its shape hang on some bones; what turns them against each other are the nodes on the ways from those bones up to the node
 * that is above all of them, without that one.
 */
import type { Character, FrameSource } from '@isoskin/core';
import type { Shapes } from '@isoskin/core/kernels';
import type { Regions } from '@isoskin/core/mesh';

export interface DrivingNodes {
  /** Shape → nodes of the skeleton, ascending. */
  readonly nodes: readonly (readonly number[])[];
  /** Shape → morph targets of the character. */
  readonly morphs: readonly (readonly number[])[];
}

/** Everything that moves some region: what poses are sampled over. */
export function listDrivingInputs(stack: FrameSource): { nodes: number[]; morphs: number[] } {
  const { regions, shapes } = stack.volume!;
  const { nodes, morphs } = listDrivingNodes(stack.character, regions, shapes!.shapes);
  const sort = (lists: readonly (readonly number[])[]) => [...new Set(lists.flat())].sort((a, b) => a - b);
  return { nodes: sort(nodes), morphs: sort(morphs) };
}

/** Bones with less than this share of a region's weight do not count. */
const LEAST_SHARE = 0.01;

export function listDrivingNodes(character: Character, regions: Regions, shapes: Shapes): DrivingNodes {
  const { surface, binding, skeleton, morphs } = character;
  const touched = listShapesOfVertices(character, regions, shapes);
  const weights = Array.from({ length: shapes.shapeCount }, () => new Float64Array(skeleton.nodeCount));
  for (let k = 0; k < surface.vertexCount; k++) {
    for (const s of touched[k]!) {
      for (let e = binding.offsets[k]!; e < binding.offsets[k + 1]!; e++) {
        weights[s]![skeleton.boneNodes[binding.bones[e]!]!]! += binding.weights[e]!;
      }
    }
  }
  const reached = weights.map(() => [] as number[]);
  morphs.forEach(({ name, vertices }, m) => {
    if (/^isoskin\b/.test(name)) return; // an older bake's own
    const found = new Set<number>();
    for (const k of vertices) for (const s of touched[k]!) found.add(s);
    for (const s of found) reached[s]!.push(m);
  });
  const nodes = weights.map((own) => {
    const whole = own.reduce((sum, w) => sum + w, 0);
    return listWays(
      [...own.keys()].filter((n) => own[n]! > LEAST_SHARE * whole),
      skeleton.parents,
    );
  });
  return { nodes, morphs: reached };
}

/** Vertex → shapes that move it, and regions that it is a corner of. */
function listShapesOfVertices({ surface }: Character, regions: Regions, shapes: Shapes): Set<number>[] {
  const { triangles, vertexCount } = surface;
  const touched = Array.from(
    { length: vertexCount },
    (_, k) => new Set(shapes.shapes.subarray(shapes.offsets[k], shapes.offsets[k + 1])),
  );
  // A shape of a region depends on all that moves the region.
  const ofRegion: number[][] = Array.from({ length: shapes.regionCount }, (_, s) => [s]);
  triangles.forEach((k, c) => {
    for (const s of ofRegion[regions.triangleRegion[Math.floor(c / 3)]!] ?? []) touched[k]!.add(s);
  });
  return touched;
}

function listWays(bones: readonly number[], parents: Int32Array): number[] {
  const count = new Map<number, number>();
  for (const bone of bones) {
    for (let n = bone; n >= 0; n = parents[n]!) count.set(n, (count.get(n) ?? 0) + 1);
  }
  return [...count.keys()].filter((n) => count.get(n)! < bones.length).sort((a, b) => a - b);
}
