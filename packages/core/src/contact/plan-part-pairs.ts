/**
 * Which pairs of parts F5 leaves alone, and which vertices: what is linked by the skeleton, and what is close at rest.
 */
import type { Character } from '../character/character.js';
import { planBoneSegments } from '../skeleton/plan-bone-segments.js';
import { type PartFields, sampleField } from './plan-part-fields.js';

/** Rest clearance below which the bound is loosened, relative to the thinner part's radius. */
const CLEAR = 0.06;
/** The same for the angle of the two fields: |½(∇φ_q − ∇φ_p)| is 1 where they face each other, 0 where they are one. */
const FACING = 0.8;
/**
 * 1 for pairs that are left alone, P×P: parts one after the other in the skeleton, and parts of different components, which
 * are clothes, hair or what they cover more often than two limbs that touch.
 */
export function planIgnored({ skeleton }: Character, { shares, components, count: P }: PartFields): Uint8Array {
  const { parents } = planBoneSegments(skeleton);
  const owns = new Set(shares.bones);
  const before = (bone: number): number => {
    let parent = parents[bone]!;
    while (parent >= 0 && !owns.has(parent)) parent = parents[parent]!;
    return parent;
  };
  const list = (p: number) => [...shares.bones.subarray(shares.offsets[p]!, shares.offsets[p + 1]!)];
  const linked = (i: number, j: number) => i === j || before(i) === j || before(j) === i;
  const table = new Uint8Array(P * P);
  for (let p = 0; p < P; p++) {
    for (let q = 0; q < P; q++) {
      const apart = components[p] !== components[q];
      if (apart || list(p).some((i) => list(q).some((j) => linked(i, j)))) table[p * P + q] = 1;
    }
  }
  return table;
}

export interface Loosened {
  /** Place in the list of part vertices → entries. */
  offsets: Uint32Array;
  parts: Uint32Array;
  clear: Float64Array;
  relax: Float64Array;
}

/** Which vertices lie near another part at rest, how far away, and how much their bound is loosened. */
export function planLoosened(fields: PartFields, rest: Float64Array): Loosened {
  const offsets = new Uint32Array(fields.vertices.length + 1);
  const parts: number[] = [];
  const clears: number[] = [];
  const relaxes: number[] = [];
  const own = new Float64Array(4);
  const other = new Float64Array(4);
  for (let p = 0; p < fields.count; p++) {
    for (let n = fields.offsets[p]!; n < fields.offsets[p + 1]!; n++) {
      const k = 3 * fields.vertices[n]!;
      for (let q = 0; q < fields.count; q++) {
        if (p === q || !sampleField(other, fields, q, rest[k]!, rest[k + 1]!, rest[k + 2]!)) continue;
        const size = Math.min(fields.radii[p]!, fields.radii[q]!);
        sampleField(own, fields, p, rest[k]!, rest[k + 1]!, rest[k + 2]!);
        const clear = 0.5 * (other[0]! - own[0]!);
        const facing = 0.5 * Math.hypot(other[1]! - own[1]!, other[2]! - own[2]!, other[3]! - own[3]!);
        parts.push(q);
        clears.push(Math.max(clear, 1e-3 * size));
        relaxes.push(Math.max(0, 1 - clear / (CLEAR * size)) + Math.max(0, (FACING - facing) / FACING));
      }
      offsets[n + 1] = parts.length;
    }
  }
  return {
    offsets,
    parts: Uint32Array.from(parts),
    clear: Float64Array.from(clears),
    relax: Float64Array.from(relaxes),
  };
}
