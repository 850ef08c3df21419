export type { Amounts, Certificate } from '@isoskin/drive';
export { type BakeResult, bakeCharacter } from './bake/bake-character.js';
export { BAKE_DEFAULTS, type BakeOptions, type EvaluateSamples, findClips } from './bake/bake-options.js';
export {
  createFrameBaker,
  type FrameBaker,
  type FrameBakerOptions,
  type FrameBlock,
  joinBlocks,
} from './bake/create-frame-baker.js';
export { type BakeFiles, describeBake } from './bake/describe-bake.js';
export { listSamples, type Sample, type SampleList, splitSamples } from './bake/list-samples.js';
export { planSourceSkin, type SourceSkin } from './bake/plan-source-skin.js';
export {
  SNAPSHOT_FORMATS,
  type SnapshotFormat,
  type SnapshotOptions,
  snapshotCharacter,
} from './bake/snapshot-character.js';
export type { BakedClip, BakedPose, BakedRegion } from './bake/summarise-clip.js';
export {
  type CacheFrame,
  type CacheMesh,
  type CacheRigid,
  type VertexCache,
  writeVertexCache,
} from './cache/write-vertex-cache.js';
export { certifyFile } from './drive/certify-file.js';
export { createPoseSampler, type PoseSampler, type PoseSamplerOptions } from './drive/create-pose-sampler.js';
export { type DriveJudge, planDriveJudge } from './drive/plan-drive-judge.js';
export {
  measureDriven,
  summarise,
  type TaughtAmounts,
  TEACH_DEFAULTS,
  TEACH_SEEDS,
  type TeachOptions,
  teachAmounts,
} from './drive/teach-amounts.js';
export type { AllowedKind } from './judge/allowed-changes.js';
export { findWorseRegions, type JudgedRegion, WORSE_REGION, type WorstRegion } from './judge/check-played.js';
export { judgeBytes } from './judge/judge-bytes.js';
export { listModelFiles } from './list-model-files.js';
export {
  type AddTargetsOptions,
  addTargets,
  type Deltas,
  type PartTargets,
  type TargetInput,
} from './patch/add-targets.js';
export { appendAccessor } from './patch/append-accessor.js';
export { type AccessorData, copyFile, type GltfFile } from './patch/gltf-file.js';
export { ownMesh } from './patch/own-mesh.js';
export { readAccessor } from './patch/read-accessor.js';
export { setWeightTrack, type WeightTrack } from './patch/set-weight-track.js';
export { writeGlb } from './patch/write-glb.js';
export { type WrittenGltf, writeGltf } from './patch/write-gltf.js';
export { PLAN_EXTENSION, type PlannedFile, writePlans } from './plan/write-plans.js';
export { type ReadOptions, type ReadResult, readCharacterFromBytes } from './read-character-from-bytes.js';
export type { PartSource } from './read-parts.js';
export { type Rig, readRigFromBytes } from './read-rig.js';
export type { ResolveUri } from './resolve-resources.js';
export { type PartTriangles, splitByPart } from './split-by-part.js';
export type { BakeThreads } from './threads/bake-threads.js';
export { type BakeVolumeOptions, bakeVolume } from './transform/bake-volume.js';
export { type WriteOptions, writeCharacter } from './write-character.js';
export { writeClip, writePaint, writeRotations } from './write-edits.js';
export { writeWeights } from './write-weights.js';
