import { type Character, IsoskinError } from '@isoskin/core';
import { findAxes } from '@isoskin/core/harmonics';
import { BONE_STRIDE, measureBoneMatrices, measureWorldMatrices } from '@isoskin/core/kernels';
import { measureBox } from '@isoskin/core/mesh';
import type { Vector } from '../scene/scene-spec.js';

/** A part of a character that moves as one: a capsule in its skin, carried by a node of the skeleton. */
export interface FittedBody {
  readonly node: number;
  /** Which of the bodies it hangs on, −1 for none. */
  readonly parent: number;
  /** Where it is joined: the origin of its node. */
  readonly joint: Vector;
  readonly from: Vector;
  readonly to: Vector;
  readonly radius: number;
}

/** A bone whose skin is smaller than this part of the character's size moves with the bone that it hangs on (fingers, eyes). */
const SMALL = 0.07;
/** Distance of the points that stand for the skin, of the size. */
const APART = 0.02;
/** The capsule ends where this part of the skin lies beyond. */
const TRIMMED = 0.05;

/**
 * Rigid parts of a character in its default pose, each with a capsule of its skin's thickness: the axis is
 * the longest of the scatter of its skin and its bone, the radius the median distance from it. Size: the longest side of the box around all.
 */
export function fitBodies(character: Character): {
  readonly bodies: readonly FittedBody[];
  readonly box: readonly number[];
} {
  const { skeleton } = character;
  const world = new Float64Array(16 * skeleton.nodeCount);
  measureWorldMatrices(world, skeleton, skeleton.locals);
  const points = gatherPoints(character, world);
  const all = points.flat();
  const size = measureSpread(all);
  // From the tips to the root, so that what is small comes together.
  const has = (node: number) => points[node]!.length > 0;
  for (let node = skeleton.nodeCount - 1; node >= 0; node--) {
    let above = skeleton.parents[node]!;
    while (above >= 0 && !skeleton.boneNodes.includes(above)) above = skeleton.parents[above]!;
    if (above < 0 || !has(node) || measureSpread(points[node]!) >= SMALL * size) continue;
    points[above] = points[above]!.concat(points[node]!.splice(0));
  }
  const nodes = points.flatMap((_, node) => (has(node) ? [node] : []));
  if (nodes.length === 0)
    throw new IsoskinError('CHARACTER_NOTHING', 'The character has no skin on bones, so that nothing can fall.');
  const jointOf = (node: number): Vector => [world[16 * node + 12]!, world[16 * node + 13]!, world[16 * node + 14]!];
  const parents = nodes.map((node) => {
    let above = skeleton.parents[node]!;
    while (above >= 0 && !has(above)) above = skeleton.parents[above]!;
    return nodes.indexOf(above);
  });
  const bodies = nodes.map((node, b): FittedBody => {
    const ends = nodes.filter((_, child) => parents[child] === b).map(jointOf);
    const bone = ends.length > 0 ? sampleBone(jointOf(node), ends, points[node]!.length / 3) : [];
    return { node, parent: parents[b]!, joint: jointOf(node), ...fitCapsule(points[node]!, bone, 0.01 * size) };
  });
  return { bodies, box: measureBox(all) };
}

/**
 * Per node, the skin of its bones in the default pose: x, y, z, …. Points spread over the triangles about as far apart everywhere, so that a coarse
 * mesh has enough of them; each belongs to the bone that is strongest there, and goes where that bone moves it.
 */
