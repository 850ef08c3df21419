/**
 * A2. The skin as a glTF viewer computes it, on the vertices of the file rather than on the welded ones.
 *
 *   x_u = Σ_j ω_uj M_j (p_u + Σ_m w_m d_um),   B_u = Σ_j ω_uj lin(M_j),   M_j = world(joint j) · inverseBind_j
 *
 * Source vertices that lie in one welded vertex, with equal position, weights and morphs, are one *point* u: they move
 * alike and get the same correction. Shapes: p #U×3, x #U×3, B #U×9 (column-major). O(influences) per pose.
 */
import type { Mesh, Node, Skin } from '@gltf-transform/core';
import { type Character, measureWorldMatrices, type Pose } from '@isoskin/core';
import type { ReadResult } from '../read-character-from-bytes.js';
import { readNumbers } from '../read-numbers.js';

export interface SourceSkin {
  readonly pointCount: number;
  /** Point → welded vertex. */
  readonly welded: Uint32Array;
  /** Welded vertex → the point that stands for it. */
  readonly leaders: Uint32Array;
  /** Group → its first point, #G+1. */
  readonly groupOffsets: Uint32Array;
  /** Part → source vertex → point. */
  readonly partPoints: readonly Uint32Array[];
  /** Part → normalised influences of its source vertices, as the file should have them; absent for an unskinned mesh. */
  readonly partWeights: readonly (PartWeights | undefined)[];
  /** Largest number of existing morph targets of each group, and where they begin in a pose. */
  readonly morphs: readonly { readonly first: number; readonly count: number }[];
  /** Skins a pose: positions (#U×3) and blended linear parts (#U×9). */
  apply(positions: Float64Array, blends: Float64Array, pose: Pose): void;
}

export interface PartWeights {
  readonly influences: number;
  /** #×influences, joints of the skin. */
  readonly joints: Uint32Array;
  readonly weights: Float64Array;
  /** Some vertex of the file had other weights than these. */
  readonly changed: boolean;
}

/** Two source vertices whose weights differ by less move alike. */
const SAME_WEIGHT = 1e-5;
/** Weight sums off by less are rounding of the file's own numbers. */
const SUM_ROUNDING = 1e-5;

export function planSourceSkin(read: ReadResult): SourceSkin {
  const { character, nodes, groups } = read;
  const skeletonNode = new Map(nodes.map((node, n) => [node, n]));
  const boneSets = groups.map((node) => readBones(node, skeletonNode));
  const firstBone: number[] = [];
  let boneCount = 0;
  for (const set of boneSets) {
    firstBone.push(boneCount);
    boneCount += set.nodes.length;
  }
  const points = gatherPoints(read, boneSets);
  const { positions: rest, offsets, bones, weights } = points;
  for (let u = 0; u < points.count; u++) {
    const first = firstBone[points.groups[u]!]!;
    for (let i = offsets[u]!; i < offsets[u + 1]!; i++) bones[i]! += first;
  }

  const world = new Float64Array(16 * character.skeleton.nodeCount);
  const matrices = new Float64Array(12 * boneCount);
  const morphed = Float64Array.from(rest);
  const measureMatrices = (pose: Pose): void => {
    measureWorldMatrices(world, character.skeleton, pose.locals);
    let to = 0;
    for (const set of boneSets) {
      for (let j = 0; j < set.nodes.length; j++, to += 12) multiply(matrices, to, world, 16 * set.nodes[j]!, set.inverseBinds, 16 * j);
    }
  };
  const hasMorphs = points.morphs.length > 0;
  return {
    pointCount: points.count,
    welded: points.welded,
    leaders: points.leaders,
    groupOffsets: points.groupOffsets,
    partPoints: points.partPoints,
    partWeights: points.partWeights,
    morphs: listMorphs(character, groups.length),
    apply(out, blends, pose) {
      measureMatrices(pose);
      if (hasMorphs) {
        morphed.set(rest);
        for (const { target, first, deltas } of points.morphs) {
          const weight = pose.morphWeights[target]!;
          if (weight === 0) continue;
          for (let i = 0; i < deltas.length; i++) morphed[first + i]! += weight * deltas[i]!;
        }
      }
      for (let u = 0; u < points.count; u++) blendPoint(out, blends, u, morphed, offsets, bones, weights, matrices);
    },
  };
}

