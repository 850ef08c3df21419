/**
 * Turns triangles round, in place, where neighbours across a manifold edge (two triangles) disagree about the outside.
 *
 * Each patch that hangs together through manifold edges is walked once; the smaller of its two camps is turned. A patch with
 * a contradiction (a Möbius band) is left as it is, and so is every patch that agrees already. O(#T).
 */
import { type Edges, edgeStart } from './plan-edges.js';

export interface Orientation {
  readonly flipped: number;
  /** Patches that cannot be oriented. */
  readonly contradictions: number;
  /** Their triangles, 1 in each, #T. */
  readonly contradictory: Uint8Array;
}

export function orientTriangles(triangles: Uint32Array, edges: Edges): Orientation {
  const count = triangles.length / 3;
  const edgeOf = new Uint32Array(triangles.length);
  for (let e = 0; e < edges.count; e++) {
    for (let k = edges.offsets[e]!; k < edges.offsets[e + 1]!; k++) edgeOf[edges.halfEdges[k]!] = e;
  }
  const side = new Int8Array(count); // 0 = not seen, ±1 = camp within its patch
  const queue = new Uint32Array(count);
  const turned: number[] = [];
  const contradictory = new Uint8Array(count);
  let contradictions = 0;
  for (let seed = 0, end = 0; seed < count; seed++) {
    if (side[seed] !== 0) continue;
    const begin = end;
    let minority = 0;
    let possible = true;
    side[seed] = 1;
    queue[end++] = seed;
    for (let q = begin; q < end; q++) {
      const t = queue[q]!;
      if (side[t]! < 0) minority++;
      for (let h = 3 * t; h < 3 * t + 3; h++) {
        const first = edges.offsets[edgeOf[h]!]!;
        if (edges.offsets[edgeOf[h]! + 1]! - first !== 2) continue;
        const twin = edges.halfEdges[first]! === h ? edges.halfEdges[first + 1]! : edges.halfEdges[first]!;
        const other = Math.trunc(twin / 3);
        const wanted = edgeStart(triangles, h) !== edgeStart(triangles, twin) ? side[t]! : -side[t]!;
        if (side[other] === 0) {
          side[other] = wanted;
          queue[end++] = other;
        } else if (side[other] !== wanted) possible = false;
      }
    }
    if (!possible) {
      contradictions++;
      for (let q = begin; q < end; q++) contradictory[queue[q]!] = 1;
    } else if (minority > 0) {
      const loser = 2 * minority <= end - begin ? -1 : 1;
      for (let q = begin; q < end; q++) if (side[queue[q]!] === loser) turned.push(queue[q]!);
    }
  }
  for (const t of turned) reverseTriangle(triangles, t);
  return { flipped: turned.length, contradictions, contradictory };
}

export function reverseTriangle(triangles: Uint32Array, t: number): void {
  const b = triangles[3 * t + 1]!;
  triangles[3 * t + 1] = triangles[3 * t + 2]!;
  triangles[3 * t + 2] = b;
}
