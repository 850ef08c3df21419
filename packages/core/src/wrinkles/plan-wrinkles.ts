/**
 * Dynamic wrinkles over a posed surface (H1–H9): folds along the normals where tools are compressed, on a mesh that is refined
 * there and only then.
 *
 *   1  new vertices in use: midpoint + s·(butterfly − midpoint), s = 0 … 1 over the first 4 % of compression, so that
 *      refinement comes and goes without a jump
 *   2  y_v = x_v + the lifts of all tools together (fold-sum.ts), each scaled so that the skin under it has its length again (solve-fold-lengths.ts), less
 *      c·b along the normal. The depth c, with a bell b that ends at A and B, is such that the volume under the patches stays (B2): the folds take
 *      theirs from the skin between them; one more step along b takes up what is left, so what the volume layer made exact stays so
 *   3  new vertices that are not in use: midpoints, exactly on the flat triangles
 *   4  normals of what moved, blended by s with those of the smooth skin
 *
 * Planned once: refinement for all tools together, masks, lists. Complexity per frame: O(tools) while nothing is compressed,
 * else O(#V copy + vertices and triangles of the regions); nothing is allocated.
 * Based on: Larboulette, Cani, Plis dynamiques en temps réel, 2004, §5.
 */

import type { Character } from '../character/character.js';
import type { FoldKernels } from '../kernels/frame-plan.js';
import { normalise, sumAreaVectors } from '../kernels/reference-kernels.js';
import { measureBoneScales } from '../skeleton/measure-joint-scale.js';
import { createFolder } from './create-folder.js';
import { createRefinedTopology, type RefinedTopology } from './create-refined-topology.js';
import { averageNormals, FoldPasses } from './fold-passes.js';
import { planFoldedTool } from './plan-folded-tool.js';
import { type FoldRunner, planFolds } from './plan-folds.js';
import { planRefinement, type RefinementPlan } from './plan-refinement.js';
import { planToolRegion, type ToolRegion } from './plan-tool-region.js';
import { PlannedTool } from './planned-tool.js';
import { WRINKLE_DEFAULTS, type WrinklesOptions } from './wrinkle-tool.js';

/** The surface to draw while something is folded: old vertices in front, new ones behind. */
export interface RefinedSurface {
  /** All vertices, whether in use or not: those that are not lie flat on the triangles. */
  readonly vertexCount: number;
  /** #vertices×3. */
  readonly positions: Float64Array;
  /** Unit, #vertices×3. */
  readonly normals: Float64Array;
  /** ×3; the first `triangleCount` hold. */
  readonly triangles: Uint32Array;
  readonly triangleCount: number;
  /** Grows when the triangles change. */
  readonly version: number;
  /** Level of every patch of the plan, and 1 for vertices in use: what `writeTriangles` takes. */
  readonly levels: Uint8Array;
  readonly used: Uint8Array;
  /** Where new vertices come from: parents, stencils, patches. */
  readonly plan: RefinementPlan;
}

export interface WrinkleState {
  readonly name: string;
  /** ℓ, length between the ends, and what is lost, in the last frame. */
  readonly length: number;
  readonly distance: number;
  readonly lost: number;
}

export interface Wrinkles {
  readonly plan: RefinementPlan;
  /** One per enabled tool. */
  readonly tools: readonly WrinkleState[];
  /** The last answer; also flat while nothing is folded, after `placeFlat`. */
  readonly refined: RefinedSurface;
  /** Folds the skin; undefined where every tool is stretched: the surface is what it was. */
  apply(input: WrinkleInput): RefinedSurface | undefined;
  /** Puts every vertex of the refinement flat on an unfolded surface. */
  placeFlat(positions: Float64Array, normals: Float64Array): RefinedSurface;
  /** Levels of the patches if these tools fold (indices into `tools`). */
  listLevels(tools: Iterable<number>): Uint8Array;
}

/** What a fold depends on; a stack's frame is one. */
export interface WrinkleInput {
  /** #V×3, and its unit normals. */
  readonly positions: Float64Array;
  readonly normals: Float64Array;
  /** #B×12. */
  readonly bones: Float64Array;
  readonly time: number;
  readonly pose: { readonly morphWeights: Float64Array };
}

