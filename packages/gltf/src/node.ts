export {
  createDracoDecoder,
  type LoadedModel,
  type LoadOptions,
  loadModel,
  readCharacter,
  readLoadedModel,
  readRig,
} from './load-model.js';
export { readWholeFile } from './read-whole-file.js';
