/**
 * Twin of every half-edge of a closed, oriented triangle mesh. Half-edge h = 3t + n runs from corner n of triangle t to the
 * next. Linear: half-edges are chained by their lower vertex, a chain holds one vertex's edges. NO_TWIN where there is none.
 */
export const NO_TWIN = 0xffffffff;

export function createTwins(triangles: Uint32Array, vertexCount: number): Uint32Array {
  const twins = new Uint32Array(triangles.length).fill(NO_TWIN);
  const head = new Int32Array(vertexCount).fill(-1);
  const next = new Int32Array(triangles.length);
  for (let h = 0; h < triangles.length; h++) {
    const a = triangles[h]!;
    const b = triangles[nextHalfEdge(h)]!;
    const low = Math.min(a, b);
    let other = head[low]!;
    while (
      other >= 0 &&
      !(triangles[other] === b && triangles[nextHalfEdge(other)] === a && twins[other] === NO_TWIN)
    ) {
      other = next[other]!;
    }
    if (other >= 0) {
      twins[h] = other;
      twins[other] = h;
    }
    next[h] = head[low]!;
    head[low] = h;
  }
  return twins;
}

export function nextHalfEdge(h: number): number {
  return h % 3 === 2 ? h - 2 : h + 1;
}

export function previousHalfEdge(h: number): number {
  return h % 3 === 0 ? h + 2 : h - 1;
}