/** @param kernels what runs the passes of folded frames. Default: TypeScript */
export function planWrinkles(character: Character, options: WrinklesOptions = {}, kernels?: FoldKernels): Wrinkles {
  const { surface, skeleton } = character;
  const { triangles, vertexCount } = surface;
  const triangleCount = triangles.length / 3;
  const restNormals = new Float64Array(3 * vertexCount);
  sumAreaVectors(restNormals, surface.positions, triangles, triangleCount, vertexCount);
  normalise(restNormals, restNormals, 0, vertexCount);

  const tools: PlannedTool[] = [];
  for (const [index, tool] of (options.tools ?? []).entries()) {
    if (tool.enabled !== false) tools.push(new PlannedTool(character, tool, index));
  }
  const regions = tools.map((tool): ToolRegion => {
    tool.poseFlat(surface.positions, restNormals);
    return planToolRegion(surface, restNormals, tool, options.refine ?? WRINKLE_DEFAULTS.refine);
  });
  const wanted = new Uint8Array(triangleCount);
  const touched = new Uint8Array(triangleCount);
  for (const { triangles: list, levels } of regions) {
    list.forEach((t, i) => {
      wanted[t] = Math.max(wanted[t]!, levels[i]!);
      touched[t] = 1;
    });
  }
  const plan = planRefinement(triangles, vertexCount, wanted, touched);
  const members = regions.map((region, k) => planFoldedTool(plan, surface, tools[k]!, region));
  const { keepVolume, combine } = { ...WRINKLE_DEFAULTS, ...options };
  const foldPlan = planFolds(plan, triangles, members, keepVolume, combine);
  const runner: FoldRunner = kernels?.createFolds?.(foldPlan) ?? new FoldPasses(foldPlan);
  const fold = createFolder(foldPlan, runner);

  const topology = createRefinedTopology(plan);
  const { patches } = plan;
  const levels = new Uint8Array(patches.count);
  const active = new Uint8Array(members.length);
  const scales = new Float64Array(skeleton.boneCount);
  const refined = {
    vertexCount: plan.vertexCount,
    positions: runner.positions,
    normals: runner.normals,
    triangles: topology.triangles,
    triangleCount: 0,
    version: 0,
    levels: topology.levels,
    used: topology.used,
    plan,
  };
  const retopologise = (): void => {
    levels.fill(0);
    for (let k = 0; k < members.length; k++) if (active[k]) raiseLevels(levels, members[k]!.levels);
    topology.update(levels);
    refined.triangleCount = topology.triangleCount;
    refined.version = topology.version;
  };
  const takeOver = (positions: Float64Array, normals: Float64Array): void => {
    refined.positions.set(positions.length === 3 * vertexCount ? positions : positions.subarray(0, 3 * vertexCount));
    refined.normals.set(normals.length === 3 * vertexCount ? normals : normals.subarray(0, 3 * vertexCount));
  };

  return {
    plan,
    tools,
    refined,
    apply({ positions, normals, bones, time, pose }) {
      if (tools.length === 0) return undefined;
      const scale = measureScale(scales, bones, skeleton.boneCount);
      let any = false;
      let changed = topology.version === 0;
      for (let k = 0; k < members.length; k++) {
        const { tool } = members[k]!;
        tool.pose(positions, normals, time, pose.morphWeights, scale);
        const isActive = tool.lost > 0 ? 1 : 0;
        if (isActive !== active[k]) changed = true;
        active[k] = isActive;
        if (isActive) any = true;
      }
      if (!any) return undefined;
      if (changed) retopologise();
      takeOver(positions, normals);
      fold(active, topology);
      placeUnused(refined, topology);
      return refined;
    },
    placeFlat(positions, normals) {
      active.fill(0);
      retopologise();
      takeOver(positions, normals);
      placeUnused(refined, topology);
      return refined;
    },
    listLevels(list) {
      const out = new Uint8Array(patches.count);
      for (const k of list) raiseLevels(out, members[k]!.levels);
      return out;
    },
  };
}

/** Vertices that are not in use: midpoints, coarse to fine. */
function placeUnused({ positions, normals, plan }: RefinedSurface, { unused, unusedCount }: RefinedTopology): void {
  const { baseCount, parents } = plan;
  for (let i = 0; i < unusedCount; i++) {
    const v = unused[i]!;
    const a = 3 * parents[2 * (v - baseCount)]!;
    const b = 3 * parents[2 * (v - baseCount) + 1]!;
    for (let r = 0; r < 3; r++) positions[3 * v + r] = (positions[a + r]! + positions[b + r]!) / 2;
    averageNormals(normals, v, a, b);
  }
}

function raiseLevels(out: Uint8Array, levels: Uint8Array): void {
  for (let p = 0; p < out.length; p++) if (levels[p]! > out[p]!) out[p] = levels[p]!;
}

/** Cube root of the median determinant; 1 where that says nothing. */
function measureScale(scales: Float64Array, bones: Float64Array, boneCount: number): number {
  measureBoneScales(scales, bones, boneCount);
  scales.sort();
  const scale = Math.cbrt(Math.abs(boneCount > 0 ? scales[boneCount >> 1]! : 1));
  return scale > 0 && Number.isFinite(scale) ? scale : 1;
}
