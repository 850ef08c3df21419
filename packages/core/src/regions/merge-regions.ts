/**
 * E3, C15. How many regions a mesh can carry: a region whose shape adds most of its flesh to others cannot be met, and joins one.
 *
 *   own_s = min_p J_p,ss / Σ_t |J_p,ts|   <  LEAST_OWN   →   s joins the region that it is coupled to most
 *
 * J_p = ∂V/∂λ at rest and at sampled poses p. Shapes add, φ_{s∪t} = φ_s + φ_t, so rows and columns of J do, and nothing is measured
 * twice. The poses come from the skeleton alone (create-bends.ts), so that a bake, a measurement and a runtime without clips cut alike.
 * O(poses · #V + K³).
 */

import { createRegionEvaluator } from '../correction/evaluate-regions.js';
import type { VertexValues } from '../correction/plan-bases.js';
import type { SolverContext } from '../correction/volume-solver.js';
import { skinLinear } from '../kernels/reference-kernels.js';
import { BONE_STRIDE } from '../skeleton/matrices.js';
import { createExtendedPositions } from '../volume/measure-region-volumes.js';
import { createBends } from './create-bends.js';
import { joinMates } from './join-mates.js';

/**
 * Least share of a shape's flesh that must land in its own region. Measured (docs/decisions/shapes.md): below it regions of a few
 * triangles ask for amounts that turn them inside out; from 0.2 on necks and shoulders begin to melt into the trunk.
 */
const LEAST_OWN = 0.15;

/** Region → joined region, numbered in order of appearance. */
export function mergeRegions(context: SolverContext, directions: Float64Array, shapes: VertexValues): Uint32Array {
  const K = context.volumes.regionCount;
  const responses = measureResponses(context, directions, shapes);
  const owner = Uint32Array.from({ length: K }, (_, s) => s);
  const alive = new Set(owner);
  const mates = context.regions.mates.slice();
  const partnerOf = (s: number) => findPartner(responses, s, alive, K, mates);
  const join = (from: number, into: number): void => {
    for (const J of responses) addRegion(J, from, into, K);
    for (let s = 0; s < K; s++) if (owner[s] === from) owner[s] = into;
    alive.delete(from);
  };
  for (;;) {
    let weakest = -1;
    let least = LEAST_OWN;
    for (const s of alive) {
      const own = measureOwnShare(responses, s, alive, K);
      if (own >= least || partnerOf(s) < 0) continue;
      least = own;
      weakest = s;
    }
    if (weakest < 0) break;
    joinMates(mates, weakest, partnerOf(weakest), partnerOf, join);
  }
  const number = new Map<number, number>();
  return owner.map((root) => {
    if (!number.has(root)) number.set(root, number.size);
    return number.get(root)!;
  });
}

/** |J| at rest and at the sampled poses, K×K by rows. */
function measureResponses(context: SolverContext, directions: Float64Array, shapes: VertexValues): Float64Array[] {
  const { character, volumes, regions } = context;
  const { vertexCount, positions } = character.surface;
  const evaluator = createRegionEvaluator(context, shapes);
  const extended = createExtendedPositions(volumes);
  const turned = new Float64Array(3 * vertexCount);
  const skin = { positions, directions, ...character.binding };
  const bones = new Float64Array(BONE_STRIDE * character.skeleton.boneCount);
  return createBends(regions.segments).map((bend) => {
    bend(bones);
    skinLinear({ positions: extended, directions: turned }, skin, bones, 0, vertexCount);
    evaluator.measureVolumes(extended);
    evaluator.measureJacobian(turned);
    return evaluator.jacobian.slice();
  });
}

function measureOwnShare(responses: readonly Float64Array[], s: number, alive: ReadonlySet<number>, K: number): number {
  let least = 1;
  for (const J of responses) {
    let all = 0;
    for (const t of alive) all += Math.abs(J[t * K + s]!);
    if (all > 0) least = Math.min(least, J[s * K + s]! / all);
  }
  return least;
}

/**
 * The region that moves, and is moved by, `s` most; −1 where none does: a component of one region. What lies in the middle of a body
 * joins the middle, if it can.
 */
function findPartner(
  responses: readonly Float64Array[],
  s: number,
  alive: ReadonlySet<number>,
  K: number,
  mates: Int32Array,
): number {
  let best = -1;
  let most = 0;
  const isMiddle = (t: number) => mates[s] !== s || mates[t] === t;
  for (const t of alive) {
    if (t === s) continue;
    let coupling = 0;
    for (const J of responses) coupling += Math.abs(J[s * K + t]!) + Math.abs(J[t * K + s]!);
    if (!(coupling > 0)) continue;
    if (best < 0 || (isMiddle(t) === isMiddle(best) ? coupling > most : isMiddle(t))) {
      most = coupling;
      best = t;
    }
  }
  return best;
}

/** Adds the row and the column of region `from` to those of `into`. */
function addRegion(J: Float64Array, from: number, into: number, K: number): void {
  for (let t = 0; t < K; t++) J[into * K + t]! += J[from * K + t]!;
  for (let t = 0; t < K; t++) J[t * K + into]! += J[t * K + from]!;
}
