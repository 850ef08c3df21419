export { checkScene } from './scene/check-scene.js';
export { SCENE_DEFAULTS } from './scene/compile-scene.js';
export { createScene, sceneNames } from './scene/create-scene.js';
export { createSimulation, type Simulation } from './scene/create-simulation.js';
export type {
  BodiesSpec,
  BodySpec,
  JointSpec,
  KinematicSpec,
  MaterialSpec,
  MotionKey,
  MotionSpec,
  MotorSpec,
  ObjectSpec,
  ObstacleSpec,
  ParticleFill,
  ParticlesSpec,
  PrimitiveSpec,
  SceneSpec,
  SceneView,
  StructureSpec,
} from './scene/scene-spec.js';
export type {
  SimulationMeasure,
  SimulationObject,
  SimulationObstacle,
  SimulationSurface,
  SimulationSurfaceOptions,
  SurfaceMesh,
} from './scene/simulation.js';
export { createSoftWorld, type SoftWorld } from './soft/create-soft-world.js';
export type {
  Obstacle,
  PieceMesh,
  PrimitiveShape,
  SoftObject,
  SoftPotential,
  SoftPrimitive,
  SoftTerritories,
  SoftWorldInput,
  SurfaceOptions,
  VolumeControl,
} from './soft/soft-world.js';
