/** Source vertices → points: one for all that lie in one welded vertex with equal position, weights and morphs. */
import type { Node, Skin } from '@gltf-transform/core';
import type { Character, MorphInput } from '@isoskin/core';
import type { ReadResult } from '../read-character-from-bytes.js';
import { readNumbers } from '../read-numbers.js';
import { compareWeights, type PartWeights, readPartWeights } from './read-part-weights.js';

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
  /** Existing targets, by point: those that move it, and its deltas, #×3. */
  readonly morphs: { readonly offsets: Uint32Array; readonly targets: Uint32Array; readonly deltas: Float64Array };
}

/** What points are gathered from. */
export interface PointSource extends Pick<ReadResult, 'sources' | 'groups' | 'nodes'> {
  readonly character: Pick<Character, 'skeleton'> & {
    readonly parts: readonly Pick<Character['parts'][number], 'group' | 'vertexCount' | 'welded'>[];
    readonly morphs: readonly Pick<MorphInput, 'group'>[];
    readonly surface: Pick<Character['surface'], 'vertexCount'>;
    /** For vertices without weights. */
    readonly binding?: Pick<Character['binding'], 'offsets' | 'bones'>;
  };
}

export function gatherPoints({ character, sources, groups }: PointSource, boneSets: readonly Bones[]): Points {
  const { parts, surface, binding, skeleton } = character;
  const partWeights = parts.map((part, p) =>
    sources[p]!.node.getSkin()
      ? readPartWeights(sources[p]!.primitive, part.welded, (v) => {
          const node = binding && skeleton.boneNodes[binding.bones[binding.offsets[v]!]!]!;
          return Math.max(0, boneSets[part.group]!.nodes.indexOf(node ?? -1));
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

  const firstMorph = groups.map((_, group) => character.morphs.findIndex((morph) => morph.group === group));
  const partPoints = parts.map((part) => new Uint32Array(part.vertexCount));
  const most = parts.reduce((sum, { vertexCount }) => sum + vertexCount, 0);
  // Points of a welded vertex: the first, and after every point the next (0: none, else the point + 1).
  const firsts = new Uint32Array(surface.vertexCount);
  const nexts = new Uint32Array(most);
  const owners = { part: new Uint32Array(most), vertex: new Uint32Array(most) };
  const groupOffsets = new Uint32Array(groups.length + 1);
  let count = 0;
  parts.forEach((part, p) => {
    for (let v = 0; v < part.vertexCount; v++) {
      const welded = part.welded[v]!;
      let [last, at] = [0, firsts[welded]!];
      while (at > 0 && !isAlike(p, v, owners.part[at - 1]!, owners.vertex[at - 1]!)) [last, at] = [at, nexts[at - 1]!];
      if (at === 0) {
        [owners.part[count], owners.vertex[count]] = [p, v];
        at = ++count;
        if (last === 0) firsts[welded] = at;
        else nexts[last - 1] = at;
      }
      partPoints[p]![v] = at - 1;
    }
    groupOffsets.fill(count, part.group + 1);
  });

  const positions = new Float64Array(3 * count);
  const offsets = new Uint32Array(count + 1);
  const room = partWeights.reduce((sum, own, p) => sum + parts[p]!.vertexCount * (own?.influences ?? 1), 0);
  const bones = new Uint32Array(room);
  const weights = new Float64Array(room);
  for (let u = 0, to = 0; u < count; u++) {
    const [part, vertex] = [owners.part[u]!, owners.vertex[u]!];
    for (let k = 0; k < 3; k++) positions[3 * u + k] = arrays[part]!.positions[3 * vertex + k]!;
    const own = partWeights[part];
    if (!own) weights[to++] = 1;
    for (let i = vertex * (own?.influences ?? 0); own && i < (vertex + 1) * own.influences; i++) {
      if (own.weights[i] === 0) continue;
      bones[to] = own.joints[i]!;
      weights[to++] = own.weights[i]!;
    }
    offsets[u + 1] = to;
  }
  return {
    count,
    groups: Uint32Array.from({ length: count }, (_, u) => parts[owners.part[u]!]!.group),
    groupOffsets,
    welded: Uint32Array.from({ length: count }, (_, u) => parts[owners.part[u]!]!.welded[owners.vertex[u]!]!),
    leaders: firsts.map((at) => Math.max(at, 1) - 1),
    positions,
    offsets,
    bones: bones.slice(0, offsets[count]),
    weights: weights.slice(0, offsets[count]),
    partPoints,
    partWeights,
    morphs: listMorphs(),
  };

  function listMorphs(): Points['morphs'] {
    const offsets = new Uint32Array(count + 1);
    const targets: number[] = [];
    const deltas: number[] = [];
    for (let u = 0; u < count; u++) {
      const own = arrays[owners.part[u]!]!.targets;
      const at = 3 * owners.vertex[u]!;
      const first = firstMorph[parts[owners.part[u]!]!.group]!;
      for (let t = 0; t < own.length; t++) {
        const numbers = own[t];
        if (!numbers || (numbers[at] === 0 && numbers[at + 1] === 0 && numbers[at + 2] === 0)) continue;
        targets.push(first + t);
        deltas.push(numbers[at]!, numbers[at + 1]!, numbers[at + 2]!);
      }
      offsets[u + 1] = targets.length;
    }
    return { offsets, targets: Uint32Array.from(targets), deltas: Float64Array.from(deltas) };
  }
}
