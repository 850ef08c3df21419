export type { BodyPlan, FullStack } from './plan-body.js';
export { type PreservedVolume, preserveVolume, type VolumeRoot } from './preserve-volume.js';
export { recordClip } from './record-clip.js';
export type { Detail } from './scene-director.js';
export type { Form } from './suits-sparse.js';
export type { VolumeOptions } from './volume-options.js';
export { VolumeSkinnedMesh } from './volume-skinned-mesh.js';
