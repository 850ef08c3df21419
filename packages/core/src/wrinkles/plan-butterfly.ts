/**
 * Where modified butterfly subdivision puts the new vertex of an edge (H8): affine weights on old vertices.
 *
 *   regular      ½(a+b) + ⅛(c+d) − 1/16 Σ wings; a missing wing is reflected, u + v − z, so that the rule stays affine
 *   extraordinary at a, valence K: ¾ a + Σ_j s_j b_j, b_0 = b, in turn around a:
 *                K = 3: 5/12, −1/12, −1/12;  K = 4: ⅜, 0, −⅛, 0;  else s_j = (¼ + cos(2πj/K) + ½ cos(4πj/K))/K
 *                at both ends: the mean of the two
 *   crease       −1/16, 9/16, 9/16, −1/16 along the border (also where more than two triangles meet)
 *
 * Complexity: plan O(triangles), a stencil O(valence); planning only, so it allocates.
 * Based on: Zorin, Schröder, Sweldens, Interpolating Subdivision for Meshes with Arbitrary Topology, 1996.
 */

/** Weights on vertices; they sum to 1. */
export interface Stencil {
  readonly vertices: number[];
  readonly weights: number[];
}

export interface Butterfly {
  /** Stencil of the new vertex between a and b, which share an edge of the triangles. */
  measureStencil(a: number, b: number): Stencil;
}

/** Two vertex numbers as one key: both below 2²⁶. */
export function keyEdge(a: number, b: number): number {
  return a * 67108864 + b;
}

const MANY = -2;

/** @param corners triangles ×3, oriented; every triangle at the ends of the edges that will be asked for */
export function planButterfly(corners: ArrayLike<number>): Butterfly {
  // Directed edge → the third vertex of its triangle.
  const opposite = new Map<number, number>();
  for (let i = 0; i < corners.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const key = keyEdge(corners[i + k]!, corners[i + ((k + 1) % 3)]!);
      opposite.set(key, opposite.has(key) ? MANY : corners[i + ((k + 2) % 3)]!);
    }
  }
  /** Third vertex beyond the directed edge, or −1 at a border or where too many triangles meet. */
  const beyond = (a: number, b: number): number => {
    const c = opposite.get(keyEdge(a, b)) ?? -1;
    return c >= 0 && opposite.get(keyEdge(b, a)) !== MANY ? c : -1;
  };
  const creases = new Map<number, number[]>();
  for (const key of opposite.keys()) {
    const a = Math.floor(key / 67108864);
    const b = key % 67108864;
    if (beyond(a, b) >= 0 && beyond(b, a) >= 0) continue;
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      const list = creases.get(from);
      if (!list) creases.set(from, [to]);
      else if (!list.includes(to)) list.push(to);
    }
  }

  /** Neighbours around v, from b on; empty where they do not close. */
  const listRing = (v: number, b: number): number[] => {
    const ring = [b];
    for (let next = beyond(v, b); next !== b; next = beyond(v, next)) {
      if (next < 0 || ring.length > 1000 || beyond(next, v) < 0) return [];
      ring.push(next);
    }
    return ring;
  };
  const add = (out: Stencil, vertex: number, weight: number): void => {
    const at = out.vertices.indexOf(vertex);
    if (at >= 0) out.weights[at]! += weight;
    else {
      out.vertices.push(vertex);
      out.weights.push(weight);
    }
  };
  const addExtraordinary = (out: Stencil, v: number, ring: readonly number[], share: number): void => {
    add(out, v, 0.75 * share);
    ring.forEach((b, j) => {
      add(out, b, share * weighNeighbour(ring.length, j));
    });
  };
  const addWing = (out: Stencil, u: number, v: number, inner: number): void => {
    const wing = beyond(u, v);
    if (wing >= 0 && beyond(v, u) >= 0) return add(out, wing, -1 / 16);
    add(out, u, -1 / 16);
    add(out, v, -1 / 16);
    add(out, inner, 1 / 16);
  };
  const addCrease = (out: Stencil, a: number, b: number): void => {
    const list = creases.get(a) ?? [];
    add(out, a, 9 / 16);
    const before = list.length === 2 ? list.find((v) => v !== b) : undefined;
    if (before !== undefined) return add(out, before, -1 / 16);
    add(out, a, -2 / 16);
    add(out, b, 1 / 16);
  };

  return {
    measureStencil(a, b) {
      const out: Stencil = { vertices: [], weights: [] };
      const c = beyond(a, b);
      const d = beyond(b, a);
      if (c < 0 || d < 0) {
        addCrease(out, a, b);
        addCrease(out, b, a);
        return out;
      }
      const rings = [listRing(a, b), listRing(b, a)];
      const odd = rings.map(({ length }) => length > 0 && length !== 6);
      if (rings.some(({ length }) => length > 0 && length < 3)) return { vertices: [a, b], weights: [0.5, 0.5] };
      if (odd[0] || odd[1]) {
        const share = odd[0] && odd[1] ? 0.5 : 1;
        if (odd[0]) addExtraordinary(out, a, rings[0]!, share);
        if (odd[1]) addExtraordinary(out, b, rings[1]!, share);
        return out;
      }
      add(out, a, 1 / 2);
      add(out, b, 1 / 2);
      add(out, c, 1 / 8);
      add(out, d, 1 / 8);
      addWing(out, c, b, a);
      addWing(out, a, c, b);
      addWing(out, d, a, b);
      addWing(out, b, d, a);
      return out;
    },
  };
}

/** s_j around an extraordinary vertex of valence K. */
function weighNeighbour(valence: number, j: number): number {
  if (valence === 3) return j === 0 ? 5 / 12 : -1 / 12;
  if (valence === 4) return [3 / 8, 0, -1 / 8, 0][j]!;
  const angle = (2 * Math.PI * j) / valence;
  return (0.25 + Math.cos(angle) + 0.5 * Math.cos(2 * angle)) / valence;
}
