/**
 * The methods of the literature (C1–C12), for comparison and for research: `import { planLaplacian } from '@isoskin/core/methods'`. A
 * stack takes them by name (`"method": "laplacian"`); the default, C15, is part of the root entry, and no runtime loads these.
 */
export { AXIS_DEFAULTS, type AxisOptions } from './correction/measure-axis-frame.js';
export { planAxisExact } from './correction/plan-axis-exact.js';
export { planAxisLinear } from './correction/plan-axis-linear.js';
export { LAPLACIAN_DEFAULTS, type LaplacianOptions, planLaplacian } from './correction/plan-laplacian.js';
export { planNormalExact } from './correction/plan-normal-exact.js';
export { NORMAL_DEFAULTS, type NormalOptions, planNormalLinear } from './correction/plan-normal-linear.js';
export {
  PROGRESSIVE_POSE_DEFAULTS,
  type ProgressivePoseOptions,
  planProgressivePose,
} from './correction/plan-progressive-pose.js';
export { FIELD_DEFAULTS, type FieldOptions } from './correction/plan-region-fields.js';
export {
  planRegionsExact,
  REGIONS_EXACT_DEFAULTS,
  type RegionsExactOptions,
} from './correction/plan-regions-exact.js';
export {
  planRegionsLinear,
  REGIONS_LINEAR_DEFAULTS,
  type RegionsLinearOptions,
} from './correction/plan-regions-linear.js';
export { planSmallSteps, SMALL_STEP_DEFAULTS, type SmallStepOptions } from './correction/plan-small-steps.js';
export type { SolverContext, SolverFrame, VolumeSolver } from './correction/volume-solver.js';
export { estimatePrisms, type PrismPlan, planPrisms } from './volume/estimate-prisms.js';
