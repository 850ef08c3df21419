import { IsoskinError } from '@isoskin/core';
import { writeCross } from '../flat-arrays.js';
import type { Simplices } from './closest-point.js';
import { QUADRATIC, SMOOTH } from './depth-potential.js';
import type { SoftPrimitive, SoftWorldInput } from './soft-world.js';

/** The primitives of a soft world as flat arrays, #P each. */
export interface Primitives extends Simplices {
  readonly count: number;
  /** e. */
  readonly thickness: Float64Array;
  /** w = R − e. */
  readonly width: Float64Array;
  /** k. */
  readonly stiffness: Float64Array;
  /** QUADRATIC, SMOOTH. */
  readonly bits: Uint8Array;
  /** ε. */
  readonly offsets: Float64Array;
  /** Number of the object. */
  readonly object: Int32Array;
  /** Number of the chain, and how many primitives that chain has. */
  readonly chain: Int32Array;
  readonly chainSize: Int32Array;
  readonly controlled: Uint8Array;
}

/** Checks the primitives at the door and flattens them. */
export function packPrimitives(input: SoftWorldInput): Primitives {
  const { primitives } = input;
  const count = primitives.length;
  const objects = new Map(input.objects.map((object, index) => [object.name, index]));
  const packed: Primitives = {
    count,
    shape: new Uint8Array(count),
    corners: new Float64Array(9 * count),
    thickness: new Float64Array(count),
    width: new Float64Array(count),
    stiffness: new Float64Array(count),
    bits: new Uint8Array(count),
    offsets: new Float64Array(count),
    object: new Int32Array(count),
    chain: new Int32Array(count),
    chainSize: new Int32Array(count),
    controlled: new Uint8Array(count),
  };
  const chains = new Map<string, number>();
  const names = new Set<string>();
  primitives.forEach((primitive, i) => {
    const place = `primitives[${i}] "${primitive.name}"`;
    const refuse = (field: string, message: string): never => {
      throw new IsoskinError('SOFT_PRIMITIVE_INVALID', message, `${place}.${field}`);
    };
    if (names.has(primitive.name)) refuse('name', 'Two primitives have this name; rename one.');
    names.add(primitive.name);
    const object = objects.get(primitive.object);
    if (object === undefined) {
      const message = `There is no object "${primitive.object}"; use one of ${[...objects.keys()].join(', ')}.`;
      throw new IsoskinError('SOFT_OBJECT_UNKNOWN', message, `${place}.object`);
    }
    const size = SIZES[primitive.shape] ?? refuse('shape', 'The shape must be point, segment or triangle.');
    if (primitive.corners.length !== 3 * size || !primitive.corners.every(Number.isFinite)) {
      refuse('corners', `A ${primitive.shape} needs ${3 * size} finite numbers; got ${primitive.corners.length}.`);
    }
    const e = primitive.thickness;
    const radius = primitive.radius ?? 2 * e;
    if (!(e > 0 && Number.isFinite(e))) refuse('thickness', `The thickness must be positive, not ${e}.`);
    if (!(radius > e && Number.isFinite(radius))) {
      refuse('radius', `The influence radius must exceed the thickness ${e}, not be ${radius}.`);
    }
    const k = primitive.stiffness ?? 1 / (radius - e);
    if (!(k > 0 && Number.isFinite(k))) refuse('stiffness', `The stiffness must be positive, not ${k}.`);
    const kind = primitive.kind ?? 'linear';
    if (kind !== 'linear' && kind !== 'quadratic') refuse('kind', 'The kind must be linear or quadratic.');
    const falloff = primitive.falloff ?? (kind === 'linear' ? 'linear' : 'smooth');
    if (falloff !== 'linear' && falloff !== 'smooth') refuse('falloff', 'The falloff must be linear or smooth.');
    packed.shape[i] = size;
    packed.corners.set(primitive.corners, 9 * i);
    packed.thickness[i] = e;
    packed.width[i] = radius - e;
    packed.stiffness[i] = k;
    packed.bits[i] = (kind === 'quadratic' ? QUADRATIC : 0) | (falloff === 'smooth' ? SMOOTH : 0);
    packed.object[i] = object;
    packed.controlled[i] = primitive.controlled === false ? 0 : 1;
    packed.chain[i] = joinChain(packed, chains, primitive, i, refuse);
    writeCross(normal, packed.corners, packed.corners, 9 * i, 9 * i + 3, 9 * i + 6);
    if (size === 3 && Math.hypot(...normal) < 1e-12 * e * e) {
      refuse('corners', 'The corners of this triangle lie on one line; use a segment instead.');
    }
  });
  const sizes = new Int32Array(count);
  for (let i = 0; i < count; i++) sizes[packed.chain[i]!]!++;
  for (let i = 0; i < count; i++) packed.chainSize[i] = sizes[packed.chain[i]!]!;
  return packed;
}

const normal = new Float64Array(3);
const SIZES: Readonly<Record<string, number>> = { point: 1, segment: 2, triangle: 3 };

/** Number of the chain: the index of its first primitive. */
function joinChain(
  packed: Primitives,
  chains: Map<string, number>,
  primitive: SoftPrimitive,
  i: number,
  refuse: (field: string, message: string) => never,
): number {
  if (primitive.chain === undefined) return i;
  const key = `${primitive.object}\n${primitive.chain}`;
  const first = chains.get(key);
  if (first === undefined) {
    chains.set(key, i);
    return i;
  }
  for (const field of ['thickness', 'width', 'stiffness', 'bits', 'controlled'] as const) {
    if (packed[field][first] !== packed[field][i]) {
      refuse('chain', `All pieces of the chain "${primitive.chain}" must have the same potential; ${field} differs.`);
    }
  }
  return first;
}
