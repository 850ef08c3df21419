export * from './browser.js';
export { readCharacter } from './read-character.js';
export { type MeshFile, type Rig, readMesh, readRig } from './read-mesh.js';
export { type BakedClip, type BakedPose, type BakedRegion, type BakeResult, bakeCharacter } from './bake/bake-character.js';
export { createFrameBaker, type FrameBaker, type FrameBlock, joinBlocks } from './bake/bake-frames.js';
export { BAKE_DEFAULTS, type BakeOptions, type EvaluateSamples } from './bake/bake-options.js';
export type { Sample } from './bake/list-samples.js';
export { planSourceSkin, type SourceSkin } from './bake/plan-source-skin.js';
export {
  SNAPSHOT_FORMATS,
  type SnapshotFormat,
  type SnapshotOptions,
  snapshotCharacter,
} from './bake/snapshot-character.js';
