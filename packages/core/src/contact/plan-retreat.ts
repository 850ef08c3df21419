/**
 * F5 on coarse surfaces, whose parts have too few vertices to be dented: where triangles still cross, the joints between them bend
 * less, as little as is enough. What turns back keeps its shape, and in the end there is the rest pose, where nothing crosses.
 *
 *   ω_j ← (1 − r_j) ω_j,   r_j ← r_j + RATE · max over crossings of (c · α_j/(s_j + s₀)) / (largest of its joints)
 *
 * ω_j, α_j  turn of joint j against its parent since the rest pose, and its angle;  s_j  share of the vertices that it moves: a
 * finger gives way, not the spine;  c  length or depth of the crossing, whichever is less, cut off: continuous in the pose (F4).
 *
 * Complexity: O(#V · influences) per round, and the count of crossings.
 */
import type { Character } from '../character/character.js';
import { BONE_STRIDE } from '../skeleton/matrices.js';
import { planBoneSegments } from '../skeleton/plan-bone-segments.js';
import type { Crossings, CrossingVisitor } from './plan-crossings.js';

export interface Retreat {
  /** Starts from a skinned surface and the bones that made it (#B×12). */
  begin(positions: Float64Array, boneMatrices: Float64Array): void;
  /**
   * Looks for crossings at `positions`; false when there are none that a joint could undo. `again`: only joints that are turned back
   * already are turned further, the others did not make the crossing.
   */
  blame(positions: Float64Array, again?: boolean): boolean;
  /** The surface with what is blamed turned back into `positions`; returns its bones. */
  place(positions: Float64Array): Float64Array;
}

/** Part of a joint's turn that one round takes back. */
const RATE = 0.08;
/** A crossing of this length and depth, in mean edges, counts fully. */
const DEEP = 0.05;
/** Weight from which a bone has to do with a triangle, and turn from which a joint does, in radians. */
const PULL = 0.1;
const BENT = 0.1;
const SHARE_FLOOR = 0.05;

