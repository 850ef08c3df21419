/**
 * Volumes of all regions and their derivatives with respect to the amounts λ of the planned bases.
 *
 *   J_st = ∂V_s/∂λ_t = Σ_k ⟨n_k, g_sk⟩ (dρ_k/dΣλφ) φ_tk
 *
 * One pass over the triangles gives the gradients g; one pass over the vertices, region by region, the sums.
 */
import type { RegionSumInput } from '../kernels/kernel-set.js';
import {
  createExtendedPositions,
  createRegionGradients,
  measureRegionGradients,
} from '../volume/measure-region-volumes.js';
import type { VertexValues } from './plan-bases.js';
import type { SolverContext } from './volume-solver.js';

export interface RegionEvaluator {
  /** V_s of the last measurement. */
  readonly volumes: Float64Array;
  /** J, K×K by rows. */
  readonly jacobian: Float64Array;
  /** dρ_k/dΣλφ, #V, written by the displace kernel. */
  readonly slopes: Float64Array;
  /** V_s only. */
  measureVolumes(positions: Float64Array): void;
  measureJacobian(positions: Float64Array, directions: Float64Array): void;
  /** Σ_k |a_k| φ_sk at rest: how much volume one unit of each basis adds. */
  measureReach(): Float64Array;
}

export function createRegionEvaluator(context: SolverContext, bases: VertexValues): RegionEvaluator {
  const { volumes: plan, character, kernels } = context;
  const count = character.surface.vertexCount;
  const K = plan.regionCount;
  const gradients = createRegionGradients(plan);
  const volumes = gradients.volumes;
  const jacobian = new Float64Array(K * K);
  const rows = Array.from({ length: K }, (_, s) => jacobian.subarray(s * K, (s + 1) * K));
  const slopes = new Float64Array(count);
  const still = new Float64Array(3 * count);

  const input = (positions: Float64Array, directions: Float64Array, inner: boolean): RegionSumInput => ({
    positions,
    directions,
    slopes,
    ...bases,
    anchor: 0,
    vertices: inner ? plan.inner.values : plan.pairVertex,
    gradients: inner ? gradients.areas : gradients.pairs,
    byEntry: !inner,
  });

  function sumRegions(positions: Float64Array, directions: Float64Array): void {
    measureRegionGradients(gradients, plan, positions, kernels);
    jacobian.fill(0);
    const inner = input(positions, directions, true);
    const border = input(positions, directions, false);
    for (let s = 0; s < K; s++) {
      inner.anchor = border.anchor = plan.anchors[s]!;
      volumes[s] =
        (kernels.sumRegion(rows[s]!, inner, plan.inner.offsets[s]!, plan.inner.offsets[s + 1]!) +
          kernels.sumRegion(rows[s]!, border, plan.pairsOfRegion.offsets[s]!, plan.pairsOfRegion.offsets[s + 1]!)) /
        3;
    }
  }

  return {
    volumes,
    jacobian,
    slopes,
    measureVolumes: (positions) => sumRegions(positions, still),
    measureJacobian: sumRegions,
    measureReach() {
      const extended = createExtendedPositions(plan);
      extended.set(character.surface.positions);
      sumRegions(extended, still);
      const reach = new Float64Array(K);
      for (let k = 0; k < count; k++) {
        const area = Math.hypot(gradients.areas[3 * k]!, gradients.areas[3 * k + 1]!, gradients.areas[3 * k + 2]!);
        for (let e = bases.offsets[k]!; e < bases.offsets[k + 1]!; e++)
          reach[bases.regions[e]!]! += area * bases.values[e]!;
      }
      return reach;
    },
  };
}
