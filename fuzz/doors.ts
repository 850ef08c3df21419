/**
 * The doors and what must hold at them for every input, not only that nothing crashes. A door takes a JSON tree and says what it
 * did with it, in a word; a property that does not hold is thrown.
 */
import { isDeepStrictEqual } from 'node:util';
import { checkStack, IsoskinError, PRESET_NAMES, presetStack } from '@isoskin/core';
import { checkScene, createScene, sceneNames } from '@isoskin/soft';
import { checkKey } from '../packages/cluster/src/storage/storage.js';
import { contentKey, hashBytes, isChunkKey, stableJson } from '../packages/cluster/src/work/chunk-key.js';
import { type CharacterWork, checkWork, isWork } from '../packages/cluster/src/work/cluster-work.js';
import { signWork } from '../packages/cluster/src/work/sign-work.js';

export interface Door {
  readonly seeds: readonly unknown[];
  /** 'ok', or the code of the refusal. */
  enter(tree: unknown): string;
}

const KEY = 'the key of the fuzzers';
const settings = { fps: 30, as: 'morph', tolerance: 0.001, maxTargets: 8, compact: false } as const;
const places = { output: { storage: '/out', key: 'sub/fox.glb' }, store: '/out/.isoskin' };
const input = { storage: '/in', key: 'sub/fox.glb', files: [{ name: 'fox.glb', sha256: hashBytes('fox') }] };
const unsigned = { ...places, input, settings: { ...settings, stack: presetStack('organic') } };
const work = {
  ...unsigned,
  content: contentKey(input.files, unsigned.settings),
  limits: { memory: 1024, seconds: 60 },
};
const SIGNED = signWork(work, KEY);

export const DOORS: Readonly<Record<string, Door>> = {
  stack: { seeds: PRESET_NAMES.map(presetStack), enter: (tree) => enterChecked(tree, checkStack) },
  scene: { seeds: sceneNames.map(createScene), enter: (tree) => enterChecked(tree, checkScene) },
  /** With the key: only what was signed, byte for byte, is let in. */
  job: {
    seeds: [SIGNED],
    enter: (tree) => {
      const answer = survive(() => checkWork(tree as CharacterWork, KEY));
      if (answer === 'ok' && stableJson(tree) !== stableJson(SIGNED))
        throw new Error('a job was let in that nobody signed');
      return answer;
    },
  },
  /** Signed by anybody, as where there is no key: what is let in stays in its folders. */
  forged: {
    seeds: [SIGNED],
    enter: (tree) =>
      survive(() => {
        if (!isWork(tree)) throw new IsoskinError('CLUSTER_JOB', 'The job has another shape than a job has.');
        const content = contentKey(tree.input.files, tree.settings);
        const signed = signWork({ ...tree, content }, '');
        checkWork(signed, '');
        for (const { key } of [signed.input, signed.output]) checkKey(key);
        if (signed.limits.memory > 1e9 || signed.limits.seconds > 1e9)
          throw new Error('a limit that is none was let in');
        for (const name of [signed.input.key, signed.output.key, signed.store]) {
          if (isChunkKey(name) && !/^chunks\/..\/[\da-f]{64}$/.test(name))
            throw new Error(`${name} passes for a chunk`);
        }
      }),
  },
};

/** What a check lets in is as it was, is let in again, and comes back from a file the same; and nothing was changed on the way. */
function enterChecked(tree: unknown, check: (value: unknown) => unknown): string {
  const before = JSON.stringify(tree);
  const answer = survive(() => {
    const once = check(tree);
    if (!isDeepStrictEqual(check(once), once)) throw new Error('checked twice, it is something else');
    const stored = JSON.parse(JSON.stringify(once)) as unknown;
    if (!isDeepStrictEqual(JSON.parse(JSON.stringify(check(stored))), stored)) {
      throw new Error('stored and read again, it is something else');
    }
  });
  if (JSON.stringify(tree) !== before) throw new Error('the check has changed what it was given');
  return answer;
}

export function survive(act: () => void): string {
  try {
    act();
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
