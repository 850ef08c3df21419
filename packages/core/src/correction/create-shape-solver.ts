/**
 * C15. Exact volume as a function of the pose: K shapes before the skin, their amounts solved for every frame.
 *
 *   y = x + f + Σ_s λ_s φ_s (A n̄),   V_s(y) = V̄_s for every region s
 *
 * x = skin(x̄);  f  what flesh and contact have moved;  A n̄  rest directions turned and stretched with the skin, not normalised: what
 * any player does with a morph target. One pass over the triangles per evaluation yields volumes *and* gradients; 4–6 cold.
 */
import { type DisplaceInput, displace } from '../kernels/reference-kernels.js';
import type { RegionVolumes } from '../volume/plan-region-volumes.js';
import type { AmountEvaluator, AmountSolverOptions } from './amount-solver.js';
import { createAmountSolver } from './create-amount-solver.js';
import { createRegionEvaluator } from './evaluate-regions.js';
import type { Shapes } from './plan-shapes.js';
import type { SolverFrame, VolumeSolver } from './volume-solver.js';

export interface ShapeSolver extends VolumeSolver {
  readonly shapes: Shapes;
  /** λ of the last frame, one per shape. */
  readonly amounts: Float64Array;
  readonly areas: Float64Array;
}

/** The solver itself, from planned arrays. */
export function createShapeSolver(
  volumes: RegionVolumes,
  shapes: Shapes,
  options: AmountSolverOptions = {},
): ShapeSolver {
  const { vertexCount: count } = volumes.closed;
  const solver = createAmountSolver(shapes, options);
  const regions = createRegionEvaluator({ volumes }, shapes);
  const x = new Float64Array(3 * count);
  const { lambda } = solver;
  const amounts = new Float64Array(shapes.shapeCount);
  let input: DisplaceInput | undefined;
  let out: Float64Array = x; // the frame's positions
  let hasBegun = false;
  let hasMoved = true; // since then
  let hasShown = false; // the surface of what is evaluated next

  const evaluator: AmountEvaluator = {
    volumes: regions.volumes,
    jacobian: regions.jacobian,
    evaluate() {
      if (!isShown()) show();
      hasShown = false;
      regions.measureVolumes(out);
    },
    ...(shapes.given && {
      measurePlain() {
        out.set(x);
        regions.measureVolumes(out);
      },
    }),
    measureJacobian: () => regions.measureJacobian(input!.directions),
    finish: show,
  };

  function show(): void {
    amounts.set(lambda);
    displace(out, input!, 0, count);
  }

  function isShown(): boolean {
    for (let s = 0; s < lambda.length; s++) if (amounts[s] !== lambda[s]) return false;
    return hasShown;
  }

  function take({ positions, directions, bones }: SolverFrame): void {
    x.set(positions.subarray(0, 3 * count));
    if (input?.directions !== directions) input = { ...shapes, positions: x, directions, amounts };
    out = positions;
    shapes.given?.measure(amounts, shapes.regionCount, bones);
  }

  return {
    shapes,
    amounts,
    areas: regions.areas,
    begin(frame, move) {
      take(frame);
      solver.begin(evaluator, frame.targets, frame.report, frame.warm ?? false);
      show();
      hasBegun = true;
      hasShown = true;
      hasMoved = move(x, out);
    },
    apply(frame) {
      if (!hasBegun) take(frame);
      hasBegun = false;
      solver.solve(evaluator, frame.targets, frame.report, frame.warm ?? false, hasMoved);
    },
  };
}
