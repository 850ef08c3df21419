/**
 * Balls around groups of vertices in a pose, from the bones alone: no vertex is looked at (F5).
 *
 *   c = Σ_i ω̄_i M_i c̄,   r = s r̄ + Σ_i (δ_i + ω̄_i) |M_i c̄ − c|
 *
 * c̄, r̄  ball at rest;  ω̄  mean weights, δ_i  largest |ω_i − ω̄_i| in the group;  s  largest scale of a bone. With δ alone the
 * ball holds every vertex that is skinned linearly; the term with ω̄ has room for the arcs of dual quaternions and for what other
 * layers do. O(bones of the group).
 */
import type { Character } from '../character/character.js';
import { BONE_STRIDE } from '../skeleton/matrices.js';

export interface BoneBalls {
  /** Scales of the bones of a pose (#B×12), before `measure`. */
  begin(boneMatrices: Float64Array): void;
  /** Centre and radius of group g into out[4g …]. */
  measure(out: Float64Array, g: number): void;
}

/** Group g: the vertices from offsets[g] up to offsets[g + 1]. */
export function planBoneBalls(
  { surface, binding, skeleton }: Character,
  offsets: Uint32Array,
  vertices: Uint32Array,
): BoneBalls {
  const x = surface.positions;
  const count = offsets.length - 1;
  const rest = new Float64Array(4 * count);
  const starts = new Uint32Array(count + 1);
  const bones: number[] = [];
  const means: number[] = [];
  const spreads: number[] = [];
  for (let g = 0; g < count; g++) {
    const members = vertices.subarray(offsets[g]!, offsets[g + 1]!);
    const sums = new Map<number, number>();
    for (const k of members) {
      for (let r = 0; r < 3; r++) rest[4 * g + r]! += x[3 * k + r]! / members.length;
      for (let e = binding.offsets[k]!; e < binding.offsets[k + 1]!; e++) {
        sums.set(binding.bones[e]!, (sums.get(binding.bones[e]!) ?? 0) + binding.weights[e]! / members.length);
      }
    }
    const most = new Map([...sums].map(([bone, mean]) => [bone, mean * (sums.size > 1 ? 1 : 0)]));
    for (const k of members) {
      const square = [0, 1, 2].reduce((sum, r) => sum + (x[3 * k + r]! - rest[4 * g + r]!) ** 2, 0);
      rest[4 * g + 3] = Math.max(rest[4 * g + 3]!, Math.sqrt(square));
      const own = new Map<number, number>();
      for (let e = binding.offsets[k]!; e < binding.offsets[k + 1]!; e++)
        own.set(binding.bones[e]!, binding.weights[e]!);
      for (const [bone, mean] of sums) {
        most.set(bone, Math.max(most.get(bone)!, mean + Math.abs((own.get(bone) ?? 0) - mean)));
      }
    }
    for (const [bone, mean] of sums) {
      bones.push(bone);
      means.push(mean);
      spreads.push(most.get(bone)!);
    }
    starts[g + 1] = bones.length;
  }
  const boneOf = Uint32Array.from(bones);
  const mean = Float64Array.from(means);
  const spread = Float64Array.from(spreads);
  const places = new Float64Array(3 * Math.max(0, ...starts.map((s, g) => (starts[g + 1] ?? s) - s)));
  const scales = new Float64Array(skeleton.boneCount);
  let m = new Float64Array(0) as Float64Array;

  function measure(out: Float64Array, g: number): void {
    const from = starts[g]!;
    const to = starts[g + 1]!;
    const x = rest[4 * g]!;
    const y = rest[4 * g + 1]!;
    const z = rest[4 * g + 2]!;
    let cx = 0;
    let cy = 0;
    let cz = 0;
    let scale = 0;
    for (let e = from, p = 0; e < to; e++, p += 3) {
      const b = BONE_STRIDE * boneOf[e]!;
      const px = m[b]! * x + m[b + 3]! * y + m[b + 6]! * z + m[b + 9]!;
      const py = m[b + 1]! * x + m[b + 4]! * y + m[b + 7]! * z + m[b + 10]!;
      const pz = m[b + 2]! * x + m[b + 5]! * y + m[b + 8]! * z + m[b + 11]!;
      places[p] = px;
      places[p + 1] = py;
      places[p + 2] = pz;
      cx += mean[e]! * px;
      cy += mean[e]! * py;
      cz += mean[e]! * pz;
      scale = Math.max(scale, scales[boneOf[e]!]!);
    }
    let radius = scale * rest[4 * g + 3]!;
    for (let e = from, p = 0; e < to; e++, p += 3) {
      const dx = places[p]! - cx;
      const dy = places[p + 1]! - cy;
      const dz = places[p + 2]! - cz;
      radius += spread[e]! * Math.sqrt(dx * dx + dy * dy + dz * dz);
    }
    out[4 * g] = cx;
    out[4 * g + 1] = cy;
    out[4 * g + 2] = cz;
    out[4 * g + 3] = radius;
  }

  return {
    measure,
    begin(boneMatrices) {
      m = boneMatrices;
      for (let i = 0; i < scales.length; i++) {
        const b = BONE_STRIDE * i;
        let most = 0;
        for (let c = b; c < b + 9; c += 3) {
          most = Math.max(most, m[c]! * m[c]! + m[c + 1]! * m[c + 1]! + m[c + 2]! * m[c + 2]!);
        }
        scales[i] = Math.sqrt(most);
      }
    },
  };
}
