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
 * Complexity: O(pairs of parts) spheres, then O(clusters of vertices), then the vertices near another part.
 */
import type { Character } from '../character/character.js';
import { BONE_STRIDE } from '../skeleton/matrices.js';
import { planPartFields, sampleField } from './plan-part-fields.js';
import { planIgnored, planLoosened } from './plan-part-pairs.js';

export interface PartContacts {
  /** Finds the vertices that come near another part and the planes they must respect; returns their number. */
  find(positions: Float64Array, boneMatrices: Float64Array): number;
  readonly planes: ContactPlanes;
}

/** Half-spaces, one per entry: ⟨y_k, m⟩ − o ≥ gap, approached softly within `band`. */
export interface ContactPlanes {
  readonly vertices: Uint32Array;
  /** m and o, ×4. */
  readonly planes: Float64Array;
  readonly gaps: Float64Array;
  readonly bands: Float64Array;
  /** 1 where a blended patch is involved, whose field only follows it roughly. */
  readonly doubtful: Uint8Array;
}

/** A bound looser than this (in radii) is none. */
const LOOSE = 1;
/** Displacement that the layers behind may add, in radii. */
const SLACK = 0.2;
const NEWTON_STEPS = 3;
/** Clusters that are first looked at together. */
const BUNDLE = 8;
/** Parts that moved less against each other (in radii) do not touch anew; those that moved more count fully. */
const STILL = 0.5;
const MOVED = 1.5;
/** Largest push, in radii of the thinner part. */
const DEEPEST = 1;

