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
import { createDirectionSystem } from './create-direction-system.js';
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
  own(point: number): readonly number[];
  near(vertex: number): readonly number[];
}

/** cos of the angles that are left alone (3½°), and above which a direction counts as off (4.6°; the promise is 5). */
const QUIET = Math.cos((3.5 * Math.PI) / 180);
const LIMIT = Math.cos((4.6 * Math.PI) / 180);
/** Shapes that push a vertex most, which it uses in any case. */
const FIRST = 2;
/** cos of the angle from which on a normal counts as turned over. */
const TURNED_OVER = -0.5;
/** Share of a blend's size that is left of a normal, below which the skin counts as crushed. */
const CRUSHED = 0.02;

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

export function fitDirections(
  { points, width, directions }: DirectionSource,
  { welded, influences }: Pick<SourceSkin, 'welded' | 'influences'>,
  rest: RestFrame,
  frames: DirectionFrames,
  near: NearShapes,
  { most, worth, rare: share, limit, damping }: FitEffort,
  vertices: Uint32Array,
): FitBlock {
  const counts = new Uint32Array(vertices.length);
  const shapes: number[] = [];
  const deltas: number[] = [];
  const off = new Uint32Array(vertices.length);
  const wants = new Uint8Array(vertices.length);
  const rows = createRows(frames.count);
  const fit = createDirectionSystem(rows, frames, most, damping);
  const n = new Float64Array(3);
  const rare = share * frames.count;
  const enough = Math.cos((limit * Math.PI) / 180);
  for (const [i, v] of vertices.entries()) {
    const vertex = welded[points[v]!]!;
    for (let r = 0; r < 3; r++) n[r] = directions[width * v + r]!;
    blendFrames(rows.blends, frames, influences, points[v]!);
    fillRows(rows, frames, vertex, n, rest);
    if (countOff(rows, QUIET) <= rare) continue;
    const own = near.own(points[v]!);
    fit.start(own.slice(0, FIRST));
    let candidates: number[] | undefined;
    while (countOff(rows, enough) > rare && fit.used.length < most) {
      candidates ??= [...own, ...near.near(vertex)];
      const best = fit.findBest(candidates, worth);
      if (best === undefined) break;
      fit.add(best);
    }
    off[i] = countOff(rows, LIMIT);
    wants[i] = countOff(rows, enough) > rare ? 1 : 0;
    counts[i] = fit.used.length;
    shapes.push(...fit.used);
    for (let k = 0; k < 3 * fit.used.length; k++) deltas.push(fit.deltas[k]!);
  }
  return { counts, shapes: Uint32Array.from(shapes), deltas: Float64Array.from(deltas), off, wants };
}

/** One vertex in all frames: unit skinned direction, B (then B / ‖B n̄‖), the turn that is wanted, and what is left of it. */
export interface DirectionRows {
  readonly skinned: Float64Array;
  readonly blends: Float64Array;
  readonly wanted: Float64Array;
  readonly left: Float64Array;
}

function createRows(count: number): DirectionRows {
  const triple = () => new Float64Array(3 * count);
  return { skinned: triple(), blends: new Float64Array(9 * count), wanted: triple(), left: triple() };
}

function fillRows(
  { skinned, blends, wanted, left }: DirectionRows,
  frames: DirectionFrames,
  vertex: number,
  n: Float64Array,
  rest: RestFrame,
): void {
  const [a, b, c] = standOn(rest, vertex, n);
  const [x, y, z] = [n[0]!, n[1]!, n[2]!];
  for (let f = 0, i = 0, at = 0, m = 3 * vertex * frames.count; f < frames.count; f++, i += 3, at += 9, m += 3) {
    const nx = frames.normals[m]!;
    const ny = frames.normals[m + 1]!;
    const nz = frames.normals[m + 2]!;
    const tx = frames.edges[m]!;
    const ty = frames.edges[m + 1]!;
    const tz = frames.edges[m + 2]!;
    const gx = a * nx + b * tx + c * (ny * tz - nz * ty);
    const gy = a * ny + b * ty + c * (nz * tx - nx * tz);
    const gz = a * nz + b * tz + c * (nx * ty - ny * tx);
    const sx = blends[at]! * x + blends[at + 3]! * y + blends[at + 6]! * z;
    const sy = blends[at + 1]! * x + blends[at + 4]! * y + blends[at + 7]! * z;
    const sz = blends[at + 2]! * x + blends[at + 5]! * y + blends[at + 8]! * z;
    const size = Math.sqrt(sx * sx + sy * sy + sz * sz);
    const length = Math.sqrt(gx * gx + gy * gy + gz * gz);
    const cosine = (sx * gx + sy * gy + sz * gz) / (size * length);
    let square = 0;
    for (let k = at; k < at + 9; k++) square += blends[k]! * blends[k]!;
    // Skin that is crushed or inside out has no normal to speak of.
    const isLost = !(cosine > TURNED_OVER && size > CRUSHED * Math.sqrt(square));
    const s = isLost ? 0 : 1 / size;
    const g = isLost ? 0 : 1 / length;
    for (let k = at; k < at + 9; k++) blends[k]! *= s;
    skinned[i] = sx * s;
    skinned[i + 1] = sy * s;
    skinned[i + 2] = sz * s;
    left[i] = wanted[i] = isLost ? 0 : gx * g - sx * s;
    left[i + 1] = wanted[i + 1] = isLost ? 0 : gy * g - sy * s;
    left[i + 2] = wanted[i + 2] = isLost ? 0 : gz * g - sz * s;
  }
}

/** B of a point in all frames, #F×9. */
function blendFrames(
  out: Float64Array,
  { count, matrices }: DirectionFrames,
  { offsets, bones, weights }: SourceSkin['influences'],
  point: number,
): void {
  out.fill(0);
  for (let i = offsets[point]!; i < offsets[point + 1]!; i++) {
    const weight = weights[i]!;
    const from = 9 * count * bones[i]!;
    for (let k = 0; k < out.length; k++) out[k]! += weight * matrices[from + k]!;
  }
}

/** a, b, c of a direction. */
function standOn({ normals, edges, mirror }: RestFrame, vertex: number, n: Float64Array): [number, number, number] {
  const [N, T] = [normals.subarray(3 * vertex, 3 * vertex + 3), edges.subarray(3 * vertex, 3 * vertex + 3)];
  const dot = (x: number, y: number, z: number) => mirror * (n[0]! * x + n[1]! * y + n[2]! * z);
  const across = dot(N[1]! * T[2]! - N[2]! * T[1]!, N[2]! * T[0]! - N[0]! * T[2]!, N[0]! * T[1]! - N[1]! * T[0]!);
  return [dot(N[0]!, N[1]!, N[2]!), dot(T[0]!, T[1]!, T[2]!), across];
}

/** Frames in which the angle that is left is larger than it may be. */
function countOff({ skinned, wanted, left }: DirectionRows, limit: number): number {
  let count = 0;
  for (let i = 0; i < left.length; i += 3) {
    let dot = 0;
    let square = 0;
    for (let r = i; r < i + 3; r++) {
      const goal = skinned[r]! + wanted[r]!;
      const now = goal - left[r]!;
      dot += goal * now;
      square += now * now;
    }
    if (dot < limit * Math.sqrt(square)) count++;
  }
  return count;
}
