/** The reader as a door of the coverage-guided fuzzer: a model is its JSON and its binary part, each damaged in its own way. */
import { readdirSync, readFileSync } from 'node:fs';
import { packGlb } from '../packages/gltf/test/model-builder.js';
import { applyByteDamages } from './mutate-bytes.js';
import { applyDamages } from './mutate-json.js';
import { type Random, randomByteDamages, randomDamages } from './random-damages.js';
import type { AnyDoor } from './run-coverage.js';

interface Model {
  json: unknown;
  /** Base64. */
  binary: string;
}

/**
 * @param folder models to start from
 * @param target what every model must survive
 */
export function createModelDoor(folder: string, target: (bytes: Uint8Array) => Promise<string>): AnyDoor {
  const names = readdirSync(folder).sort();
  return {
    seeds: names.map((name) => takeApart(readFileSync(`${folder}/${name}`))),
    patience: 5000,
    batch: { least: 50, most: 1000 },
    enter: (tree) => {
      const { json, binary } = tree as Model;
      return target(packGlb(json, new Uint8Array(Buffer.from(binary, 'base64'))));
    },
    damage(tree: unknown, random: Random) {
      const model = tree as Model;
      if (random() < 0.6) applyDamages(model.json, randomDamages(random));
      if (random() < 0.6) {
        const bytes = applyByteDamages(new Uint8Array(Buffer.from(model.binary, 'base64')), randomByteDamages(random));
        model.binary = Buffer.from(bytes).toString('base64');
      }
    },
  };
}

function takeApart(glb: Buffer): Model {
  const length = glb.readUInt32LE(12);
  return {
    json: JSON.parse(glb.toString('utf8', 20, 20 + length)),
    binary: glb.subarray(28 + length).toString('base64'),
  };
}
