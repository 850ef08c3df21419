export { type BakeResult, bakeCharacter } from './bake/bake-character.js';
export { BAKE_DEFAULTS, type BakeOptions, type EvaluateSamples } from './bake/bake-options.js';
export {
  createFrameBaker,
  type FrameBaker,
  type FrameBakerOptions,
  type FrameBlock,
  joinBlocks,
} from './bake/create-frame-baker.js';
export type { Sample } from './bake/list-sample-times.js';
export { planSourceSkin, type SourceSkin } from './bake/plan-source-skin.js';
export {
  SNAPSHOT_FORMATS,
  type SnapshotFormat,
  type SnapshotOptions,
  snapshotCharacter,
} from './bake/snapshot-character.js';
export type { BakedClip, BakedPose, BakedRegion } from './bake/summarise-clip.js';
export * from './browser.js';
export { readCharacter } from './read-character.js';
export { type MeshFile, type Rig, readMesh, readRig } from './read-mesh.js';
