/**
 * How high folds are, so that the skin under every tool is as long as it is at rest.
 *
 *   find s_k:   length of the skin under tool k (s) = its length unfolded + what it has lost,   k = 1 … tools
 *
 * The curve of a tool has the right length on flat ground; rounded crests, skin that bends and other tools change it. The length is convex in s_k, as every
 * point moves along a line: Newton steps, tool by tool, from s = 1 on; a height that a coarse mesh cannot hold ends at MOST.
 *
 * O(sweeps · points of the lines · tools over them) per frame, no allocation.
 */
import { type Combination, FoldSum } from './fold-sum.js';
import type { FoldedTool } from './plan-folded-tool.js';
import { measureSkinLine, type SkinLine } from './plan-skin-line.js';

/** Largest factor of the heights of a curve. */
const MOST = 3;
const SWEEPS = 6;
/** Share of the lost length that is close enough, and step of the slope. */
const NEAR = 0.01;
const STEP = 1e-3;

export interface FoldLengths {
  /** Writes s of the tools that fold, whose lifts and depths are known. `positions`: unfolded, #vertices×3. `rooms`: of `FoldSum`, #vertices. */
  solve(
    scales: Float64Array,
    active: Uint8Array,
    positions: Float64Array,
    normals: Float64Array,
    rooms: Float64Array,
  ): void;
}

/** A line over vertices of its own, and which of them each tool moves. */
interface OwnLine {
  readonly vertices: Uint32Array;
  readonly line: SkinLine;
  /** By tool: places in `vertices` and in the list of the tool. */
  readonly slots: readonly Uint32Array[];
  readonly items: readonly Uint32Array[];
}

export function planFoldLengths(members: readonly FoldedTool[], combine: Combination): FoldLengths {
  const places = members.map(({ vertices }) => new Map(Array.from(vertices, (v, i) => [v, i])));
  const lines = members.map(({ line }): OwnLine => {
    const vertices = Uint32Array.from(new Set(line.corners));
    const slotOf = new Map(Array.from(vertices, (v, slot) => [v, slot]));
    const slots = places.map((known) => Uint32Array.from(vertices.keys()).filter((slot) => known.has(vertices[slot]!)));
    return {
      vertices,
      line: { corners: line.corners.map((v) => slotOf.get(v)!), weights: line.weights },
      slots,
      items: slots.map((list, j) => list.map((slot) => places[j]!.get(vertices[slot]!)!)),
    };
  });
  const most = lines.reduce((count, { vertices }) => Math.max(count, vertices.length), 0);
  const sum = new FoldSum(most, combine);
  const scratch = new Float64Array(3 * most);

  const measure = (
    k: number,
    scales: Float64Array,
    active: Uint8Array,
    p: Float64Array,
    n: Float64Array,
    rooms: Float64Array,
  ): number => {
    const { vertices, line, slots, items } = lines[k]!;
    for (let slot = 0; slot < vertices.length; slot++) sum.clear(slot);
    for (let j = 0; j < members.length; j++) {
      if (!active[j]) continue;
      const depth = members[j]!.depth * scales[j]!;
      sum.addAll(slots[j]!, members[j]!, items[j]!, scales[j]!, depth);
    }
    for (let slot = 0; slot < vertices.length; slot++) {
      const v = 3 * vertices[slot]!;
      sum.rooms[slot] = rooms[vertices[slot]!]!;
      const h = sum.measure(slot);
      scratch[3 * slot] = p[v]! + h * n[v]!;
      scratch[3 * slot + 1] = p[v + 1]! + h * n[v + 1]!;
      scratch[3 * slot + 2] = p[v + 2]! + h * n[v + 2]!;
    }
    return measureSkinLine(line, scratch);
  };

  return {
    solve(scales, active, positions, normals, rooms) {
      scales.fill(0);
      for (let k = 0; k < members.length; k++) {
        if (active[k])
          members[k]!.wanted = measure(k, scales, active, positions, normals, rooms) + members[k]!.tool.lost;
      }
      scales.fill(1);
      for (let sweep = 0; sweep < SWEEPS; sweep++) {
        let isNear = true;
        for (let k = 0; k < members.length; k++) {
          if (!active[k]) continue;
          const { wanted, tool } = members[k]!;
          const s = scales[k]!;
          const gap = wanted - measure(k, scales, active, positions, normals, rooms);
          if (Math.abs(gap) < NEAR * tool.lost) continue;
          isNear = false;
          scales[k] = s + STEP;
          const slope = (gap - wanted + measure(k, scales, active, positions, normals, rooms)) / STEP;
          // Where higher folds make the skin shorter, they are yet too low.
          const next = slope > 0 ? s + gap / slope : 2 * s;
          scales[k] = next > 0 ? Math.max(s / 2, Math.min(next, 2 * s, MOST)) : s / 2;
        }
        if (isNear) break;
      }
    },
  };
}
