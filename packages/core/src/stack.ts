/** Stacks from the inside: schema, defaults, layers, methods. */
export {
  CONTACT_CONSTANTS,
  CONTACT_DEFAULTS,
  type Contact,
  type ContactConstants,
  type ContactOptions,
  planContact,
} from './contact/plan-contact.js';
export { DIRECTION_DEFAULTS } from './correction/measure-directions.js';
export type { CalmPlace } from './correction/measure-pliancy.js';
export { SHAPE_DEFAULTS } from './correction/plan-shapes.js';
export { VOLUME_METHODS, type VolumeMethodName } from './correction/volume-methods.js';
export { type BoneSprings, createBoneSprings } from './flesh/create-bone-springs.js';
export { type ClipSwing, createClipSwing } from './flesh/create-clip-swing.js';
export { measureSpringStep } from './flesh/measure-spring-step.js';
export { SOFTNESS_DEFAULTS, type SoftnessOptions } from './flesh/plan-softness.js';
export type { Spring, SpringState } from './flesh/step-springs.js';
export type { ShapeOptions } from './maps/apply-shape.js';
export { MAP_DEFAULTS, MAP_KINDS, type MapKind, type MapOptions, measureMap } from './maps/measure-map.js';
export {
  createHarmJudge,
  GATE_KINDS,
  GATE_LIMITS,
  type GateKind,
  type HarmBlock,
  type JudgedHarm,
  joinBlame,
  NO_HARM,
  type PlayedHarm,
  planSolvedBlame,
} from './rehearse/judge-harm.js';
export { type Rehearsal, type RehearseOptions, rehearseStack } from './rehearse/rehearse-stack.js';
export {
  describeHarm,
  describeMends,
  listHarm,
  type Mends,
  measureGravity,
  NO_MENDS,
  softenStack,
} from './rehearse/soften-stack.js';
export { isLayerList } from './stack/check-stack.js';
export { FLESH_DEFAULTS, type FleshLayerOptions, type FleshRegionOptions } from './stack/flesh-layer.js';
export { PRESETS } from './stack/presets.js';
export { listDrafts, measureDraftKey, type PlanDraft } from './stack/remember-context.js';
export { describeOption, STACK_SCHEMA } from './stack/stack-schema.js';
export {
  isStateful,
  LAYER_NAMES,
  type LayerOptions,
  listUsedLayers,
  needsWholeClips,
  type SkinOptions,
  type Stack,
  whyNotAccelerated,
} from './stack/stack-spec.js';
export { tuneVolume } from './stack/tune-volume.js';
export type { FrameVolume, VolumeLayerOptions } from './stack/volume-layer.js';
export { WRINKLE_TOOL } from './stack/wrinkle-tool-schema.js';
