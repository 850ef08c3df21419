export { createDemo, createDemoInput, type DemoOptions, demoNames } from './demos/create-demo.js';
export { createWrinkledStack, createWrinkleTools, wrinkledDemos } from './demos/create-wrinkle-tools.js';
export { createField, type Field, type FieldInput } from './field/create-field.js';
export type { ImplicitSurface } from './field/implicit-surface.js';
export { evaluatePotential, evaluatePotentialSlope } from './field/potential.js';
export {
  type Corner,
  createPoint,
  createSegment,
  createSheet,
  createTube,
  type Potential,
  type Primitive,
} from './field/primitive.js';
export type { TriangleMesh } from './polygonise/extract-net.js';
export { type MeshQuality, measureMeshQuality } from './polygonise/measure-mesh-quality.js';
export { type Polygonisation, type PolygoniseOptions, polygonise } from './polygonise/polygonise.js';
export { checkScene } from './scene/check-scene.js';
export { createScene, sceneNames } from './scene/create-scene.js';
export { createSimulation } from './scene/create-simulation.js';
export { SCENE_DEFAULTS } from './scene/plan-scene.js';
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
  Simulation,
  SimulationMeasure,
  SimulationObject,
  SimulationObstacle,
  SimulationSurface,
  SimulationSurfaceOptions,
  SurfaceMesh,
} from './scene/simulation.js';
export { createSoftWorld } from './soft/create-soft-world.js';
export type {
  Obstacle,
  ObstacleState,
  PieceMesh,
  PrimitiveShape,
  SoftContacts,
  SoftObject,
  SoftPieces,
  SoftPotential,
  SoftPrimitive,
  SoftTerritories,
  SoftWorld,
  SoftWorldInput,
  SurfaceOptions,
  VolumeControl,
} from './soft/soft-world.js';
