/**
 * F5. Contact between parts that are not neighbours: vertex k of part p must stay on its side of the surface on which the two
 * parts' fields are equal, which is where two soft bodies of the same stiffness meet.
 *
 *   c(y) = ½(φ_q(y) − φ_p(y)) ≥ g_k
 *
 * Both sides use the same surface c = 0, so parts that keep to it do not cross, however coarse the fields are. Once per frame
 * every vertex that comes near is projected on it by Newton steps; the tangent plane found there is what the volume solver
 * then respects, step by step (h_k = ⟨y, m_k⟩ − o_k ≥ g_k).
 *
 * Where two parts are close or grown together at rest, the bound is loosened smoothly to nothing: what touches in the rest
 * shape was meant to.
 *
 * Complexity: O(pairs of parts), then the search (plan-part-search.ts), then the vertices near another part.
 */
import type { Character } from '../character/character.js';
import { BONE_STRIDE } from '../skeleton/matrices.js';
import type { HalfSpaces } from './create-half-spaces.js';
import { planPartFields, sampleField } from './plan-part-fields.js';
import { planPartMotion } from './plan-part-motion.js';
import { planIgnored, planLoosened } from './plan-part-pairs.js';
import { planPartSearch } from './plan-part-search.js';

export interface PartContacts {
  /** Finds the vertices that come near another part, and appends the half-spaces they must stay in to `spaces`. */
  find(spaces: HalfSpaces, positions: Float64Array, boneMatrices: Float64Array): void;
}

/** A bound looser than this (in radii) is none. */
const LOOSE = 1;
/** Displacement that the layers behind may add, in radii. */
const SLACK = 0.15;
/** Weight of bones next to the other part from which its bound is loosened; at ½ it is none. */
const LINKED = 0.2;
const NEWTON_STEPS = 3;
/** Largest push, in radii of the thinner part. */
const DEEPEST = 1;

