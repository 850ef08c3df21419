import { IsoskinError } from '@isoskin/core';
import { planGlob } from './match-glob.js';
import { openStorage } from './open-storage.js';

/** The models that a pattern matches, at least one: .glb, .gltf and .vrm, whatever else lies beside them. */
export async function listModels(pattern: string) {
  const glob = planGlob(pattern);
  const storage = openStorage(glob.base);
  const all = await storage.list(glob.prefix);
  const keys = all.filter((key) => glob.matches(key) && /\.(glb|gltf|vrm)$/i.test(key));
  if (keys.length > 0) return { storage, keys };
  const message = `"${pattern}" matches no .glb, .gltf or .vrm file: check the path, and put the pattern into quotes.`;
  throw new IsoskinError('SUBMIT_EMPTY', message);
}
