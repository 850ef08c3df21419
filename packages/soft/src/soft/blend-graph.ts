import { IsoskinError } from '@isoskin/core';
import { measureGap, type NeighbourGrid } from './neighbour-grid.js';
import type { Skeleton } from './plan-skeleton.js';
import type { SoftPieces, SoftWorldInput } from './soft-world.js';

/**
 * I2. Who blends with whom. A *strand* is a set of primitives whose potentials simply add up; strands are linked with a weight
 * λ ∈ [0, 1]:
 *
 *   S_s(P) = Σ_{i ∈ s} f_i(P),     F_s = S_s + Σ_{s′} λ_{ss′} min(S_s, S_s′),     f = max_s F_s
 *
 * A fixed object has one strand per primitive (or chain) and λ = 1 along its graph. A dynamic object begins as one strand; each
 * connected component of overlapping influence zones becomes its own (fracture: nothing jumps, the potentials that leave are
 * zero there). Fusion links two strands and lets λ grow from 0 to 1 over a short time, so that volume and forces
 * stay continuous; then they are one strand. A strand's number is its lowest primitive.
 *
 * Based on: Desbrun, Gascuel 1995; the `min` is this project's (docs/decisions/blending-graph.md).
 */
export interface BlendGraph extends SoftPieces {
  /** #P. */
  readonly strands: Int32Array;
  /** λ between two strands, 1 for the same. */
  link(a: number, b: number): number;
  /** Splits what no longer hangs together and advances the links that are closing. */
  update(near: NeighbourGrid, dt: number): void;
  /** Whether contact force may join these primitives. */
  canFuse(i: number, j: number): boolean;
  /** Begins to join two strands. */
  fuse(a: number, b: number): void;
  save(): void;
  restore(): void;
}

