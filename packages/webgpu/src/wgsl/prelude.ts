/** Constants, headers and bindings that every shader starts with, generated from constants.ts. */
import { AMOUNT_SOLVER_CONSTANTS } from '@isoskin/core/kernels';
import {
  BLOCK_FIELDS,
  DAMPING,
  IDLE,
  MARK_FIELDS,
  MODEL_ENOUGH,
  MODEL_STILL,
  NO_SLOT,
  NO_SOURCE,
  PHASES,
  RING_BREAK,
  RING_INDEX,
  ROUGH,
  SHAPE_FIELDS,
  SLICE,
  SLOT_BITS,
  SMALL_STEP,
  STATE_FIELDS,
  SUMS,
  TILE,
  TILE_FIELDS,
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
  MODEL_ENOUGH,
  MODEL_STILL,
  DAMPING,
  TINY,
  WEIGHT_SCALE: 1 / WEIGHT_UNIT,
};
const words = {
  TILE,
  SLICE,
  SUMS,
  SLOT_BITS,
  NO_SLOT,
  NO_SOURCE,
  RING_BREAK,
  RING_INDEX,
  WEIGHT_BITS,
  WEIGHT_MASK: WEIGHT_UNIT,
  APEX_PAIR_WORDS,
  NO_APEX,
};

const capital = (name: string) => name[0]!.toUpperCase() + name.slice(1);

function record(name: string, fields: readonly string[]): string {
  const reads = fields.map((_, i) => `lists[at + ${i}u]`).join(', ');
  return /* wgsl */ `
struct ${capital(name)} { ${fields.map((field) => `${field}: u32`).join(', ')} };
fn read${capital(name)}(index: u32) -> ${capital(name)} {
  let at = shape.${name}s + index * ${fields.length}u;
  return ${capital(name)}(${reads});
}`;
}

/** A further evaluation of a character all of whose components are done does nothing. Needs `state`, read-only. */
export const idle = /* wgsl */ `
fn isIdle(instance: u32) -> bool {
  if (shape.isFirst == 1u) { return false; }
  for (var block = 0u; block < shape.blockCount; block++) {
    if (state[markAt(instance, block) + MARK_phase] != PHASE_DONE) { return false; }
  }
  return true;
}
`;

/** V̄_s. Needs `inputs`. */
export const wanted = /* wgsl */ `
fn wanted(instance: u32, region: u32) -> f32 {
  return inputs[instance * shape.inputStride + shape.boneVectors + region / 4u][region % 4u];
}
`;

/** `storage`: name → type and access, bound from 2 on in this order (0: shape, 1: lists). */
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
${record('tile', TILE_FIELDS)}
${record('block', BLOCK_FIELDS)}
fn listFloat(index: u32) -> f32 { return bitcast<f32>(lists[index]); }
fn stateAt(instance: u32, field: u32, region: u32) -> u32 {
  return instance * shape.stateStride + field * shape.regionCount + region;
}
/** Vertices first, then apexes, then the gradients of the apex pairs. */
fn pointAt(instance: u32, index: u32) -> u32 { return instance * shape.pointStride + index; }
fn markAt(instance: u32, block: u32) -> u32 {
  return instance * shape.stateStride + ${STATE_FIELDS.length}u * shape.regionCount + ${MARK_FIELDS.length}u * block;
}
`;
}
