/**
 * Local refinement of a triangle mesh (H8), planned once: every vertex and triangle that any frame may need.
 *
 * Triangles asked for level n are split n times into four; around every vertex levels differ by one at most, so that the
 * stencils of a level find their neighbours, and triangles beside a split edge are halved: no cracks. New vertices are
 * numbered behind the old ones, coarse to fine; a vertex is a weighted sum of vertices before it. Which of them are used is
 * decided per frame (`createRefinedTopology`) at no new plan.
 *
 * Shapes: triangles #T×3, levels #T. Complexity: O(#T + new vertices · valence).
 */
import { keyEdge, planButterfly } from './plan-butterfly.js';

export interface RefinementPlan {
  /** Vertices before refinement. */
  readonly baseCount: number;
  /** With all new vertices. */
  readonly vertexCount: number;
  /** New vertex k = baseCount + i is Σ weights · vertices over offsets[i] … offsets[i+1] − 1. */
  readonly stencils: {
    readonly offsets: Uint32Array;
    readonly vertices: Uint32Array;
    readonly weights: Float64Array;
  };
  /** Ends of the edge that a new vertex stands on, #new×2: attributes and skin weights are their means. */
  readonly parents: Uint32Array;
  /** Graded levels of the triangles, #T. */
  readonly levels: Uint8Array;
  readonly patches: Patches;
  /** Triangles that never change, ×3. */
  readonly still: Uint32Array;
}

/** Triangles that may be split, and what they are split into. */
export interface Patches {
  readonly count: number;
  /** Triangle of each patch. */
  readonly triangles: Uint32Array;
  /** Its first small triangle; those of level n start at first + (4ⁿ − 1)/3. */
  readonly first: Uint32Array;
  /** Corners of the small triangles, ×3. */
  readonly corners: Uint32Array;
  /** New vertex on edge k → k+1 of the small triangles, ×3; NO_VERTEX where there is none. */
  readonly mids: Uint32Array;
}

export const NO_VERTEX = 0xffffffff;
/** Most times that a triangle is split. */
export const MOST_LEVELS = 4;

/** Place of the small triangles of a level behind the first of a patch. */
export function levelOffset(level: number): number {
  return (4 ** level - 1) / 3;
}

/** @param touched 1 for triangles that are patches though they are never split, #T */
export function planRefinement(
  triangles: Uint32Array,
  vertexCount: number,
  wanted: ArrayLike<number>,
  touched?: Uint8Array,
): RefinementPlan {
  const levels = gradeLevels(triangles, vertexCount, wanted);
  const most = levels.reduce((a, b) => Math.max(a, b), 0);
  const mids = new Map<number, number>();
  const findMid = (a: number, b: number): number => mids.get(a < b ? keyEdge(a, b) : keyEdge(b, a)) ?? NO_VERTEX;
  const offsets = [0];
  const vertices: number[] = [];
  const weights: number[] = [];
  const parents: number[] = [];
  let count = vertexCount;
  // Small triangles of the level before and the triangle that they lie in.
  let small: number[] = Array.from(triangles);
  let roots: number[] = Array.from(levels.keys());
  for (let level = 1; level <= most; level++) {
    const marked = new Set<number>();
    for (let i = 0; i < roots.length; i++) {
      if (levels[roots[i]!]! >= level) for (let k = 0; k < 3; k++) marked.add(small[3 * i + k]!);
    }
    const near: number[] = [];
    for (let i = 0; i < small.length; i += 3) {
      if (marked.has(small[i]!) || marked.has(small[i + 1]!) || marked.has(small[i + 2]!))
        near.push(small[i]!, small[i + 1]!, small[i + 2]!);
    }
    const butterfly = planButterfly(near);
    const finer: number[] = [];
    const finerRoots: number[] = [];
    for (let i = 0; i < roots.length; i++) {
      if (levels[roots[i]!]! < level) continue;
      const own = [0, 0, 0];
      for (let k = 0; k < 3; k++) {
        const a = small[3 * i + k]!;
        const b = small[3 * i + ((k + 1) % 3)]!;
        own[k] = findMid(a, b);
        if (own[k] !== NO_VERTEX) continue;
        const stencil = butterfly.measureStencil(Math.min(a, b), Math.max(a, b));
        vertices.push(...stencil.vertices);
        weights.push(...stencil.weights);
        offsets.push(vertices.length);
        parents.push(a, b);
        mids.set(keyEdge(Math.min(a, b), Math.max(a, b)), count);
        own[k] = count++;
      }
      pushChildren(finer, small, 3 * i, own);
      for (let k = 0; k < 4; k++) finerRoots.push(roots[i]!);
    }
    small = finer;
    roots = finerRoots;
  }
  const isPatch = (t: number): boolean => {
    if (levels[t]! > 0 || touched?.[t]) return true;
    const [a, b, c] = [triangles[3 * t]!, triangles[3 * t + 1]!, triangles[3 * t + 2]!];
    return findMid(a, b) !== NO_VERTEX || findMid(b, c) !== NO_VERTEX || findMid(c, a) !== NO_VERTEX;
  };
  const list: number[] = [];
  const still: number[] = [];
  for (let t = 0; t < levels.length; t++) {
    if (isPatch(t)) list.push(t);
    else still.push(triangles[3 * t]!, triangles[3 * t + 1]!, triangles[3 * t + 2]!);
  }
  return {
    baseCount: vertexCount,
    vertexCount: count,
    stencils: {
      offsets: Uint32Array.from(offsets),
      vertices: Uint32Array.from(vertices),
      weights: Float64Array.from(weights),
    },
    parents: Uint32Array.from(parents),
    levels,
    patches: planPatches(triangles, list, levels, findMid),
    still: Uint32Array.from(still),
  };
}

