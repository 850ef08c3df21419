import type { Surface } from '../mesh/surface.js';
import { gradeLevels, levelOffset, NO_VERTEX, type RefinementPlan } from './plan-refinement.js';
import { refineSkinLine, type SkinLine } from './plan-skin-line.js';
import type { ToolRegion } from './plan-tool-region.js';
import type { Lifted, PlannedTool } from './planned-tool.js';

/** A tool and the vertices that it may move: old and new ones with a mask above 0. */
export interface FoldedTool extends Lifted {
  readonly tool: PlannedTool;
  /** The skin under it, on the mesh refined for it. */
  readonly line: SkinLine;
  /** In the last frame: depth by which the skin gives way, at scale 1, how long the line should be, and how its length grows with the scale at a scale. */
  depth: number;
  wanted: number;
  slope: number;
  slopeAt: number;
  /** Graded level of every patch for this tool alone. */
  readonly levels: Uint8Array;
  /**
   * Share of the area of a patch that each vertex stands for at these levels, and that patch: around a vertex triangles are
   * about alike, so one of them tells how the area changes. 0 for finer vertices.
   */
  readonly shares: Float64Array;
  readonly patches: Uint32Array;
}

/** All vertices that any tool may bring into the region count; masks of new ones are the means of their parents'. */
export function planFoldedTool(
  plan: RefinementPlan,
  surface: Surface,
  tool: PlannedTool,
  region: ToolRegion,
): FoldedTool {
  const { patches, parents, baseCount } = plan;
  const inside = new Set(region.triangles);
  const wanted = new Uint8Array(surface.triangles.length / 3);
  region.triangles.forEach((t, i) => {
    wanted[t] = region.levels[i]!;
  });
  const graded = gradeLevels(surface.triangles, surface.vertexCount, wanted);
  const levels = Uint8Array.from(patches.triangles, (t) => graded[t]!);
  const masks = new Map(region.masks);
  const fresh = new Set<number>();
  const shares = new Map<number, number>();
  const patchOf = new Map<number, number>();
  for (let p = 0; p < patches.count; p++) {
    const t = patches.triangles[p]!;
    if (!inside.has(t)) continue;
    const end = 3 * (patches.first[p]! + levelOffset(plan.levels[t]! + 1));
    for (let i = 3 * patches.first[p]!; i < end; i++) if (patches.mids[i] !== NO_VERTEX) fresh.add(patches.mids[i]!);
    const count = 4 ** levels[p]!;
    const start = 3 * (patches.first[p]! + levelOffset(levels[p]!));
    for (let i = start; i < start + 3 * count; i++) {
      const v = patches.corners[i]!;
      shares.set(v, (shares.get(v) ?? 0) + 1 / (3 * count));
      patchOf.set(v, p);
    }
  }
  for (const v of [...fresh].sort((a, b) => a - b)) {
    const at = 2 * (v - baseCount);
    masks.set(v, ((masks.get(parents[at]!) ?? 0) + (masks.get(parents[at + 1]!) ?? 0)) / 2);
  }
  const kept = [...masks].filter(([, mask]) => mask > 0);
  return {
    tool,
    line: refineSkinLine(surface, tool.skin, plan, levels),
    ...{ depth: 0, wanted: 0, slope: 0, slopeAt: 0 },
    heights: new Float64Array(kept.length),
    sinks: new Float64Array(kept.length),
    vertices: Uint32Array.from(kept, ([v]) => v),
    masks: Float64Array.from(kept, ([, mask]) => mask),
    levels,
    shares: Float64Array.from(kept, ([v]) => shares.get(v) ?? 0),
    patches: Uint32Array.from(kept, ([v]) => patchOf.get(v) ?? 0),
  };
}
