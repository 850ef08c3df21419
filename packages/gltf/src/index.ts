export * from './browser.js';
export {
  createDracoDecoder,
  type LoadedModel,
  type LoadOptions,
  loadModel,
  readLoadedModel,
} from './load-model.js';
export { readCharacter } from './read-character.js';
export { type MeshFile, type Rig, readMesh, readRig } from './read-mesh.js';
export { readWholeFile } from './read-whole-file.js';
