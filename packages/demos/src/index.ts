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
