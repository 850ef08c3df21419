import type { Character } from '../character/character.js';
import type { SkinConstraint } from '../correction/volume-solver.js';
import { planJointPlanes } from './plan-joint-planes.js';

export interface ContactOptions {
  /** Distance kept from the contact surface, as a share of the local radius. */
  readonly gap?: number;
  /** Half width of the soft band in which contact starts, as a share of the local radius. */
  readonly band?: number;
  /** Contact at bending joints (F1–F3). */
  readonly joints?: boolean;
  /** Contact between parts that are not neighbours (F5). */
  readonly parts?: boolean;
}

export const CONTACT_DEFAULTS = { gap: 0.02, band: 0.2, joints: true, parts: true };

export interface Contact extends SkinConstraint {
  /** Finds what may touch in this pose; false when nothing does. */
  find(positions: Float64Array, boneMatrices: Float64Array): boolean;
}

export function planContact(character: Character, options: ContactOptions = {}): Contact {
  const { gap, band } = { ...CONTACT_DEFAULTS, ...options };
  const count = character.surface.vertexCount;
  const joints = planJointPlanes(character);
  const { vertices, sides, heights, offsets, planes } = joints;
  const gaps = new Float64Array(vertices.length);
  const bands = new Float64Array(vertices.length);
  for (let n = 0; n < joints.count; n++) {
    for (let e = offsets[n]!; e < offsets[n + 1]!; e++) {
      const h = heights[e]!;
      const g = gap * joints.radii[n]!;
      gaps[e] = (g * h) / (g + h);
      bands[e] = Math.min(band * joints.radii[n]!, 0.5 * (h - gaps[e]!));
    }
  }
  const active = new Uint32Array(vertices.length);
  const jointOf = new Uint32Array(vertices.length);
  for (let n = 0; n < joints.count; n++) jointOf.fill(n, offsets[n]!, offsets[n + 1]!);
  let activeCount = 0;
  const along = new Float64Array(3 * count);

  function find(positions: Float64Array, boneMatrices: Float64Array): boolean {
    joints.measure(boneMatrices);
    activeCount = 0;
    for (let n = 0; n < joints.count; n++) {
      const [jx, jy, jz, mx, my, mz] = planes.subarray(6 * n, 6 * n + 6) as unknown as number[];
      const slack = 0.7 * joints.radii[n]!;
      for (let e = offsets[n]!; e < offsets[n + 1]!; e++) {
        const k = 3 * vertices[e]!;
        const h =
          sides[e]! * ((positions[k]! - jx!) * mx! + (positions[k + 1]! - jy!) * my! + (positions[k + 2]! - jz!) * mz!);
        if (h < gaps[e]! + bands[e]! + slack && h < heights[e]!) active[activeCount++] = e;
      }
    }
    return activeCount > 0;
  }

  function apply(positions: Float64Array, directions: Float64Array): Float64Array {
    along.set(directions);
    for (let i = 0; i < activeCount; i++) {
      const e = active[i]!;
      const k = 3 * vertices[e]!;
      const o = 6 * jointOf[e]!;
      const s = sides[e]!;
      const mx = s * planes[o + 3]!;
      const my = s * planes[o + 4]!;
      const mz = s * planes[o + 5]!;
      const h =
        (positions[k]! - planes[o]!) * mx +
        (positions[k + 1]! - planes[o + 1]!) * my +
        (positions[k + 2]! - planes[o + 2]!) * mz;
      const u = h - gaps[e]!;
      const d = bands[e]!;
      if (u >= d) continue;
      const lift = u > -d ? ((u + d) * (u + d)) / (4 * d) : 0;
      const slope = u > -d ? (u + d) / (2 * d) : 0;
      const move = lift - u;
      positions[k]! += move * mx;
      positions[k + 1]! += move * my;
      positions[k + 2]! += move * mz;
      const lose = (1 - slope) * (along[k]! * mx + along[k + 1]! * my + along[k + 2]! * mz);
      along[k]! -= lose * mx;
      along[k + 1]! -= lose * my;
      along[k + 2]! -= lose * mz;
    }
    return along;
  }

  return { find, apply };
}
