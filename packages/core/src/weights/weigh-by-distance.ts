/**
 * A5(a), A5(b). Weights from the distance to the bones.
 *
 *   bone      ω_ki ∝ d_ki^(−α)
 *   visible   ω_ki ∝ (ℓ_i / d_ki)^α, 0 where the way to the bone leaves the body; rigid to the closest bone if none is left
 *
 * d_ki  distance from rest vertex k to the segments of bone i;  ℓ_i  length of bone i.
 * Bones are tried from the strongest down, until enough are seen or the rest would be pruned anyway: few rays per vertex.
 * Complexity: O(#V · (#B + rays log #T)).
 */
import type { BoneProbe } from './create-bone-probe.js';
import type { Influences } from './create-influences.js';
import type { BoneVisibility } from './plan-visibility.js';
import type { WeightsBody } from './plan-weights-body.js';

export interface DistanceRule {
  readonly power: number;
  /** Influences per vertex. */
  readonly limit: number;
  /** Weaker bones, relative to the strongest one, need not be looked at. */
  readonly prune: number;
  /** Without it every bone is seen. */
  readonly visibility?: BoneVisibility;
  /** Multiply by ℓ_i. */
  readonly lengths: boolean;
}

/** Adds the weights of all vertices to `out`; returns how many vertices no bone reaches. */
export function weighByDistance(out: Influences, body: WeightsBody, probe: BoneProbe, rule: DistanceRule): number {
  const { power, limit, prune, visibility } = rule;
  const { distances, points } = probe;
  const lengths = rule.lengths ? probe.lengths : new Float64Array(probe.boneCount).fill(1);
  const scores = new Float64Array(probe.boneCount);
  const least = prune ** (1 / power);
  let unreached = 0;
  for (let k = 0; k < body.vertexCount; k++) {
    const bones = body.bonesOf(k);
    probe.measure(bones, body.positions[3 * k]!, body.positions[3 * k + 1]!, body.positions[3 * k + 2]!);
    for (const i of bones) scores[i] = lengths[i]! / distances[i]!;
    let strongest = 0;
    let seen = 0;
    while (seen < limit) {
      let best = bones[0]!;
      for (const i of bones) if (scores[i]! > scores[best]!) best = i;
      const score = scores[best]!;
      if (!(score > least * strongest)) break;
      scores[best] = 0;
      if (visibility && !visibility.reaches(k, points[3 * best]!, points[3 * best + 1]!, points[3 * best + 2]!)) {
        continue;
      }
      strongest ||= score;
      out.add(k, best, (score / strongest) ** power);
      seen++;
    }
    if (seen > 0) continue;
    unreached++;
    let closest = bones[0]!;
    for (const i of bones) if (distances[i]! < distances[closest]!) closest = i;
    out.add(k, closest, 1);
  }
  return unreached;
}
