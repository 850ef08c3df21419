/**
 * The triangles of a refinement at the levels of this frame: rebuilt only when the levels change, in memory taken once.
 *
 * A new vertex is in use when a patch beside its edge is split far enough; a small triangle with one, two or three used
 * vertices on its edges becomes two, three or four. The same rule, on source vertices, gives the parts of a file
 * (`planPartRefinement`), so UV seams stay closed. O(small triangles) per change.
 */
import { levelOffset, NO_VERTEX, type Patches, type RefinementPlan } from './plan-refinement.js';

export interface RefinedTopology {
  /** Level of every patch, as of the last update. */
  readonly levels: Uint8Array;
  /** 1 for vertices in use, #vertices; old ones always are. */
  readonly used: Uint8Array;
  /** The others, coarse to fine: the first `unusedCount` hold. */
  readonly unused: Uint32Array;
  unusedCount: number;
  /** ×3, the first `triangleCount` hold. */
  readonly triangles: Uint32Array;
  triangleCount: number;
  /** Grows with every change of the triangles. */
  version: number;
  /** Takes over the levels of the patches; true when the triangles changed. */
  update(levels: Uint8Array): boolean;
}

export function createRefinedTopology(plan: RefinementPlan): RefinedTopology {
  const { patches, still, baseCount, vertexCount } = plan;
  const used = new Uint8Array(vertexCount).fill(1);
  const levels = Uint8Array.from(patches.triangles, (t) => plan.levels[t]!);
  const capacity = still.length + 3 * countSmall(patches, levels, used);
  const triangles = new Uint32Array(capacity);
  triangles.set(still);
  const unused = new Uint32Array(vertexCount - baseCount);
  const topology: RefinedTopology = {
    levels,
    used,
    unused,
    unusedCount: 0,
    triangles,
    triangleCount: 0,
    version: 0,
    update(next) {
      let same = topology.version > 0;
      for (let p = 0; p < levels.length && same; p++) same = levels[p] === next[p];
      if (same) return false;
      levels.set(next);
      markUsed(used, patches, levels, baseCount);
      topology.unusedCount = 0;
      for (let v = baseCount; v < vertexCount; v++) if (!used[v]) unused[topology.unusedCount++] = v;
      topology.triangleCount = writeTriangles(triangles, still.length, patches, levels, used) / 3;
      topology.version++;
      return true;
    },
  };
  return topology;
}

function markUsed(used: Uint8Array, { count, first, mids }: Patches, levels: Uint8Array, baseCount: number): void {
  used.fill(0, baseCount);
  for (let p = 0; p < count; p++) {
    const end = 3 * (first[p]! + levelOffset(levels[p]!));
    for (let i = 3 * first[p]!; i < end; i++) used[mids[i]!] = 1;
  }
}

function countSmall({ count, first, mids }: Patches, levels: Uint8Array, used: Uint8Array): number {
  let sum = 0;
  for (let p = 0; p < count; p++) {
    const start = first[p]! + levelOffset(levels[p]!);
    sum += 4 ** levels[p]!;
    for (let i = 3 * start; i < 3 * (start + 4 ** levels[p]!); i++) if (mids[i] !== NO_VERTEX && used[mids[i]!]) sum++;
  }
  return sum;
}

/**
 * Writes the triangles of all patches from out[at] on and returns where they end.
 *
 * @param levels level of every patch, #patches
 * @param used 1 for vertices in use, by the number that `toRefined` gives (default: the vertex itself)
 */
export function writeTriangles(
  out: Uint32Array,
  at: number,
  { count, first, corners, mids }: Patches,
  levels: Uint8Array,
  used: Uint8Array,
  toRefined?: Uint32Array,
): number {
  for (let p = 0; p < count; p++) {
    const start = 3 * (first[p]! + levelOffset(levels[p]!));
    const end = start + 3 * 4 ** levels[p]!;
    for (let i = start; i < end; i += 3) {
      let a = corners[i]!;
      let b = corners[i + 1]!;
      let c = corners[i + 2]!;
      let ab = pick(mids[i]!, used, toRefined);
      let bc = pick(mids[i + 1]!, used, toRefined);
      let ca = pick(mids[i + 2]!, used, toRefined);
      const n = (ab === NO_VERTEX ? 0 : 1) + (bc === NO_VERTEX ? 0 : 1) + (ca === NO_VERTEX ? 0 : 1);
      // Turn the triangle until its odd edge is ab: the split one of one, the whole one of two.
      for (let k = 0; k < 2 && (n === 1 ? ab === NO_VERTEX : n === 2 && ab !== NO_VERTEX); k++) {
        const x = a;
        const xy = ab;
        a = b;
        b = c;
        c = x;
        ab = bc;
        bc = ca;
        ca = xy;
      }
      if (n === 0) at = put(out, at, a, b, c);
      else if (n === 1) {
        at = put(out, at, a, ab, c);
        at = put(out, at, ab, b, c);
      } else if (n === 2) {
        at = put(out, at, c, ca, bc);
        // The diagonal starts at the lower vertex, whatever the numbering of the part and the turn of the triangle.
        const low = toRefined ? toRefined[a]! < toRefined[b]! : a < b;
        at = put(out, at, a, b, low ? bc : ca);
        at = low ? put(out, at, a, bc, ca) : put(out, at, b, bc, ca);
      } else {
        at = put(out, at, a, ab, ca);
        at = put(out, at, ab, b, bc);
        at = put(out, at, ca, bc, c);
        at = put(out, at, ab, bc, ca);
      }
    }
  }
  return at;
}

function pick(mid: number, used: Uint8Array, toRefined: Uint32Array | undefined): number {
  return mid !== NO_VERTEX && used[toRefined ? toRefined[mid]! : mid] ? mid : NO_VERTEX;
}

function put(out: Uint32Array, at: number, a: number, b: number, c: number): number {
  out[at] = a;
  out[at + 1] = b;
  out[at + 2] = c;
  return at + 3;
}
