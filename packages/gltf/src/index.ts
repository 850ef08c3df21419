export * from './browser.js';
export { readCharacter } from './read-character.js';
export { type MeshFile, type Rig, readMesh, readRig } from './read-mesh.js';
export { bakeCharacter, type BakedClip, type BakedRegion, type BakeResult } from './bake/bake-character.js';
export { BAKE_DEFAULTS, type BakeOptions } from './bake/bake-options.js';
