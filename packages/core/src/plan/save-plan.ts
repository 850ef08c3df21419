/** All that a runtime needs of a planned character, as bytes (saved-plan.ts): what is loaded from them plays the same frames, bit for bit. */
import type { PlayedPlan } from '../stack/plan-volume-with.js';
import { createHash } from './create-hash.js';
import {
  ARRAY_KINDS,
  type ArrayKind,
  alignBytes,
  PLAN_HEADER,
  PLAN_MAGIC,
  PLAN_VERSION,
  type PlanArray,
  type PlanData,
} from './saved-plan.js';

declare class TextEncoder {
  encode(text: string): Uint8Array;
}

/** @param key of what it was planned from (measure-plan-key.ts) */
export function savePlan(plan: PlayedPlan, key: Uint8Array): Uint8Array {
  const { shapes: all, volumes: whole, ...frame } = plan.framePlan();
  const { closed: shut, ...volumes } = whole;
  const { surface: _, ...closed } = shut;
  const { given, ...shapes } = all;
  const { count, names, ids, rigid, triangleRegion, component, joints } = plan.regions;
  const regions = { count, names, ids, rigid, triangleRegion, component, joints };
  // Paint has been used up, and what plays brings its own clips.
  const parts = plan.character.parts.map((part) => ({ ...part, paint: new Map() }));
  const data: PlanData = {
    character: { ...plan.character, parts, clips: [] },
    regions,
    rest: plan.rest,
    shares: plan.targets.shares,
    target: plan.target,
    ...{ frame, volumes, closed, shapes, given: given?.plan },
  };
  const arrays = new Map<PlanArray, number>();
  const body = pack(data, arrays);
  const table = [...arrays.keys()].map((array) => [kindOf(array), array.length]);
  const json = new TextEncoder().encode(JSON.stringify({ arrays: table, plan: body }));
  let length = alignBytes(PLAN_HEADER + json.length);
  const places = [...arrays.keys()].map((array) => {
    const place = length;
    length = alignBytes(place + array.byteLength);
    return place;
  });
  const bytes = new Uint8Array(length);
  for (const [array, n] of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), places[n]!);
  }
  bytes.set(json, PLAN_HEADER);
  const words = new Uint32Array(bytes.buffer);
  words.set([PLAN_MAGIC, PLAN_VERSION, length, json.length]);
  bytes.set(key, 16);
  bytes.set(
    createHash()
      .words(words.subarray(PLAN_HEADER / 4))
      .finish(),
    32,
  );
  return bytes;
}

/** JSON of data: typed arrays as { "#" }, each once; maps as { "&" }; numbers that JSON does not know as { "=" }. */
function pack(value: unknown, arrays: Map<PlanArray, number>): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : { '=': `${value}` };
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) {
    const array = value as PlanArray;
    if (!arrays.has(array)) arrays.set(array, arrays.size);
    return { '#': arrays.get(array) };
  }
  if (value instanceof Map) return { '&': pack([...value], arrays) };
  if (Array.isArray(value)) return value.map((item) => pack(item, arrays));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, pack(inner, arrays)]));
}

function kindOf(array: PlanArray): ArrayKind {
  const kinds = Object.keys(ARRAY_KINDS) as ArrayKind[];
  return kinds.find((kind) => array instanceof ARRAY_KINDS[kind])!;
}
