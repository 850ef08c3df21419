/** Surfaces, volumes, regions, rays and thickness. */

export type { Binding, MorphTarget, Part } from './character/character.js';
export { WELD_TOLERANCE } from './character/create-character.js';
export { type Bvh, planBvh, refitBvh } from './contact/bvh.js';
export { castRay, createRayHit, type RayHit } from './contact/cast-ray.js';
export {
  measureThickness,
  planThickness,
  type ThicknessPlan,
  type ThicknessSurface,
} from './contact/measure-thickness.js';
export { sumVertexAreas } from './correction/measure-vertex-areas.js';
export { gatherPaint } from './maps/gather-paint.js';
export { type CreatedSurface, createSurface, type SurfaceInput } from './mesh/create-surface.js';
export { measureBox, measureDiagonal } from './mesh/measure-box.js';
export { type Caps, type Component, type Csr, NO_COMPONENT, type SurfaceDefects } from './mesh/surface.js';
export { countSelfIntersections, countSelfIntersectionsOf } from './quality/count-self-intersections.js';
export { trianglesCross } from './quality/triangles-cross.js';
export { describeRigidParts, type RigidPart } from './regions/find-rigid-parts.js';
export { nameRegions } from './regions/name-regions.js';
export {
  planRegions,
  REGION_DEFAULTS,
  REGION_KINDS,
  type RegionKind,
  type RegionOptions,
  type Regions,
} from './regions/plan-regions.js';
export {
  createExtendedPositions,
  createRegionGradients,
  measureRegionVolumes,
} from './volume/measure-region-volumes.js';
export { measureVolumeGradient, measureVolumes } from './volume/measure-volume.js';
export { type ClosedSurface, planClosedSurface } from './volume/plan-closed-surface.js';
export { NO_REGION, planRegionVolumes, type RegionVolumes } from './volume/plan-region-volumes.js';
export { INEXACT, measureRegionError, measureRegionScale } from './volume/region-error.js';
