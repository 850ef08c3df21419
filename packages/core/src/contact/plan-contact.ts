/**
 * F1–F5. Where the skin may not go, found once per frame and then respected by every trial surface of the volume solver, so
 * that volume and contact hold together.
 *
 *   y_k ← y_k + (S(u) − u) m,   u = h_k − g_k,   S(u) = u (u ≥ δ),  (u+δ)²/4δ (|u| < δ),  0 (u ≤ −δ)
 *
 * h_k  signed distance to the contact surface, > 0 on the vertex's own side;  g_k  gap;  δ  half width of the soft band:
 * contact starts and ends with a continuous slope (F4).  h̄_k > g_k + δ_k, so the rest pose is left exactly as it is.
 *
 * Based on: Rohmer, Hahmann, Cani, "Local volume preservation for skinned characters", 2008, §5.4.
 */
import type { Character } from '../character/character.js';
import { createHalfSpaces } from './create-half-spaces.js';
import { planBindMend } from './plan-bind-mend.js';
import { planCoarseness } from './plan-coarseness.js';
import { type CrossingVisitor, planCrossings } from './plan-crossings.js';
import { planJointPlanes } from './plan-joint-planes.js';
import { planPartContacts } from './plan-part-contacts.js';
import { planRelaxation } from './plan-relaxation.js';
import { planRetreat } from './plan-retreat.js';

export interface ContactOptions {
  /** Distance kept from the contact surface, as a share of the local radius. */
  readonly gap?: number;
  /** Half width of the soft band in which contact starts, as a share of the local radius. */
  readonly band?: number;
  /** Contact at bending joints (F1–F3). */
  readonly joints?: boolean;
  /** Contact between parts that are not neighbours (F5). */
  readonly parts?: boolean;
  /** Smooth the skin where it is crumpled. */
  readonly relax?: boolean;
  /** On coarse surfaces, which cannot be pressed in: how far a joint may be turned back where they cross, in degrees. 0: off. */
  readonly retreat?: number;
}

export const CONTACT_DEFAULTS = { gap: 0.02, band: 0.2, joints: true, parts: true, relax: true, retreat: 20 };

/** Parts that come from apart need a narrower band than joints, which are always close. */
const PART_BAND = 0.5;
/** Displacement that the volume solver may add, in radii: vertices further away need not be looked at again. */
const SLACK = 0.4;

/** Room beyond half a joint's angle, in radians: for the band, the slack and the bulge. */
const STEEP = 0.6;

/** A crossing of this length, in mean edges, locks a vertex fully; one ring further SPREAD of that. */
const DEEP = 0.02;
const SPREAD = 0.7;
/** Surfaces of fewer triangles are looked at whole: it costs less than to find out where. */
const WHOLE = 3500;
/** How often joints are turned back. */
const ROUNDS = 8;
/** How often a solved surface that still crosses is solved again: with joints turned back further, then with the skin locked. */
const RETREATS = 4;
const LOCKS = 2;

export interface Contact {
  apply(positions: Float64Array, directions: Float64Array): Float64Array;
  mend(positions: Float64Array): boolean;
  /** Finds what may touch in this pose, parts it and smooths what is crumpled; false when there is nothing to look after. */
  find(positions: Float64Array, boneMatrices: Float64Array): boolean;
}

