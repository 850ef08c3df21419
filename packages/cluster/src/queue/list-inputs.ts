import { IsoskinError } from '@isoskin/core';
import { listModels } from '../storage/list-models.js';
import { openStorage } from '../storage/open-storage.js';
import { checkKey, type Storage } from '../storage/storage.js';
import type { Place } from '../work/cluster-work.js';

export interface ListedInput {
  readonly storage: Storage;
  readonly input: Place;
  readonly output: Place;
}

/**
 * The models that patterns match, each with the place its result goes to: the same path below `out`, as .glb (or .vrm);
 * and of those that cannot be submitted, why.
 */
export async function listInputs(patterns: readonly string[], out: string) {
  const target = openStorage(out);
  const found = new Map<string, ListedInput>();
  const owners = new Map<string, string>();
  const refused: string[] = [];
  for (const pattern of patterns) {
    const { storage, keys } = await listModels(pattern);
    for (const key of keys) {
      const address = `${storage.url}/${key}`;
      if (found.has(address)) continue;
      try {
        checkKey(key);
      } catch (error) {
        refused.push((error as Error).message);
        continue;
      }
      const name = key.replace(/\.(glb|gltf)$/i, '.glb'); // a .vrm stays one
      if (owners.has(name)) {
        const message = `"${owners.get(name)}" and "${address}" would both be written to "${name}": submit them to two places.`;
        throw new IsoskinError('SUBMIT_SAME_OUTPUT', message);
      }
      owners.set(name, address);
      const output = { storage: target.url, key: name };
      found.set(address, { storage, input: { storage: storage.url, key }, output });
    }
  }
  return { inputs: [...found.values()], refused };
}
