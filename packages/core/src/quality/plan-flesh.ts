/**
 * Where the flesh is in a pose: Q9 (plan-placement.ts) and Q10 (plan-solidity.ts), as shares of the body at rest.
 *
 *   overlap = max(0, O/|c| − Ō)/S̄,   visible = S/(|c| S̄) − 1
 *
 * O, S  overlap and visible volume of the pose;  Ō, S̄  of the bind shape;  c  scale of the frame's target volume.
 */
import type { Character } from '../character/character.js';
import { planPlacement } from './plan-placement.js';
import { planSolidity } from './plan-solidity.js';

export interface FleshFigures {
  /** Share of the body that is not where it was. */
  readonly misplaced: number;
  /** Share of the body that is twice in one place, beyond that at rest. */
  readonly overlap: number;
  /** Change of the volume that an eye sees. */
  readonly visible: number;
}

export interface Flesh {
  /** At `positions` (#V×3) of a frame whose target volume is `scale` times that at rest. */
  measure(positions: Float64Array, scale: number): FleshFigures;
}

export function planFlesh(character: Character): Flesh {
  const placement = planPlacement(character);
  const solidity = planSolidity(character.surface);
  const { rest } = solidity;
  const solid = { overlap: 0, visible: 0 };
  const whole = rest.visible || 1;
  return {
    measure(positions, scale) {
      solidity.measure(solid, positions);
      const size = Math.abs(scale) || 1;
      return {
        misplaced: placement.measure(positions, scale),
        overlap: Math.max(0, solid.overlap / size - rest.overlap) / whole,
        visible: solid.visible / size / whole - 1,
      };
    },
  };
}
