/**
 * NORMAL and TANGENT deltas of the shapes: what a player skins becomes what the corrected surface has, as well as the amounts can say it.
 *
 *   minimise Σ_f ‖B_f Σ_k w_fk d_k − (g_f ‖B_f n̄‖ − B_f n̄)‖² / ‖B_f n̄‖² + ε F Σ_k ‖d_k‖²,   g = a N + b T + c N×T
 *
 * n̄  direction of a vertex;  B_f  its blend in frame f;  w_fk  amount of shape k by its largest;  d_k  deltas at that amount;  N, T  normal of
 * the welded surface and unit edge to a fixed neighbour across it;  a, b, c  where n̄ stands in the rest shape, so that split normals of a
 * hard edge turn together: g is what the runtime for three.js draws.
 * A vertex uses the two shapes that push it most and, while it is off by more than `LIMIT`, the best of the others and of those at the joints around it:
 * its normal depends on no others. One that is hardly off uses none. O(F · #) and, where shapes are added, O(F · # · candidates).
 */
import { openRoom, type Room } from '@isoskin/wasm/bake';
import type { SourceSkin } from './plan-source-skin.js';

/** Directions of one part, NORMAL or TANGENT. */
export interface DirectionSource {
  /** Source vertex → point. */
  readonly points: Uint32Array;
  /** Numbers per vertex: 3, or 4 for TANGENT. */
  readonly width: number;
  readonly directions: ArrayLike<number>;
}

/** Frames that the directions are fitted to. */
export interface DirectionFrames {
  readonly count: number;
  /** Amounts, #K×F, each by its largest. */
  readonly amounts: Float64Array;
  /** Linear parts of the joints, #B×F×9: B of all frames of a point is made when it is asked for. */
  readonly matrices: Float64Array;
  /** N and T of the corrected surface, #V×F×3: all frames of a vertex together, as they are read. */
  readonly normals: Float32Array;
  readonly edges: Float32Array;
}

/** N and T of the welded rest surface, #V×3; `mirror` −1 where that is the mirror image of what is in the file. */
export interface RestFrame {
  readonly normals: Float64Array;
  readonly edges: Float64Array;
  readonly mirror: number;
}

/** Targets that move a point, and those around its welded vertex. */
export interface NearShapes {
  own(point: number): Uint32Array;
  /** Those around behind the first `count` of a list, each once; returns how many there are then. */
  addNear(list: Uint32Array, count: number, vertex: number): number;
}

/** cos of the angles that are left alone (3½°), and above which a direction counts as off (4.6°; the promise is 5). */
const QUIET = Math.cos((3.5 * Math.PI) / 180);
const LIMIT = Math.cos((4.6 * Math.PI) / 180);
/** Shapes that push a vertex most, which it uses in any case. */
const FIRST = 2;
/**
 * Most shapes of a vertex, the share of the squares that are left that one has to take (bytes that hardly help are not spent), and of the
 * frames that may be off.
 */
export interface FitEffort {
  readonly most: number;
  readonly worth: number;
  readonly rare: number;
  /** Degrees above which more shapes are asked for. */
  readonly limit: number;
  /** ε. */
  readonly damping: number;
}

/** Vertices of one source, one after the other. */
export interface FitBlock {
  /** How many shapes turn each; all of these shapes, and their deltas, #×3. */
  readonly counts: Uint32Array;
  readonly shapes: Uint32Array;
  readonly deltas: Float64Array;
  /** Frames in which it is left off by more than `LIMIT`. */
  readonly off: Uint32Array;
  /** Whether more shapes were asked for than there were. */
  readonly wants: Uint8Array;
}

/** What fits of a group share: frames and the room that they are fitted in. */
export interface FitRoom {
  readonly frames: DirectionFrames;
  readonly rest: RestFrame;
  readonly source: Pick<SourceSkin, 'welded' | 'influences'>;
  readonly room: Room<ReturnType<typeof listFitArrays>>;
}

/** Most shapes that any effort may use of a vertex. */
const WIDEST = 24;

