/**
 * Seeded, structure-aware fuzzing of everything that reads a file. CI runs a short round;
 *
 *   ISOSKIN_FUZZ_RUNS=50000 ISOSKIN_FUZZ_SEED=7 npx vitest run fuzz
 *
 * runs a long one and prints how many inputs were refused with which code.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { PRESET_NAMES, presetStack } from '@isoskin/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ODD_FILES } from '../packages/gltf/test/bake/odd-files.js';
import { editGlb } from '../packages/gltf/test/edit-glb.js';
import { animate, type Loose, packGlb, skinnedBox } from '../packages/gltf/test/model-builder.js';
import { DOORS } from './doors.js';
import { applyByteDamages, byteDamages } from './mutate-bytes.js';
import { applyDamages, damages } from './mutate-json.js';
import { createRandom, randomDamages } from './random-damages.js';
import { bakeModel, readModel, readSceneJson, readStackJson } from './targets.js';

const SEED = Number(process.env.ISOSKIN_FUZZ_SEED ?? 20261115);
const LONG = process.env.ISOSKIN_FUZZ_RUNS;
/** No small file may keep a processor busy for longer, in milliseconds; how busy the machine is does not count. */
const HANG = 5000;

const runs = (short: number) => Number(LONG ?? short);

describe(`fuzzing (seed ${SEED})`, () => {
  it('models', { timeout: 10_800_000 }, async () => {
    const bases = [...listCorpus('glb'), animatedBox()].map(takeApart);
    const input = fc.tuple(fc.nat(bases.length - 1), fc.option(damages), byteDamages, fc.nat(7));
    await fuzz(runs(1500), input, ([base, list, bytes, where]) => {
      const { json, binary } = bases[base]!;
      const tree = structuredClone(json);
      if (list) applyDamages(tree, list);
      // Mostly the numbers are damaged; damage to the container is refused early and soon told apart.
      if (where > 0) return readModel(packGlb(tree, applyByteDamages(binary, bytes)));
      return readModel(applyByteDamages(packGlb(tree, binary), bytes));
    });
  });

  it('bakes', { timeout: 10_800_000 }, async () => {
    const corpus = listCorpus('glb');
    const odd = Object.values(ODD_FILES).map(({ edit }) => editGlb(corpus.at(-1)!, edit));
    const bases = [animatedBox(), ...corpus, ...odd, twins(corpus.at(-1)!)].map(takeApart);
    const input = fc.tuple(fc.nat(bases.length - 1), damages, byteDamages, fc.boolean());
    await fuzz(runs(60), input, ([base, list, bytes, isJson]) => {
      const { json, binary } = bases[base]!;
      const tree = structuredClone(json);
      if (isJson) applyDamages(tree, list);
      return bakeModel(packGlb(tree, isJson ? binary : applyByteDamages(binary, bytes)));
    });
  });

  it('stacks', { timeout: 10_800_000 }, async () => {
    const bases = [...PRESET_NAMES.map(presetStack), ...listCorpus('stack').map((bytes) => JSON.parse(textOf(bytes)))];
    const input = fc.tuple(fc.nat(bases.length - 1), damages);
    await fuzz(runs(300), input, ([base, list]) => {
      const tree = structuredClone(bases[base]!);
      applyDamages(tree, list);
      return readStackJson(JSON.stringify(tree));
    });
  });

  it.each(Object.keys(DOORS))(
    'the door of %s: properties, as many as eight seconds allow',
    { timeout: 10_800_000 },
    (name) => {
      const { seeds, enter } = DOORS[name]!;
      const corpus = new URL(`./corpus/doors/${name}.json`, import.meta.url);
      const trees = [...seeds, ...(existsSync(corpus) ? (JSON.parse(readFileSync(corpus, 'utf8')) as unknown[]) : [])];
      const random = createRandom(SEED);
      const answers = new Set(trees.map(enter));
      const end = performance.now() + (LONG === undefined ? 8000 : 600_000);
      for (let n = 0; n < runs(20_000) && performance.now() < end; n++) {
        const tree = structuredClone(trees[Math.floor(random() * trees.length)]);
        applyDamages(tree, randomDamages(random));
        const text = JSON.stringify(tree);
        try {
          answers.add(enter(tree));
        } catch (cause) {
          throw new Error(`input ${n}: ${text.slice(0, 4000)}`, { cause });
        }
      }
      expect([...answers]).toContain('ok');
      expect(answers.size).toBeGreaterThan(1);
    },
  );

  it('scenes', { timeout: 10_800_000 }, async () => {
    const bases = listCorpus('scene').map((bytes) => JSON.parse(textOf(bytes)));
    const input = fc.tuple(fc.nat(bases.length - 1), damages);
    await fuzz(runs(120), input, ([base, list]) => {
      const tree = structuredClone(bases[base]!);
      applyDamages(tree, list);
      return readSceneJson(JSON.stringify(tree));
    });
  });
});

async function fuzz<T>(count: number, input: fc.Arbitrary<T>, run: (value: T) => Promise<string>): Promise<void> {
  const answers = new Map<string, number>();
  let slowest = 0;
  await fc.assert(
    fc.asyncProperty(input, async (value) => {
      const start = process.cpuUsage();
      const answer = await run(value);
      const { user, system } = process.cpuUsage(start);
      const took = (user + system) / 1000;
      slowest = Math.max(slowest, took);
      expect(took).toBeLessThan(HANG);
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }),
    { seed: SEED, numRuns: count, endOnFailure: LONG === undefined },
  );
  // A fuzzer whose inputs are all refused at the door, or all taken, tests little.
  expect(answers.get('ok') ?? 0).toBeGreaterThan(count / 100);
  expect(answers.size).toBeGreaterThan(1);
  if (LONG === undefined) return;
  const table = [...answers].sort((a, b) => b[1] - a[1]).map(([code, n]) => `${code} ${n}`);
  console.log(`${count} inputs, slowest ${Math.round(slowest)} ms: ${table.join(', ')}`);
}

function listCorpus(kind: string): Uint8Array[] {
  const folder = new URL(`./corpus/${kind}/`, import.meta.url);
  return readdirSync(folder)
    .sort()
    .map((name) => new Uint8Array(readFileSync(new URL(name, folder))));
}

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function animatedBox(): Uint8Array {
  const model = skinnedBox();
  animate(model, 2, 'rotation', [0, 0.5, 1], [0, 0, 0, 1, 0.7, 0, 0, 0.7, 0, 0, 0, 1]);
  return model.glb();
}

/** Two skins, two scenes, and a mesh that two nodes show. */
function twins(glb: Uint8Array): Uint8Array {
  return editGlb(glb, ({ json }) => {
    const node = json.nodes.find(({ skin }: Loose) => skin !== undefined);
    json.skins.push(structuredClone(json.skins[0]));
    json.nodes.push({ ...node, name: 'twin', skin: json.skins.length - 1 });
    json.scenes[0].nodes.push(json.nodes.length - 1);
    json.scenes.push({ nodes: [json.nodes.length - 1] });
  });
}

/** JSON and binary chunk of a good .glb. */
function takeApart(glb: Uint8Array): { json: Loose; binary: Uint8Array } {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.length);
  const length = view.getUint32(12, true);
  return { json: JSON.parse(textOf(glb.subarray(20, 20 + length))), binary: glb.slice(28 + length) };
}
