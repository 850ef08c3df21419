import type { Csr } from '@isoskin/core/mesh';
import { createField } from '../field/create-field.js';
import type { Primitive } from '../field/primitive.js';
import type { TriangleMesh } from '../polygonise/extract-net.js';
import type { Joint } from './rig.js';

/** Influences kept per vertex in the result and while smoothing. */
export const INFLUENCES = 4;
const SLOTS = 8;
/** Jacobi sweeps. */
const SWEEPS = 4;
/** Influence radius over thickness within which a neighbouring primitive's bones have a say. */
const REACH = 2.2;

export interface BoneWeights {
  /** #V×INFLUENCES, strongest first. */
  readonly bones: Uint16Array;
  readonly weights: Float64Array;
}

/**
 * A5. ω_ki ∝ m_i d_ki⁻⁴, d to the segments from joint i to its children.
 *
 * Only bones of the primitive p whose territory the vertex is in (m = 1) and of its neighbours q in the blending graph take part,
 * the latter faded by m = min(1, f_q/f_p) over a wide reach: one leg never pulls the other, nor the belly between them. Then a few
 * Jacobi sweeps ω_k ← ½ω_k + ½ mean of the neighbours, and the strongest four, less the fifth so that no weight jumps. ℓ_i of
 * A5(b) is left out: with α = 4 a bone twice as long would win 16 : 1 at the joint and push the border between the two bones
 * along the limb by more than its radius. O(#V).
 */
export function createBoneWeights(
  mesh: TriangleMesh,
  primitives: readonly Primitive[],
  joints: readonly Joint[],
  bonesOf: readonly (readonly string[])[],
  blends: readonly (readonly [string, string])[],
): BoneWeights {
  const wide = createField({
    primitives: primitives.map(({ stiffness: _, ...shape }) => ({ ...shape, reach: REACH })),
  });
  const candidates = listCandidates(primitives, joints, bonesOf, blends);
  const vertexCount = mesh.positions.length / 3;
  const slots = createSlots(vertexCount, joints.length);
  const potentials = new Float64Array(primitives.length);
  for (let v = 0; v < vertexCount; v++) {
    const x = mesh.positions[3 * v]!;
    const y = mesh.positions[3 * v + 1]!;
    const z = mesh.positions[3 * v + 2]!;
    const own = wide.potentials(potentials, x, y, z);
    const segments = candidates[own]!;
    for (let s = 0; s < segments.length; s += 8) {
      const share = Math.min(1, potentials[segments[s + 1]!]! / potentials[own]!);
      if (share === 0) continue;
      // Several children make several segments: the closest one counts.
      const distance = Math.max(segmentSquaredDistance(segments, s + 2, x, y, z), 1e-12);
      slots.raise(segments[s]!, share / (distance * distance));
    }
    slots.keep(slots.bones, slots.weights, v);
  }
  const rings = createRings(mesh.triangles, vertexCount);
  for (let sweep = 0; sweep < SWEEPS; sweep++) slots.smooth(rings);

  const bones = new Uint16Array(INFLUENCES * vertexCount);
  const weights = new Float64Array(INFLUENCES * vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    const fifth = slots.weights[SLOTS * v + INFLUENCES]!;
    const floor = slots.weights[SLOTS * v]! > fifth ? fifth : 0;
    let sum = 0;
    for (let n = 0; n < INFLUENCES; n++)
      sum += slots.weights[SLOTS * v + n]! - Math.min(floor, slots.weights[SLOTS * v + n]!);
    for (let n = 0; n < INFLUENCES; n++) {
      const weight = slots.weights[SLOTS * v + n]!;
      bones[INFLUENCES * v + n] = slots.bones[SLOTS * v + n]!;
      weights[INFLUENCES * v + n] = Math.max(0, weight - floor) / sum;
    }
  }
  return { bones, weights };
}

/** Per primitive: bone, primitive that it belongs to, start and edge (8 numbers) of each segment that may move its skin. */
function listCandidates(
  primitives: readonly Primitive[],
  joints: readonly Joint[],
  bonesOf: readonly (readonly string[])[],
  blends: readonly (readonly [string, string])[],
): Float64Array[] {
  const index = new Map(joints.map((joint, i) => [joint.name, i]));
  const segmentsOf = bonesOf.map((bones, primitive) =>
    joints.flatMap((joint) => {
      if (joint.parent === undefined || !bones.includes(joint.parent)) return [];
      const bone = index.get(joint.parent)!;
      const from = joints[bone]!.at;
      return [bone, primitive, ...from, joint.at[0] - from[0], joint.at[1] - from[1], joint.at[2] - from[2]];
    }),
  );
  return primitives.map(({ name }, own) => {
    const linked = primitives.flatMap((other, i) =>
      blends.some(([a, b]) => (a === name && b === other.name) || (b === name && a === other.name)) ? [i] : [],
    );
    return Float64Array.from([own, ...linked].flatMap((i) => segmentsOf[i]!));
  });
}

