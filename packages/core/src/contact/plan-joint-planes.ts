/**
 * F1, F2 at bending joints: the contact surface between a bone and its parent is the bisector plane of the two bones through
 * their joint, in the rest pose and in the deformed one.
 *
 *   m = normalise(a − b),   h_k = ± ⟨y_k − J, m⟩
 *
 * J  joint;  a  direction of the bone, b  direction from J back along the parent bone;  ±  the side of the rest plane on
 * which vertex k lies at rest: it belongs there, so h̄_k > 0.
 */
import type { Character } from '../character/character.js';
import { BONE_STRIDE } from '../skeleton/matrices.js';
import { measureSegmentDistance, planBoneSegments, type SegmentHit } from '../skeleton/plan-bone-segments.js';
import { measureTurn } from './measure-turn.js';

export interface JointPlanes {
  readonly count: number;
  /** Bone and the bone before it, #J. */
  readonly bones: Uint32Array;
  readonly parents: Uint32Array;
  /** Radius of the body around the joint, #J. */
  readonly radii: Float64Array;
  /** Joint → entries: vertex, side (±1) and rest distance h̄ > 0. */
  readonly offsets: Uint32Array;
  readonly vertices: Uint32Array;
  readonly sides: Float64Array;
  readonly heights: Float64Array;
  /** 0 where the plane holds fully, 1 where not at all: beyond the far ends of its bones. */
  readonly looses: Float64Array;
  /** Angle between the rest plane and the way from the joint to the vertex; the entries of a joint are sorted by it. */
  readonly slopes: Float64Array;
  /** Angle by which each joint is turned in the last pose, where it is bent, #J. */
  readonly turns: Float64Array;
  /** J and m of the last pose, #J×6. */
  readonly planes: Float64Array;
  /** How much the plane counts in the last pose, #J: 0 for a joint that is hardly bent, 1 for one that folds. */
  readonly bends: Float64Array;
  /** Planes of a pose (bone matrices #B×12). */
  measure(boneMatrices: Float64Array): void;
}

/** Cosines of the turn below which a plane does not count and from which it counts fully: 10° and 30°. */
const STRAIGHT = 0.985;
const BENT = 0.866;
/** Weight from which a bone's plane matters to a vertex of its parent. */
const PULL = 0.05;

