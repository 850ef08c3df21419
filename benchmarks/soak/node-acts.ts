/** The product in one Node process: read, play, bake, simulate, dispose. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createFrameSource, createPose, PRESET_NAMES, planBody, presetStack, samplePose } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { bakeCharacter, readCharacterFromBytes, writeCharacter } from '@isoskin/gltf';
import { createScene, createSimulation, sceneNames } from '@isoskin/soft';
import { createWasmKernels } from '@isoskin/wasm';
import { type Acts, choose, listModels, megabytes, type Random, SMALL_DEMOS } from './acts.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const hash = (data: Uint8Array) => createHash('sha256').update(data).digest('hex').slice(0, 16);
const hashNumbers = ({ buffer, byteOffset, byteLength }: Float32Array | Float64Array) =>
  hash(new Uint8Array(buffer, byteOffset, byteLength));

type Act = (random: Random) => Promise<readonly [what: string, word: string]>;

export async function openActs(): Promise<Acts> {
  const models: [string, Uint8Array][] = listModels();
  for (const name of SMALL_DEMOS) models.push([name, await writeCharacter(createDemo(name))]);
  const folder = mkdtempSync(join(tmpdir(), 'isoskin-soak-'));
  for (const [name, bytes] of models) writeFileSync(join(folder, `${name}.in.glb`), bytes);
  const shared = await createWasmKernels({ threads: 1 });
  // The command's own bake, threads included.
  const { bakeFile } = await import(join(process.cwd(), 'packages/cli/dist/bake-file.js'));

  const acts: Record<string, Act> = {
    async play(random) {
      const [name, bytes] = choose(models, random);
      const preset = choose(PRESET_NAMES, random);
      const { character } = await readCharacterFromBytes(bytes);
      const stack = createFrameSource(planBody(character), presetStack(preset));
      const clip = character.clips[Math.floor(random() * character.clips.length)];
      if (!clip) return [`${name} ${preset}`, 'no clip'];
      const time = choose([0.2, 0.5, 0.9], random) * clip.duration;
      for (let n = 0; n < 5; n++) stack.seek(clip, random() * clip.duration);
      return [`${name} ${preset} ${clip.name} ${time}`, hashNumbers(stack.seek(clip, time).positions)];
    },
    async wasm(random) {
      const [name, bytes] = choose(models, random);
      const { character } = await readCharacterFromBytes(bytes);
      const isOwn = random() < 0.3;
      const kernels = isOwn ? await createWasmKernels({ threads: 2 }) : shared;
      const stack = createFrameSource(planBody(character), presetStack('organic'), { kernels, warm: true });
      const pose = createPose(character);
      const clip = character.clips[Math.floor(random() * character.clips.length)];
      const time = clip ? choose([0.2, 0.5, 0.9], random) * clip.duration : 0;
      if (clip) samplePose(pose, character, clip, time);
      for (let n = 0; n < 5; n++) stack.evaluate(pose, time);
      const word = hashNumbers(stack.seek(clip, time).positions);
      stack.dispose();
      if (isOwn) kernels.dispose();
      return [`${isOwn} ${name} ${clip?.name} ${time}`, word];
    },
    async bake(random) {
      const [name, bytes] = choose(models, random);
      const as = choose(['morph', 'cache'] as const, random);
      const compress = random() < 0.3 ? ('meshopt' as const) : undefined;
      const isTwice = random() < 0.3;
      const read = await readCharacterFromBytes(bytes);
      const clips = read.character.clips.slice(0, 1).map((clip) => clip.name);
      const settings = { fps: 6, as, clips, ...(compress && { compress }) };
      let { glb } = await bakeCharacter(read, settings);
      if (isTwice) glb = (await bakeCharacter(await readCharacterFromBytes(glb), settings)).glb;
      return [`${name} ${as} ${compress} ${isTwice}`, hash(glb)];
    },
    async command(random) {
      const [name] = choose(models, random);
      const output = join(folder, 'out.glb');
      const options = { output, fps: 3, jobs: 2, force: true, as: 'morph', tolerance: 0.001, maxTargets: 8 };
      await bakeFile(join(folder, `${name}.in.glb`), { ...options, preset: 'organic', compact: false });
      return [name, hash(readFileSync(output))];
    },
    async simulate(random) {
      const name = choose(sceneNames, random);
      const simulation = await createSimulation(createScene(name));
      const steps = 1 + Math.floor(3 * random());
      for (let n = 0; n < steps; n++) simulation.step();
      const { positions } = simulation.surface({ kind: 'seeds' }) as { positions?: Float32Array };
      const word = positions ? hashNumbers(positions) : String(simulation.measure().volume);
      simulation.dispose();
      return [`${name} ${steps}`, word];
    },
  };
  const kinds = ['play', 'play', 'wasm', 'wasm', 'bake', 'bake', 'command', 'simulate'];

  return {
    async act(random) {
      const kind = choose(kinds, random);
      const [what, word] = await acts[kind]!(random);
      return { name: `${kind} ${what}`, word };
    },
    async measure() {
      // Two collections: what a finaliser lets go is freed by the second.
      collect();
      await new Promise((resolve) => setTimeout(resolve, 50));
      collect();
      const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
      return {
        kept: megabytes(heapUsed + external + shared.byteLength),
        heap: megabytes(heapUsed),
        buffers: megabytes(arrayBuffers),
        rss: megabytes(rss),
        handles: process.getActiveResourcesInfo().length,
      };
    },
    bounded: ['kept', 'rss', 'handles'],
    async close() {
      shared.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