export function planPartContacts(character: Character, gap: number, band: number): PartContacts {
  const { surface } = character;
  const fields = planPartFields(character);
  const { count: P, shares, clusters, frames, radii } = fields;
  const ignored = planIgnored(character, fields);
  const loosened = planLoosened(fields, surface.positions);
  const matrices = new Float64Array(BONE_STRIDE * P);
  const inverse = new Float64Array(BONE_STRIDE * P);
  const scales = new Float64Array(P);
  const balls = new Float64Array(4 * (clusters.length - 1));
  const bundles = new Float64Array(4 * (clusters.length - 1));
  const ballsKnown = new Uint8Array(P);
  const capacity = 3 * surface.vertexCount;
  const vertices = new Uint32Array(capacity);
  const planes = new Float64Array(4 * capacity);
  const gaps = new Float64Array(capacity);
  const bands = new Float64Array(capacity);
  const doubtful = new Uint8Array(capacity);
  const blended = Uint8Array.from(radii, (_, p) => (shares.offsets[p + 1]! > shares.offsets[p]! + 1 ? 1 : 0));
  const sample = new Float64Array(4);
  const point = new Float64Array(3);
  const gradient = new Float64Array(3);
  let count = 0;

  function find(positions: Float64Array, boneMatrices: Float64Array): number {
    count = 0;
    ballsKnown.fill(0);
    blendMatrices(boneMatrices);
    for (let p = 0; p < P; p++) {
      for (let q = p + 1; q < P; q++) {
        if (ignored[p * P + q] || !reaches(p, q) || !reaches(q, p)) continue;
        const shift = measureShift(p, q);
        if (shift === 0) continue;
        collect(p, q, shift, positions);
        collect(q, p, shift, positions);
      }
    }
    return count;
  }

  /** The motion of every part: that of its bone, or the blend of its bones. */
  function blendMatrices(boneMatrices: Float64Array): void {
    matrices.fill(0);
    for (let p = 0; p < P; p++) {
      for (let e = shares.offsets[p]!; e < shares.offsets[p + 1]!; e++) {
        const b = BONE_STRIDE * shares.bones[e]!;
        for (let r = 0; r < BONE_STRIDE; r++)
          matrices[BONE_STRIDE * p + r]! += shares.weights[e]! * boneMatrices[b + r]!;
      }
      invertPart(inverse, scales, p, matrices);
    }
  }

  /** Into `point`: a place of the rest frame of part p in the pose. */
  function toPose(p: number, x: number, y: number, z: number): void {
    const o = BONE_STRIDE * p;
    for (let r = 0; r < 3; r++) {
      const i = o + r;
      point[r] = matrices[i]! * x + matrices[i + 3]! * y + matrices[i + 6]! * z + matrices[i + 9]!;
    }
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

  /** Distance from `point` to the grid of part q. */
  function gridDistance(q: number): number {
    const f = 10 * q;
    const x = Math.max(frames[f + 4]! - point[0]!, 0, point[0]! - frames[f + 7]!);
    const y = Math.max(frames[f + 5]! - point[1]!, 0, point[1]! - frames[f + 8]!);
    const z = Math.max(frames[f + 6]! - point[2]!, 0, point[2]! - frames[f + 9]!);
    return Math.sqrt(x * x + y * y + z * z);
  }

  /** Whether the ball around part p meets the grid of part q. */
  function reaches(p: number, q: number): boolean {
    const f = 10 * p;
    const cx = (frames[f + 4]! + frames[f + 7]!) / 2;
    const cy = (frames[f + 5]! + frames[f + 8]!) / 2;
    const cz = (frames[f + 6]! + frames[f + 9]!) / 2;
    const [dx, dy, dz] = [frames[f + 7]! - cx, frames[f + 8]! - cy, frames[f + 9]! - cz];
    toPose(p, cx, cy, cz);
    toRest(q, point[0]!, point[1]!, point[2]!);
    return gridDistance(q) * scales[q]! < Math.sqrt(dx * dx + dy * dy + dz * dz) * scales[p]!;
  }

  /** 0 where two parts have hardly moved against each other since the rest pose, 1 where they have, in radii. */
  function measureShift(p: number, q: number): number {
    const f = 10 * p;
    const size = Math.min(radii[p]!, radii[q]!);
    let most = 0;
    // The furthest-moved of the four corners that span the box of part p.
    for (let corner = 0; corner < 4; corner++) {
      const x = frames[f + (corner === 1 ? 7 : 4)]!;
      const y = frames[f + (corner === 2 ? 8 : 5)]!;
      const z = frames[f + (corner === 3 ? 9 : 6)]!;
      toPose(p, x, y, z);
      toRest(q, point[0]!, point[1]!, point[2]!);
      most = Math.max(most, (point[0]! - x) ** 2 + (point[1]! - y) ** 2 + (point[2]! - z) ** 2);
    }
    const z = Math.min(1, Math.max(0, (Math.sqrt(most) / size - STILL) / (MOVED - STILL)));
    return z * z * (3 - 2 * z);
  }

  /** Balls around the clusters of part p, ×4: centre and radius. */
  function measureBalls(p: number, positions: Float64Array): void {
    ballsKnown[p] = 1;
    for (let c = fields.clusterOffsets[p]!; c < fields.clusterOffsets[p + 1]!; c++) {
      const from = clusters[c]!;
      const to = clusters[c + 1]!;
      let [x, y, z] = [0, 0, 0];
      for (let n = from; n < to; n++) {
        const k = 3 * fields.vertices[n]!;
        x += positions[k]!;
        y += positions[k + 1]!;
        z += positions[k + 2]!;
      }
      const share = 1 / (to - from);
      x *= share;
      y *= share;
      z *= share;
      let square = 0;
      for (let n = from; n < to; n++) {
        const k = 3 * fields.vertices[n]!;
        const d = (positions[k]! - x) ** 2 + (positions[k + 1]! - y) ** 2 + (positions[k + 2]! - z) ** 2;
        if (d > square) square = d;
      }
      balls[4 * c] = x;
      balls[4 * c + 1] = y;
      balls[4 * c + 2] = z;
      balls[4 * c + 3] = Math.sqrt(square);
    }
    for (let c = fields.clusterOffsets[p]!; c < fields.clusterOffsets[p + 1]!; c += BUNDLE) measureBundle(p, c);
  }

  /** The ball around BUNDLE balls from c on, stored at c. */
  function measureBundle(p: number, c: number): void {
    const end = Math.min(c + BUNDLE, fields.clusterOffsets[p + 1]!);
    const o = 4 * c;
    for (let r = 0; r < 3; r++) {
      let sum = 0;
      for (let i = c; i < end; i++) sum += balls[4 * i + r]!;
      bundles[o + r] = sum / (end - c);
    }
    let radius = 0;
    for (let i = 4 * c; i < 4 * end; i += 4) {
      const x = balls[i]! - bundles[o]!;
      const y = balls[i + 1]! - bundles[o + 1]!;
      const z = balls[i + 2]! - bundles[o + 2]!;
      radius = Math.max(radius, Math.sqrt(x * x + y * y + z * z) + balls[i + 3]!);
    }
    bundles[o + 3] = radius;
  }

  /** Whether a ball comes within `reach` of part q. */
  function comesNear(ball: Float64Array, at: number, q: number, reach: number): boolean {
    toRest(q, ball[at]!, ball[at + 1]!, ball[at + 2]!);
    const away = gridDistance(q);
    const radius = ball[at + 3]! / scales[q]!;
    if (away > radius) return false;
    sampleField(sample, fields, q, point[0]!, point[1]!, point[2]!);
    return (sample[0]! - away - radius) * scales[q]! <= reach;
  }

  /** Vertices of part p that come near part q. */
  function collect(p: number, q: number, shift: number, positions: Float64Array): void {
    if (!ballsKnown[p]) measureBalls(p, positions);
    const size = Math.min(radii[p]! * scales[p]!, radii[q]! * scales[q]!);
    const reach = 2 * (band + SLACK) * size;
    const last = fields.clusterOffsets[p + 1]!;
    for (let b = fields.clusterOffsets[p]!; b < last; b += BUNDLE) {
      if (!comesNear(bundles, 4 * b, q, reach)) continue;
      for (let c = b; c < Math.min(b + BUNDLE, last); c++) {
        if (!comesNear(balls, 4 * c, q, reach)) continue;
        for (let n = clusters[c]!; n < clusters[c + 1]!; n++) enter(n, p, q, size, shift, positions);
      }
    }
  }

  /** Enters vertex n of part p if it is near part q: projects it and keeps the tangent plane. */
  function enter(n: number, p: number, q: number, size: number, shift: number, positions: Float64Array): void {
    const k = 3 * fields.vertices[n]!;
    let x = positions[k]!;
    let y = positions[k + 1]!;
    let z = positions[k + 2]!;
    toRest(q, x, y, z);
    if (gridDistance(q) > 0) return;
    sampleField(sample, fields, q, point[0]!, point[1]!, point[2]!);
    if (sample[0]! * scales[q]! > 2 * (band + SLACK) * size) return;
    let clear = size;
    let relax = 0;
    for (let e = loosened.offsets[n]!; e < loosened.offsets[n + 1]!; e++) {
      if (loosened.parts[e] !== q) continue;
      clear = loosened.clear[e]!;
      relax = loosened.relax[e]!;
    }
    if (relax >= LOOSE || count === capacity) return;
    const g = (gap * size * clear) / (gap * size + clear) - 2 * (relax * relax + 1 - shift) * size;
    const d = Math.min(band * size, 0.5 * (clear - g));
    let u = measureOwn(p, q, x, y, z) - g;
    if (u > d + SLACK * size) return;
    const lift = u >= d ? u : u > -d ? ((u + d) * (u + d)) / (4 * d) : 0;
    for (let step = 0; step < NEWTON_STEPS && lift - u > 1e-3 * size; step++) {
      const square = gradient[0]! * gradient[0]! + gradient[1]! * gradient[1]! + gradient[2]! * gradient[2]!;
      const move = (lift - u) / Math.max(square, 0.25);
      x += move * gradient[0]!;
      y += move * gradient[1]!;
      z += move * gradient[2]!;
      u = measure(p, q, x, y, z) - g;
    }
    const slope = Math.sqrt(gradient[0]! * gradient[0]! + gradient[1]! * gradient[1]! + gradient[2]! * gradient[2]!);
    if (!(slope > 0)) return;
    const depth = Math.hypot(x - positions[k]!, y - positions[k + 1]!, z - positions[k + 2]!) / (DEEPEST * size);
    const o = 4 * count;
    planes[o] = gradient[0]! / slope;
    planes[o + 1] = gradient[1]! / slope;
    planes[o + 2] = gradient[2]! / slope;
    planes[o + 3] = planes[o]! * x + planes[o + 1]! * y + planes[o + 2]! * z - (u + g) / Math.max(slope, 0.5);
    vertices[count] = k / 3;
    doubtful[count] = blended[p]! | blended[q]!;
    // What is deeper inside is pushed no further: the part would be crushed.
    gaps[count] = g - depth * (1 - 1 / Math.sqrt(Math.sqrt(1 + depth ** 4))) * DEEPEST * size;
    bands[count++] = d;
  }

  /** c at a point, its gradient into `gradient`. */
  function measure(p: number, q: number, x: number, y: number, z: number): number {
    toRest(q, x, y, z);
    sampleField(sample, fields, q, point[0]!, point[1]!, point[2]!);
    return measureOwn(p, q, x, y, z);
  }

  /** The same when `sample` has φ_q already. */
  function measureOwn(p: number, q: number, x: number, y: number, z: number): number {
    const outer = sample[0]! * scales[q]!;
    addGradient(q, 0.5, 0);
    toRest(p, x, y, z);
    sampleField(sample, fields, p, point[0]!, point[1]!, point[2]!);
    addGradient(p, -0.5, 1);
    return 0.5 * (outer - sample[0]! * scales[p]!);
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

  return { find, planes: { vertices, planes, gaps, bands, doubtful } };
}

/** Inverse of the linear part of a part's matrix, its translation, and its mean scale. */
function invertPart(out: Float64Array, scales: Float64Array, p: number, m: Float64Array): void {
  const o = BONE_STRIDE * p;
  const i = o;
  const a = m[i]!;
  const d = m[i + 1]!;
  const g = m[i + 2]!;
  const b = m[i + 3]!;
  const e = m[i + 4]!;
  const h = m[i + 5]!;
  const c = m[i + 6]!;
  const f = m[i + 7]!;
  const k = m[i + 8]!;
  const det = a * (e * k - f * h) - b * (d * k - f * g) + c * (d * h - e * g);
  const s = Math.abs(det) > 0 ? 1 / det : 0;
  out[o] = (e * k - f * h) * s;
  out[o + 1] = (f * g - d * k) * s;
  out[o + 2] = (d * h - e * g) * s;
  out[o + 3] = (c * h - b * k) * s;
  out[o + 4] = (a * k - c * g) * s;
  out[o + 5] = (b * g - a * h) * s;
  out[o + 6] = (b * f - c * e) * s;
  out[o + 7] = (c * d - a * f) * s;
  out[o + 8] = (a * e - b * d) * s;
  out[o + 9] = m[i + 9]!;
  out[o + 10] = m[i + 10]!;
  out[o + 11] = m[i + 11]!;
  scales[p] = Math.cbrt(Math.abs(det));
}
