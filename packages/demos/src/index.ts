export { createDemo, createDemoInput, createThesisTube, type DemoOptions, demoNames } from './demos/create-demo.js';
export { createWrinkledStack, wrinkledNames } from './demos/create-wrinkled-stack.js';
export { createField, type Field, type FieldInput } from './field/create-field.js';
export type { ImplicitSurface } from './field/implicit-surface.js';
export { type Corner, createSheet, createTube, type Potential, type Primitive } from './field/primitive.js';
export type { TriangleMesh } from './polygonise/extract-net.js';
export { type Polygonisation, type PolygoniseOptions, polygonise } from './polygonise/polygonise.js';
