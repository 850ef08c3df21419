/**
 * F4. Smooths the skin where it is crumpled: where an edge is folded much more than at rest.
 *
 *   d_e = cos θ̄_e − cos θ_e,   w_e = smoothstep((d_e − FLAT)/(SHARP − FLAT)),   x_k ← x_k + ½ w_k (mean of its neighbours − x_k)
 *
 * θ  angle between the normals of the two triangles of an edge;  w_k  the largest w of the triangles at vertex k, spread over
 * some rings, weighted with the length of real crossings.  A continuous function of the positions, and nothing at all where nothing is folded. Edges between bones that
 * are turned by less than STRAIGHT against each other are not looked at.
 *
 * Complexity: O(edges around bent joints).
 */
import type { Character } from '../character/character.js';
import { measureTurn } from './measure-turn.js';
import type { Coarseness } from './plan-coarseness.js';
import type { Crossings, CrossingVisitor } from './plan-crossings.js';
import { FLAT, foldCosine, planFolds } from './plan-folds.js';

export interface Relaxation {
  /** Smooths `positions`; returns the number of vertices that it moved. */
  apply(positions: Float64Array, boneMatrices: Float64Array): number;
  /** Forgets what the last `apply` did. */
  clear(): void;
  /** The vertices that the last `apply` moved, and where it put them, ×3. */
  readonly vertices: Uint32Array;
  readonly places: Float64Array;
  /** w of every vertex, #V: 0 where it did nothing. */
  readonly weights: Float64Array;
}

const SHARP = 1.2;
/** A crossing of this length, relative to the mean edge, counts fully. */
const DEEP = 0.25;
/** Triangles that were further apart at rest (in local thicknesses) did not crumple: they touch. */
const NEAR = 0.7;
const FAR = 1.2;
/** Largest move, in local thicknesses; on coarse surfaces, where a vertex is a whole knuckle or paw. */
const LIMIT = 1.5;
const COARSE_LIMIT = 0.3;
const ROUNDS = 4;
const ITERATIONS = 4;
const RINGS = 1;
/** What is left of w one ring further. */
const SPREAD = 0.7;
const STRENGTH = 0.7;
/** Strain of linear skinning below which an edge does not fold: its triangles turn by less than asin of that. */
const STRAIN = 0.3;
/** Cosine of the turn between two bones below which nothing folds. */
const STRAIGHT = Math.cos((25 * Math.PI) / 180);