export function planPartContacts(character: Character, gap: number, band: number): PartContacts {
  const fields = planPartFields(character);
  const { count: P, shares, radii } = fields;
  const motion = planPartMotion(character, fields);
  const { inverse, scales } = motion;
  const search = planPartSearch(character, fields, motion);
  const ignored = planIgnored(character, fields);
  const loosened = planLoosened(fields, character.surface.positions);
  const blended = Uint8Array.from(radii, (_, p) => (shares.offsets[p + 1]! > shares.offsets[p]! + 1 ? 1 : 0));
  const { binding } = character;
  const partOfBone = new Int32Array(character.skeleton.boneCount).fill(-1);
  for (let p = 0; p < P; p++) if (blended[p] === 0) partOfBone[shares.bones[shares.offsets[p]!]!] = p;
  const sample = new Float64Array(4);
  const point = new Float64Array(3);
  const gradient = new Float64Array(3);

  function find(spaces: HalfSpaces, positions: Float64Array, boneMatrices: Float64Array): void {
    motion.measure(boneMatrices);
    search.begin(positions, boneMatrices);
    for (let p = 0; p < P; p++) {
      for (let q = p + 1; q < P; q++) {
        if (ignored[p * P + q] || !motion.meet(p, q)) continue;
        const shift = motion.measureShift(p, q);
        if (shift === 0) continue;
        const away = Math.max(measureReach(p, q, shift), measureReach(q, p, shift));
        if (collect(spaces, p, q, shift, away, positions)) collect(spaces, q, p, shift, away, positions);
      }
    }
  }

  /** φ_q up to which a vertex of part p may count: u ≤ δ + SLACK; parts that have hardly moved must be deep in each other. */
  function measureReach(p: number, q: number, shift: number): number {
    const size = Math.min(radii[p]! * scales[p]!, radii[q]! * scales[q]!);
    const least = motion.strays[p]! + 2 * (gap + band + SLACK - 2 * (1 - shift)) * size;
    return Math.min(2 * (band + SLACK) * size, least);
  }

  /** Vertices of part p that come near part q; false where all of p is further away than `away`. */
  function collect(
    spaces: HalfSpaces,
    p: number,
    q: number,
    shift: number,
    away: number,
    positions: Float64Array,
  ): boolean {
    const reach = measureReach(p, q, shift);
    if (reach < -radii[q]! * scales[q]!) return true;
    const size = Math.min(radii[p]! * scales[p]!, radii[q]! * scales[q]!);
    const count = search.find(p, q, reach, away);
    const { found, depths } = search;
    for (let i = 0; i < count; i++) enter(spaces, found[i]!, p, q, depths[i]!, size, shift, positions);
    return count >= 0;
  }

  /** Into `point`: a place of the pose in the rest frame of part p. */
  function toRest(p: number, x: number, y: number, z: number): void {
    const o = BONE_STRIDE * p;
    const dx = x - inverse[o + 9]!;
    const dy = y - inverse[o + 10]!;
    const dz = z - inverse[o + 11]!;
    point[0] = inverse[o]! * dx + inverse[o + 3]! * dy + inverse[o + 6]! * dz;
    point[1] = inverse[o + 1]! * dx + inverse[o + 4]! * dy + inverse[o + 7]! * dz;
    point[2] = inverse[o + 2]! * dx + inverse[o + 5]! * dy + inverse[o + 8]! * dz;
  }

  /** Enters vertex n of part p, at φ_q = `outer` near part q: projects it and keeps the tangent plane. */
  function enter(
    spaces: HalfSpaces,
    n: number,
    p: number,
    q: number,
    outer: number,
    size: number,
    shift: number,
    positions: Float64Array,
  ): void {
    const k = 3 * fields.vertices[n]!;
    let x = positions[k]!;
    let y = positions[k + 1]!;
    let z = positions[k + 2]!;
    let clear = size;
    let relax = 0;
    for (let e = loosened.offsets[n]!; e < loosened.offsets[n + 1]!; e++) {
      if (loosened.parts[e] !== q) continue;
      clear = loosened.clear[e]!;
      relax = loosened.relax[e]!;
    }
    if (relax >= LOOSE || spaces.count === spaces.capacity) return;
    const firm = (gap * size * clear) / (gap * size + clear);
    const apart = 0.5 * (outer - measureOwn(p, x, y, z));
    // Loosened or not, this is too far away.
    if (apart - firm > (band + SLACK) * size) return;
    relax += measureLink(k / 3, q);
    if (relax >= LOOSE) return;
    const g = firm - 2 * (relax * relax + 1 - shift) * size;
    const d = Math.min(band * size, 0.5 * (clear - g));
    let u = apart - g;
    if (u > d + SLACK * size) return;
    addGradients(p, q, x, y, z);
    const lift = u >= d ? u : u > -d ? ((u + d) * (u + d)) / (4 * d) : 0;
    for (let step = 0; step < NEWTON_STEPS && lift - u > 1e-3 * size; step++) {
      const square = gradient[0]! * gradient[0]! + gradient[1]! * gradient[1]! + gradient[2]! * gradient[2]!;
      const move = (lift - u) / Math.max(square, 0.25);
      x += move * gradient[0]!;
      y += move * gradient[1]!;
      z += move * gradient[2]!;
      const own = measureOwn(p, x, y, z);
      u = 0.5 * (addGradients(p, q, x, y, z) - own) - g;
    }
    const slope = Math.sqrt(gradient[0]! * gradient[0]! + gradient[1]! * gradient[1]! + gradient[2]! * gradient[2]!);
    if (!(slope > 0)) return;
    const dx = x - positions[k]!;
    const dy = y - positions[k + 1]!;
    const dz = z - positions[k + 2]!;
    const square = (dx * dx + dy * dy + dz * dz) / (DEEPEST * size * DEEPEST * size);
    const { planes, count } = spaces;
    const o = 4 * count;
    planes[o] = gradient[0]! / slope;
    planes[o + 1] = gradient[1]! / slope;
    planes[o + 2] = gradient[2]! / slope;
    planes[o + 3] = planes[o]! * x + planes[o + 1]! * y + planes[o + 2]! * z - (u + g) / Math.max(slope, 0.5);
    spaces.vertices[count] = k / 3;
    spaces.doubtful[count] = blended[p]! | blended[q]!;
    // What is deeper inside is pushed no further: the part would be crushed.
    const crush = 1 - 1 / Math.sqrt(Math.sqrt(1 + square * square));
    spaces.gaps[count] = g - Math.sqrt(square) * crush * DEEPEST * size;
    spaces.bands[count] = d;
    spaces.count++;
  }

  /** How much a vertex follows bones next to part q: the plane of their joint holds it then, and the two must not end together. */
  function measureLink(k: number, q: number): number {
    let linked = 0;
    for (let e = binding.offsets[k]!; e < binding.offsets[k + 1]!; e++) {
      const p = partOfBone[binding.bones[e]!]!;
      if (p >= 0 && p !== q && ignored[p * P + q] === 1) linked += binding.weights[e]!;
    }
    return linked > LINKED ? (linked - LINKED) / (0.5 - LINKED) : 0;
  }

  /** φ_p at a point; its gradient stays in `sample`. */
  function measureOwn(p: number, x: number, y: number, z: number): number {
    toRest(p, x, y, z);
    sampleField(sample, fields, p, point[0]!, point[1]!, point[2]!);
    return sample[0]! * scales[p]!;
  }

  /** ∇c into `gradient`, right after `measureOwn`; returns φ_q. */
  function addGradients(p: number, q: number, x: number, y: number, z: number): number {
    addGradient(p, -0.5, 0);
    const outer = measureOwn(q, x, y, z);
    addGradient(q, 0.5, 1);
    return outer;
  }

  /** gradient ← keep·gradient + share·∇φ of the last sample, turned into the pose. */
  function addGradient(p: number, share: number, keep: number): void {
    const o = BONE_STRIDE * p;
    const s = share * scales[p]!;
    for (let r = 0; r < 3; r++) {
      const i = o + 3 * r;
      const turned = inverse[i]! * sample[1]! + inverse[i + 1]! * sample[2]! + inverse[i + 2]! * sample[3]!;
      gradient[r] = keep * gradient[r]! + s * turned;
    }
  }

  return { find };
}
