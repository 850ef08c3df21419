/**
 * C16. Twisted limbs keep their section: the blend of linear skinning pulls a twisted vertex towards the axis of its bone, and two shapes per
 * joint push it out by just as much before the skin, with the weights as they are.
 *
 *   A = (1 − s) 1 + s R(θ)  shrinks a section to  |A| = √(1 − c σ),   c_k = 4 s_k (1 − s_k),   σ = sin²(θ/2) = 1 − (1 + tr R) / (2 (1 + aᵀRa))
 *   g(c, σ) = 1/|A| − 1 ≈ μ₁ g(c, σ₁) + μ₂ g(c, σ₂),   exact at c = ½ and 1      d_m,k = g(c_k, σ_m) ρ_k n̄_k,   ρ_k = n̄_k·r_k
 *
 * s  weight of the bones beyond the joint;  R  the joint's rotation against its parent;  θ  its twist, what is left of R without the swing of the
 * bone's axis a;  σ₁, σ₂  a quarter turn and the largest twist;  r  from the axis to the vertex. 0 without twist, whatever bends. O(#V).
 */
import type { Character } from '../character/character.js';
import { BONE_STRIDE } from '../skeleton/matrices.js';
import type { BoneSegments } from '../skeleton/plan-bone-segments.js';
import type { GivenFamily, GivenShapes } from './given-shapes.js';
import { createVertexTable } from './plan-bases.js';
import type { ShapeDraft } from './plan-shapes.js';
import type { SolverContext } from './volume-solver.js';

/** Joints whose blend holds less than this share of c keep nine tenths of any section as it is. */
const LEAST_BLEND = 0.1;
/** c below which a vertex is left alone: a thousandth of the section. */
const LEAST_SHARE = 1e-3;
/** σ never gets beyond, smoothly (134°): there a section is 2.6 times as wide before the skin; at 180° nothing before the skin can bring it back. */
const MOST_TWIST = 0.85;
/** σ₁: a quarter turn is exact. */
const QUARTER = 0.5;
/** σ that is rounding (0.1°): the rest pose stays as it is, to the bit. */
const STILL = 1e-6;

/** A joint that may twist: its bone, the one before it, and the bone's axis at rest with two directions across it, ×9. */
export interface Twist {
  readonly bone: number;
  readonly parent: number;
  readonly frame: readonly number[];
}

export interface BlendedTwist {
  readonly twist: Twist;
  /** Where it blends, s and c there. */
  readonly vertices: number[];
  readonly shares: number[];
  readonly blends: number[];
}

/** Undefined where no joint blends. */
export function planTwists(context: SolverContext, draft: ShapeDraft, strength: number): GivenShapes | undefined {
  const { character, directions: n } = context;
  const { surface, skeleton } = character;
  const table = createVertexTable(surface.vertexCount);
  const twists: Twist[] = [];
  const families: GivenFamily[] = [];
  for (const joint of listTwists(character, context.regions.segments)) {
    const { twist, vertices, blends } = joint;
    const [j, a] = [3 * twist.bone, twist.frame];
    const { joints } = context.regions.segments;
    for (const [i, k] of vertices.entries()) {
      const r = [0, 1, 2].map((x) => surface.positions[3 * k + x]! - joints[j + x]!);
      const along = r[0]! * a[0]! + r[1]! * a[1]! + r[2]! * a[2]!;
      let [rho, square] = [0, 0];
      for (let x = 0; x < 3; x++) {
        rho += (r[x]! - along * a[x]!) * n[3 * k + x]!;
        square += n[3 * k + x]! ** 2;
      }
      // Whatever hangs far from the axis is pushed by no more than it is thick.
      rho = limit(rho / (square || 1), draft.thickness[k]!);
      table.add(k, 2 * twists.length, measureGap(blends[i]!, QUARTER) * rho);
      table.add(k, 2 * twists.length + 1, (measureGap(blends[i]!, MOST_TWIST) * rho) / LARGER);
    }
    twists.push(twist);
    const name = `${skeleton.names[skeleton.boneNodes[twist.bone]!]} twist`;
    families.push({ name, size: 2, region: findMainRegion(draft, joint) });
  }
  if (twists.length === 0) return undefined;
  return {
    values: table.finish(),
    given: {
      families,
      measure(out, at, bones, first = 0) {
        for (let i = 0; i < twists.length; i++) {
          const sigma = limit(measureTwist(twists[i]!, bones, first), MOST_TWIST);
          const [half, whole] = [measureGap(0.5, sigma), measureGap(1, sigma)];
          out[at + 2 * i] = (strength * (half * LARGE.whole - LARGE.half * whole)) / DETERMINANT;
          out[at + 2 * i + 1] = (strength * LARGER * (SMALL.half * whole - SMALL.whole * half)) / DETERMINANT;
        }
      },
    },
  };
}

