/**
 * Undoes crossings that are there in the bind shape already, where smoothing a few vertices by a little is enough (F6).
 *
 *   y_k ← y_k + m Σ_i ω_ki M_i d̄_k,   d̄  moves at rest, found once: the vertices of crossing triangles go to the mean of their neighbours
 *
 * m  0 in the rest pose, which stays exactly as it is, 1 as soon as a joint is turned by TURNED. Only triangles of one component:
 * buttons and eyes are meant to stick in what they sit on. O(vertices that move) per frame.
 */
import type { Character } from '../character/character.js';
import { BONE_STRIDE } from '../skeleton/matrices.js';
import { planBoneSegments } from '../skeleton/plan-bone-segments.js';
import { measureTurn } from './measure-turn.js';
import type { Coarseness } from './plan-coarseness.js';
import type { Crossings } from './plan-crossings.js';

export interface BindMend {
  apply(positions: Float64Array, boneMatrices: Float64Array): void;
}

const ROUNDS = 30;
const STRENGTH = 0.3;
/** Largest move, in local thicknesses: what needs more is left as it is. */
const LIMIT = 0.25;
/** Turn of a joint from which the mend counts fully. */
const TURNED = (5 * Math.PI) / 180;

/** Undefined where there is nothing to mend. */
export function planBindMend(
  character: Character,
  crossings: Crossings,
  { thickness }: Coarseness,
): BindMend | undefined {
  const { surface, binding, skeleton } = character;
  const moves = planMoves(character, crossings, thickness);
  const vertices = Uint32Array.from({ length: surface.vertexCount }, (_, k) => k).filter((k) =>
    moves.subarray(3 * k, 3 * k + 3).some((d) => d !== 0),
  );
  if (vertices.length === 0) return undefined;
  const { parents } = planBoneSegments(skeleton);

  function measureAmount(boneMatrices: Float64Array): number {
    let cosine = 1;
    for (let i = 0; i < parents.length; i++) {
      if (parents[i]! >= 0) cosine = Math.min(cosine, measureTurn(boneMatrices, i, parents[i]!));
    }
    // Rounding of the cosine is no turn.
    const z = Math.min(1, Math.max(0, 1 - 1e-9 - cosine) / (1 - Math.cos(TURNED)));
    return z * z * (3 - 2 * z);
  }

  return {
    apply(positions, boneMatrices) {
      const amount = measureAmount(boneMatrices);
      if (amount === 0) return;
      for (let n = 0; n < vertices.length; n++) {
        const k = vertices[n]!;
        for (let e = binding.offsets[k]!; e < binding.offsets[k + 1]!; e++) {
          const m = BONE_STRIDE * binding.bones[e]!;
          const w = amount * binding.weights[e]!;
          for (let r = 0; r < 3; r++) {
            positions[3 * k + r]! +=
              w *
              (boneMatrices[m + r]! * moves[3 * k]! +
                boneMatrices[m + 3 + r]! * moves[3 * k + 1]! +
                boneMatrices[m + 6 + r]! * moves[3 * k + 2]!);
          }
        }
      }
    },
  };
}

/** d̄, #V×3; 0 everywhere where that does not help. */
function planMoves({ surface }: Character, crossings: Crossings, thickness: Float64Array): Float64Array {
  const { triangles, triangleComponent, neighbours, vertexCount, positions: rest } = surface;
  const x = rest.slice();
  const listed = new Set<number>();
  const find = (positions: Float64Array): number => {
    listed.clear();
    for (let k = 0; k < vertexCount; k++) crossings.mark(k);
    const count = crossings.find(positions, (a, b) => {
      if (triangleComponent[a] !== triangleComponent[b]) return false;
      for (let c = 0; c < 3; c++) listed.add(triangles[3 * a + c]!).add(triangles[3 * b + c]!);
      return true;
    });
    crossings.clear();
    return count;
  };
  const before = find(x);
  let count = before;
  for (let round = 0; round < ROUNDS && count > 0; round++) {
    const from = x.slice();
    for (const k of listed) smoothVertex(x, from, rest, k, neighbours, LIMIT * thickness[k]!);
    count = find(x);
  }
  return count < before ? x.map((value, i) => value - rest[i]!) : new Float64Array(x.length);
}

/** Moves vertex k towards the mean of its neighbours, but not further than `limit` from where it was. */
function smoothVertex(
  x: Float64Array,
  from: Float64Array,
  rest: Float64Array,
  k: number,
  { offsets, values }: { offsets: Uint32Array; values: Uint32Array },
  limit: number,
): void {
  const ring = values.subarray(offsets[k]!, offsets[k + 1]!);
  const move = [0, 1, 2].map((r) => {
    const mean = ring.reduce((sum, j) => sum + from[3 * j + r]!, 0) / ring.length;
    return from[3 * k + r]! + STRENGTH * (mean - from[3 * k + r]!) - rest[3 * k + r]!;
  });
  const share = Math.min(1, limit / (Math.hypot(...move) || 1));
  for (let r = 0; r < 3; r++) x[3 * k + r] = rest[3 * k + r]! + share * move[r]!;
}