/** One point, written out: this loop is run for every sample several times. */
function blendPoint(
  out: Float64Array,
  blends: Float64Array,
  u: number,
  rest: Float64Array,
  offsets: Uint32Array,
  bones: Uint32Array,
  weights: Float64Array,
  matrices: Float64Array,
): void {
  let a0 = 0;
  let a1 = 0;
  let a2 = 0;
  let b0 = 0;
  let b1 = 0;
  let b2 = 0;
  let c0 = 0;
  let c1 = 0;
  let c2 = 0;
  let d0 = 0;
  let d1 = 0;
  let d2 = 0;
  const end = offsets[u + 1]!;
  for (let i = offsets[u]!; i < end; i++) {
    const m = 12 * bones[i]!;
    const w = weights[i]!;
    a0 += w * matrices[m]!;
    a1 += w * matrices[m + 1]!;
    a2 += w * matrices[m + 2]!;
    b0 += w * matrices[m + 3]!;
    b1 += w * matrices[m + 4]!;
    b2 += w * matrices[m + 5]!;
    c0 += w * matrices[m + 6]!;
    c1 += w * matrices[m + 7]!;
    c2 += w * matrices[m + 8]!;
    d0 += w * matrices[m + 9]!;
    d1 += w * matrices[m + 10]!;
    d2 += w * matrices[m + 11]!;
  }
  const x = rest[3 * u]!;
  const y = rest[3 * u + 1]!;
  const z = rest[3 * u + 2]!;
  out[3 * u] = a0 * x + b0 * y + c0 * z + d0;
  out[3 * u + 1] = a1 * x + b1 * y + c1 * z + d1;
  out[3 * u + 2] = a2 * x + b2 * y + c2 * z + d2;
  const at = 9 * u;
  blends[at] = a0;
  blends[at + 1] = a1;
  blends[at + 2] = a2;
  blends[at + 3] = b0;
  blends[at + 4] = b1;
  blends[at + 5] = b2;
  blends[at + 6] = c0;
  blends[at + 7] = c1;
  blends[at + 8] = c2;
}

interface Bones {
  /** Joint of the skin → node of the skeleton. */
  readonly nodes: readonly number[];
  /** #×16. */
  readonly inverseBinds: Float64Array;
}

function readBones(node: Node, skeletonNode: ReadonlyMap<Node, number>): Bones {
  const skin: Skin | null = node.getSkin();
  const joints = skin?.listJoints() ?? [node];
  const numbers = skin?.getInverseBindMatrices()?.getArray();
  const inverseBinds = new Float64Array(16 * joints.length);
  if (numbers) inverseBinds.set(numbers.subarray(0, inverseBinds.length));
  else for (let k = 0; k < inverseBinds.length; k++) inverseBinds[k] = (k % 16) % 5 === 0 ? 1 : 0;
  return { nodes: joints.map((joint) => skeletonNode.get(joint)!), inverseBinds };
}

/** Upper three rows of a · b, both column-major 4×4, as three columns and the translation. */
function multiply(
  out: Float64Array,
  to: number,
  a: Float64Array,
  from: number,
  b: Float64Array,
  at: number,
): void {
  for (let c = 0; c < 4; c++) {
    for (let r = 0; r < 3; r++) {
      let sum = c === 3 ? a[from + 12 + r]! : 0;
      for (let k = 0; k < 3; k++) sum += a[from + 4 * k + r]! * b[at + 4 * c + k]!;
      out[to + 3 * c + r] = sum;
    }
  }
}

function listMorphs(character: Character, groupCount: number) {
  return Array.from({ length: groupCount }, (_, group) => {
    const first = character.morphs.findIndex((morph) => morph.group === group);
    return { first: Math.max(0, first), count: character.morphs.filter((morph) => morph.group === group).length };
  });
}

