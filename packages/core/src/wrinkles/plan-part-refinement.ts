/**
 * The refinement of a surface carried to one source part (a glTF primitive, a three.js mesh): vertices that differ only in UV
 * or normal get new vertices on their own side of the seam, which share one refined vertex, so seams stay closed.
 *
 * Shapes: triangles of the part ×3 over its source vertices; `welded` source → welded. O(triangles of the part).
 */
import { writeTriangles } from './create-refined-topology.js';
import { keyEdge } from './plan-butterfly.js';
import { NO_VERTEX, planPatches, type RefinementPlan } from './plan-refinement.js';

/** What a part needs of a plan: plain data, for whoever draws elsewhere. */
export type PartPlan = Pick<RefinementPlan, 'baseCount' | 'vertexCount' | 'parents' | 'levels' | 'patches'>;

export interface PartRefinement {
  /** Source vertices before refinement, and with all new ones. */
  readonly baseCount: number;
  readonly vertexCount: number;
  /** Ends of the edge that a new vertex stands on, #new×2, source vertices: attributes are their means. */
  readonly parents: Uint32Array;
  /** Source vertex → refined vertex, all. */
  readonly toRefined: Uint32Array;
  /** Largest number of indices that `write` gives. */
  readonly capacity: number;
  /**
   * Writes the triangles at the levels of a refined surface (`levels`, `used`) to `out` and returns how many indices. Groups
   * stay together, in their order: `ends`, if given, is filled with the end of each.
   */
  write(out: Uint32Array, levels: Uint8Array, used: Uint8Array, ends?: Uint32Array): number;
}

/**
 * @param baseTriangles triangles of the surface ×3 that the plan was made for
 * @param groups first triangle of every group of the part (materials); default one group
 */
export function planPartRefinement(
  plan: PartPlan,
  baseTriangles: Uint32Array,
  triangles: ArrayLike<number>,
  welded: Uint32Array,
  groups: readonly number[] = [0],
): PartRefinement {
  const midOf = listMids(plan);
  const patchOf = listPatches(plan, baseTriangles);
  const parents: number[] = [];
  const toRefined = Array.from(welded);
  const own = new Map<number, number>();
  const findMid = (i: number, j: number): number => {
    const [a, b] = [toRefined[i]!, toRefined[j]!];
    const refined = midOf.get(a < b ? keyEdge(a, b) : keyEdge(b, a));
    if (refined === undefined) return NO_VERTEX;
    const key = i < j ? keyEdge(i, j) : keyEdge(j, i);
    let mid = own.get(key);
    if (mid === undefined) {
      mid = toRefined.push(refined) - 1;
      own.set(key, mid);
      parents.push(i, j);
    }
    return mid;
  };
  const pieces = groups.map((first, g) => {
    const list: number[] = [];
    const patchIndex: number[] = [];
    const still: number[] = [];
    const partLevels = new Uint8Array(triangles.length / 3);
    for (let t = first; t < (groups[g + 1] ?? triangles.length / 3); t++) {
      const corners = [triangles[3 * t]!, triangles[3 * t + 1]!, triangles[3 * t + 2]!] as const;
      const patch = patchOf.get(keyTriangle(welded[corners[0]]!, welded[corners[1]]!, welded[corners[2]]!));
      if (patch === undefined) still.push(...corners);
      else {
        list.push(t);
        patchIndex.push(patch);
        partLevels[t] = plan.levels[plan.patches.triangles[patch]!]!;
      }
    }
    const patches = planPatches(triangles, list, partLevels, findMid);
    return { still: Uint32Array.from(still), patches, patchIndex, levels: new Uint8Array(list.length) };
  });
  const refinedOf = Uint32Array.from(toRefined);
  const write: PartRefinement['write'] = (out, levels, used, ends) => {
    let at = 0;
    for (let g = 0; g < pieces.length; g++) {
      const { still, patches, patchIndex, levels: own } = pieces[g]!;
      for (let p = 0; p < own.length; p++) own[p] = levels[patchIndex[p]!]!;
      out.set(still, at);
      at = writeTriangles(out, at + still.length, patches, own, used, refinedOf);
      if (ends) ends[g] = at;
    }
    return at;
  };
  const fullest = Uint8Array.from(plan.patches.triangles, (t) => plan.levels[t]!);
  const bound = pieces.reduce((sum, { still, patches }) => sum + still.length + 4 * patches.corners.length, 0);
  return {
    baseCount: welded.length,
    vertexCount: refinedOf.length,
    parents: Uint32Array.from(parents),
    toRefined: refinedOf,
    capacity: write(new Uint32Array(bound), fullest, new Uint8Array(plan.vertexCount).fill(1)),
    write,
  };
}

/** Edge of refined vertices → the new vertex on it. */
function listMids({ parents, baseCount }: PartPlan): Map<number, number> {
  const mids = new Map<number, number>();
  for (let i = 0; 2 * i < parents.length; i++) {
    const [a, b] = [parents[2 * i]!, parents[2 * i + 1]!];
    mids.set(a < b ? keyEdge(a, b) : keyEdge(b, a), baseCount + i);
  }
  return mids;
}

function listPatches({ patches }: PartPlan, triangles: Uint32Array): Map<string, number> {
  const out = new Map<string, number>();
  for (let p = 0; p < patches.count; p++) {
    const t = 3 * patches.triangles[p]!;
    out.set(keyTriangle(triangles[t]!, triangles[t + 1]!, triangles[t + 2]!), p);
  }
  return out;
}

/** The same for all turns of a triangle. */
function keyTriangle(a: number, b: number, c: number): string {
  const low = Math.min(a, b, c);
  const high = Math.max(a, b, c);
  return `${low} ${a + b + c - low - high} ${high}`;
}