/** Joints that blend with what is before them, and c of the vertices where they do. */
export function listTwists({ binding, skeleton, surface }: Character, segments: BoneSegments): BlendedTwist[] {
  const out: BlendedTwist[] = [];
  for (let bone = 0; bone < skeleton.boneCount; bone++) {
    const parent = segments.parents[bone]!;
    const frame = measureFrame(segments.points.subarray(6 * segments.offsets[bone]!, 6 * segments.offsets[bone + 1]!));
    if (parent < 0 || !frame) continue;
    const isBeyond = Uint8Array.from({ length: skeleton.boneCount }, (_, i) => {
      let b = i;
      while (b >= 0 && b !== bone) b = segments.parents[b]!;
      return b === bone ? 1 : 0;
    });
    const vertices: number[] = [];
    const shares: number[] = [];
    const blends: number[] = [];
    let most = 0;
    for (let k = 0; k < surface.vertexCount; k++) {
      let s = 0;
      for (let e = binding.offsets[k]!; e < binding.offsets[k + 1]!; e++) {
        if (isBeyond[binding.bones[e]!]) s += binding.weights[e]!;
      }
      const c = 4 * s * (1 - s);
      if (!(c > LEAST_SHARE)) continue;
      vertices.push(k);
      shares.push(s);
      blends.push(c);
      most = Math.max(most, c);
    }
    if (most > LEAST_BLEND) out.push({ twist: { bone, parent, frame }, vertices, shares, blends });
  }
  return out;
}

/** σ of a joint, from bone matrices #B×12. */
export function measureTwist({ bone, parent, frame }: Twist, bones: ArrayLike<number>, first = 0): number {
  let trace = 0;
  let straight = 0;
  for (let v = 0; v < 9; v += 3) {
    let [dot, p, q] = [0, 0, 0];
    for (let r = 0; r < 3; r++) {
      const a = BONE_STRIDE * (first + parent) + r;
      const b = BONE_STRIDE * (first + bone) + r;
      const x = bones[a]! * frame[v]! + bones[a + 3]! * frame[v + 1]! + bones[a + 6]! * frame[v + 2]!;
      const y = bones[b]! * frame[v]! + bones[b + 3]! * frame[v + 1]! + bones[b + 6]! * frame[v + 2]!;
      dot += x * y;
      p += x * x;
      q += y * y;
    }
    const cosine = p > 0 && q > 0 ? dot / Math.sqrt(p * q) : 1; // each by its own length: scaled joints are not turned
    trace += cosine;
    if (v === 0) straight = cosine;
  }
  // A bone that is turned back onto itself has no twist that could be told from its swing.
  return straight > STILL - 1 ? Math.max(0, 1 - STILL - (1 + trace) / (2 * (1 + straight))) : 0;
}

/** The mean way along a bone's segments, and two directions across it. */
function measureFrame(points: Float64Array): number[] | undefined {
  const a = [0, 0, 0];
  for (let n = 0; n < points.length; n += 6) for (let r = 0; r < 3; r++) a[r]! += points[n + 3 + r]! - points[n + r]!;
  const length = Math.hypot(...a);
  if (!(length > 0)) return undefined;
  const [x, y, z] = a.map((value) => value / length) as [number, number, number];
  const side = Math.abs(x) < 0.6 ? [0, z, -y] : [-z, 0, x];
  const width = Math.hypot(...side);
  const [u, v, w] = side.map((value) => value / width) as [number, number, number];
  return [x, y, z, u, v, w, y * w - z * v, z * u - x * w, x * v - y * u];
}

/** The region that holds most of what blends. */
export function findMainRegion(
  { bases: { offsets, shapes, values } }: ShapeDraft,
  { vertices, blends }: BlendedTwist,
): number {
  const sums = new Map<number, number>();
  for (const [i, k] of vertices.entries()) {
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      sums.set(shapes[e]!, (sums.get(shapes[e]!) ?? 0) + blends[i]! * Math.abs(values[e]!));
    }
  }
  return [...sums].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
}

/** g: what a section has to be widened by. */
function measureGap(c: number, sigma: number): number {
  return 1 / Math.sqrt(1 - c * sigma) - 1;
}

/** g of both shapes where c is ½ and 1, and the determinant of the four. */
const SMALL = { half: measureGap(0.5, QUARTER), whole: measureGap(1, QUARTER) };
const LARGE = { half: measureGap(0.5, MOST_TWIST), whole: measureGap(1, MOST_TWIST) };
/** The second shape is as large as the first, so that it can be seen which matter. */
const LARGER = LARGE.whole / SMALL.whole;
const DETERMINANT = SMALL.half * LARGE.whole - LARGE.half * SMALL.whole;

/** x, smoothly inside ±most: as it is up to two thirds of it. */
function limit(x: number, most: number): number {
  return most > 0 ? x / (1 + (x / most) ** 8) ** 0.125 : 0;
}