interface Points {
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
  /** Existing targets: deltas of a group's points, dense, from number `first` of the positions on. */
  readonly morphs: readonly { readonly target: number; readonly first: number; readonly deltas: Float64Array }[];
}

function gatherPoints({ character, sources, groups, nodes }: ReadResult, boneSets: readonly Bones[]): Points {
  const { parts, surface, binding, skeleton } = character;
  const partWeights = parts.map((part, p) =>
    sources[p]!.node.getSkin() ? readWeights(sources[p]!.primitive, part.welded, (v) => {
      const node = skeleton.boneNodes[binding.bones[binding.offsets[v]!]!]!;
      return Math.max(0, boneSets[part.group]!.nodes.indexOf(node));
    }) : undefined,
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
      for (let k = 0; k < 3; k++) if ((a.targets[t]?.[3 * v + k] ?? 0) !== (b.targets[t]?.[3 * w + k] ?? 0)) return false;
    }
    const [x, y] = [partWeights[p], partWeights[q]];
    return !x || !y || differ(x, v, y, w) < SAME_WEIGHT;
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
  void nodes;
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
      return { target, first: 3 * from, deltas };
    }),
  };
}

type Primitive = ReturnType<Mesh['listPrimitives']>[number];

/** All sets side by side: impossible weights are 0, sums are 1; `boneOf` names the joint of a vertex that has none. */
function readWeights(primitive: Primitive, welded: Uint32Array, boneOf: (welded: number) => number): PartWeights {
  const sets: { joints: ArrayLike<number>; weights: ArrayLike<number> }[] = [];
  for (let n = 0; ; n++) {
    const [joints, weights] = [primitive.getAttribute(`JOINTS_${n}`), primitive.getAttribute(`WEIGHTS_${n}`)];
    if (!joints && !weights) break;
    if (joints && weights) sets.push({ joints: joints.getArray()!, weights: readNumbers(weights, 4, `WEIGHTS_${n}`) });
  }
  const influences = Math.max(4, 4 * sets.length);
  const joints = new Uint32Array(welded.length * influences);
  const weights = new Float64Array(welded.length * influences);
  let changed = sets.length === 0;
  for (let v = 0; v < welded.length; v++) {
    let sum = 0;
    sets.forEach((set, s) => {
      for (let k = 0; k < 4; k++) {
        const weight = set.weights[4 * v + k]!;
        const to = v * influences + 4 * s + k;
        const isPossible = weight > 0 && weight < Number.POSITIVE_INFINITY;
        if (!isPossible && weight !== 0) changed = true;
        if (!isPossible) continue;
        joints[to] = set.joints[4 * v + k]!;
        weights[to] = weight;
        sum += weight;
      }
    });
    if (Math.abs(sum - 1) > SUM_ROUNDING) changed = true;
    if (sum > 0) for (let k = 0; k < influences; k++) weights[v * influences + k]! /= sum;
    else {
      joints[v * influences] = boneOf(welded[v]!);
      weights[v * influences] = 1;
    }
  }
  return { influences, joints, weights, changed };
}

/** L1 distance of two vertices' weights. */
function differ(a: PartWeights, v: number, b: PartWeights, w: number): number {
  const weight = ({ influences, joints, weights }: PartWeights, vertex: number, joint: number): number => {
    let sum = 0;
    for (let i = vertex * influences; i < (vertex + 1) * influences; i++) if (joints[i] === joint) sum += weights[i]!;
    return sum;
  };
  let sum = 0;
  for (let i = v * a.influences; i < (v + 1) * a.influences; i++) {
    if (a.weights[i]! > 0) sum += Math.abs(a.weights[i]! - weight(b, w, a.joints[i]!));
  }
  for (let i = w * b.influences; i < (w + 1) * b.influences; i++) {
    if (b.weights[i]! > 0 && weight(a, v, b.joints[i]!) === 0) sum += b.weights[i]!;
  }
  return sum;
}