function gatherPoints({ skeleton, surface, binding }: Character, world: Float64Array): number[][] {
  const { positions, triangles } = surface;
  const { offsets, bones, weights } = binding;
  const matrices = new Float64Array(BONE_STRIDE * skeleton.boneCount);
  measureBoneMatrices(matrices, skeleton, world);
  const points: number[][] = Array.from({ length: skeleton.nodeCount }, () => []);
  const apart = APART * measureSpread(positions);
  const strengths = new Map<number, number>();
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = triangles.subarray(t, t + 3);
    const n = Math.min(
      20,
      Math.max(
        1,
        Math.ceil(
          measureSpread(Array.from(corners).flatMap((v) => Array.from(positions.subarray(3 * v, 3 * v + 3)))) / apart,
        ),
      ),
    );
    for (let cell = 0; cell < n * n; cell++) {
      const [i, j] = [Math.floor(cell / n), cell % n];
      if (i + j >= n) continue;
      const shares = [(i + 1 / 3) / n, (j + 1 / 3) / n, (n - i - j - 2 / 3) / n];
      strengths.clear();
      corners.forEach((v, c) => {
        for (let k = offsets[v]!; k < offsets[v + 1]!; k++) {
          strengths.set(bones[k]!, (strengths.get(bones[k]!) ?? 0) + shares[c]! * weights[k]!);
        }
      });
      const [bone] = [...strengths].reduce((most, one) => (one[1] > most[1] ? one : most), [-1, 0]);
      if (bone < 0) continue;
      const [x, y, z] = [0, 1, 2].map((axis) =>
        shares.reduce((sum, share, c) => sum + share * positions[3 * corners[c]! + axis]!, 0),
      ) as [number, number, number];
      for (let axis = 0; axis < 3; axis++) {
        const m = BONE_STRIDE * bone + axis;
        const value = matrices[m]! * x + matrices[m + 3]! * y + matrices[m + 6]! * z + matrices[m + 9]!;
        points[skeleton.boneNodes[bone]!]!.push(value);
      }
    }
  }
  return points;
}

/** Longest side of the box around points. */
function measureSpread(points: ArrayLike<number>): number {
  const box = measureBox(points);
  return Math.max(0, box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!);
}

/** Points on the bone, half as many as the skin has: skin that covers one side of its bone only (a thigh) has its axis between both. */
function sampleBone(joint: Vector, ends: readonly Vector[], count: number): number[] {
  const to = joint.map((_, k) => ends.reduce((sum, end) => sum + end[k]! / ends.length, 0));
  const n = Math.ceil(count / 2);
  return Array.from({ length: n }, (_, i) => joint.map((x, k) => x + ((i + 0.5) / n) * (to[k]! - x))).flat();
}

function fitCapsule(
  skin: readonly number[],
  bone: readonly number[],
  least: number,
): Omit<FittedBody, 'node' | 'parent' | 'joint'> {
  const points = [...skin, ...bone];
  const count = points.length / 3;
  const mean = [0, 0, 0];
  points.forEach((x, i) => {
    mean[i % 3]! += x / count;
  });
  const scatter = new Float64Array(9);
  for (let i = 0; i < points.length; i += 3) {
    for (let n = 0; n < 9; n++) {
      scatter[n]! +=
        (points[i + Math.floor(n / 3)]! - mean[Math.floor(n / 3)]!) * (points[i + (n % 3)]! - mean[n % 3]!);
    }
  }
  const { axis } = findAxes(scatter, 3)[0]!;
  const along: number[] = [];
  const away: number[] = [];
  for (let i = 0; i < skin.length; i += 3) {
    const r = [0, 1, 2].map((k) => skin[i + k]! - mean[k]!);
    const t = r[0]! * axis[0]! + r[1]! * axis[1]! + r[2]! * axis[2]!;
    along.push(t);
    away.push(Math.hypot(...r.map((x, k) => x - t * axis[k]!)));
  }
  along.sort((a, b) => a - b);
  away.sort((a, b) => a - b);
  const at = (list: readonly number[], share: number) => list[Math.round(share * (list.length - 1))]!;
  const radius = Math.max(least, at(away, 0.5));
  const middle = (at(along, TRIMMED) + at(along, 1 - TRIMMED)) / 2;
  const half = Math.max(0, (at(along, 1 - TRIMMED) - at(along, TRIMMED)) / 2 - radius);
  const place = (t: number) => mean.map((x, k) => x + t * axis[k]!) as unknown as Vector;
  return { from: place(middle - half), to: place(middle + half), radius };
}