/** @param most largest turn back of a joint, in radians. */
export function planRetreat(character: Character, crossings: Crossings, most: number): Retreat {
  const { surface, binding, skeleton } = character;
  const count = surface.vertexCount;
  const B = skeleton.boneCount;
  const { joints, parents } = planBoneSegments(skeleton);
  const order = orderBones(parents);
  const shares = planShares(character, order, parents);
  const bonesOf = planTriangleBones(character);
  const atRest = planRestPairs();
  const skinned = new Float64Array(3 * count);
  const bones = new Float64Array(BONE_STRIDE * B);
  const placed = new Float64Array(BONE_STRIDE * B);
  /** Turn of every joint, ×3, and its angle. */
  const turns = new Float64Array(3 * B);
  const angles = new Float64Array(B);
  const amounts = new Float64Array(B);
  const blames = new Float64Array(B);
  const moves = new Float64Array(BONE_STRIDE * B);
  const moving = new Uint8Array(B);
  const marks = new Uint8Array(B);
  const path = new Uint32Array(B);
  const local = new Float64Array(BONE_STRIDE);
  const centre = new Float64Array(3);
  let any = false;
  let looked: Float64Array = skinned;

  function planRestPairs(): Set<number> {
    const pairs = new Set<number>();
    for (let k = 0; k < count; k++) crossings.mark(k);
    crossings.find(surface.positions, (a, b) => pairs.add(pairKey(a, b)) !== undefined);
    crossings.clear();
    return pairs;
  }

  function pairKey(a: number, b: number): number {
    return Math.min(a, b) * (surface.triangles.length / 3) + Math.max(a, b);
  }

  function begin(positions: Float64Array, boneMatrices: Float64Array): void {
    skinned.set(positions.subarray(0, 3 * count));
    bones.set(boneMatrices);
    amounts.fill(0);
    any = false;
    for (let i = 0; i < B; i++) measureRotation(turns, angles, i, parents[i]!, bones);
  }

  function blame(positions: Float64Array, again = false): boolean {
    blames.fill(0);
    for (let k = 0; k < count; k++) crossings.mark(k);
    looked = positions;
    crossings.find(positions, blamePair);
    crossings.clear();
    let more = false;
    for (let i = 0; i < B; i++) {
      const step = RATE * blames[i]! * (again ? Math.min(1, amounts[i]! / RATE) : 1);
      if (step === 0) continue;
      amounts[i]! += step;
      more = true;
    }
    any ||= more;
    return more;
  }

  const blamePair: CrossingVisitor = (a, b, length) => {
    if (atRest.has(pairKey(a, b))) return false;
    const size = findPath(a, b);
    let easiest = 0;
    for (let i = 0; i < size; i++) easiest = Math.max(easiest, measureEase(path[i]!));
    if (easiest === 0) return false;
    const deep = Math.min(measureDepth(a, b), measureDepth(b, a)) / crossings.edge;
    const c = Math.min(1, Math.min(length, deep) / DEEP);
    for (let i = 0; i < size; i++) {
      const j = path[i]!;
      blames[j] = Math.max(blames[j]!, (c * measureEase(j)) / easiest);
    }
    return true;
  };

  /** How far triangle a has come through the plane of triangle b: 0 in the moment they touch, even face to face. */
  function measureDepth(a: number, b: number): number {
    const { triangles } = surface;
    const p = looked;
    const i = 3 * triangles[3 * b]!;
    const j = 3 * triangles[3 * b + 1]!;
    const k = 3 * triangles[3 * b + 2]!;
    const ux = p[j]! - p[i]!;
    const uy = p[j + 1]! - p[i + 1]!;
    const uz = p[j + 2]! - p[i + 2]!;
    const vx = p[k]! - p[i]!;
    const vy = p[k + 1]! - p[i + 1]!;
    const vz = p[k + 2]! - p[i + 2]!;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const size = Math.sqrt(nx * nx + ny * ny + nz * nz);
    let above = 0;
    let below = 0;
    for (let c = 3 * a; c < 3 * a + 3; c++) {
      const v = 3 * triangles[c]!;
      const h = (p[v]! - p[i]!) * nx + (p[v + 1]! - p[i + 1]!) * ny + (p[v + 2]! - p[i + 2]!) * nz;
      above = Math.max(above, h);
      below = Math.max(below, -h);
    }
    return size > 0 ? Math.min(above, below) / size : 0;
  }

  function measureEase(j: number): number {
    return Math.max(0, angles[j]! - BENT) / (shares[j]! + SHARE_FLOOR);
  }

  /** Joints between the bones of two triangles into `path`. */
  function findPath(a: number, b: number): number {
    const ends = markAncestors(a) + markAncestors(b);
    return takePath(b, ends, takePath(a, ends, 0));
  }

  function markAncestors(t: number): number {
    const { offsets, values } = bonesOf;
    for (let e = offsets[t]!; e < offsets[t + 1]!; e++) {
      for (let i: number = values[e]!; i >= 0; i = parents[i]!) marks[i]!++;
    }
    return offsets[t + 1]! - offsets[t]!;
  }

  /** Appends what is marked above a triangle and forgets it; a joint above all `ends` moves all of them alike. */
  function takePath(t: number, ends: number, from: number): number {
    const { offsets, values } = bonesOf;
    let size = from;
    for (let e = offsets[t]!; e < offsets[t + 1]!; e++) {
      for (let i: number = values[e]!; i >= 0 && marks[i]! > 0; i = parents[i]!) {
        if (marks[i]! < ends && parents[i]! >= 0) path[size++] = i;
        marks[i] = 0;
      }
    }
    return size;
  }

  function place(positions: Float64Array): Float64Array {
    if (!any) return bones;
    for (const i of order) {
      const o = BONE_STRIDE * i;
      const parent = parents[i]!;
      const follows = parent >= 0 && moving[parent] === 1;
      moving[i] = amounts[i]! > 0 || follows ? 1 : 0;
      if (moving[i] === 0) continue;
      for (let r = 0; r < 3; r++) {
        centre[r] = bones[o + 9 + r]!;
        for (let c = 0; c < 3; c++) centre[r]! += bones[o + 3 * c + r]! * joints[3 * i + c]!;
      }
      const back = amounts[i]! * angles[i]!;
      const z = back / most;
      const share = angles[i]! > 0 ? -back / Math.sqrt(Math.sqrt(1 + z ** 4)) / angles[i]! : 0;
      rotateAbout(local, share * turns[3 * i]!, share * turns[3 * i + 1]!, share * turns[3 * i + 2]!, centre);
      if (follows) multiply(moves, o, moves, BONE_STRIDE * parent, local, 0);
      else moves.set(local, o);
    }
    placed.set(bones);
    for (let i = 0; i < B; i++) {
      if (moving[i] === 1) multiply(placed, BONE_STRIDE * i, moves, BONE_STRIDE * i, bones, BONE_STRIDE * i);
    }
    moveVertices(positions);
    return placed;
  }

  /** y_k ← Σ_i ω_ki A_i x_k: works on any skinning. */
  function moveVertices(positions: Float64Array): void {
    const { offsets, bones: boneOf, weights } = binding;
    for (let k = 0; k < count; k++) {
      const x = skinned[3 * k]!;
      const y = skinned[3 * k + 1]!;
      const z = skinned[3 * k + 2]!;
      for (let r = 0; r < 3; r++) {
        let sum = 0;
        for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
          const o = BONE_STRIDE * boneOf[e]! + r;
          if (moving[boneOf[e]!] === 0) continue;
          sum +=
            weights[e]! * (moves[o]! * x + moves[o + 3]! * y + moves[o + 6]! * z + moves[o + 9]! - skinned[3 * k + r]!);
        }
        positions[3 * k + r] = skinned[3 * k + r]! + sum;
      }
    }
  }

  return { begin, blame, place };
}