export function planJointPlanes(character: Character): JointPlanes {
  const { surface, skeleton, binding } = character;
  const segments = planBoneSegments(skeleton);
  const { joints, parents: boneParents } = segments;
  const x = surface.positions;
  const main = Uint32Array.from({ length: surface.vertexCount }, (_, k) => binding.bones[binding.offsets[k]!]!);
  const owned = new Uint32Array(skeleton.boneCount);
  for (const i of main) owned[i]!++;
  const before = (bone: number) => {
    let parent = boneParents[bone]!;
    while (parent >= 0 && owned[parent] === 0) parent = boneParents[parent]!;
    return parent;
  };
  const bones: number[] = [];
  const parents: number[] = [];
  const rest: number[] = []; // J̄, ā, b̄ of every joint
  for (let i = 0; i < skeleton.boneCount; i++) {
    const p = before(i);
    if (owned[i] === 0 || p < 0) continue;
    const a = [0, 0, 0];
    const b = [0, 0, 0];
    for (let r = 0; r < 3; r++) {
      for (let n = segments.offsets[i]!; n < segments.offsets[i + 1]!; n++) {
        a[r]! += segments.points[6 * n + 3 + r]! - segments.points[6 * n + r]!;
      }
      b[r] = joints[3 * p + r]! - joints[3 * i + r]!;
    }
    if (!(unit(a) > 0) || !(unit(b) > 0)) continue;
    bones.push(i);
    parents.push(p);
    rest.push(joints[3 * i]!, joints[3 * i + 1]!, joints[3 * i + 2]!, ...a, ...b);
  }

  const jointOf = new Map(bones.map((i, n) => [i, n]));
  const lists: { k: number; side: number; height: number; slope: number; loose: number }[][] = bones.map(() => []);
  const hit: SegmentHit = { distance: 0, segment: 0, place: 0 };
  const enter = (n: number | undefined, k: number, side: number, loose = 0) => {
    if (n === undefined) return;
    const [jx, jy, jz, ax, ay, az, bx, by, bz] = rest.slice(9 * n, 9 * n + 9) as number[];
    const m = [ax! - bx!, ay! - by!, az! - bz!];
    if (!(unit(m) > 1e-6)) return;
    const height = side * ((x[3 * k]! - jx!) * m[0]! + (x[3 * k + 1]! - jy!) * m[1]! + (x[3 * k + 2]! - jz!) * m[2]!);
    // A vertex beyond the plane at rest says that the plane is not its border.
    if (!(height > 0)) return;
    const away = Math.hypot(x[3 * k]! - jx!, x[3 * k + 1]! - jy!, x[3 * k + 2]! - jz!);
    lists[n]!.push({ k, side, height, slope: Math.asin(Math.min(1, height / away)), loose });
  };
  const pull = (bone: number, k: number): number => {
    for (let e = binding.offsets[k]!; e < binding.offsets[k + 1]!; e++) {
      if (binding.bones[e] === bone) return binding.weights[e]!;
    }
    return 0;
  };
  /** Beyond the far ends of the two bones of a joint its plane fades out with their pull, so that no notch shows there. */
  const enterBeyond = (k: number, i: number) => {
    for (let n = 0; n < bones.length; n++) {
      const [own, parent] = [bones[n]!, parents[n]!];
      if (i === own || i === parent) continue;
      const [ahead, behind] = [pull(own, k), pull(parent, k)];
      if (before(i) === own && ahead > PULL) enter(n, k, 1, Math.max(0, 1 - ahead / pull(i, k)) ** 2);
      if (before(parent) === i && ahead < PULL && behind > PULL)
        enter(n, k, -1, Math.max(0, 1 - behind / pull(i, k)) ** 2);
    }
  };
  for (let k = 0; k < surface.vertexCount; k++) {
    const i = main[k]!;
    enter(jointOf.get(i), k, 1);
    // On the parent's side: the bone at the end of the nearest segment, and those that pull at the vertex.
    measureSegmentDistance(hit, segments, i, x[3 * k]!, x[3 * k + 1]!, x[3 * k + 2]!);
    for (let n = 0; n < bones.length; n++) {
      if (parents[n] !== i) continue;
      let c = bones[n]!;
      while (boneParents[c] !== i) c = boneParents[c]!;
      if (c === segments.ends[hit.segment] || pull(bones[n]!, k) > PULL) enter(n, k, -1);
    }
    enterBeyond(k, i);
  }
  const radii = Float64Array.from(bones, (_, n) => {
    const distances = lists[n]!.map(({ k }) =>
      Math.hypot(x[3 * k]! - rest[9 * n]!, x[3 * k + 1]! - rest[9 * n + 1]!, x[3 * k + 2]! - rest[9 * n + 2]!),
    ).sort((p, q) => p - q);
    return distances[Math.floor(0.1 * distances.length)] ?? 0;
  });
  for (const list of lists) list.sort((p, q) => p.slope - q.slope || p.k - q.k);
  const offsets = new Uint32Array(bones.length + 1);
  for (let n = 0; n < bones.length; n++) offsets[n + 1] = offsets[n]! + lists[n]!.length;
  const flat = lists.flat();
  const planes = new Float64Array(6 * bones.length);
  const bends = new Float64Array(bones.length);
  const turns = new Float64Array(bones.length);
  return {
    count: bones.length,
    bones: Uint32Array.from(bones),
    parents: Uint32Array.from(parents),
    radii,
    offsets,
    vertices: Uint32Array.from(flat, ({ k }) => k),
    sides: Float64Array.from(flat, ({ side }) => side),
    heights: Float64Array.from(flat, ({ height }) => height),
    looses: Float64Array.from(flat, ({ loose }) => loose),
    slopes: Float64Array.from(flat, ({ slope }) => slope),
    turns,
    planes,
    bends,
    measure(boneMatrices) {
      for (let n = 0; n < bones.length; n++) {
        const cosine = measureTurn(boneMatrices, bones[n]!, parents[n]!);
        const z = Math.min(1, Math.max(0, (STRAIGHT - cosine) / (STRAIGHT - BENT)));
        bends[n] = z * z * (3 - 2 * z);
        if (z === 0) continue;
        turns[n] = Math.acos(Math.max(-1, Math.min(1, cosine)));
        measurePlane(planes, 6 * n, rest, 9 * n, boneMatrices, BONE_STRIDE * bones[n]!, BONE_STRIDE * parents[n]!);
      }
    },
  };
}

function measurePlane(
  out: Float64Array,
  to: number,
  rest: readonly number[],
  at: number,
  m: Float64Array,
  i: number,
  p: number,
): void {
  let aa = 0;
  let bb = 0;
  for (let r = 0; r < 3; r++) {
    const own = m[i + r]! * rest[at]! + m[i + 3 + r]! * rest[at + 1]! + m[i + 6 + r]! * rest[at + 2]! + m[i + 9 + r]!;
    const other = m[p + r]! * rest[at]! + m[p + 3 + r]! * rest[at + 1]! + m[p + 6 + r]! * rest[at + 2]! + m[p + 9 + r]!;
    out[to + r] = (own + other) / 2;
    const a = m[i + r]! * rest[at + 3]! + m[i + 3 + r]! * rest[at + 4]! + m[i + 6 + r]! * rest[at + 5]!;
    const b = m[p + r]! * rest[at + 6]! + m[p + 3 + r]! * rest[at + 7]! + m[p + 6 + r]! * rest[at + 8]!;
    aa += a * a;
    bb += b * b;
  }
  aa = 1 / (Math.sqrt(aa) || 1);
  bb = 1 / (Math.sqrt(bb) || 1);
  let square = 0;
  for (let r = 0; r < 3; r++) {
    const a = m[i + r]! * rest[at + 3]! + m[i + 3 + r]! * rest[at + 4]! + m[i + 6 + r]! * rest[at + 5]!;
    const b = m[p + r]! * rest[at + 6]! + m[p + 3 + r]! * rest[at + 7]! + m[p + 6 + r]! * rest[at + 8]!;
    const d = a * aa - b * bb;
    out[to + 3 + r] = d;
    square += d * d;
  }
  const scale = square > 1e-12 ? 1 / Math.sqrt(square) : 0;
  for (let r = 0; r < 3; r++) out[to + 3 + r]! *= scale;
}

function unit(v: number[]): number {
  const length = Math.hypot(...v);
  if (length > 0) for (let r = 0; r < 3; r++) v[r]! /= length;
  return length;
}