export function openFitRoom(frames: DirectionFrames, rest: RestFrame, source: FitRoom['source']): FitRoom {
  const { count } = frames;
  const shapeCount = frames.amounts.length / Math.max(1, count);
  const room = openRoom(listFitArrays(frames, source.influences, shapeCount));
  const { amounts, matrices, normals, edges, work } = room.at;
  room.code.openFit(count, shapeCount, amounts, matrices, normals, edges, work, WIDEST);
  return { frames, rest, source, room };
}

function listFitArrays(
  { count, amounts, matrices }: DirectionFrames,
  { offsets }: SourceSkin['influences'],
  shapeCount: number,
) {
  let influences = 0;
  for (let u = 0; u + 1 < offsets.length; u++) influences = Math.max(influences, offsets[u + 1]! - offsets[u]!);
  const numbers = openRoom({}).code.measureFit(count, shapeCount, WIDEST);
  return {
    amounts,
    matrices,
    normals: new Float32Array(3 * count),
    edges: new Float32Array(3 * count),
    bones: new Uint32Array(influences),
    weights: new Float64Array(influences),
    candidates: new Uint32Array(2 * shapeCount),
    work: new Float64Array(numbers),
  };
}

export function fitDirections(
  { points, width, directions }: DirectionSource,
  { frames, rest, source, room }: FitRoom,
  near: NearShapes,
  { most, worth, rare: share, limit, damping }: FitEffort,
  vertices: Uint32Array,
): FitBlock {
  const counts = new Uint32Array(vertices.length);
  const shapes: number[] = [];
  const deltas: number[] = [];
  const off = new Uint32Array(vertices.length);
  const wants = new Uint8Array(vertices.length);
  const { code, lists, at, memory } = room;
  const used = new Uint32Array(memory, code.usedAt(), WIDEST);
  const solution = new Float64Array(memory, code.deltasAt(), 3 * WIDEST);
  const n = new Float64Array(3);
  const rare = share * frames.count;
  const enough = Math.cos((limit * Math.PI) / 180);
  for (const [i, v] of vertices.entries()) {
    const point = points[v]!;
    const vertex = source.welded[point]!;
    for (let r = 0; r < 3; r++) n[r] = directions[width * v + r]!;
    const from = 3 * frames.count * vertex;
    lists.normals.set(frames.normals.subarray(from, from + 3 * frames.count));
    lists.edges.set(frames.edges.subarray(from, from + 3 * frames.count));
    const [first, end] = [source.influences.offsets[point]!, source.influences.offsets[point + 1]!];
    lists.bones.set(source.influences.bones.subarray(first, end));
    lists.weights.set(source.influences.weights.subarray(first, end));
    code.placeDirection(at.bones, at.weights, end - first, n[0]!, n[1]!, n[2]!, ...standOn(rest, vertex, n));
    if (code.countOff(QUIET) <= rare) continue;
    const own = near.own(point);
    lists.candidates.set(own);
    code.startFit(at.candidates, Math.min(FIRST, own.length), damping);
    let count = Math.min(FIRST, own.length);
    if (count < most && code.countOff(enough) > rare) {
      const length = near.addNear(lists.candidates, own.length, vertex);
      count = code.growFit(at.candidates, length, worth, enough, rare, most);
    }
    off[i] = code.countOff(LIMIT);
    wants[i] = code.countOff(enough) > rare ? 1 : 0;
    counts[i] = count;
    for (let k = 0; k < count; k++) shapes.push(used[k]!);
    for (let k = 0; k < 3 * count; k++) deltas.push(solution[k]!);
  }
  return { counts, shapes: Uint32Array.from(shapes), deltas: Float64Array.from(deltas), off, wants };
}

/** a, b, c of a direction. */
function standOn({ normals, edges, mirror }: RestFrame, vertex: number, n: Float64Array): [number, number, number] {
  const [N, T] = [normals.subarray(3 * vertex, 3 * vertex + 3), edges.subarray(3 * vertex, 3 * vertex + 3)];
  const dot = (x: number, y: number, z: number) => mirror * (n[0]! * x + n[1]! * y + n[2]! * z);
  const across = dot(N[1]! * T[2]! - N[2]! * T[1]!, N[2]! * T[0]! - N[0]! * T[2]!, N[0]! * T[1]! - N[1]! * T[0]!);
  return [dot(N[0]!, N[1]!, N[2]!), dot(T[0]!, T[1]!, T[2]!), across];
}
