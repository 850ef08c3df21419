/**
 * A box that holds the body whatever the correction does, from the bones alone: for culling, and where positions live on a GPU.
 *
 * A skinned vertex is a weighted mean of what its bones make of it, so the spheres around each bone's vertices, moved with
 * the bones and grown by how far the shapes can push, hold it.
 */
import type { FramePlan } from '@isoskin/core';
import type { BodyPose } from './evaluator.js';
import type { BodyPlan } from './plan-body.js';

export interface BoneSpheres {
  /** Rest sphere of every bone, #B×4 (centre, radius; −1 where no vertex hangs on it). */
  readonly spheres: Float64Array;
  /** Largest displacement of every morph target. */
  readonly morphReach: Float64Array;
}

export function planBoneSpheres(plan: BodyPlan): BoneSpheres {
  const { character } = plan;
  const reach = measureReach(plan.getFramePlan());
  const { binding, surface, skeleton } = character;
  const { positions: x, vertexCount } = surface;
  const spheres = new Float64Array(4 * skeleton.boneCount).fill(-1);
  const low = new Float64Array(3 * skeleton.boneCount).fill(Infinity);
  const high = new Float64Array(3 * skeleton.boneCount).fill(-Infinity);
  for (let v = 0; v < vertexCount; v++) {
    for (let n = binding.offsets[v]!; n < binding.offsets[v + 1]!; n++) {
      for (let r = 0; r < 3; r++) {
        const b = 3 * binding.bones[n]! + r;
        low[b] = Math.min(low[b]!, x[3 * v + r]!);
        high[b] = Math.max(high[b]!, x[3 * v + r]!);
      }
    }
  }
  for (let b = 0; b < skeleton.boneCount; b++) {
    for (let r = 0; r < 3; r++) spheres[4 * b + r] = (low[3 * b + r]! + high[3 * b + r]!) / 2;
  }
  for (let v = 0; v < vertexCount; v++) {
    for (let n = binding.offsets[v]!; n < binding.offsets[v + 1]!; n++) {
      const s = 4 * binding.bones[n]!;
      const distance = Math.hypot(
        x[3 * v]! - spheres[s]!,
        x[3 * v + 1]! - spheres[s + 1]!,
        x[3 * v + 2]! - spheres[s + 2]!,
      );
      spheres[s + 3] = Math.max(spheres[s + 3]!, distance + reach[v]!);
    }
  }
  const morphReach = Float64Array.from(character.morphs, ({ deltas }) => {
    let most = 0;
    for (let i = 0; i < deltas.length; i += 3) {
      most = Math.max(most, Math.hypot(deltas[i]!, deltas[i + 1]!, deltas[i + 2]!));
    }
    return most;
  });
  return { spheres, morphReach };
}

/** How far the shapes can push every vertex: Σ_s Λ_s |φ_s| |n̄|, amounts without a ceiling up to a region's own volume. */
function measureReach({ shapes, directions, vertexCount }: FramePlan): Float64Array {
  const reach = new Float64Array(vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    const length = Math.hypot(directions[3 * v]!, directions[3 * v + 1]!, directions[3 * v + 2]!);
    for (let e = shapes.offsets[v]!; e < shapes.offsets[v + 1]!; e++) {
      const ceiling = Math.min(1, shapes.outward[shapes.shapes[e]!] ?? 1);
      reach[v]! += ceiling * Math.abs(shapes.values[e]!) * length;
    }
  }
  return reach;
}

/** Box (low x y z, high x y z) around the moved spheres, in body space. */
export function measureBounds(out: Float64Array, plan: BoneSpheres, { bones, morphWeights }: BodyPose): void {
  const { spheres, morphReach } = plan;
  let margin = 0;
  for (let k = 0; k < morphWeights.length; k++) margin += Math.abs(morphWeights[k]!) * morphReach[k]!;
  out.fill(Infinity, 0, 3);
  out.fill(-Infinity, 3);
  for (let i = 0; 4 * i < spheres.length; i++) {
    const radius = spheres[4 * i + 3]!;
    if (radius < 0) continue;
    const m = 12 * i;
    let stretch = 0;
    for (let c = 0; c < 9; c += 3)
      stretch = Math.max(stretch, Math.hypot(bones[m + c]!, bones[m + c + 1]!, bones[m + c + 2]!));
    const reach = stretch * (radius + margin);
    for (let r = 0; r < 3; r++) {
      const centre =
        bones[m + r]! * spheres[4 * i]! +
        bones[m + 3 + r]! * spheres[4 * i + 1]! +
        bones[m + 6 + r]! * spheres[4 * i + 2]! +
        bones[m + 9 + r]!;
      out[r] = Math.min(out[r]!, centre - reach);
      out[3 + r] = Math.max(out[3 + r]!, centre + reach);
    }
  }
}
