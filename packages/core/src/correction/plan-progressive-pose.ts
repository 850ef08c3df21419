/**
 * C12. The correction along the way: the pose is reached in small steps from rest, and what each step corrected is carried
 * back to the rest pose, where the next step starts.
 *
 *   for t = 1/M … 1:   x = A(t)(x̄ + e) + b(t),   y = correct(x),   e ← e + A(t)⁻¹ (y − x)
 *
 * A_k, b_k  blended bone transforms of vertex k;  e  correction in the rest pose. The way goes from rest to the frame's bone
 * transforms: every joint turns about itself (slerp), stretches and slides in proportion. Where a blend has collapsed and
 * cannot be inverted the vertex carries nothing on. M solves per frame: for bakes and for comparison.
 *
 * Based on: Rohmer, Hahmann, Cani, "Déformation interactive par skinning à volume constant", 2008, § 6.
 */
import { BONE_STRIDE } from '../skeleton/matrices.js';
import {
  createExtendedPositions,
  createRegionGradients,
  measureRegionVolumes,
} from '../volume/measure-region-volumes.js';
import { planPosePath } from './plan-pose-path.js';
import type { SolverContext, SolverFrame, VolumeSolver } from './volume-solver.js';

export interface ProgressivePoseOptions {
  /** M. */
  readonly steps?: number;
}

export const PROGRESSIVE_POSE_DEFAULTS = { steps: 8 } as const satisfies ProgressivePoseOptions;

/** A blend whose determinant is below this share of a rotation of the same size has collapsed. */
const COLLAPSED = 0.05;

/** @param inner the correction of each step. */
export function planProgressivePose(
  context: SolverContext,
  inner: VolumeSolver,
  options: ProgressivePoseOptions = {},
): VolumeSolver {
  const { steps } = { ...PROGRESSIVE_POSE_DEFAULTS, ...options };
  const { character, volumes, regions } = context;
  const { surface, binding, skeleton } = character;
  const count = surface.vertexCount;
  const path = planPosePath(skeleton, regions.segments);
  const bones = new Float64Array(BONE_STRIDE * skeleton.boneCount);
  const positions = createExtendedPositions(volumes);
  const before = new Float64Array(3 * count);
  const offsets = new Float64Array(3 * count); // e
  const targets = new Float64Array(regions.count);
  const blend = new Float64Array(BONE_STRIDE);
  const atRest = createRegionGradients(volumes);
  positions.set(surface.positions);
  measureRegionVolumes(atRest, volumes, positions);

  const blendAt = (k: number): void => {
    blend.fill(0);
    for (let n = binding.offsets[k]!; n < binding.offsets[k + 1]!; n++) {
      const w = binding.weights[n]!;
      const m = BONE_STRIDE * binding.bones[n]!;
      for (let i = 0; i < BONE_STRIDE; i++) blend[i]! += w * bones[m + i]!;
    }
  };

  const apply = (frame: SolverFrame): void => {
    const { directions, report } = frame;
    let evaluations = 0;
    let limited = false;
    offsets.fill(0);
    path.start(frame.bones);
    for (let step = 1; step < steps; step++) {
      const t = step / steps;
      path.measure(bones, t);
      for (let k = 0; k < count; k++) {
        blendAt(k);
        const x = surface.positions[3 * k]! + offsets[3 * k]!;
        const y = surface.positions[3 * k + 1]! + offsets[3 * k + 1]!;
        const z = surface.positions[3 * k + 2]! + offsets[3 * k + 2]!;
        for (let r = 0; r < 3; r++) {
          positions[3 * k + r] = blend[r]! * x + blend[3 + r]! * y + blend[6 + r]! * z + blend[9 + r]!;
        }
      }
      before.set(positions.subarray(0, 3 * count));
      for (let s = 0; s < targets.length; s++) {
        targets[s] = (1 - t) * atRest.volumes[s]! + t * frame.targets[s]!;
      }
      inner.apply({ positions, directions, targets, bones, report });
      evaluations += report.evaluations;
      limited ||= report.limited;
      for (let k = 0; k < count; k++) {
        blendAt(k);
        carryBack(offsets, 3 * k, blend, positions, before);
      }
    }
    bones.set(frame.bones);
    for (let k = 0; k < count; k++) {
      blendAt(k);
      const x = offsets[3 * k]!;
      const y = offsets[3 * k + 1]!;
      const z = offsets[3 * k + 2]!;
      for (let r = 0; r < 3; r++) frame.positions[3 * k + r]! += blend[r]! * x + blend[3 + r]! * y + blend[6 + r]! * z;
    }
    inner.apply(frame);
    report.evaluations += evaluations;
    report.limited ||= limited;
  };
  return { apply };
}

/** e += A⁻¹ (y − x) at one vertex (Cramer); nothing where A has collapsed. */
function carryBack(e: Float64Array, i: number, A: Float64Array, y: Float64Array, x: Float64Array): void {
  const ux = y[i]! - x[i]!;
  const uy = y[i + 1]! - x[i + 1]!;
  const uz = y[i + 2]! - x[i + 2]!;
  if (ux === 0 && uy === 0 && uz === 0) return;
  const a = A[0]!;
  const b = A[1]!;
  const c = A[2]!;
  const d = A[3]!;
  const f = A[4]!;
  const g = A[5]!;
  const h = A[6]!;
  const j = A[7]!;
  const k = A[8]!;
  const px = f * k - g * j;
  const py = g * h - d * k;
  const pz = d * j - f * h;
  const determinant = a * px + b * py + c * pz;
  const size = Math.sqrt((a * a + b * b + c * c + d * d + f * f + g * g + h * h + j * j + k * k) / 3);
  if (!(Math.abs(determinant) > COLLAPSED * size ** 3)) return;
  e[i]! += (px * ux + py * uy + pz * uz) / determinant;
  // (h, j, k) × (a, b, c) and (a, b, c) × (d, f, g)
  e[i + 1]! += ((j * c - k * b) * ux + (k * a - h * c) * uy + (h * b - j * a) * uz) / determinant;
  e[i + 2]! += ((b * g - c * f) * ux + (c * d - a * g) * uy + (a * f - b * d) * uz) / determinant;
}
