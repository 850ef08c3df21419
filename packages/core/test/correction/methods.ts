/** Every classical correction under one roof, for tests that all of them must pass. */
import { planAxisExact } from '../../src/correction/plan-axis-exact.js';
import { planAxisLinear } from '../../src/correction/plan-axis-linear.js';
import { planLaplacian } from '../../src/correction/plan-laplacian.js';
import { planNormalExact } from '../../src/correction/plan-normal-exact.js';
import { planNormalLinear } from '../../src/correction/plan-normal-linear.js';
import type { FieldOptions } from '../../src/correction/plan-region-fields.js';
import { planRegionsExact } from '../../src/correction/plan-regions-exact.js';
import { planRegionsLinear } from '../../src/correction/plan-regions-linear.js';
import { planSmallSteps } from '../../src/correction/plan-small-steps.js';
import type { SolverContext, VolumeSolver } from '../../src/correction/volume-solver.js';
import type { JobRunnerOptions } from './solver-bench.js';

export interface Method {
  readonly plan: (context: SolverContext, options?: FieldOptions) => VolumeSolver;
  readonly exact: boolean;
  readonly regions?: JobRunnerOptions['regions'];
  readonly local?: boolean;
}

const byBone = { by: 'bone' } as const;

export const methods: Record<string, Method> = {
  'C1 axis linear': { plan: planAxisLinear, exact: false },
  'C1 axis linear, skeleton frame': { plan: (c, o) => planAxisLinear(c, { ...o, frame: 'skeleton' }), exact: false },
  'C2 axis exact': { plan: planAxisExact, exact: true },
  'C2 axis exact, skeleton frame': {
    plan: (c, o) => planAxisExact(c, { ...o, frame: 'skeleton', order: 'zxy', shares: [1, 2, 1] }),
    exact: true,
  },
  'C5 normal linear': { plan: planNormalLinear, exact: false },
  'C6 normal exact': { plan: planNormalExact, exact: true },
  'C7 small steps': { plan: planSmallSteps, exact: true },
  'C8 Laplacian': { plan: planLaplacian, exact: true },
  'C10 regions linear': { plan: planRegionsLinear, exact: false, regions: byBone, local: true },
  'C10 regions linear, prisms': {
    plan: (c, o) => planRegionsLinear(c, { ...o, estimator: 'prism' }),
    exact: false,
    regions: byBone,
    local: true,
  },
  'C11 regions exact': { plan: planRegionsExact, exact: true, regions: byBone },
  'C11 regions exact, local map': { plan: planRegionsExact, exact: true, regions: byBone, local: true },
};
