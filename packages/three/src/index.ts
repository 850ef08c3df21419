export type { AnyRenderer, Path, RendererPath } from './path.js';
export type { BodyPlan } from './plan-body.js';
export { type PreservedVolume, preserveVolume } from './preserve-volume.js';
export type { Detail } from './scene-director.js';
export { type VolumeOptions, VolumeSkinnedMesh } from './volume-skinned-mesh.js';
