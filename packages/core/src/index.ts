/**
 * What a user of the library needs: characters, stacks, frames, measures. The rest stands behind `@isoskin/core/mesh`, `/kernels`, `/stack`, `/wrinkles`, `/weights`,
 * `/quality`, `/json` and, for the methods of the literature, `/methods`.
 */
export { type Body, planBody } from './body/plan-body.js';
export type { Character, CharacterInput, MorphInput, PartInput, SkeletonInput } from './character/character.js';
export { createCharacter } from './character/create-character.js';
export { IsoskinError, type Warning } from './error.js';
export { type BudgetOptions, checkBudget } from './measure/check-budget.js';
export { type ClipMeasure, type ClipMeter, planClipMeter } from './measure/measure-clip.js';
export { planVolumeMeter, type VolumeMeter } from './measure/plan-volume-meter.js';
export type { Surface } from './mesh/surface.js';
export type { Channel, Clip } from './skeleton/clip.js';
export { createPose, frameTimes, samplePose } from './skeleton/pose.js';
export { POSE_STRIDE, type Pose, type Skeleton } from './skeleton/skeleton.js';
export { checkStack } from './stack/check-stack.js';
export { type AmountSource, createAmountSource } from './stack/create-amount-source.js';
export { createFrameSource, type FrameSource, type FrameSourceOptions } from './stack/create-frame-source.js';
export type { Frame, VolumeReport } from './stack/frame.js';
export { PRESET_NAMES, type PresetName, presetStack } from './stack/presets.js';
export { resolveStack } from './stack/resolve-stack.js';
export type { LayerName, StackSpec } from './stack/stack-spec.js';
export { measureVolume } from './volume/measure-volume.js';
export { autoWeights } from './weights/auto-weights.js';
export { placeTool, placeTools } from './wrinkles/place-tool.js';
export type { WrinkleTool } from './wrinkles/wrinkle-tool.js';
