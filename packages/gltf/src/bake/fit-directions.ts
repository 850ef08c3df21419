/**
 * NORMAL and TANGENT deltas of the shapes: what a player skins becomes what the corrected surface has, as well as the amounts can say it.
 *
 *   minimise Σ_f ‖B_f Σ_k w_fk d_k − (g_f ‖B_f n̄‖ − B_f n̄)‖² / ‖B_f n̄‖² + ε F Σ_k ‖d_k‖²,   g = a N + b T + c N×T
 *
 * n̄  direction of a vertex;  B_f  its blend in frame f;  w_fk  amount of shape k by its largest;  d_k  deltas at that amount;  N, T  normal of
 * the welded surface and unit edge to a fixed neighbour across it;  a, b, c  where n̄ stands in the rest shape, so that split normals of a
 * hard edge turn together: g is what the runtime for three.js draws.
 * A vertex uses the shapes that push it and, while it is off by more than `LIMIT`, the best of those at the joints around it: its
 * normal depends on no others. One that is hardly off uses none. O(F · #) and, where shapes are added, O(F · # · candidates).
 */
import { createDirectionSystem } from './create-direction-system.js';

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
  /** Blends of the points, #F×9U. */
  readonly blends: Float32Array;
  /** N and T of the corrected surface, #F×3V. */
  readonly normals: Float32Array;
  readonly edges: Float32Array;
  readonly shapeCount: number;
  readonly pointCount: number;
  readonly vertexCount: number;
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

export interface DirectionFit {
  /** Shape → deltas #×3 of one source. */
  readonly deltas: Float64Array[];
  /** Vertex → frames in which it is left off by more than `LIMIT`. */
  readonly off: Uint32Array;
  /** Vertex → whether more shapes were asked for than there were. */
  readonly wants: Uint8Array;
}

/** @param again a fit whose other vertices are kept */
export function fitDirections(
  { points, width, directions }: DirectionSource,
  welded: Uint32Array,
  rest: RestFrame,
  frames: DirectionFrames,
  shapes: NearShapes,
  { most, worth, rare: share, limit, damping }: FitEffort,
  again?: { readonly fit: DirectionFit; isAgain(vertex: number): boolean },
): DirectionFit {
  const out = Array.from({ length: frames.shapeCount }, (_, k) =>
    again ? again.fit.deltas[k]!.slice() : new Float64Array(3 * points.length),
  );
  const off = again?.fit.off.slice() ?? new Uint32Array(points.length);
  const wants = again?.fit.wants.slice() ?? new Uint8Array(points.length);
  const rows = createRows(frames.count);
  const fit = createDirectionSystem(rows, frames, most, damping);
  const n = new Float64Array(3);
  const rare = share * frames.count;
  const enough = Math.cos((limit * Math.PI) / 180);
  for (let v = 0; v < points.length; v++) {
    if (again && !again.isAgain(v)) continue;
    const vertex = welded[points[v]!]!;
    for (let r = 0; r < 3; r++) n[r] = directions[width * v + r]!;
    fillRows(rows, frames, points[v]!, vertex, n, rest);
    if (countOff(rows, QUIET) <= rare) continue;
    const own = shapes.own(points[v]!);
    fit.start(own.slice(0, most));
    let candidates: number[] | undefined;
    while (countOff(rows, enough) > rare && fit.used.length < most) {
      candidates ??= [...own, ...shapes.near(vertex)];
      const best = fit.findBest(candidates, worth);
      if (best === undefined) break;
      fit.add(best);
    }
    off[v] = countOff(rows, LIMIT);
    wants[v] = countOff(rows, enough) > rare ? 1 : 0;
    if (again) for (const deltas of out) deltas.fill(0, 3 * v, 3 * v + 3);
    fit.used.forEach((k, i) => {
      out[k]!.set(fit.deltas.subarray(3 * i, 3 * i + 3), 3 * v);
    });
  }
  return { deltas: out, off, wants };
}

/** One vertex in all frames: unit skinned direction, B / ‖B n̄‖, the turn that is wanted, and what is left of it. */
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
  point: number,
  vertex: number,
  n: Float64Array,
  rest: RestFrame,
): void {
  const [a, b, c] = standOn(rest, vertex, n);
  const [turned, goal] = [new Float64Array(3), new Float64Array(3)];
  for (let f = 0; f < frames.count; f++) {
    const at = 9 * (f * frames.pointCount + point);
    const m = 3 * (f * frames.vertexCount + vertex);
    const [nx, ny, nz] = [frames.normals[m]!, frames.normals[m + 1]!, frames.normals[m + 2]!];
    const [tx, ty, tz] = [frames.edges[m]!, frames.edges[m + 1]!, frames.edges[m + 2]!];
    goal[0] = a * nx + b * tx + c * (ny * tz - nz * ty);
    goal[1] = a * ny + b * ty + c * (nz * tx - nx * tz);
    goal[2] = a * nz + b * tz + c * (nx * ty - ny * tx);
    for (let r = 0; r < 3; r++) {
      turned[r] =
        frames.blends[at + r]! * n[0]! + frames.blends[at + 3 + r]! * n[1]! + frames.blends[at + 6 + r]! * n[2]!;
    }
    const size = Math.hypot(turned[0]!, turned[1]!, turned[2]!);
    const length = Math.hypot(goal[0]!, goal[1]!, goal[2]!);
    const cosine = (turned[0]! * goal[0]! + turned[1]! * goal[1]! + turned[2]! * goal[2]!) / (size * length);
    let square = 0;
    for (let i = at; i < at + 9; i++) square += frames.blends[i]! ** 2;
    // Skin that is crushed or inside out has no normal to speak of.
    const isLost = !(cosine > TURNED_OVER && size > CRUSHED * Math.sqrt(square));
    for (let i = 0; i < 9; i++) blends[9 * f + i] = isLost ? 0 : frames.blends[at + i]! / size;
    for (let r = 0; r < 3; r++) {
      skinned[3 * f + r] = isLost ? 0 : turned[r]! / size;
      left[3 * f + r] = wanted[3 * f + r] = isLost ? 0 : goal[r]! / length - turned[r]! / size;
    }
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
    let [dot, square] = [0, 0];
    for (let r = i; r < i + 3; r++) {
      const goal = skinned[r]! + wanted[r]!;
      dot += goal * (goal - left[r]!);
      square += (goal - left[r]!) ** 2;
    }
    if (dot < limit * Math.sqrt(square)) count++;
  }
  return count;
}