function segmentSquaredDistance(segments: Float64Array, s: number, x: number, y: number, z: number): number {
  const px = x - segments[s]!;
  const py = y - segments[s + 1]!;
  const pz = z - segments[s + 2]!;
  const ex = segments[s + 3]!;
  const ey = segments[s + 4]!;
  const ez = segments[s + 5]!;
  const t = Math.min(1, Math.max(0, (px * ex + py * ey + pz * ez) / (ex * ex + ey * ey + ez * ez)));
  return (px - t * ex) ** 2 + (py - t * ey) ** 2 + (pz - t * ez) ** 2;
}

/** Sparse weights: SLOTS (bone, weight) pairs per vertex, strongest first, summing to 1, and a dense row as scratch. */
function createSlots(vertexCount: number, boneCount: number) {
  const row = new Float64Array(boneCount);
  const touched = new Int32Array(boneCount);
  let count = 0;
  let bones = new Uint16Array(SLOTS * vertexCount);
  let weights = new Float32Array(SLOTS * vertexCount);
  let nextBones = new Uint16Array(SLOTS * vertexCount);
  let nextWeights = new Float32Array(SLOTS * vertexCount);

  const touch = (bone: number): void => {
    if (row[bone] === 0) touched[count++] = bone;
  };
  const add = (v: number, factor: number): void => {
    for (let n = SLOTS * v; n < SLOTS * (v + 1) && weights[n]! > 0; n++) {
      touch(bones[n]!);
      row[bones[n]!]! += factor * weights[n]!;
    }
  };
  /** Moves the strongest of the scratch row into vertex v and clears the row. */
  const keep = (toBones: Uint16Array, toWeights: Float32Array, v: number): void => {
    let sum = 0;
    const kept = Math.min(SLOTS, count);
    for (let n = 0; n < kept; n++) {
      let best = n;
      for (let m = n + 1; m < count; m++) if (row[touched[m]!]! > row[touched[best]!]!) best = m;
      const bone = touched[best]!;
      touched[best] = touched[n]!;
      touched[n] = bone;
      sum += row[bone]!;
    }
    for (let n = 0; n < kept; n++) {
      toBones[SLOTS * v + n] = touched[n]!;
      toWeights[SLOTS * v + n] = row[touched[n]!]! / sum;
    }
    for (let n = 0; n < count; n++) row[touched[n]!] = 0;
    count = 0;
  };
  return {
    get bones() {
      return bones;
    },
    get weights() {
      return weights;
    },
    keep,
    raise(bone: number, weight: number): void {
      touch(bone);
      row[bone] = Math.max(row[bone]!, weight);
    },
    smooth({ offsets, values }: Csr): void {
      nextWeights.fill(0);
      for (let v = 0; v < vertexCount; v++) {
        const degree = offsets[v + 1]! - offsets[v]!;
        add(v, 0.5);
        for (let n = offsets[v]!; n < offsets[v + 1]!; n++) add(values[n]!, 0.5 / degree);
        keep(nextBones, nextWeights, v);
      }
      [bones, nextBones] = [nextBones, bones];
      [weights, nextWeights] = [nextWeights, weights];
    },
  };
}

/** Vertex → neighbours of a closed mesh, CSR: each neighbour follows the vertex in exactly one triangle. */
function createRings(triangles: Uint32Array, vertexCount: number): Csr {
  const offsets = new Uint32Array(vertexCount + 1);
  for (let h = 0; h < triangles.length; h++) offsets[triangles[h]! + 1]!++;
  for (let v = 0; v < vertexCount; v++) offsets[v + 1]! += offsets[v]!;
  const fill = offsets.slice(0, vertexCount);
  const values = new Uint32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    for (let n = 0; n < 3; n++) values[fill[triangles[t + n]!]!++] = triangles[t + ((n + 1) % 3)]!;
  }
  return { offsets, values };
}
