/**
 * F5. One signed distance field per bone: how far a point is outside (> 0) or inside (< 0) the part of the rest body that
 * the bone carries. The fields move rigidly with the bones, so a frame needs no distances to triangles at all.
 *
 * The part of bone i is every triangle with a mean weight ω_i ≥ SHARE, closed by a fan around the mean of each border. Its
 * distances are sampled once on a grid and interpolated trilinearly. Memory: RESOLUTION³ numbers per bone at most.
 */
import type { Character } from '../character/character.js';
import { createDisjointSets, findRoot, uniteSets } from '../mesh/disjoint-sets.js';
import { planBoneSegments } from '../skeleton/plan-bone-segments.js';
import type { Skeleton } from '../skeleton/skeleton.js';
import { planBvh } from './bvh.js';
import { type GridSize, type Piece, sampleDistances } from './sample-distances.js';

export interface PartFields {
  readonly count: number;
  readonly components: Uint32Array;
  /** Part → the bones that carry it, with their shares (one bone, or the mean weights of a blended patch). */
  readonly shares: { readonly offsets: Uint32Array; readonly bones: Uint32Array; readonly weights: Float64Array };
  /** Part → its vertices: those that follow the bone most. */
  readonly offsets: Uint32Array;
  readonly vertices: Uint32Array;
  /** Part → clusters, and the first vertex of each cluster in `vertices` (one more at the end). */
  readonly clusterOffsets: Uint32Array;
  readonly clusters: Uint32Array;
  /** Largest depth inside the part, #P. */
  readonly radii: Float64Array;
  /** Per part: grid origin (3), cell (1), and its box in rest units (6); nodes along x, y, z and first value. */
  readonly frames: Float64Array;
  readonly sizes: Uint32Array;
  readonly values: Float32Array;
}

/** A triangle belongs to every part that carries this share of it. */
const SHARE = 0.15;
/** Weights below and above which a vertex belongs to three bones alike, and how alike the rest of its patch must be. */
const MAIN = 0.6;
const THIRD = 0.1;
const ALIKE = 0.6;
/** Cells along the longest side. */
const RESOLUTION = 24;
/** Empty border around a part, as a share of its radius (half its smallest extent). */
const MARGIN = 0.6;

/** Fewest vertices of a part. */
const FEWEST = 4;
/** Most vertices of a cluster. */
const CLUSTER = 12;
export function planPartFields(character: Character): PartFields {
  const { surface } = character;
  const groups = groupVertices(character);
  const lists = groups.map(({ vertices }) => vertices);
  const frames = new Float64Array(10 * groups.length);
  const sizes = new Uint32Array(4 * groups.length);
  const radii = new Float64Array(groups.length);
  const grids: Float32Array[] = [];
  let total = 0;
  for (const [p, group] of groups.entries()) {
    const piece = closePiece(character, group);
    const box = boundPoints(piece.positions);
    const radius = 0.5 * Math.min(box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!);
    for (let r = 0; r < 3; r++) {
      box[r]! -= MARGIN * radius;
      box[r + 3]! += MARGIN * radius;
    }
    const cell = Math.max(box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!) / RESOLUTION || 1;
    const size = [0, 1, 2].map((r) => Math.ceil((box[r + 3]! - box[r]!) / cell) + 1) as unknown as GridSize;
    frames.set([box[0]!, box[1]!, box[2]!, cell, ...box], 10 * p);
    sizes.set([...size, total], 4 * p);
    const grid = sampleDistances(piece, box, cell, size);
    radii[p] = Math.max(0, -grid.reduce((least, value) => Math.min(least, value), 0));
    grids.push(grid);
    total += grid.length;
  }
  const clusterOffsets = new Uint32Array(groups.length + 1);
  const clusters: number[] = [0];
  for (const [p, list] of lists.entries()) {
    clusterVertices(list, surface.positions, clusters);
    clusterOffsets[p + 1] = clusters.length - 1;
  }
  const values = new Float32Array(total);
  for (const [p, grid] of grids.entries()) values.set(grid, sizes[4 * p + 3]!);
  const offsets = new Uint32Array(groups.length + 1);
  for (const [p, list] of lists.entries()) offsets[p + 1] = offsets[p]! + list.length;
  return {
    count: groups.length,
    components: Uint32Array.from(groups, ({ component }) => component),
    shares: {
      offsets: Uint32Array.from([0, ...groups], (_, p) => groups.slice(0, p).reduce((n, g) => n + g.shares.size, 0)),
      bones: Uint32Array.from(groups.flatMap(({ shares }) => [...shares.keys()])),
      weights: Float64Array.from(groups.flatMap(({ shares }) => [...shares.values()])),
    },
    offsets,
    vertices: Uint32Array.from(lists.flat()),
    clusterOffsets,
    clusters: Uint32Array.from(clusters),
    radii,
    frames,
    sizes,
    values,
  };
}

