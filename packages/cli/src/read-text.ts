/** A file of text that a person has written: a stack, a scene, a key. */
import { LIMITS } from '@isoskin/core/json';
import { readWholeFile } from '@isoskin/gltf/node';

export async function readText(path: string): Promise<string> {
  return new TextDecoder().decode(await readWholeFile(path, LIMITS.text));
}
