/**
 * Measures what a pose does to the volume: of the whole, of every component and of every region, against the rest volume
 * scaled as the author scales the joints.
 */
import type { Character } from '../character/character.js';
import { planTargetVolumes, type TargetPlan } from '../correction/plan-target-volumes.js';
import { sumTetrahedra } from '../kernels/reference-kernels.js';
import { nameRegions } from '../regions/name-regions.js';
import { type CutRegions, planRegions, type RegionOptions } from '../regions/plan-regions.js';
import { createExtendedPositions, measureTetrahedra } from '../volume/measure-region-volumes.js';
import { measureVolumes } from '../volume/measure-volume.js';
import { applyApexes, type ClosedSurface, planClosedSurface } from '../volume/plan-closed-surface.js';
import { NO_REGION, planRegionVolumes, type RegionVolumes } from '../volume/plan-region-volumes.js';

/** Volumes of any positions of a character: of the whole, of its components and of its regions. */
export interface VolumeMeter {
  readonly regions: CutRegions;
  readonly volumes: RegionVolumes;
  /** Rest volumes: whole, per component, per region. */
  readonly rest: number;
  readonly restComponents: Float64Array;
  readonly restRegions: Float64Array;
  /** Rest volume of every region's component: what its error is judged against (region-error.ts). */
  readonly componentOfRegion: Float64Array;
  /** Of the last `measure`. */
  readonly componentVolumes: Float64Array;
  readonly regionVolumes: Float64Array;
  /** Volume of the whole at `positions` (#V×3); components and regions beside it. */
  measure(positions: Float64Array): number;
  /** V̄ of the whole and, in `targets`, of the regions, for a pose's bone matrices. */
  readonly targets: Float64Array;
  measureTargets(bones: Float64Array, time: number, morphWeights?: Float64Array): number;
}

/** A planned volume layer fits: its regions, and the targets that it works to. */
export interface MeterSource {
  readonly regions: CutRegions;
  readonly volumes: RegionVolumes;
  readonly targets?: TargetPlan;
}

/** Six times the volumes of tetrahedra, summed by place: `sum` adds those at `positions` (extended ×3). */
export interface TetrahedronSums {
  readonly positions: Float64Array;
  sum(out: Float64Array): void;
}

export type CreateTetrahedronSums = (
  tetrahedra: Uint32Array,
  places: Uint32Array,
  vertexCount: number,
  placeCount: number,
) => TetrahedronSums;

/** Regions come from a volume layer that is already planned, or are cut by `options`. @param createSums default: `sumTetrahedra` */
export function planVolumeMeter(
  character: Character,
  source: MeterSource | RegionOptions = {},
  createSums: CreateTetrahedronSums = createTetrahedronSums,
): VolumeMeter {
  const { surface } = character;
  const { regions, volumes, targets: planned } = 'volumes' in source ? source : cutRegions(character, source);
  const { closed } = volumes;
  const componentVolumes = new Float64Array(surface.components.length);
  const regionVolumes = new Float64Array(regions.count);
  const measure = planMeasure(volumes, regions, componentVolumes, regionVolumes, createSums);
  const rest = measure(surface.positions);
  const restComponents = componentVolumes.slice();
  const restRegions = regionVolumes.slice();
  const plan = planned ?? planTargetVolumes(character, volumes, regions, restRegions);
  const targets = new Float64Array(regions.count);
  const riding = planRiding(character, closed, regions);
  const flat = rest - restRegions.reduce((sum, v) => sum + v, riding.rest); // without a volume that means anything
  return {
    regions,
    volumes,
    rest,
    restComponents,
    restRegions,
    componentOfRegion: Float64Array.from(regions.component, (c) => surface.components[c]!.volume),
    componentVolumes,
    regionVolumes,
    measure,
    targets,
    measureTargets(bones, time, morphWeights) {
      plan.measure(targets, bones, time, morphWeights);
      return targets.reduce((sum, v) => sum + v, flat + riding.measure(bones, time, morphWeights));
    },
  };
}

/**
 * Components and regions from one pass over the tetrahedra: V_s = T_s + F_s, V_c = Σ_{s in c} T_s, with T_s the triangles of region s and F_s the fans that
 * close it, which cancel in the sum. Components without regions by themselves.
 */
function planMeasure(
  { closed, members, triangleRegion, tetrahedra, tetrahedronRegion, apexCount }: RegionVolumes,
  { count: K, component }: CutRegions,
  componentVolumes: Float64Array,
  regionVolumes: Float64Array,
  createSums: CreateTetrahedronSums,
): (positions: Float64Array) => number {
  const left = Array.from(triangleRegion.keys()).filter((t) => triangleRegion[t] === NO_REGION);
  const firstFan = closed.triangleCount - left.length;
  const alone: ClosedSurface = {
    ...closed,
    triangles: Uint32Array.from(left.flatMap((t) => [...closed.triangles.subarray(3 * t, 3 * t + 3)])),
    triangleCount: left.length,
    triangleComponent: Uint32Array.from(left, (t) => closed.triangleComponent[t]!),
  };
  const place = tetrahedronRegion.map((s, t) => (t < firstFan ? s : K + s));
  const { positions: extended, sum } = createSums(tetrahedra, place, closed.vertexCount + apexCount, 2 * K);
  const sums = new Float64Array(2 * K);
  return (positions) => {
    extended.set(positions);
    applyApexes(extended, closed.vertexCount, members);
    measureVolumes(componentVolumes, alone, extended);
    sums.fill(0);
    sum(sums);
    for (let s = 0; s < K; s++) {
      regionVolumes[s] = (sums[s]! + sums[K + s]!) / 6;
      componentVolumes[component[s]!]! += sums[s]! / 6;
    }
    let total = 0;
    for (let c = 0; c < componentVolumes.length; c++) total += componentVolumes[c]!;
    return total;
  };
}

function createTetrahedronSums(tetrahedra: Uint32Array, places: Uint32Array, vertexCount: number): TetrahedronSums {
  const positions = new Float64Array(3 * vertexCount);
  return { positions, sum: (out) => sumTetrahedra(out, positions, tetrahedra, places, 0, places.length) };
}

/** Rigid components are in no region, but in the whole: their volume scales with their joints and follows their morph targets. */
function planRiding(character: Character, closed: ClosedSurface, { rigid }: CutRegions) {
  if (rigid.length === 0) return { rest: 0, measure: () => 0 };
  const place = new Map(rigid.map(({ component }, i) => [component, i]));
  const owner = Uint32Array.from(closed.triangleComponent, (c) => place.get(c) ?? NO_REGION);
  const volumes = planRegionVolumes(closed, owner, rigid.length);
  const extended = createExtendedPositions(volumes);
  extended.set(character.surface.positions);
  const rest = new Float64Array(rigid.length);
  measureTetrahedra(rest, volumes, extended);
  const names = rigid.map(({ name }) => name);
  const plan = planTargetVolumes(character, volumes, { names, ids: names }, rest);
  const targets = new Float64Array(rigid.length);
  return {
    rest: rest.reduce((sum, v) => sum + v, 0),
    measure(bones: Float64Array, time: number, morphWeights?: Float64Array): number {
      plan.measure(targets, bones, time, morphWeights);
      return targets.reduce((sum, v) => sum + v, 0);
    },
  };
}

function cutRegions(character: Character, options: RegionOptions): MeterSource {
  const closed = planClosedSurface(character.surface);
  const regions = planRegions(character, closed, options, nameRegions);
  return { regions, volumes: planRegionVolumes(closed, regions.triangleRegion, regions.count) };
}