/** Sorts a part's vertices into compact clusters by halving along the longest side; appends where each one ends. */
function clusterVertices(list: number[], positions: Float64Array, ends: number[]): void {
  const split = (from: number, to: number): void => {
    if (to - from <= CLUSTER) {
      ends.push(ends.at(-1)! + to - from);
      return;
    }
    const part = list.slice(from, to);
    const box = boundPoints(Float64Array.from(part.flatMap((k) => [...positions.subarray(3 * k, 3 * k + 3)])));
    const sides = [0, 1, 2].map((r) => box[r + 3]! - box[r]!);
    const axis = sides.indexOf(Math.max(...sides));
    part.sort((a, b) => positions[3 * a + axis]! - positions[3 * b + axis]! || a - b);
    list.splice(from, to - from, ...part);
    const middle = (from + to) >> 1;
    split(from, middle);
    split(middle, to);
  };
  split(0, list.length);
}

/** Value and gradient of field p at a rest point into out[0 … 3]; false outside its grid (then the nearest border counts). */
export function sampleField(
  out: Float64Array,
  fields: PartFields,
  p: number,
  x: number,
  y: number,
  z: number,
): boolean {
  const { frames, sizes, values } = fields;
  const f = 10 * p;
  const s = 4 * p;
  const scale = 1 / frames[f + 3]!;
  const nx = sizes[s]!;
  const ny = sizes[s + 1]!;
  const nz = sizes[s + 2]!;
  let gx = (x - frames[f]!) * scale;
  let gy = (y - frames[f + 1]!) * scale;
  let gz = (z - frames[f + 2]!) * scale;
  const inside = gx >= 0 && gy >= 0 && gz >= 0 && gx <= nx - 1 && gy <= ny - 1 && gz <= nz - 1;
  if (!inside) {
    gx = Math.min(Math.max(gx, 0), nx - 1);
    gy = Math.min(Math.max(gy, 0), ny - 1);
    gz = Math.min(Math.max(gz, 0), nz - 1);
  }
  const i = Math.min(gx | 0, nx - 2);
  const j = Math.min(gy | 0, ny - 2);
  const k = Math.min(gz | 0, nz - 2);
  const u = gx - i;
  const v = gy - j;
  const w = gz - k;
  const at = sizes[s + 3]! + i + nx * (j + ny * k);
  const up = nx * ny;
  const a = values[at]!;
  const b = values[at + 1]!;
  const c = values[at + nx]!;
  const d = values[at + nx + 1]!;
  const e = values[at + up]!;
  const g = values[at + up + 1]!;
  const h = values[at + up + nx]!;
  const l = values[at + up + nx + 1]!;
  const ab = a + u * (b - a);
  const cd = c + u * (d - c);
  const eg = e + u * (g - e);
  const hl = h + u * (l - h);
  const low = ab + v * (cd - ab);
  const high = eg + v * (hl - eg);
  out[0] = low + w * (high - low);
  const dx0 = b - a + v * (d - c - b + a);
  const dx1 = g - e + v * (l - h - g + e);
  out[1] = (dx0 + w * (dx1 - dx0)) * scale;
  out[2] = (cd - ab + w * (hl - eg - cd + ab)) * scale;
  out[3] = (high - low) * scale;
  return inside;
}

interface Group {
  readonly component: number;
  readonly vertices: number[];
  readonly shares: Map<number, number>;
}

/** Vertices by component and bone; patches that several bones share, such as the web of a thumb, are groups of their own. */
function groupVertices({ surface, binding, skeleton }: Character): Group[] {
  const { offsets, bones, weights } = binding;
  const groups = new Map<string, Group>();
  for (let k = 0; k < surface.vertexCount; k++) {
    const component = surface.vertexComponent[k]!;
    if (!surface.components[component]?.solid) continue;
    const first = offsets[k]!;
    const blended = offsets[k + 1]! > first + 2 && weights[first]! < MAIN && weights[first + 2]! > THIRD;
    const own = [...bones.subarray(first, first + (blended ? 3 : 1))].sort((a, b) => a - b);
    const key = [component, ...own].join(' ');
    const group = groups.get(key) ?? { component, vertices: [], shares: new Map(own.map((bone) => [bone, 0])) };
    group.vertices.push(k);
    for (let e = first; e < first + own.length; e++) {
      group.shares.set(bones[e]!, group.shares.get(bones[e]!)! + weights[e]!);
    }
    groups.set(key, group);
  }
  const kept = mergeSmall([...groups.values()], skeleton);
  for (const { shares } of kept) {
    const sum = [...shares.values()].reduce((a, b) => a + b, 0);
    for (const [bone, share] of shares) shares.set(bone, share / sum);
  }
  return kept;
}