/** Levels with which neighbours around every vertex differ by one at most: at least those wanted. */
export function gradeLevels(triangles: Uint32Array, vertexCount: number, wanted: ArrayLike<number>): Uint8Array {
  const levels = Uint8Array.from({ length: triangles.length / 3 }, (_, t) => Math.min(MOST_LEVELS, wanted[t]!));
  const most = levels.reduce((a, b) => Math.max(a, b), 0);
  const marked = new Uint8Array(vertexCount);
  for (let level = most; level > 1; level--) {
    for (let i = 0; i < triangles.length; i++) if (levels[Math.floor(i / 3)]! >= level) marked[triangles[i]!] = 1;
    for (let t = 0; t < levels.length; t++) {
      const isNear = marked[triangles[3 * t]!] || marked[triangles[3 * t + 1]!] || marked[triangles[3 * t + 2]!];
      if (isNear && levels[t]! < level - 1) levels[t] = level - 1;
    }
  }
  return levels;
}

/** The small triangles of every listed triangle at all its levels. `findMid` names the vertex between two, or NO_VERTEX. */
export function planPatches(
  triangles: ArrayLike<number>,
  list: readonly number[],
  levels: ArrayLike<number>,
  findMid: (a: number, b: number) => number,
): Patches {
  const first = new Uint32Array(list.length);
  let total = 0;
  list.forEach((t, p) => {
    first[p] = total;
    total += levelOffset(levels[t]! + 1);
  });
  const corners = new Uint32Array(3 * total);
  const mids = new Uint32Array(3 * total);
  list.forEach((t, p) => {
    let at = 3 * first[p]!;
    let small = [triangles[3 * t]!, triangles[3 * t + 1]!, triangles[3 * t + 2]!];
    for (let level = 0; level <= levels[t]!; level++) {
      const finer: number[] = [];
      for (let i = 0; i < small.length; i += 3) {
        const own = [0, 1, 2].map((k) => findMid(small[i + k]!, small[i + ((k + 1) % 3)]!));
        for (let k = 0; k < 3; k++, at++) {
          corners[at] = small[i + k]!;
          mids[at] = own[k]!;
        }
        if (level < levels[t]!) pushChildren(finer, small, i, own);
      }
      small = finer;
    }
  });
  return { count: list.length, triangles: Uint32Array.from(list), first, corners, mids };
}

/** The three corner triangles and the middle one. */
function pushChildren(out: number[], small: readonly number[], i: number, [ab, bc, ca]: readonly number[]): void {
  const [a, b, c] = [small[i]!, small[i + 1]!, small[i + 2]!];
  out.push(a, ab!, ca!, ab!, b, bc!, ca!, bc!, c, ab!, bc!, ca!);
}
