/**
 * What every input must survive. A target takes an input and either succeeds with finite numbers or throws an
 * `IsoskinError` in words for a person; anything else is a finding.
 */
import {
  type Character,
  checkBudget,
  createFrameSource,
  createPose,
  IsoskinError,
  planBody,
  presetStack,
  type StackSpec,
  samplePose,
} from '@isoskin/core';
import { LIMITS } from '@isoskin/core/json';
import { createDemo } from '@isoskin/demos';
import { bakeCharacter, readCharacterFromBytes } from '@isoskin/gltf';
import { checkScene, createSimulation } from '@isoskin/soft';

/** Beyond this a mutated scene is only planned. */
const MOST_TERRITORIES = 100;
/** Beyond this a mutated model is only read: planning it is timed by other tests. */
const LARGEST = 3000;
/** A tenth of what the commands allow: large crossing triangles are refused sooner than they hold up the fuzzer. */
const MOST_WORK = LIMITS.work / 10;

/** Reading alone: many times as many inputs in the same time. */
export async function readOnly(bytes: Uint8Array): Promise<string> {
  return survive(async () => void (await readChecked(bytes)));
}

async function readChecked(bytes: Uint8Array): Promise<Character> {
  const before = bytes.slice();
  const { character } = await readCharacterFromBytes(bytes);
  checkCharacter(character);
  if (before.some((byte, n) => byte !== bytes[n])) throw new Error('the reader has changed what it was given');
  return character;
}

export async function readModel(bytes: Uint8Array): Promise<string> {
  return survive(async () => {
    const character = await readChecked(bytes);
    checkBudget(character, { maxWork: MOST_WORK });
    if (character.surface.vertexCount <= LARGEST) evaluateStack(character, presetStack('organic'));
  });
}

/** What a second bake may add to the largest change of volume: twice the tolerance of a bake. */
const AGAIN = 0.002;

/** A file that can be read can be baked, twice: the judge finds nothing wrong with the writer, and the second keeps what the first kept. */
export async function bakeModel(bytes: Uint8Array): Promise<string> {
  return survive(async () => {
    const read = await readCharacterFromBytes(bytes);
    const { surface, clips } = read.character;
    const seconds = clips.reduce((sum, { duration }) => sum + duration, 0);
    if (surface.vertexCount > 400 || seconds > 20) throw new IsoskinError('LARGE', 'Too large to be baked in a test.');
    const settings = { fps: 4, stack: presetStack('organic') };
    for (const as of ['morph', 'cache'] as const) {
      const once = await judged(() => bakeCharacter(read, { ...settings, as }));
      if (as === 'cache') continue;
      const twice = await judged(async () => bakeCharacter(await readCharacterFromBytes(once.glb), settings));
      for (const [c, { name, worst }] of twice.clips.entries()) {
        const before = Math.abs(once.clips[c]!.worst.baked);
        if (!(Math.abs(worst.baked) <= before + AGAIN)) {
          throw new Error(`baked again, "${name}" changes by ${worst.baked} instead of ${once.clips[c]!.worst.baked}`);
        }
      }
    }
  });
}

/** A refusal of our own result is a finding. */
async function judged<T>(bake: () => Promise<T>): Promise<T> {
  try {
    return await bake();
  } catch (error) {
    if (!(error instanceof IsoskinError) || !['RESULT_WRONG', 'UNREADABLE'].includes(error.code)) throw error;
    throw new Error(`${error.code}: ${error.message} (${error.place})`);
  }
}

/** What the reader promises about everything that it lets in. */
function checkCharacter({ surface, binding, skeleton, clips }: Character): void {
  const promise = (holds: boolean, what: string): void => {
    if (!holds) throw new Error(`a character was let in ${what}`);
  };
  promise(surface.positions.every(Number.isFinite), 'with a position that is no number');
  promise(
    surface.triangles.every((v) => v < surface.vertexCount),
    'with a triangle without its vertex',
  );
  promise(
    binding.bones.every((bone) => bone < skeleton.boneCount),
    'with a vertex on a bone that is not there',
  );
  for (let v = 0; v < surface.vertexCount; v++) {
    let sum = 0;
    for (let k = binding.offsets[v]!; k < binding.offsets[v + 1]!; k++) sum += binding.weights[k]!;
    promise(Math.abs(sum - 1) < 1e-6, `with weights that sum to ${sum}`);
  }
  for (const { duration, channels } of clips) {
    promise(duration >= 0 && Number.isFinite(duration), `with a clip of ${duration} s`);
    promise(
      channels.every(({ times }) => times.every((t, n) => n === 0 || t >= times[n - 1]!)),
      'with times that go back',
    );
  }
}

let tube: Character | undefined;

export async function readStackJson(text: string): Promise<string> {
  tube ??= createDemo('tube', { vertices: 150 });
  return survive(async () => evaluateStack(tube!, parse(text) as StackSpec));
}

export async function readSceneJson(text: string): Promise<string> {
  return survive(async () => {
    const scene = checkScene(parse(text));
    const simulation = await createSimulation(scene);
    try {
      // A few bytes may ask for ten thousand particles, which is heavy but honest: only small scenes are played.
      if (simulation.territories.length > MOST_TERRITORIES) return;
      simulation.step();
      simulation.step();
      const { volume } = simulation.measure();
      if (!Number.isFinite(volume)) throw new Error(`the volume of a valid scene became ${volume}`);
    } finally {
      simulation.dispose();
    }
  });
}

/** What the command says of a file that is no JSON; here only JSON is of interest. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new IsoskinError('JSON_INVALID', 'The file is not valid JSON: check it with an editor that shows the place.');
  }
}

function evaluateStack(character: Character, spec: StackSpec): void {
  const stack = createFrameSource(planBody(character), spec);
  const pose = createPose(character);
  const clips = character.clips.slice(0, 2);
  const check = (): void => {
    const bad = stack.frame.positions.findIndex((x) => !Number.isFinite(x));
    if (bad >= 0) throw new Error(`coordinate ${bad} of the surface is ${stack.frame.positions[bad]}`);
  };
  stack.evaluate(pose, 0, 0);
  check();
  for (const clip of clips) {
    for (const share of [0, 0.4, 1]) {
      samplePose(pose, character, clip, share * clip.duration);
      stack.evaluate(pose, share * clip.duration, 1 / 30);
      check();
    }
  }
}

/** 'ok', or the code of the refusal. Anything else is thrown on. */
async function survive(work: () => Promise<void>): Promise<string> {
  try {
    await work();
    if (({} as Record<string, unknown>).polluted !== undefined) throw new Error('Object.prototype was changed');
    return 'ok';
  } catch (error) {
    if (!(error instanceof IsoskinError)) throw error;
    if (!/^[^\n]{15,2000}$/.test(error.message) || /undefined|\[object|NaN is/.test(error.message)) {
      throw new Error(`a refusal that helps nobody: ${error.message}`, { cause: error });
    }
    return error.code;
  }
}