/** Gives groups that span no body (the one vertex of a finger's tip) to the group of the nearest bone before theirs. */
function mergeSmall(groups: readonly Group[], skeleton: Skeleton): Group[] {
  const { parents } = planBoneSegments(skeleton);
  const kept = groups.filter(({ vertices }) => vertices.length >= FEWEST);
  for (const { component, vertices, shares } of groups) {
    if (vertices.length >= FEWEST) continue;
    let bone = [...shares].reduce((best, share) => (share[1] > best[1] ? share : best))[0];
    let home: Group | undefined;
    for (; bone >= 0 && !home; bone = parents[bone]!) {
      home = kept.find((group) => group.component === component && group.shares.size === 1 && group.shares.has(bone));
    }
    home?.vertices.push(...vertices);
  }
  return kept;
}

/** The triangles that move with a group, closed by fans around the means of their borders. */
function closePiece({ surface, binding }: Character, { component, shares }: Group): Piece {
  // How much of the vertex's weights is shared with the group: ω_i for a single bone.
  const weight = (k: number) => {
    let sum = 0;
    for (let e = binding.offsets[k]!; e < binding.offsets[k + 1]!; e++) {
      sum += Math.min(binding.weights[e]!, shares.get(binding.bones[e]!) ?? 0);
    }
    return sum;
  };
  const least = shares.size > 1 ? ALIKE : SHARE;
  const index = new Map<number, number>();
  const points: number[] = [];
  const triangles: number[] = [];
  for (let t = 0; t < surface.triangles.length; t += 3) {
    if (surface.triangleComponent[t / 3] !== component) continue;
    const corners = [surface.triangles[t]!, surface.triangles[t + 1]!, surface.triangles[t + 2]!];
    if (corners.reduce((sum, k) => sum + weight(k), 0) < 3 * least) continue;
    for (const k of corners) {
      if (!index.has(k)) {
        index.set(k, points.length / 3);
        points.push(surface.positions[3 * k]!, surface.positions[3 * k + 1]!, surface.positions[3 * k + 2]!);
      }
      triangles.push(index.get(k)!);
    }
  }
  closeBorders(points, triangles);
  const positions = Float64Array.from(points);
  return { positions, bvh: planBvh(Uint32Array.from(triangles), positions) };
}

/** Appends an apex and a fan for every connected border. */
function closeBorders(points: number[], triangles: number[]): void {
  const count = points.length / 3;
  const open = new Set<number>();
  for (let c = 0; c < triangles.length; c++) {
    const i = triangles[c]!;
    const j = triangles[c % 3 === 2 ? c - 2 : c + 1]!;
    // An edge that is walked both ways is no border.
    if (!open.delete(j * count + i)) open.add(i * count + j);
  }
  const sets = createDisjointSets(count);
  for (const edge of open) uniteSets(sets, Math.floor(edge / count), edge % count);
  const apexes = new Map<number, { apex: number; sum: number[]; members: number }>();
  for (const edge of open) {
    const i = Math.floor(edge / count);
    const root = findRoot(sets, i);
    let border = apexes.get(root);
    if (!border) {
      border = { apex: count + apexes.size, sum: [0, 0, 0], members: 0 };
      apexes.set(root, border);
    }
    for (let r = 0; r < 3; r++) border.sum[r]! += points[3 * i + r]!;
    border.members++;
    triangles.push(edge % count, i, border.apex);
  }
  for (const { sum, members } of apexes.values()) points.push(...sum.map((value) => value / members));
}

function boundPoints(points: Float64Array): number[] {
  const box = [1, 1, 1, -1, -1, -1].map((sign) => sign * Number.POSITIVE_INFINITY);
  for (let i = 0; i < points.length; i++) {
    box[i % 3] = Math.min(box[i % 3]!, points[i]!);
    box[3 + (i % 3)] = Math.max(box[3 + (i % 3)]!, points[i]!);
  }
  return box;
}
