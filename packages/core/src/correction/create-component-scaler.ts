/**
 * Last resort of C11: a component whose total the bases could not restore (a button of a dozen vertices, a flat pouch) is scaled
 * about its centre.
 *
 *   y_k ← c + f (y_k − c),   f³ = V̄/V,   |f − 1| |y_k − c| ≤ r_k
 *
 * Exact, as a volume is homogeneous of degree three; r_k, the largest displacement of vertex k, still holds, and the report
 * says what is left. Components with a vertex that may not move (γ = 0) or a region at rest are not touched. O(#V).
 */
import { AMOUNT_SOLVER_CONSTANTS } from './create-amount-solver.js';
import type { SolverContext, SolverFrame } from './volume-solver.js';

/** A component that is off by more, relative to its target (or to a thousandth of its volume at rest), is scaled. */
const SCALE_ABOVE = 1e-9;

export interface ComponentScaler {
  /** Scales what `frame.report` says is off and brings its volumes up to date; true if something was. */
  apply(frame: SolverFrame, activity: Float64Array): boolean;
}

/**
 * @param blocks regions of every component. @param vertices `listComponentVertices`. @param wholes rest volume of every region's
 * component. @param room r, #V.
 */
export function createComponentScaler(
  blocks: readonly Uint32Array[],
  vertices: readonly Uint32Array[],
  wholes: Float64Array,
  room: Float64Array,
): ComponentScaler {
  const centre = new Float64Array(3);

  /** Scale of a component that is off, 1 where it is not or must not be scaled. */
  function measureScale({ positions, targets, report }: SolverFrame, activity: Float64Array, b: number): number {
    const block = blocks[b]!;
    let volume = 0;
    let target = 0;
    for (let i = 0; i < block.length; i++) {
      if (activity[block[i]!] === 0) return 1;
      volume += report.volumes[block[i]!]!;
      target += targets[block[i]!]!;
    }
    const ratio = target / volume;
    const whole = Math.max(Math.abs(target), AMOUNT_SOLVER_CONSTANTS.FLOOR_SHARE * Math.abs(wholes[block[0]!]!));
    if (Math.abs(volume - target) <= SCALE_ABOVE * whole || !(ratio >= 0) || ratio === Infinity) return 1;
    const list = vertices[b]!;
    measureCentre(centre, positions, list);
    let most = Number.POSITIVE_INFINITY;
    for (let i = 0; i < list.length; i++) {
      const k = list[i]!;
      const x = positions[3 * k]! - centre[0]!;
      const y = positions[3 * k + 1]! - centre[1]!;
      const z = positions[3 * k + 2]! - centre[2]!;
      most = Math.min(most, room[k]! / Math.sqrt(x * x + y * y + z * z));
    }
    return list.length > 0 ? 1 + Math.max(-most, Math.min(most, Math.cbrt(ratio) - 1)) : 1;
  }

  return {
    apply(frame, activity) {
      const { positions, report } = frame;
      let any = false;
      for (let b = 0; b < vertices.length; b++) {
        const scale = measureScale(frame, activity, b);
        if (scale === 1) continue;
        any = true;
        const list = vertices[b]!;
        for (let i = 0; i < list.length; i++) {
          for (let r = 0; r < 3; r++) {
            const at = 3 * list[i]! + r;
            positions[at] = centre[r]! + scale * (positions[at]! - centre[r]!);
          }
        }
        for (let i = 0; i < blocks[b]!.length; i++) report.volumes[blocks[b]![i]!]! *= scale ** 3;
      }
      return any;
    },
  };
}

function measureCentre(out: Float64Array, positions: Float64Array, vertices: Uint32Array): void {
  out.fill(0);
  for (let i = 0; i < vertices.length; i++) {
    for (let r = 0; r < 3; r++) out[r]! += positions[3 * vertices[i]! + r]! / vertices.length;
  }
}

/** Vertices of the component of every block; none where a vertex must not move (γ = 0). */
export function listComponentVertices(
  { character, regions, gamma }: SolverContext,
  blocks: readonly Uint32Array[],
): Uint32Array[] {
  const lists: number[][] = character.surface.components.map(() => []);
  const fixed = new Set<number>();
  const { vertexComponent } = character.surface;
  for (let k = 0; k < vertexComponent.length; k++) {
    lists[vertexComponent[k]!]?.push(k);
    if (gamma[k] === 0) fixed.add(vertexComponent[k]!);
  }
  return blocks.map((block) => {
    const component = regions.component[block[0]!]!;
    return Uint32Array.from(fixed.has(component) ? [] : lists[component]!);
  });
}
