import { nextHalfEdge, previousHalfEdge } from './half-edges.js';

/**
 * Delaunay flips on a closed manifold: an edge is replaced by the other diagonal of its two triangles when the angles opposite
 * to it sum to more than π, the diagonal is not an edge already and no triangle turns over. Changes `triangles` and `twins` in
 * place; vertices, their number and the topology stay. Sweeps until nothing changes, at most `sweeps`. Returns the flips.
 */
export function flipEdges(triangles: Uint32Array, twins: Uint32Array, positions: Float64Array, sweeps: number): number {
  let total = 0;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let flips = 0;
    for (let h = 0; h < triangles.length; h++) {
      if (h < twins[h]! && shouldFlip(triangles, twins, positions, h)) {
        flip(triangles, twins, h);
        flips++;
      }
    }
    total += flips;
    if (flips === 0) break;
  }
  return total;
}

const normals = new Float64Array(12);

function shouldFlip(triangles: Uint32Array, twins: Uint32Array, p: Float64Array, h: number): boolean {
  const twin = twins[h]!;
  const a = triangles[h]!;
  const b = triangles[twin]!;
  const c = triangles[previousHalfEdge(h)]!;
  const d = triangles[previousHalfEdge(twin)]!;
  if (cotangent(p, c, a, b) + cotangent(p, d, b, a) >= -1e-9) return false;
  // The two new triangles must face the way the two old ones do together: no fold, no bump cut off.
  writeNormal(0, p, a, b, c);
  writeNormal(3, p, b, a, d);
  writeNormal(6, p, a, d, c);
  writeNormal(9, p, d, b, c);
  const mx = normals[0]! + normals[3]!;
  const my = normals[1]! + normals[4]!;
  const mz = normals[2]! + normals[5]!;
  if (normals[6]! * mx + normals[7]! * my + normals[8]! * mz <= 0) return false;
  if (normals[9]! * mx + normals[10]! * my + normals[11]! * mz <= 0) return false;
  // Valence 3 at an end, or an existing edge c–d, would make the surface non-manifold.
  if (!hasFourEdges(twins, h) || !hasFourEdges(twins, twin)) return false;
  const start = previousHalfEdge(h);
  for (let e = start, first = true; first || e !== start; first = false) {
    if (triangles[nextHalfEdge(e)] === d) return false;
    e = twins[previousHalfEdge(e)]!;
  }
  return true;
}

/** Whether more than three edges leave the vertex that half-edge h leaves. */
function hasFourEdges(twins: Uint32Array, h: number): boolean {
  let e = h;
  for (let valence = 1; valence <= 3; valence++) {
    e = twins[previousHalfEdge(e)]!;
    if (e === h) return false;
  }
  return true;
}

/** [a b c] [b a d] → [a d c] [d b c]. */
function flip(triangles: Uint32Array, twins: Uint32Array, h: number): void {
  const g = twins[h]!;
  const [bc, ca] = [nextHalfEdge(h), previousHalfEdge(h)];
  const [ad, db] = [nextHalfEdge(g), previousHalfEdge(g)];
  const c = triangles[ca]!;
  const d = triangles[db]!;
  const [outerBC, outerAD] = [twins[bc]!, twins[ad]!];
  // h: a→d, bc: d→c, ca: c→a;   g: b→c, ad: c→d, db: d→b.
  triangles[bc] = d;
  triangles[ad] = c;
  twins[h] = outerAD;
  twins[outerAD] = h;
  twins[g] = outerBC;
  twins[outerBC] = g;
  twins[bc] = ad;
  twins[ad] = bc;
}

/** Cotangent of the angle at c in the triangle c, a, b. */
function cotangent(p: Float64Array, c: number, a: number, b: number): number {
  writeNormal(0, p, c, a, b);
  const sine = Math.sqrt(normals[0]! ** 2 + normals[1]! ** 2 + normals[2]! ** 2);
  let cosine = 0;
  for (let k = 0; k < 3; k++) cosine += (p[3 * a + k]! - p[3 * c + k]!) * (p[3 * b + k]! - p[3 * c + k]!);
  return cosine / Math.max(sine, 1e-300);
}

function writeNormal(at: number, p: Float64Array, a: number, b: number, c: number): void {
  const ux = p[3 * b]! - p[3 * a]!;
  const uy = p[3 * b + 1]! - p[3 * a + 1]!;
  const uz = p[3 * b + 2]! - p[3 * a + 2]!;
  const vx = p[3 * c]! - p[3 * a]!;
  const vy = p[3 * c + 1]! - p[3 * a + 1]!;
  const vz = p[3 * c + 2]! - p[3 * a + 2]!;
  normals[at] = uy * vz - uz * vy;
  normals[at + 1] = uz * vx - ux * vz;
  normals[at + 2] = ux * vy - uy * vx;
}