export function planRelaxation(
  character: Character,
  crossings: Crossings,
  { thickness, coarse }: Coarseness,
): Relaxation {
  const { surface } = character;
  const longest = coarse ? COARSE_LIMIT : LIMIT;
  const { triangles, corners, neighbours } = surface;
  const { offsets, values } = neighbours;
  const count = surface.vertexCount;
  const plan = planFolds(character);
  /** w of the folds, spread to the triangles that may cross, #T. */
  const folds = new Float64Array(triangles.length / 3);
  const weights = new Float64Array(count);
  const next = new Float64Array(count);
  const listed = new Uint8Array(count);
  const list = new Uint32Array(count);
  const moved = new Float64Array(3 * count);
  const total = new Float64Array(count);
  const movedVertices = new Uint32Array(count);
  const origins = new Float64Array(3 * count);
  const places = new Float64Array(3 * count);
  let size = 0;
  let movedCount = 0;

  function apply(positions: Float64Array, boneMatrices: Float64Array): number {
    clear();
    if (!findFolds(positions, boneMatrices)) return 0;
    for (let round = 0; round < ROUNDS; round++) {
      size = 0;
      if (crossings.find(positions, weighPair) === 0) break;
      for (let ring = 0; ring < RINGS; ring++) spread();
      remember(positions);
      for (let n = 0; n < ITERATIONS; n++) smooth(positions);
      keep();
    }
    crossings.clear();
    folds.fill(0);
    limit(positions);
    for (let i = 0; i < movedCount; i++) {
      for (let r = 0; r < 3; r++) places[3 * i + r] = positions[3 * movedVertices[i]! + r]!;
    }
    return movedCount;
  }

  function remember(positions: Float64Array): void {
    for (let i = 0; i < size; i++) {
      const k = list[i]!;
      if (total[k] === 0) for (let r = 3 * k; r < 3 * k + 3; r++) origins[r] = positions[r]!;
    }
  }

  /** No vertex goes further than a share of the local thickness: |d| ← |d|/(1 + (|d|/limit)⁴)^¼. */
  function limit(positions: Float64Array): void {
    for (let i = 0; i < movedCount; i++) {
      const k = 3 * movedVertices[i]!;
      let square = 0;
      for (let r = k; r < k + 3; r++) square += (positions[r]! - origins[r]!) ** 2;
      const z = square / (longest * thickness[k / 3]!) ** 2;
      const share = z > 0 ? 1 / Math.sqrt(Math.sqrt(1 + z * z)) : 1;
      for (let r = k; r < k + 3; r++) positions[r] = origins[r]! + share * (positions[r]! - origins[r]!);
    }
  }

  function clear(): void {
    for (let i = 0; i < movedCount; i++) total[movedVertices[i]!] = 0;
    movedCount = 0;
  }

  /** Remembers who was moved, and clears the weights for the next round. */
  function keep(): void {
    for (let i = 0; i < size; i++) {
      const k = list[i]!;
      if (total[k] === 0) movedVertices[movedCount++] = k;
      if (weights[k]! > total[k]!) total[k] = weights[k]!;
      weights[k] = 0;
      listed[k] = 0;
    }
    size = 0;
  }

  /** 1 where two triangles were neighbours at rest, 0 where they were further apart than the body is thick. */
  function measureNear(a: number, b: number): number {
    const x = surface.positions;
    let square = Number.POSITIVE_INFINITY;
    let thick = Number.POSITIVE_INFINITY;
    for (let c = 0; c < 3; c++) {
      const i = triangles[3 * a + c]!;
      thick = Math.min(thick, thickness[i]!, thickness[triangles[3 * b + c]!]!);
      for (let d = 0; d < 3; d++) {
        const j = triangles[3 * b + d]!;
        const s =
          (x[3 * i]! - x[3 * j]!) ** 2 + (x[3 * i + 1]! - x[3 * j + 1]!) ** 2 + (x[3 * i + 2]! - x[3 * j + 2]!) ** 2;
        if (s < square) square = s;
      }
    }
    const z = Math.min(1, Math.max(0, (FAR * thick - Math.sqrt(square)) / ((FAR - NEAR) * thick)));
    return z * z * (3 - 2 * z);
  }

  /** Weighs the triangles around folded edges and marks their nodes; false when nothing is folded. */
  function findFolds(positions: Float64Array, boneMatrices: Float64Array): boolean {
    let any = false;
    for (let g = 0; g < plan.bones.length / 2; g++) {
      const turn = measureTurn(boneMatrices, plan.bones[2 * g]!, plan.bones[2 * g + 1]!);
      if (turn > STRAIGHT) continue;
      const least = STRAIN / Math.sqrt(2 - 2 * turn);
      for (let e = plan.offsets[g]!; e < plan.offsets[g + 1]! && plan.strains[e]! > least; e++) {
        const cosine = foldCosine(positions, plan.corners, 4 * e, plan.flat[e]!);
        const drop = (plan.rest[e]! - cosine - FLAT) / (SHARP - FLAT);
        if (!(drop > 0)) continue;
        any = true;
        const w = drop < 1 ? drop * drop * (3 - 2 * drop) : 1;
        for (let c = 4 * e; c < 4 * e + 4; c++) {
          const k = plan.corners[c]!;
          crossings.mark(k);
          for (let i = corners.offsets[k]!; i < corners.offsets[k + 1]!; i++) {
            const t = (corners.values[i]! / 3) | 0;
            if (w > folds[t]!) folds[t] = w;
          }
        }
      }
    }
    return any;
  }

  const weighPair: CrossingVisitor = (a, b, length) => {
    const fold = Math.min(folds[a]!, folds[b]!);
    if (fold === 0 || surface.triangleComponent[a] !== surface.triangleComponent[b]) return false;
    const near = measureNear(a, b);
    if (near === 0) return false;
    const z = Math.min(1, length / DEEP);
    const w = near * fold * z * z * (3 - 2 * z);
    for (let c = 0; c < 6; c++) {
      const k = triangles[c < 3 ? 3 * a + c : 3 * b + c - 3]!;
      if (listed[k] === 0) {
        listed[k] = 1;
        list[size++] = k;
      }
      if (w > weights[k]!) weights[k] = w;
    }
    return true;
  };

  /** One ring more: w_k = max(w_k, SPREAD · largest w of its neighbours). */
  function spread(): void {
    let end = size;
    for (let i = 0; i < size; i++) {
      const k = list[i]!;
      for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
        const j = values[e]!;
        if (listed[j] !== 0) continue;
        listed[j] = 1;
        list[end++] = j;
      }
    }
    for (let i = 0; i < end; i++) {
      const k = list[i]!;
      let most = 0;
      for (let e = offsets[k]!; e < offsets[k + 1]!; e++) most = Math.max(most, weights[values[e]!]!);
      next[k] = Math.max(weights[k]!, SPREAD * most);
    }
    for (let i = 0; i < end; i++) weights[list[i]!] = next[list[i]!]!;
    size = end;
  }

  function smooth(positions: Float64Array): void {
    for (let i = 0; i < size; i++) {
      const k = list[i]!;
      const from = offsets[k]!;
      const to = offsets[k + 1]!;
      let x = 0;
      let y = 0;
      let z = 0;
      for (let e = from; e < to; e++) {
        const j = 3 * values[e]!;
        x += positions[j]!;
        y += positions[j + 1]!;
        z += positions[j + 2]!;
      }
      const share = 1 / (to - from);
      const w = STRENGTH * weights[k]!;
      moved[3 * i] = positions[3 * k]! + w * (share * x - positions[3 * k]!);
      moved[3 * i + 1] = positions[3 * k + 1]! + w * (share * y - positions[3 * k + 1]!);
      moved[3 * i + 2] = positions[3 * k + 2]! + w * (share * z - positions[3 * k + 2]!);
    }
    for (let i = 0; i < size; i++) {
      const k = 3 * list[i]!;
      positions[k] = moved[3 * i]!;
      positions[k + 1] = moved[3 * i + 1]!;
      positions[k + 2] = moved[3 * i + 2]!;
    }
  }

  return { apply, clear, vertices: movedVertices, places, weights: total };
}
