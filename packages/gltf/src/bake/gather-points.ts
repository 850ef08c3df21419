/** Source vertices → points: one for all that lie in one welded vertex with equal position, weights and morphs. */
import type { Node, Skin } from '@gltf-transform/core';
import type { ReadResult } from '../read-character-from-bytes.js';
import { readNumbers } from '../read-numbers.js';
import { compareWeights, type PartWeights, readPartWeights } from './read-part-weights.js';
import { pickDeltas, type SparseDeltas } from './sparse-deltas.js';

/** Two source vertices whose weights differ by less move alike. */
const SAME_WEIGHT = 1e-5;

/** What a group hangs on. */
export interface Bones {
  /** Joint of the skin → node of the skeleton. */
  readonly nodes: readonly number[];
  /** #×16. */
  readonly inverseBinds: Float64Array;
}

export function readBones(node: Node, skeletonNode: ReadonlyMap<Node, number>): Bones {
  const skin: Skin | null = node.getSkin();
  const joints = skin?.listJoints() ?? [node];
  const numbers = skin?.getInverseBindMatrices()?.getArray();
  const inverseBinds = new Float64Array(16 * joints.length);
  if (numbers) inverseBinds.set(numbers.subarray(0, inverseBinds.length));
  else for (let k = 0; k < inverseBinds.length; k++) inverseBinds[k] = (k % 16) % 5 === 0 ? 1 : 0;
  return { nodes: joints.map((joint) => skeletonNode.get(joint)!), inverseBinds };
}

export interface Points {
  readonly count: number;
  readonly groups: Uint32Array;
  readonly groupOffsets: Uint32Array;
  readonly welded: Uint32Array;
  readonly leaders: Uint32Array;
  readonly positions: Float64Array;
  readonly offsets: Uint32Array;
  readonly bones: Uint32Array;
  readonly weights: Float64Array;
  readonly partPoints: readonly Uint32Array[];
  readonly partWeights: readonly (PartWeights | undefined)[];
  /** Existing targets: deltas of the positions. */
  readonly morphs: readonly { readonly target: number; readonly deltas: SparseDeltas }[];
}

export function gatherPoints({ character, sources, groups }: ReadResult, boneSets: readonly Bones[]): Points {
  const { parts, surface, binding, skeleton } = character;
  const partWeights = parts.map((part, p) =>
    sources[p]!.node.getSkin()
      ? readPartWeights(sources[p]!.primitive, part.welded, (v) => {
          const node = skeleton.boneNodes[binding.bones[binding.offsets[v]!]!]!;
          return Math.max(0, boneSets[part.group]!.nodes.indexOf(node));
        })
      : undefined,
  );
  const arrays = parts.map((_, p) => {
    const { primitive } = sources[p]!;
    return {
      positions: readNumbers(primitive.getAttribute('POSITION')!, 3, 'POSITION'),
      targets: primitive.listTargets().map((target) => {
        const accessor = target.getAttribute('POSITION');
        return accessor ? readNumbers(accessor, 3, 'POSITION') : undefined;
      }),
    };
  });
  const isAlike = (p: number, v: number, q: number, w: number): boolean => {
    const [a, b] = [arrays[p]!, arrays[q]!];
    for (let k = 0; k < 3; k++) if (a.positions[3 * v + k] !== b.positions[3 * w + k]) return false;
    for (let t = 0; t < Math.max(a.targets.length, b.targets.length); t++) {
      for (let k = 0; k < 3; k++)
        if ((a.targets[t]?.[3 * v + k] ?? 0) !== (b.targets[t]?.[3 * w + k] ?? 0)) return false;
    }
    const [x, y] = [partWeights[p], partWeights[q]];
    return !x || !y || compareWeights(x, v, y, w) < SAME_WEIGHT;
  };

  const partPoints = parts.map((part) => new Uint32Array(part.vertexCount));
  const ofWelded = new Map<number, number[]>();
  const owners: { part: number; vertex: number }[] = [];
  const groupOffsets = new Uint32Array(groups.length + 1);
  parts.forEach((part, p) => {
    for (let v = 0; v < part.vertexCount; v++) {
      const welded = part.welded[v]!;
      const known = ofWelded.get(welded) ?? [];
      let point = known.find((u) => isAlike(p, v, owners[u]!.part, owners[u]!.vertex));
      if (point === undefined) {
        point = owners.push({ part: p, vertex: v }) - 1;
        ofWelded.set(welded, [...known, point]);
      }
      partPoints[p]![v] = point;
    }
    groupOffsets.fill(owners.length, part.group + 1);
  });

  const count = owners.length;
  const positions = new Float64Array(3 * count);
  const offsets = new Uint32Array(count + 1);
  const bones: number[] = [];
  const weights: number[] = [];
  owners.forEach(({ part, vertex }, u) => {
    for (let k = 0; k < 3; k++) positions[3 * u + k] = arrays[part]!.positions[3 * vertex + k]!;
    const own = partWeights[part];
    if (own) {
      for (let i = vertex * own.influences; i < (vertex + 1) * own.influences; i++) {
        if (own.weights[i] === 0) continue;
        bones.push(own.joints[i]!);
        weights.push(own.weights[i]!);
      }
    } else {
      bones.push(0);
      weights.push(1);
    }
    offsets[u + 1] = bones.length;
  });
  const leaders = new Uint32Array(surface.vertexCount);
  for (const [welded, list] of ofWelded) leaders[welded] = list[0]!;
  return {
    count,
    groups: Uint32Array.from(owners, ({ part }) => parts[part]!.group),
    groupOffsets,
    welded: Uint32Array.from(owners, ({ part, vertex }) => parts[part]!.welded[vertex]!),
    leaders,
    positions,
    offsets,
    bones: Uint32Array.from(bones),
    weights: Float64Array.from(weights),
    partPoints,
    partWeights,
    morphs: character.morphs.map(({ group }, target) => {
      const local = target - character.morphs.findIndex((morph) => morph.group === group);
      const [from, to] = [groupOffsets[group]!, groupOffsets[group + 1]!];
      const deltas = new Float64Array(3 * (to - from));
      for (let u = from; u < to; u++) {
        const { part, vertex } = owners[u]!;
        const source = arrays[part]!.targets[local];
        if (source) for (let k = 0; k < 3; k++) deltas[3 * (u - from) + k] = source[3 * vertex + k]!;
      }
      return { target, deltas: pickDeltas(deltas, 3 * from) };
    }),
  };
}
