/** What the passes of a folded frame read (see `planWrinkles`, 1–4), whatever runs them: `FoldPasses` in TypeScript, WASM. */
import type { RefinedTopology } from './create-refined-topology.js';
import type { Combination } from './fold-sum.js';
import type { FoldedTool } from './plan-folded-tool.js';
import { levelOffset, NO_VERTEX, type RefinementPlan } from './plan-refinement.js';
import type { SkinLine } from './plan-skin-line.js';

export interface FoldPlan {
  readonly refinement: RefinementPlan;
  /** Before refinement, ×3. */
  readonly triangles: Uint32Array;
  readonly members: readonly FoldedTool[];
  readonly keepVolume: boolean;
  readonly combine: Combination;
  /** Old vertices of the patches, and corners of the triangles beside them that are no patches. */
  readonly near: Uint32Array;
  readonly rim: Uint32Array;
  /** The one or two patches that hold a new vertex, #new×2. */
  readonly holders: Uint32Array;
  /** The skin under every tool. */
  readonly lines: readonly OwnLine[];
}

/** A line over vertices of its own, and which of them each tool moves. */
export interface OwnLine {
  readonly vertices: Uint32Array;
  readonly line: SkinLine;
  /** By tool: places in `vertices` and in the list of the tool. */
  readonly slots: readonly Uint32Array[];
  readonly items: readonly Uint32Array[];
}

/** The passes, in the order of a frame. Vertices in use move in `positions` and `normals` (#refined×3), whose old ones stand there unfolded. */
export interface FoldRunner {
  readonly positions: Float64Array;
  readonly normals: Float64Array;
  /** Forgets the last frame; measures the patches on the unfolded surface, and returns six times the volume under them. */
  start(topology: RefinedTopology): number;
  /** New vertices in use and their normals, smooth by the fades s of the tools. */
  refine(s: Float64Array): void;
  /** Heights and sinks of a tool, and its depth; returns Σ area · sink. */
  lift(k: number): number;
  /** Length of the skin under a tool. */
  measureLine(k: number, scales: Float64Array, active: Uint8Array): number;
  /** Adds what a tool does. */
  add(k: number, scale: number, depth: number): void;
  /** Lifts the vertices; returns six times the volume under the patches. */
  raise(): number;
  /** Lowers them by a depth where the skin gives way, and turns the normals. */
  settle(depth: number): void;
}

export function planFolds(
  refinement: RefinementPlan,
  triangles: Uint32Array,
  members: readonly FoldedTool[],
  keepVolume: boolean,
  combine: Combination,
): FoldPlan {
  const { baseCount, vertexCount, patches, still, levels } = refinement;
  const isNear = new Uint8Array(vertexCount);
  for (const v of patches.corners) isNear[v] = 1;
  const holders = new Uint32Array(2 * (vertexCount - baseCount)).fill(NO_VERTEX);
  for (let p = 0; p < patches.count; p++) {
    const end = 3 * (patches.first[p]! + levelOffset(levels[patches.triangles[p]!]! + 1));
    for (let i = 3 * patches.first[p]!; i < end; i++) {
      const h = 2 * (patches.mids[i]! - baseCount);
      if (patches.mids[i] === NO_VERTEX || holders[h] === p) continue;
      holders[h + 1] = p;
      if (holders[h] === NO_VERTEX) holders[h] = p;
    }
  }
  return {
    ...{ refinement, triangles, members, keepVolume, combine, holders },
    near: Uint32Array.from(isNear.subarray(0, baseCount).keys()).filter((v) => isNear[v] === 1),
    rim: still.filter((_, i) => still.subarray(i - (i % 3), i - (i % 3) + 3).some((v) => isNear[v] === 1)),
    lines: planLines(members),
  };
}

function planLines(members: readonly FoldedTool[]): OwnLine[] {
  const places = members.map(({ vertices }) => new Map(Array.from(vertices, (v, i) => [v, i])));
  return members.map(({ line }) => {
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
}