export function createBlendGraph(input: SoftWorldInput, skeleton: Skeleton): BlendGraph {
  const { count, chain, object } = skeleton;
  const dynamic = input.objects.map(({ blending }) => blending !== 'fixed');
  const fuses = input.objects.map((o, i) => dynamic[i]! && o.fuses !== false);
  const fusionTime = Math.max(1e-9, input.fusion?.time ?? 0.2);
  const strands = new Int32Array(count);
  const labels = new Int32Array(count);
  const parents = new Int32Array(count);
  let links = planLinks(input, skeleton);
  let pieceCount = 0;
  let fractures = 0;
  let fusions = 0;
  const saved = { strands: new Int32Array(count), links, fractures, fusions };

  const first = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    if (!dynamic[object[i]!]) strands[i] = chain[i]!;
    else strands[i] = first.get(object[i]!) ?? i;
    if (!first.has(object[i]!)) first.set(object[i]!, i);
  }

  const key = (a: number, b: number): number => (a < b ? a * count + b : b * count + a);
  const find = (i: number): number => {
    let root = i;
    while (parents[root] !== root) root = parents[root]!;
    for (let at = i; at !== root; ) {
      const up = parents[at]!;
      parents[at] = root;
      at = up;
    }
    return root;
  };
  /** The lower number stays the root. */
  const unite = (i: number, j: number): void => {
    const a = find(i);
    const b = find(j);
    if (a < b) parents[b] = a;
    else parents[a] = b;
  };
  const touches = (near: NeighbourGrid, i: number, j: number): boolean =>
    measureGap(skeleton, i, j) < near.reach[i]! + near.reach[j]!;

  /** Components of overlapping influence zones inside each dynamic strand. */
  const splitStrands = (near: NeighbourGrid): void => {
    const items = near.items();
    for (let i = 0; i < count; i++) parents[i] = i;
    for (let i = 0; i < count; i++) {
      if (!dynamic[object[i]!]) {
        unite(i, strands[i]!);
        continue;
      }
      if (chain[i] !== i) unite(i, chain[i]!);
      for (let n = near.offsets[i]!; n < near.offsets[i + 1]!; n++) {
        const j = items[n]!;
        if (j > i && strands[j] === strands[i] && find(i) !== find(j) && touches(near, i, j)) unite(i, j);
      }
    }
    let split = false;
    for (let i = 0; i < count; i++) if (find(i) !== strands[i]) split = true;
    const fading = new Map<number, number>();
    for (const [pair, weight] of links) if (weight < 1 || split) fading.set(pair, weight);
    if (!split && fading.size === 0) return;
    // Links go to those parts that still touch; a link without touching parts is gone.
    const kept = new Map<number, number>();
    for (let i = 0; i < count; i++) {
      if (!dynamic[object[i]!]) continue;
      for (let n = near.offsets[i]!; n < near.offsets[i + 1]!; n++) {
        const j = items[n]!;
        if (j < i || strands[i] === strands[j]) continue;
        const weight = fading.get(key(strands[i]!, strands[j]!));
        if (weight === undefined || kept.has(key(find(i), find(j)))) continue;
        if (touches(near, i, j)) kept.set(key(find(i), find(j)), weight);
      }
    }
    for (const [pair, weight] of links) {
      const a = Math.floor(pair / count);
      if (!dynamic[object[a]!]) kept.set(pair, weight);
    }
    links = kept;
    for (let i = 0; i < count; i++) strands[i] = find(i);
  };

  const closeLinks = (dt: number): void => {
    let closed = false;
    for (const [pair, weight] of links) {
      if (weight >= 1) continue;
      const grown = Math.min(1, weight + dt / fusionTime);
      links.set(pair, grown);
      if (grown >= 1) closed = true;
    }
    if (!closed) return;
    for (let i = 0; i < count; i++) parents[i] = strands[i]!;
    for (const [pair, weight] of links) {
      const a = Math.floor(pair / count);
      if (weight >= 1 && dynamic[object[a]!]) unite(a, pair % count);
    }
    const renamed = new Map<number, number>();
    for (const [pair, weight] of links) {
      const a = find(Math.floor(pair / count));
      const b = find(pair % count);
      if (a !== b) renamed.set(key(a, b), Math.max(weight, renamed.get(key(a, b)) ?? 0));
    }
    for (let i = 0; i < count; i++) strands[i] = find(i);
    links = renamed;
  };

  const countPieces = (): void => {
    for (let i = 0; i < count; i++) parents[i] = strands[i]!;
    for (const pair of links.keys()) unite(Math.floor(pair / count), pair % count);
    pieceCount = 0;
    for (let i = 0; i < count; i++) labels[i] = find(i) === i ? pieceCount++ : labels[find(i)]!;
  };
  countPieces();

  return {
    strands,
    labels,
    get count() {
      return pieceCount;
    },
    get fractures() {
      return fractures;
    },
    get fusions() {
      return fusions;
    },
    link: (a, b) => (a === b ? 1 : (links.get(key(a, b)) ?? 0)),
    update(near, dt) {
      const before = pieceCount;
      splitStrands(near);
      closeLinks(dt);
      countPieces();
      fractures += Math.max(0, pieceCount - before);
    },
    canFuse: (i, j) => fuses[object[i]!]! && fuses[object[j]!]!,
    fuse(a, b) {
      if (a === b || links.has(key(a, b))) return;
      const before = pieceCount;
      links = new Map(links).set(key(a, b), 0);
      countPieces();
      fusions += before - pieceCount;
    },
    save() {
      saved.strands.set(strands);
      saved.links = new Map(links);
      saved.fractures = fractures;
      saved.fusions = fusions;
    },
    restore() {
      strands.set(saved.strands);
      links = new Map(saved.links);
      fractures = saved.fractures;
      fusions = saved.fusions;
      countPieces();
    },
  };
}

/** λ = 1 along the graphs of fixed objects, keyed by the lower strand × #P + the higher. */
function planLinks(input: SoftWorldInput, skeleton: Skeleton): Map<number, number> {
  const links = new Map<number, number>();
  input.objects.forEach((owner, o) => {
    const members = new Map<string, number>();
    input.primitives.forEach((primitive, i) => {
      if (skeleton.object[i] !== o) return;
      members.set(primitive.name, skeleton.chain[i]!);
      if (primitive.chain !== undefined) members.set(primitive.chain, skeleton.chain[i]!);
    });
    (owner.blends ?? []).forEach(([a, b], n) => {
      const i = members.get(a);
      const j = members.get(b);
      if (i === undefined || j === undefined || i === j) {
        const message = `A blend names two different primitives or chains of its object, not "${a}" and "${b}"; correct it.`;
        throw new IsoskinError('BLEND_UNKNOWN', message, `objects[${o}] "${owner.name}".blends[${n}]`);
      }
      links.set(Math.min(i, j) * skeleton.count + Math.max(i, j), 1);
    });
  });
  return links;
}