/** Bones, parents first. */
function orderBones(parents: Int32Array): Uint32Array {
  const depth = (i: number): number => (parents[i]! < 0 ? 0 : 1 + depth(parents[i]!));
  return Uint32Array.from(parents, (_, i) => i).sort((a, b) => depth(a) - depth(b) || a - b);
}

/** Share of the surface that each joint moves. */
function planShares({ surface, binding }: Character, order: Uint32Array, parents: Int32Array): Float64Array {
  const shares = new Float64Array(parents.length);
  for (let e = 0; e < binding.bones.length; e++)
    shares[binding.bones[e]!]! += binding.weights[e]! / surface.vertexCount;
  for (const i of order.toReversed()) if (parents[i]! >= 0) shares[parents[i]!]! += shares[i]!;
  return shares;
}

/** Triangle → the bones that pull at it. */
function planTriangleBones({ surface: { triangles }, binding }: Character) {
  const offsets = new Uint32Array(triangles.length / 3 + 1);
  const values: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const pull = new Map<number, number>();
    for (let c = t; c < t + 3; c++) {
      for (let e = binding.offsets[triangles[c]!]!; e < binding.offsets[triangles[c]! + 1]!; e++) {
        pull.set(binding.bones[e]!, (pull.get(binding.bones[e]!) ?? 0) + binding.weights[e]! / 3);
      }
    }
    for (const [bone, weight] of pull) if (weight >= PULL) values.push(bone);
    offsets[t / 3 + 1] = values.length;
  }
  return { offsets, values: Uint32Array.from(values) };
}

/** Turn of bone i against its parent since the rest pose, as a vector of the pose, and its angle; 0 near half a turn. */
function measureRotation(turns: Float64Array, angles: Float64Array, i: number, parent: number, m: Float64Array): void {
  turns.fill(0, 3 * i, 3 * i + 3);
  angles[i] = 0;
  if (parent < 0) return;
  const a = BONE_STRIDE * i;
  const b = BONE_STRIDE * parent;
  let aa = 0;
  let bb = 0;
  for (let r = 0; r < 9; r++) {
    aa += m[a + r]! * m[a + r]!;
    bb += m[b + r]! * m[b + r]!;
  }
  const scale = 3 / Math.sqrt(aa * bb || 1);
  // R = R_i R_pᵀ, from its trace and its antisymmetric part.
  let trace = 0;
  let x = 0;
  let y = 0;
  let z = 0;
  for (let c = 0; c < 9; c += 3) {
    trace += m[a + c]! * m[b + c]! + m[a + c + 1]! * m[b + c + 1]! + m[a + c + 2]! * m[b + c + 2]!;
    x += m[a + c + 2]! * m[b + c + 1]! - m[a + c + 1]! * m[b + c + 2]!;
    y += m[a + c]! * m[b + c + 2]! - m[a + c + 2]! * m[b + c]!;
    z += m[a + c + 1]! * m[b + c]! - m[a + c]! * m[b + c + 1]!;
  }
  const cosine = Math.max(-1, Math.min(1, (scale * trace - 1) / 2));
  const sine = Math.sqrt(x * x + y * y + z * z);
  if (!(scale * sine > 0.2) && cosine < 0) return;
  const angle = Math.acos(cosine);
  if (!(sine > 1e-9)) return;
  angles[i] = angle;
  turns[3 * i] = (x / sine) * angle;
  turns[3 * i + 1] = (y / sine) * angle;
  turns[3 * i + 2] = (z / sine) * angle;
}

/** The turn by the vector (x, y, z) about a point, as an affine 3×4. */
function rotateAbout(out: Float64Array, x: number, y: number, z: number, centre: Float64Array): void {
  const angle = Math.sqrt(x * x + y * y + z * z);
  const s = angle > 1e-9 ? Math.sin(angle) / angle : 1;
  const c = angle > 1e-9 ? (1 - Math.cos(angle)) / (angle * angle) : 0.5;
  out[0] = 1 - c * (y * y + z * z);
  out[1] = c * x * y + s * z;
  out[2] = c * x * z - s * y;
  out[3] = c * x * y - s * z;
  out[4] = 1 - c * (x * x + z * z);
  out[5] = c * y * z + s * x;
  out[6] = c * x * z + s * y;
  out[7] = c * y * z - s * x;
  out[8] = 1 - c * (x * x + y * y);
  for (let r = 0; r < 3; r++) {
    out[9 + r] = centre[r]! - out[r]! * centre[0]! - out[3 + r]! * centre[1]! - out[6 + r]! * centre[2]!;
  }
}

/** out ← a b, affine 3×4. */
function multiply(out: Float64Array, to: number, a: Float64Array, i: number, b: Float64Array, j: number): void {
  for (let c = 0; c < 4; c++) {
    for (let r = 0; r < 3; r++) {
      out[to + 3 * c + r] =
        a[i + r]! * b[j + 3 * c]! +
        a[i + 3 + r]! * b[j + 3 * c + 1]! +
        a[i + 6 + r]! * b[j + 3 * c + 2]! +
        (c === 3 ? a[i + 9 + r]! : 0);
    }
  }
}
