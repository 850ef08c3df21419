/** The door for saved plans: what is broken, of another version or of another character is refused with a sentence. O(bytes). */
import { createGiven } from '../correction/create-given.js';
import { planTargetVolumes } from '../correction/plan-target-volumes.js';
import { IsoskinError } from '../error.js';
import type { FramePlan } from '../kernels/frame-plan.js';
import { createVolumeReport } from '../stack/frame.js';
import type { PlayedPlan } from '../stack/plan-volume-with.js';
import { checkPlan } from './check-plan.js';
import { createHash } from './create-hash.js';
import {
  ARRAY_KINDS,
  type ArrayKind,
  alignBytes,
  PLAN_HEADER,
  PLAN_MAGIC,
  PLAN_VERSION,
  type PlanData,
} from './saved-plan.js';

declare class TextDecoder {
  decode(bytes: Uint8Array): string;
}

const BROKEN = 'This saved plan is broken or cut off: save it again, or let the character be planned';

/**
 * A plan that `savePlan` made. Its arrays are views of the bytes: leave those as they are while it is used.
 *
 * @param key of the character that it is wanted for (measurePlanKey); without it the plan is taken as it is
 */
export function loadPlan(bytes: Uint8Array, key?: Uint8Array): PlayedPlan {
  const whole = bytes.byteOffset % 8 === 0 && bytes.byteLength % 4 === 0 ? bytes : bytes.slice();
  if (whole.byteLength < PLAN_HEADER || whole.byteLength % 8 !== 0) fail('PLAN_BROKEN', BROKEN);
  const words = new Uint32Array(whole.buffer, whole.byteOffset, whole.byteLength / 4);
  if (words[0] !== PLAN_MAGIC)
    fail('PLAN_BROKEN', 'These bytes are no saved plan: give what savePlan, or body.savedPlan, gave');
  if (words[1] !== PLAN_VERSION) {
    const message = `This plan was saved by another version of isoskin (${words[1]}; this one reads ${PLAN_VERSION}): let the character be planned again`;
    fail('PLAN_VERSION', message);
  }
  if (key && !isPlanOf(whole, key)) {
    const message =
      'This saved plan belongs to another character or another stack (its geometry, skin or options differ): save one of this character, or let it be planned';
    fail('PLAN_OF_ANOTHER', message);
  }
  const sum = createHash()
    .words(words.subarray(PLAN_HEADER / 4))
    .finish();
  if (words[2] !== whole.byteLength || !isEqual(whole.subarray(32, 48), sum)) fail('PLAN_BROKEN', BROKEN);
  try {
    const data = readData(whole, words[3]!);
    checkPlan(data);
    return createPlayed(data);
  } catch (error) {
    if (error instanceof IsoskinError) throw error;
    throw new IsoskinError('PLAN_BROKEN', BROKEN, '', { cause: error });
  }
}

/** These bytes say that they were planned for what this key stands for. */
export function isPlanOf(bytes: Uint8Array, key: Uint8Array): boolean {
  return isEqual(bytes.subarray(16, 32), key);
}

function fail(code: string, message: string): never {
  throw new IsoskinError(code, message);
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

interface SavedJson {
  readonly arrays: readonly (readonly [ArrayKind, number])[];
  readonly plan: unknown;
}

/** The objects of `pack` in save-plan.ts. */
interface Packed {
  readonly '#'?: number;
  readonly '&'?: [number, unknown][];
  readonly '='?: string;
}

function readData(bytes: Uint8Array, jsonLength: number): PlanData {
  const text = new TextDecoder().decode(bytes.subarray(PLAN_HEADER, PLAN_HEADER + jsonLength));
  const arrays: unknown[] = [];
  // The table stands first, so that it is there when the plan speaks of it.
  const { plan } = JSON.parse(text, (name, value: unknown) => {
    if (name === 'arrays' && arrays.length === 0) {
      let place = alignBytes(PLAN_HEADER + jsonLength);
      for (const [kind, length] of value as SavedJson['arrays']) {
        const array = new ARRAY_KINDS[kind](bytes.buffer as ArrayBuffer, bytes.byteOffset + place, length);
        arrays.push(array);
        place = alignBytes(place + array.byteLength);
      }
      if (place !== bytes.byteLength) throw new RangeError('the table is not that of these bytes');
    }
    const { '#': n, '&': entries, '=': number } = (value ?? {}) as Packed;
    if (n !== undefined) return arrays[n];
    if (entries) return new Map(entries);
    return number === undefined ? value : Number(number);
  }) as SavedJson;
  return plan as PlanData;
}

function createPlayed(data: PlanData): PlayedPlan {
  const { character, regions, rest, target } = data;
  const volumes = { ...data.volumes, closed: { ...data.closed, surface: character.surface } };
  const shapes = { ...data.shapes, ...(data.given && { given: createGiven(data.given) }) };
  const frame: FramePlan = { ...data.frame, volumes, shapes };
  return {
    ...{ character, regions, volumes, directions: frame.directions, rest, target },
    targets: planTargetVolumes(character, volumes, regions, rest, target, data.shares),
    framePlan: () => frame,
    createReport: () => createVolumeReport(regions.names, rest),
  };
}
