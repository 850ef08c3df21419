/**
 * Volumes of all regions and their derivatives with respect to the amounts λ of the shapes.
 *
 *   J_st = ∂V_s/∂λ_t = Σ_k ⟨A_k n̄_k, g_sk⟩ φ_tk
 *
 * One pass over the triangles gives the gradients g; one pass over the vertices, region by region, the sums.
 */
import { type RegionSlopeInput, sumSlopes } from '../kernels/reference-kernels.js';
import { createRegionGradients, measureRegionVolumes, measureTetrahedra } from '../volume/measure-region-volumes.js';
import type { VertexValues } from './plan-bases.js';
import type { SolverContext } from './volume-solver.js';

export interface RegionEvaluator {
  /** V_s of the last measurement. */
  readonly volumes: Float64Array;
  /** J, K×K by rows. */
  readonly jacobian: Float64Array;
  /** Area vectors / 3 of the last measurement, extended ×3. */
  readonly areas: Float64Array;
  /** V_s alone: half the price. */
  measureVolumesOnly(positions: Float64Array): void;
  /** V_s and the gradients. */
  measureVolumes(positions: Float64Array): void;
  /** J at the positions last measured. */
  measureJacobian(directions: Float64Array): void;
}

export function createRegionEvaluator(
  { volumes: plan }: Pick<SolverContext, 'volumes'>,
  shapes: VertexValues,
): RegionEvaluator {
  const K = plan.regionCount;
  const gradients = createRegionGradients(plan);
  const { volumes, areas } = gradients;
  const jacobian = new Float64Array(K * K);
  const rows = Array.from({ length: K }, (_, s) => jacobian.subarray(s * K, (s + 1) * K));
  let inner: RegionSlopeInput | undefined;
  let border: RegionSlopeInput | undefined;

  function measureJacobian(directions: Float64Array): void {
    jacobian.fill(0);
    if (!inner || !border || inner.directions !== directions) {
      const shared = { directions, ...shapes };
      inner = { ...shared, vertices: plan.inner.values, gradients: areas, byEntry: false };
      border = { ...shared, vertices: plan.pairVertex, gradients: gradients.pairs, byEntry: true };
    }
    const { offsets } = plan.pairsOfRegion;
    for (let s = 0; s < K; s++) {
      sumSlopes(rows[s]!, inner, plan.inner.offsets[s]!, plan.inner.offsets[s + 1]!);
      sumSlopes(rows[s]!, border, offsets[s]!, offsets[s + 1]!);
    }
  }

  return {
    volumes,
    jacobian,
    areas,
    measureVolumesOnly: (positions) => measureTetrahedra(volumes, plan, positions),
    measureVolumes: (positions) => measureRegionVolumes(gradients, plan, positions),
    measureJacobian,
  };
}
