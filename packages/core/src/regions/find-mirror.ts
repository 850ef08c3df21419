/**
 * The plane in which a character is its own mirror image, and what lies opposite to what.
 *
 *   x ↦ x + 2 (m − ⟨x, e⟩) e,   e one of the axes, m the middle of the box or 0
 *
 * Two bones are opposite where their joints are and so are those of their parents; two vertices where one lies within REACH of the
 * other's image. A plane counts where it swaps at least two bones and finds nearly all vertices again.
 */
import type { Character } from '../character/character.js';
import { measureBox } from '../mesh/measure-box.js';
import { createSpatialHash, findNearest, putPoint, type SpatialHash } from '../mesh/spatial-hash.js';
import type { Surface } from '../mesh/surface.js';
import { type BoneSegments, orderParentsFirst } from '../skeleton/plan-bone-segments.js';

/** Of the diagonal: sculpted by hand and mirrored, exported with 16 bits. */
const REACH = 0.01;
/** Share of the vertices that must be found again: a scar, a badge or a sword does not make a body lopsided. */
const FOUND = 0.9;
/** Vertices that tell whether a plane is worth the others. */
const SAMPLE = 4_000;
/** Of the way from vertex to vertex: where a mirrored body's images are looked for first. */
const NEAR = 0.1;

export interface Mirror {
  /** Bone → the opposite one, itself on the plane, −1 where there is none; vertices too. */
  readonly bones: Int32Array;
  readonly vertices: Int32Array;
  /** The plane: across this axis, here. */
  readonly axis: number;
  readonly middle: number;
}

export function findMirror({ surface, skeleton }: Character, segments: BoneSegments): Mirror | undefined {
  const box = measureBox(surface.positions);
  const diagonal = Math.hypot(box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!);
  if (!(diagonal > 0)) return undefined;
  for (let axis = 0; axis < 3; axis++) {
    for (const middle of new Set([0, (box[axis]! + box[axis + 3]!) / 2])) {
      const bones = pairBones(segments, skeleton.boneCount, axis, middle, 2 * REACH * diagonal);
      if (!bones.some((mate, i) => mate >= 0 && mate !== i)) continue;
      const vertices = pairVertices(surface.positions, axis, middle, REACH * diagonal);
      const found = vertices.reduce((sum, mate) => sum + (mate >= 0 ? 1 : 0), 0);
      if (found >= FOUND * vertices.length) return { bones, vertices, axis, middle };
    }
  }
  return undefined;
}

/** From the roots down: the children of opposite bones are opposite, nearest first. */
function pairBones(
  { joints, parents }: BoneSegments,
  count: number,
  axis: number,
  middle: number,
  reach: number,
): Int32Array {
  const mates = new Int32Array(count).fill(-1);
  const order = orderParentsFirst(parents);
  // The fingers of a palm may begin in one place: what hangs on them tells them apart.
  const below = joints.slice();
  const sizes = new Uint32Array(count).fill(1);
  for (const i of order.toReversed()) {
    const parent = parents[i]!;
    if (parent < 0) continue;
    sizes[parent]! += sizes[i]!;
    for (let r = 0; r < 3; r++) below[3 * parent + r]! += below[3 * i + r]!;
  }
  const distance = (i: number, j: number): number => {
    let own = 0;
    let mean = 0;
    for (let r = 0; r < 3; r++) {
      const mirrored = (x: number) => (r === axis ? 2 * middle - x : x);
      own += (mirrored(joints[3 * i + r]!) - joints[3 * j + r]!) ** 2;
      mean += (mirrored(below[3 * i + r]! / sizes[i]!) - below[3 * j + r]! / sizes[j]!) ** 2;
    }
    return Math.sqrt(own) + Math.sqrt(mean);
  };
  const siblings = new Map<number, number[]>();
  parents.forEach((parent, i) => {
    siblings.set(parent, [...(siblings.get(parent) ?? []), i]);
  });
  for (const i of order) {
    if (mates[i]! >= 0) continue;
    const parent = parents[i]!;
    const opposite = parent < 0 ? -1 : mates[parent]!;
    if (parent >= 0 && opposite < 0) continue;
    let best = -1;
    let least = 2 * reach;
    for (const j of siblings.get(opposite) ?? []) {
      if (mates[j]! >= 0) continue;
      const d = distance(i, j);
      if (d < least) [best, least] = [j, d];
    }
    if (best >= 0) [mates[i], mates[best]] = [best, i];
  }
  return mates;
}

/**
 * Vertex → the one nearest to its image; −1 where there is none within reach. Looked for as near as vertices stand first, so that fine skin costs
 * no more than coarse one; nothing is looked for where a sample of the vertices finds too few.
 */
