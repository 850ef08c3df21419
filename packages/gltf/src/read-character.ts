import { type LoadOptions, loadModel, readLoadedModel } from './load-model.js';
import type { ReadOptions, ReadResult } from './read-character-from-bytes.js';

/** Reads a .glb, or a .gltf with the files in its folder (and in no other, even through links). Node only. */
export async function readCharacter(path: string, options: ReadOptions & LoadOptions = {}): Promise<ReadResult> {
  return readLoadedModel(await loadModel(path, options), options);
}
