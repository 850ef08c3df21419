import { dictionary, list, number, object, option, tuple } from '../check-json.js';
import { AMOUNT_SOLVER_DEFAULTS } from './create-amount-solver.js';
import { createShapeSolver } from './create-shape-solver.js';
import { axisExact } from './plan-axis-exact.js';
import { axisLinear } from './plan-axis-linear.js';
import { laplacian } from './plan-laplacian.js';
import { normalExact } from './plan-normal-exact.js';
import { normalLinear } from './plan-normal-linear.js';
import { regionsExact } from './plan-regions-exact.js';
import { regionsLinear } from './plan-regions-linear.js';
import { planShapes, SHAPE_DEFAULTS } from './plan-shapes.js';
import { smallSteps } from './plan-small-steps.js';
import type { VolumeMethod } from './volume-solver.js';

/** C15. Its options are checked here, so that a runtime that has the method alone carries no checks. */
const shapes: VolumeMethod = {
  plan: (context, options) => createShapeSolver(context.volumes, planShapes(context, options), options),
  options: {
    strength: option(number(0, 1), 'share of the lost volume that comes back; 0: none', SHAPE_DEFAULTS.strength),
    smoothing: option(number(0), 'how wide the bumps are', SHAPE_DEFAULTS.smoothing),
    limit: option(
      number(0, 10),
      'largest push outward, as a share of the local thickness; inward three quarters of it; 0: no limit',
      SHAPE_DEFAULTS.limit,
    ),
    limits: option(
      dictionary(number(0.001, 10)),
      'the limit of single regions by name: `{ "neck": 0.1 }`; beats `limit`',
    ),
    calm: option(
      list(object({ at: tuple(number(), 3), radius: number(0), left: number(0, 1) }, ['at', 'radius', 'left'])),
      'places of the rest shape that take less of every push: `left` of it within a third of `radius` around `at`',
    ),
    harmonics: option(
      number(0, 2),
      'C16: how much the inner side of a bend bulges and the outer side thins, of what flesh does',
      SHAPE_DEFAULTS.harmonics,
    ),
    twist: option(
      number(0, 1),
      'C16: how much of the section that the blend takes from a twisted limb comes back there; 1: all',
      SHAPE_DEFAULTS.twist,
    ),
    crease: option(
      number(0, 1),
      'C16: how much of what a bent joint pushes through itself lies flat in its crease instead; 1: all',
      SHAPE_DEFAULTS.crease,
    ),
    targets: option(
      number(0, 256),
      'C18: morph targets at most, where the clips are known: what moves together shares one; 0: no limit',
      SHAPE_DEFAULTS.targets,
    ),
    tolerance: option(number(0, 1), 'error of a region that is exact enough', AMOUNT_SOLVER_DEFAULTS.tolerance),
    evaluations: option(number(1, 1000), 'most evaluations of a frame', AMOUNT_SOLVER_DEFAULTS.evaluations),
  },
};

/** C1–C11 and C15 by the name that they have in a stack: a new method is its file, its test, its page and a line here. */
export const VOLUME_METHODS = {
  shapes,
  'axis-linear': axisLinear,
  'axis-exact': axisExact,
  'normal-linear': normalLinear,
  'normal-exact': normalExact,
  'small-steps': smallSteps,
  laplacian,
  'regions-linear': regionsLinear,
  'regions-exact': regionsExact,
} as const satisfies Record<string, VolumeMethod>;
export type VolumeMethodName = keyof typeof VOLUME_METHODS;