export function planContact(character: Character, options: ContactOptions = {}): Contact {
  const { gap, band, ...use } = { ...CONTACT_DEFAULTS, ...options };
  const { surface } = character;
  const { triangles, neighbours } = surface;
  const whole = triangles.length < 3 * WHOLE;
  const crossings = planCrossings(surface);
  const coarseness = planCoarseness(surface);
  const bindMend = use.relax ? planBindMend(character, crossings, coarseness) : undefined;
  const retreat =
    use.retreat > 0 && coarseness.coarse ? planRetreat(character, crossings, (use.retreat * Math.PI) / 180) : undefined;
  const relaxation = use.relax ? planRelaxation(character, crossings, coarseness) : undefined;
  const parts = use.parts ? planPartContacts(character, gap, PART_BAND * band) : undefined;
  const joints = planJointPlanes(character);
  const { vertices, sides, heights, slopes, looses, offsets, radii, bends, turns } = joints;
  const gaps = new Float64Array(vertices.length);
  const bands = new Float64Array(vertices.length);
  const limits = new Float64Array(vertices.length);
  for (let n = 0; n < joints.count; n++) {
    for (let e = offsets[n]!; e < offsets[n + 1]!; e++) {
      const g = gap * radii[n]!;
      gaps[e] = (g * heights[e]!) / (g + heights[e]!);
      bands[e] = Math.min(band * radii[n]!, 0.5 * (heights[e]! - gaps[e]!));
      limits[e] = gaps[e]! + bands[e]!;
    }
  }
  const spaces = createHalfSpaces(vertices.length + 3 * surface.vertexCount);
  /** Radius of the joint that an entry of `spaces` belongs to: those of the joints come first. */
  const reliefs = new Float64Array(vertices.length);
  let jointCount = 0;
  let relaxedCount = 0;
  /** The field that `along` was copied from, since the last `find`. */
  let copied: Float64Array | undefined;
  const along = new Float64Array(3 * surface.vertexCount);
  /** Where the surface was before the volume step, and how much of its displacement each vertex must give up. */
  const base = new Float64Array(3 * surface.vertexCount);
  const locks = new Float64Array(surface.vertexCount);
  const locked = new Uint32Array(surface.vertexCount);
  let lockedCount = 0;
  let mends = 0;

  function find(positions: Float64Array, skinned: Float64Array): boolean {
    mends = 0;
    bindMend?.apply(positions, skinned);
    retreat?.begin(positions, skinned);
    settle(positions, skinned, ROUNDS);
    return whole || spaces.count + relaxedCount > 0;
  }

  /** Parts what touches, turns joints back while anything crosses, smooths what is crumpled. */
  function settle(positions: Float64Array, bones: Float64Array, rounds: number): void {
    unlock();
    relaxation?.clear();
    let boneMatrices = bones;
    for (let round = 0; ; round++) {
      part(positions, boneMatrices);
      if (!retreat || round === rounds || !retreat.blame(positions)) break;
      boneMatrices = retreat.place(positions);
    }
    relaxedCount = relaxation?.apply(positions, boneMatrices) ?? 0;
    if (relaxedCount > 0) relieve();
    if (whole || relaxedCount > 0 || hasDoubts()) base.set(positions.subarray(0, base.length));
  }

  function hasDoubts(): boolean {
    for (let e = jointCount; e < spaces.count; e++) if (spaces.doubtful[e] === 1) return true;
    return false;
  }

  /** Finds the half-spaces of a pose and moves the skin into them. */
  function part(positions: Float64Array, boneMatrices: Float64Array): void {
    copied = along;
    spaces.count = 0;
    if (use.joints) findAtJoints(positions, boneMatrices);
    jointCount = spaces.count;
    parts?.find(spaces, positions, boneMatrices);
    if (spaces.count > 0) apply(positions, along);
    copied = undefined;
  }

  function findAtJoints(positions: Float64Array, boneMatrices: Float64Array): void {
    joints.measure(boneMatrices);
    const { planes } = joints;
    let count = 0;
    for (let n = 0; n < joints.count; n++) {
      if (bends[n] === 0) continue;
      const jx = planes[6 * n]!;
      const jy = planes[6 * n + 1]!;
      const jz = planes[6 * n + 2]!;
      const mx = planes[6 * n + 3]!;
      const my = planes[6 * n + 4]!;
      const mz = planes[6 * n + 5]!;
      const straight = 2 * (1 - bends[n]!);
      const slack = (SLACK - straight) * radii[n]!;
      // The plane turns by half the joint's angle: what is steeper than that cannot have reached it.
      const steepest = 0.5 * turns[n]! + STEEP;
      for (let e = offsets[n]!; e < offsets[n + 1]! && slopes[e]! < steepest; e++) {
        const k = 3 * vertices[e]!;
        const side = sides[e]!;
        const h = (positions[k]! - jx) * mx + (positions[k + 1]! - jy) * my + (positions[k + 2]! - jz) * mz;
        const loose = 2 * looses[e]! * looses[e]! * radii[n]!;
        if (side * h >= limits[e]! + slack - loose || side * h >= heights[e]!) continue;
        spaces.vertices[count] = vertices[e]!;
        spaces.planes[4 * count] = side * mx;
        spaces.planes[4 * count + 1] = side * my;
        spaces.planes[4 * count + 2] = side * mz;
        spaces.planes[4 * count + 3] = side * (jx * mx + jy * my + jz * mz);
        spaces.gaps[count] = gaps[e]! - straight * radii[n]! - loose;
        spaces.bands[count] = bands[e]!;
        spaces.doubtful[count] = 0;
        reliefs[count++] = radii[n]!;
      }
    }
    spaces.count = count;
  }

  /** Loosens the joints where the skin was smoothed. */
  function relieve(): void {
    for (let e = 0; e < jointCount; e++) {
      const w = relaxation!.weights[spaces.vertices[e]!]!;
      if (w > 0) spaces.gaps[e]! -= 2 * w * w * reliefs[e]!;
    }
  }

  function apply(positions: Float64Array, directions: Float64Array): Float64Array {
    const { count, vertices: v, planes: p, gaps: g, bands: b } = spaces;
    if (copied !== directions) {
      along.set(directions);
      copied = directions;
    } else if (directions !== along) {
      // Only what the last call may have changed.
      for (let e = 0; e < count; e++) {
        const k = 3 * v[e]!;
        along[k] = directions[k]!;
        along[k + 1] = directions[k + 1]!;
        along[k + 2] = directions[k + 2]!;
      }
    }
    if (lockedCount > 0) hold(positions, directions);
    for (let e = 0; e < count; e++) {
      keepBehind(positions, 3 * v[e]!, p[4 * e]!, p[4 * e + 1]!, p[4 * e + 2]!, p[4 * e + 3]!, g[e]!, b[e]!);
    }
    return along;
  }

  function lock(k: number, w: number): void {
    if (!(w > locks[k]!)) return;
    if (locks[k] === 0) locked[lockedCount++] = k;
    locks[k] = w;
  }

  function unlock(): void {
    for (let i = 0; i < lockedCount; i++) locks[locked[i]!] = 0;
    lockedCount = 0;
  }

  /** What is locked follows the volume only in part: y ← x + (1 − w)(y − x). */
  function hold(y: Float64Array, directions: Float64Array): void {
    for (let i = 0; i < lockedCount; i++) {
      const k = 3 * locked[i]!;
      const free = 1 - locks[locked[i]!]!;
      for (let r = k; r < k + 3; r++) {
        y[r] = base[r]! + free * (y[r]! - base[r]!);
        along[r] = free * directions[r]!;
      }
    }
  }

  /** Turns joints back or locks the skin where it still crosses at `positions`; true when the surface must be solved again. */
  function mend(positions: Float64Array): boolean {
    if (mends >= LOCKS + (retreat ? RETREATS : 0)) return false;
    if (retreat && mends < RETREATS && retreat.blame(positions, true)) {
      mends++;
      settle(positions, retreat.place(positions), 0);
      return true;
    }
    mends = Math.max(mends, retreat ? RETREATS : 0) + 1;
    markSuspects(positions);
    const found = crossings.find(positions, lockPair);
    crossings.clear();
    if (found === 0) return false;
    positions.set(base);
    return true;
  }

  /** What was crumpled, what is locked, where fields are rough; all of a small surface. */
  function markSuspects(positions: Float64Array): void {
    if (whole) {
      for (let k = 0; k < surface.vertexCount; k++) crossings.mark(k);
      return;
    }
    for (let i = 0; i < relaxedCount; i++) crossings.mark(relaxation!.vertices[i]!);
    for (let i = 0; i < lockedCount; i++) crossings.mark(locked[i]!);
    for (let e = jointCount; e < spaces.count; e++) {
      if (spaces.doubtful[e] && presses(positions, e)) crossings.mark(spaces.vertices[e]!);
    }
  }

  /** Whether a vertex has come into the band of a half-space. */
  function presses(y: Float64Array, e: number): boolean {
    const { planes: p, gaps: g, bands: b } = spaces;
    const k = 3 * spaces.vertices[e]!;
    const h = y[k]! * p[4 * e]! + y[k + 1]! * p[4 * e + 1]! + y[k + 2]! * p[4 * e + 2]! - p[4 * e + 3]!;
    return h < g[e]! + b[e]!;
  }

  const lockPair: CrossingVisitor = (a, b, length) => {
    const z = Math.min(1, length / DEEP);
    const w = z * z * (3 - 2 * z);
    for (let c = 0; c < 6; c++) {
      const k = triangles[c < 3 ? 3 * a + c : 3 * b + c - 3]!;
      lock(k, w);
      for (let e = neighbours.offsets[k]!; e < neighbours.offsets[k + 1]!; e++) lock(neighbours.values[e]!, SPREAD * w);
    }
    return true;
  };

  function keepBehind(
    y: Float64Array,
    k: number,
    mx: number,
    my: number,
    mz: number,
    at: number,
    gapOf: number,
    d: number,
  ): void {
    const u = y[k]! * mx + y[k + 1]! * my + y[k + 2]! * mz - at - gapOf;
    if (u >= d) return;
    const slope = u > -d ? (u + d) / (2 * d) : 0;
    const move = slope * slope * d - u;
    y[k]! += move * mx;
    y[k + 1]! += move * my;
    y[k + 2]! += move * mz;
    const lose = (1 - slope) * (along[k]! * mx + along[k + 1]! * my + along[k + 2]! * mz);
    along[k]! -= lose * mx;
    along[k + 1]! -= lose * my;
    along[k + 2]! -= lose * mz;
  }

  return { find, apply, mend };
}
