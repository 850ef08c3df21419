export type {
  Binding,
  Character,
  CharacterInput,
  MorphInput,
  MorphTarget,
  Part,
  PartInput,
  SkeletonInput,
} from './character/character.js';
export { IsoskinError, type Warning } from './error.js';
export {
  type Caps,
  type Component,
  type Csr,
  NO_COMPONENT,
  type Surface,
  type SurfaceDefects,
} from './mesh/surface.js';
export type { Channel, ChannelPath, Clip, Interpolation } from './skeleton/clip.js';
export { POSE_STRIDE, type Pose, type Skeleton } from './skeleton/skeleton.js';
