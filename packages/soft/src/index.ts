export { type DropOptions, type Dropped, dropCharacter } from './ragdoll/drop-character.js';
export { checkScene } from './scene/check-scene.js';
export { SCENE_DEFAULTS } from './scene/compile-scene.js';
export { createScene, sceneNames } from './scene/create-scene.js';
export { createSimulation, type Simulation } from './scene/create-simulation.js';
export type { ObjectSpec, ObstacleSpec, SceneSpec } from './scene/scene-spec.js';
export type { SimulationMeasure, SimulationSurface, SurfaceMesh } from './scene/simulation.js';
export { createSoftWorld, type SoftWorld } from './soft/create-soft-world.js';
export type { SoftObject, SoftObstacle, SoftPrimitive, SoftWorldInput } from './soft/soft-world.js';
