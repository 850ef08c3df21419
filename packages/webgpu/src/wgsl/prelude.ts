/** Constants, headers and bindings that every shader starts with, generated from constants.ts. */
import { AMOUNT_SOLVER_CONSTANTS } from '@isoskin/core/kernels';
import {
  BLOCK_FIELDS,
  COLUMNS_AHEAD,
  DAMPING,
  IDLE,
  MARK_FIELDS,
  MODEL_NOTHING,
  MODEL_STILL,
  NO_CEILING,
  NO_SOURCE,
  NO_SUM,
  PHASES,
  RING_BREAK,
  RING_INDEX,
  ROUGH,
  SHAPE_FIELDS,
  SLICE,
  SMALL_STEP,
  STATE_FIELDS,
  SUMS,
  TILE,
  TINY,
  TRUSTED,
  WEIGHT_BITS,
  WEIGHT_UNIT,
} from '../constants.js';
import { APEX_PAIR_WORDS, NO_APEX } from '../plan/plan-apexes.js';

const floats = {
  ...AMOUNT_SOLVER_CONSTANTS,
  IDLE,
  ROUGH,
  SMALL_STEP,
  TRUSTED,
  MODEL_NOTHING,
  MODEL_STILL,
  NO_CEILING,
  DAMPING,
  TINY,
  WEIGHT_SCALE: 1 / WEIGHT_UNIT,
};
const words = {
  TILE,
  SLICE,
  SUMS,
  NO_SOURCE,
  NO_SUM,
  COLUMNS_AHEAD,
  RING_BREAK,
  RING_INDEX,
  WEIGHT_BITS,
  WEIGHT_MASK: WEIGHT_UNIT,
  APEX_PAIR_WORDS,
  NO_APEX,
};

const blockReads = BLOCK_FIELDS.map((_, i) => `lists[at + ${i}u]`).join(', ');

/**
 * The characters that a workgroup looks after, one after the other: what they share (`begin`) is read once. Those that are done are left
 * out; a workgroup that has no other ends at once. Uniform control flow.
 */
export const forInstances = (begin: string, body: string) => /* wgsl */ `
  let endOfGroup = min(shape.instances, (group.y + 1u) * shape.perGroup);
  let firstOfGroup = nextBusy(group.y * shape.perGroup, endOfGroup);
  if (firstOfGroup >= endOfGroup) { return; }
${begin}
  for (var instance = firstOfGroup; instance < endOfGroup; instance = nextBusy(instance + 1u, endOfGroup)) {
${body}
  }
`;

/** A further evaluation of a character all of whose components are done does nothing. Needs `state`, read-only. */
export const idle = /* wgsl */ `
fn isIdle(instance: u32) -> bool {
  if (shape.isFirst == 1u) { return false; }
  for (var block = 0u; block < shape.blockCount; block++) {
    if (state[markAt(instance, block) + MARK_phase] != PHASE_DONE) { return false; }
  }
  return true;
}
fn nextBusy(start: u32, end: u32) -> u32 {
  var instance = start;
  while (instance < end && isIdle(instance)) { instance++; }
  return instance;
}
`;

/** For a stage that is never left out. */
export const neverIdle = 'fn nextBusy(start: u32, end: u32) -> u32 { return start; }';

/** V̄_s. Needs `inputs`. */
export const wanted = /* wgsl */ `
fn wanted(instance: u32, region: u32) -> f32 {
  return inputs[instance * shape.inputStride + shape.boneVectors + region / 4u][region % 4u];
}
`;

/**
 * `storage`: name → type and access, bound from 2 on in this order (0: shape, 1: lists).
 *
 * `pointAt`: vertices first, then apexes, then the gradients of the apex pairs. `sumAt`: sums of the entries, then λ' of the regions.
 */
export function prelude(storage: Readonly<Record<string, string>>): string {
  const bindings = Object.entries(storage).map(([name, rest], i) => {
    const [access, type] = rest.split(' ') as [string, string];
    return `@group(0) @binding(${i + 2}) var<storage, ${access}> ${name}: ${type};`;
  });
  return /* wgsl */ `
${Object.entries(floats)
  .map(([name, value]) => `const ${name}: f32 = ${value.toExponential()};`)
  .join('\n')}
${Object.entries(words)
  .map(([name, value]) => `const ${name}: u32 = ${value}u;`)
  .join('\n')}
${STATE_FIELDS.map((name, i) => `const STATE_${name}: u32 = ${i}u;`).join('\n')}
${MARK_FIELDS.map((name, i) => `const MARK_${name}: u32 = ${i}u;`).join('\n')}
${PHASES.map((name, i) => `const PHASE_${name}: f32 = ${i};`).join('\n')}
struct Shape { ${SHAPE_FIELDS.map((field) => `${field}: u32`).join(', ')} };
@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> lists: array<u32>;
${bindings.join('\n')}
struct Block { ${BLOCK_FIELDS.map((field) => `${field}: u32`).join(', ')} };
fn readBlock(index: u32) -> Block {
  let at = shape.blocks + index * ${BLOCK_FIELDS.length}u;
  return Block(${blockReads});
}
fn listFloat(index: u32) -> f32 { return bitcast<f32>(lists[index]); }
fn stateAt(instance: u32, field: u32, region: u32) -> u32 {
  return instance * shape.stateStride + field * shape.regionCount + region;
}
fn pointAt(instance: u32, index: u32) -> u32 { return instance * shape.pointStride + index; }
fn sumAt(instance: u32, index: u32) -> u32 { return instance * shape.sumStride + index; }
fn markAt(instance: u32, block: u32) -> u32 {
  return instance * shape.stateStride + ${STATE_FIELDS.length}u * shape.regionCount + ${MARK_FIELDS.length}u * block;
}
`;
}
