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
import type { BoneSegments } from '../skeleton/plan-bone-segments.js';
import { LARGER, limit, MOST_TWIST, measureGap, QUARTER, type Twist } from './create-twists.js';
import type { GivenFamily, GivenShapes } from './given-shapes.js';
import { VertexTable } from './plan-bases.js';
import type { ShapeDraft } from './plan-shapes.js';
import type { SolverContext } from './volume-solver.js';

/** Joints whose blend holds less than this share of c keep nine tenths of any section as it is. */
const LEAST_BLEND = 0.1;
/** c below which a vertex is left alone: a thousandth of the section. */
const LEAST_SHARE = 1e-3;
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
  const table = new VertexTable(surface.vertexCount);
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
  return { values: table.finish(), plan: { families, twists: { twists, strength } } };
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