function pairVertices(positions: Float64Array, axis: number, middle: number, reach: number): Int32Array {
  const count = positions.length / 3;
  // The points, then their images: queries ask for points alone.
  const all = new Float64Array(2 * positions.length);
  all.set(positions);
  all.set(positions, positions.length);
  for (let i = positions.length + axis; i < all.length; i += 3) all[i] = 2 * middle - all[i]!;
  const groups = new Uint32Array(2 * count);
  const mates = new Int32Array(count).fill(-1);
  const least = Math.min(reach, (NEAR / REACH / Math.sqrt(count)) * reach);
  const finest = hashPoints(all, groups, least); // serves the sample and the others
  const look = (vertices: Uint32Array, within: number): Uint32Array => {
    findMates(mates, within === least ? finest : hashPoints(all, groups, within), vertices);
    return vertices.filter((v) => mates[v]! < 0);
  };
  /** How many are not found. */
  const lookFor = (vertices: Uint32Array): number => {
    let open = vertices;
    for (let within = least; open.length > 0; within = Math.min(reach, 4 * within)) {
      open = look(open, within);
      if (within >= reach) break;
    }
    return open.length;
  };
  const stride = Math.ceil(count / SAMPLE);
  const sample = Uint32Array.from({ length: Math.ceil(count / stride) }, (_, n) => n * stride);
  if (lookFor(sample) > 2 * (1 - FOUND) * sample.length) return mates.fill(-1);
  if (stride > 1) lookFor(Uint32Array.from(mates.keys()));
  return mates;
}

/** Of the first half of the points. */
function hashPoints(all: Float64Array, groups: Uint32Array, within: number): SpatialHash {
  const hash = createSpatialHash(all, groups, within, within);
  for (let v = 0; v < all.length / 6; v++) putPoint(hash, v);
  return hash;
}

function findMates(mates: Int32Array, hash: SpatialHash, vertices: Uint32Array): void {
  for (let n = 0; n < vertices.length; n++) mates[vertices[n]!] = findNearest(hash, mates.length + vertices[n]!);
}

/** Vertices without a triangle, and with triangles of several patches. */
const NONE = -1;
const SEVERAL = -2;

/** Patch → the one that holds most of its image, of equals the one with the most corners; −1 where there is none. */
export function findImages(
  { vertices }: Mirror,
  { triangles, corners }: Surface,
  trianglePatch: ArrayLike<number>,
  count: number,
): Int32Array {
  const votes: Map<number, number>[] = Array.from({ length: count }, () => new Map());
  // Most corners of a vertex lie in one patch.
  const only = new Float64Array(vertices.length).fill(NONE);
  const sizes = new Uint32Array(count);
  for (let c = 0; c < triangles.length; c++) {
    const v = triangles[c]!;
    const patch = trianglePatch[(c / 3) | 0]!;
    if (patch < count) sizes[patch]!++;
    if (only[v] !== patch) only[v] = only[v] === NONE ? patch : SEVERAL;
  }
  const add = (list: Map<number, number>, patch: number, times: number): void =>
    void list.set(patch, (list.get(patch) ?? 0) + times);
  // Triangles beside each other vote alike, so that their votes are cast together.
  let last: Map<number, number> | undefined;
  let lastPatch = NONE;
  let times = 0;
  for (let c = 0; c < triangles.length; c++) {
    const mate = vertices[triangles[c]!]!;
    const list = votes[trianglePatch[(c / 3) | 0]!];
    if (mate < 0 || !list) continue;
    const own = only[mate]!;
    if (list !== last || own !== lastPatch) {
      if (last && times > 0) add(last, lastPatch, times);
      [last, lastPatch, times] = [list, own, 0];
    }
    const from = corners.offsets[mate]!;
    const to = corners.offsets[mate + 1]!;
    if (own >= 0) times += to - from;
    else for (let n = from; n < to; n++) add(list, trianglePatch[(corners.values[n]! / 3) | 0]!, 1);
  }
  if (last && times > 0) add(last, lastPatch, times);
  return Int32Array.from(votes, (list) => {
    const compare = ([p, n]: [number, number], [q, m]: [number, number]) => n - m || (sizes[p] ?? 0) - (sizes[q] ?? 0);
    const [image] = [...list].reduce((a, b) => (compare(b, a) > 0 ? b : a), [-1, 0]);
    return image < count ? image : -1;
  });
}

/** Patch → its mirror image, if each is the other's; itself in the middle; −1 where there is none. */
export function pairImages(images: Int32Array): Int32Array {
  return images.map((image, p) => (image >= 0 && images[image] === p ? image : -1));
}
