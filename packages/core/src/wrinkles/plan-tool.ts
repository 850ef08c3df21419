/**
 * One wrinkle tool on its way through a pose (H1, H5, H6): where its ends are, how much length is lost, and how high a point
 * of the skin is lifted.
 *
 *   Rectangle over A, B: X = AB/|AB|, N = mean of the two normals across X, S = N × X. A point q is lifted by
 *   h(x)·attenuation(t), x = ⟨q−A, X⟩ in 0 … |AB|, t = 2⟨q−A, S⟩/width in −1 … 1, if its normal faces N (⟨n, N⟩ > 0).
 *   Curved tools are a polyline of such rectangles; x runs along all of them, and the nearest one counts.
 *
 * Complexity: O(segments) per point, no allocation.
 */

import type { Character } from '../character/character.js';
import { sampleCurve } from '../correction/plan-target-volumes.js';
import { IsoskinError } from '../error.js';
import { measureDiagonal } from '../mesh/measure-box.js';
import { type ControlCurve, measureHeight, planControlCurve } from './plan-control-curve.js';
import {
  type Attenuation,
  type RestLength,
  type SurfaceAnchor,
  WRINKLE_DEFAULTS,
  type WrinkleTool,
} from './wrinkle-tool.js';

export interface PlannedTool {
  readonly name: string;
  readonly curve: ControlCurve;
  /** Component of the surface that it lies on, and triangles of its anchors. */
  readonly component: number;
  readonly anchors: readonly number[];
  readonly width: number;
  /** |t| up to which folds are high enough to be worth a finer mesh. */
  readonly reach: number;
  /** ℓ and length between the ends in the last pose, world units; lost = ℓ − distance, 0 when stretched. */
  length: number;
  distance: number;
  lost: number;
  /** Finds the ends in a pose and folds the curve. `scale`: the joints' common scale. */
  pose(positions: Float64Array, normals: Float64Array, time: number, morphWeights: Float64Array, scale: number): void;
  /** Lays the rectangles over the rest shape, whatever the length. */
  poseFlat(positions: Float64Array, normals: Float64Array): void;
  /** Coordinates of a point over the rectangles, into `out`: x 0 … distance, t −1 … 1, N. */
  project(out: ToolPlace, px: number, py: number, pz: number): void;
  /**
   * Heights of the folds over a list of vertices, before anything is lifted, and how much of the depth each gives way by, 0 … 1:
   * what the folds hold is taken from there. Only vertices in use and over the rectangle count: their places in the list go to
   * `hits`, and how many they are is returned.
   */
  lift(
    hits: Uint32Array,
    heights: Float64Array,
    sinks: Float64Array,
    vertices: Uint32Array,
    used: Uint8Array,
    positions: Float64Array,
    normals: Float64Array,
  ): number;
}

export interface ToolPlace {
  x: number;
  t: number;
  nx: number;
  ny: number;
  nz: number;
}

export function createToolPlace(): ToolPlace {
  return { x: 0, t: 0, nx: 0, ny: 0, nz: 0 };
}

/** ⟨n, N⟩ from which a normal faces the rectangle in full; between 0 and this the fold fades. */
const FACING = 0.25;
/** Share of the length over which the skin gives way from the ends on: they never move. */
const RUN_OUT = 0.2;
const SLACK = [2e-4, 1e-3] as const;
/** Numbers of a rectangle: A, X, S, N, length, x of A. */
const STRIDE = 14;

export function planTool(character: Character, tool: WrinkleTool, index: number): PlannedTool {
  const { surface } = character;
  const where = `wrinkles: tools[${index}]${tool.name ? ` “${tool.name}”` : ''}`;
  const anchors = [tool.a, ...(tool.via ?? []), tool.b];
  for (const [k, anchor] of anchors.entries()) {
    checkAnchor(
      anchor,
      surface.triangles.length / 3,
      k === 0 ? `${where}.a` : k === anchors.length - 1 ? `${where}.b` : `${where}.via[${k - 1}]`,
    );
  }
  const triangles = anchors.map(({ triangle }) => triangle);
  const component = surface.triangleComponent[triangles[0]!]!;
  if (triangles.some((t) => surface.triangleComponent[t] !== component)) {
    refuse('The ends of the tool lie on parts that do not hang together: put both on one part of the skin', where);
  }
  const points = new Float64Array(3 * anchors.length);
  const normals = new Float64Array(3 * anchors.length);
  const rects = new Float64Array(STRIDE * (anchors.length - 1));
  const placed = gather(points, surface.positions, surface.triangles, anchors);
  const size = measureDiagonal(surface.positions);
  if (!(placed > 1e-9 * size)) refuse('The tool has no length: move its ends apart', where);
  if (tool.length !== undefined && !(tool.length > 0 && Number.isFinite(tool.length))) {
    refuse(`A length of ${tool.length} makes no sense: give |AB| as it was placed, or leave it out`, `${where}.length`);
  }
  // Units of this file per unit that the tool was placed in.
  const factor = placed / (tool.length ?? placed);
  const restLength = planRestLength(character, tool.restLength, placed, factor, where);
  if (!(tool.width > 0 && Number.isFinite(tool.width))) {
    refuse(`A width of ${tool.width} cannot be had: give a number above 0`, `${where}.width`);
  }
  const width = tool.width * factor;
  const curve = planCurve(tool, restLength.most, factor, where);
  const curvePoints = new Float64Array(2 * curve.pointCount);
  const place = createToolPlace();
  const smooth = (tool.profile ?? WRINKLE_DEFAULTS.profile) === 'smooth';
  const strength = tool.strength ?? WRINKLE_DEFAULTS.strength;
  const attenuation = tool.attenuation ?? WRINKLE_DEFAULTS.attenuation;
  const segments = anchors.length - 1;
  let unit = 1;

  const planned: PlannedTool = {
    name: tool.name ?? `tool ${index + 1}`,
    curve,
    component,
    anchors: triangles,
    width,
    // Wyvill's bell is down to 2 % there.
    reach: attenuation === 'wyvill' ? 0.9 : 1,
    length: placed,
    distance: placed,
    lost: 0,
    pose(positions, skinNormals, time, morphWeights, scale) {
      unit = scale;
      const distance = gather(points, positions, surface.triangles, anchors);
      planned.length = restLength.measure(time, morphWeights) * scale;
      planned.distance = distance;
      planned.lost = Number.isFinite(distance) ? loosen(planned.length - distance, planned.length) : 0;
      if (planned.lost === 0) return;
      gather(normals, skinNormals, surface.triangles, anchors);
      placeRectangles(rects, points, normals, segments);
      // The curve is planned in units of the rest shape.
      curve.evaluate(curvePoints, distance / scale, (distance + planned.lost) / scale);
    },
    poseFlat(positions, skinNormals) {
      unit = 1;
      planned.distance = gather(points, positions, surface.triangles, anchors);
      gather(normals, skinNormals, surface.triangles, anchors);
      placeRectangles(rects, points, normals, segments);
    },
    project(out, px, py, pz) {
      let nearest = Number.POSITIVE_INFINITY;
      for (let r = 0; r < rects.length; r += STRIDE) {
        const length = rects[r + 12]!;
        const qx = px - rects[r]!;
        const qy = py - rects[r + 1]!;
        const qz = pz - rects[r + 2]!;
        const along = qx * rects[r + 3]! + qy * rects[r + 4]! + qz * rects[r + 5]!;
        const across = qx * rects[r + 6]! + qy * rects[r + 7]! + qz * rects[r + 8]!;
        const up = qx * rects[r + 9]! + qy * rects[r + 10]! + qz * rects[r + 11]!;
        // Beyond the joint of two rectangles the joint itself is nearest; beyond A and B nothing is.
        const open = along < 0 ? r === 0 : r + STRIDE === rects.length;
        const on = along < 0 ? 0 : along > length ? length : along;
        const over = along - on;
        const square = over * over + across * across + up * up;
        if (square >= nearest) continue;
        nearest = square;
        out.x = rects[r + 13]! + (open ? along : on);
        out.t = (2 * (open || over === 0 ? across : Math.sign(across) * Math.hypot(across, over))) / (width * unit);
        out.nx = rects[r + 9]!;
        out.ny = rects[r + 10]!;
        out.nz = rects[r + 11]!;
      }
    },
    lift(hits, heights, sinks, vertices, used, positions, normals) {
      const { distance } = planned;
      const high = unit * strength;
      const slope = 1 / (RUN_OUT * distance);
      const steps = (curve.pointCount - 1) / distance;
      const across = 2 / (width * unit);
      const isStraight = segments === 1;
      // A straight tool has one rectangle: it is kept out of the loop.
      const ax = rects[0]!;
      const ay = rects[1]!;
      const az = rects[2]!;
      const xx = rects[3]!;
      const xy = rects[4]!;
      const xz = rects[5]!;
      const sx = rects[6]!;
      const sy = rects[7]!;
      const sz = rects[8]!;
      let nx = rects[9]!;
      let ny = rects[10]!;
      let nz = rects[11]!;
      let count = 0;
      for (let i = 0; i < vertices.length; i++) {
        const k = vertices[i]!;
        const v = 3 * k;
        if (used[k] === 0) continue;
        let x = 0;
        let t = 0;
        if (isStraight) {
          const qx = positions[v]! - ax;
          const qy = positions[v + 1]! - ay;
          const qz = positions[v + 2]! - az;
          x = qx * xx + qy * xy + qz * xz;
          t = across * (qx * sx + qy * sy + qz * sz);
        } else {
          planned.project(place, positions[v]!, positions[v + 1]!, positions[v + 2]!);
          x = place.x;
          t = place.t;
          nx = place.nx;
          ny = place.ny;
          nz = place.nz;
        }
        if (!(x > 0 && x < distance && t > -1 && t < 1)) continue;
        const facing = (normals[v]! * nx + normals[v + 1]! * ny + normals[v + 2]! * nz) / FACING;
        if (!(facing > 0)) continue;
        const share = (facing < 1 ? facing * facing * (3 - 2 * facing) : 1) * attenuate(attenuation, t);
        hits[count] = i;
        heights[count] = measureHeight(curvePoints, curve.pointCount, x * steps, smooth) * high * share;
        const end = Math.min(x, distance - x) * slope;
        sinks[count++] = end < 1 ? end * end * (3 - 2 * end) * share : share;
      }
      return count;
    },
  };
  return planned;
}

/** Lost length without what the other layers let the skin tremble by: 0 below 0.02 % of ℓ, all of it from 0.1 % on. */
function loosen(lost: number, length: number): number {
  const u = (lost / length - SLACK[0]) / (SLACK[1] - SLACK[0]);
  if (!(u > 0)) return 0;
  return u < 1 ? lost * u * u * (3 - 2 * u) : lost;
}

/** H6: 1 at the centre, 0 at the edge. */
export function attenuate(kind: Attenuation, t: number): number {
  if (!(t > -1 && t < 1)) return 0;
  if (kind === 'none') return 1;
  if (kind === 'linear') return 1 - Math.abs(t);
  const s = t * t;
  return 1 + (s * (s * (17 - 4 * s) - 22)) / 9;
}

function planCurve(tool: WrinkleTool, length: number, factor: number, place: string): ControlCurve {
  const scale = <T extends { readonly maxHeight?: number }>(own: T): T =>
    own.maxHeight === undefined ? own : { ...own, maxHeight: own.maxHeight * factor };
  try {
    return planControlCurve({ ...scale(tool), ...(tool.levels && { levels: tool.levels.map(scale) }), length });
  } catch (error) {
    if (!(error instanceof IsoskinError)) throw error;
    const text = error.place ? error.message.slice(0, -error.place.length - 3) : error.message;
    throw new IsoskinError(error.code, text, `${place}.${error.place}`);
  }
}

interface RestLengthPlan {
  /** Largest that it can become. */
  readonly most: number;
  measure(time: number, morphWeights: Float64Array): number;
}

function planRestLength(
  character: Character,
  rest: RestLength | undefined,
  placed: number,
  factor: number,
  place: string,
): RestLengthPlan {
  const check = (value: number): number => {
    if (value > 0 && Number.isFinite(value)) return value;
    return refuse(`A rest length of ${value} makes no sense: give a number above 0`, `${place}.restLength`);
  };
  if (rest === undefined || typeof rest === 'number') {
    const length = rest === undefined ? placed : factor * check(rest);
    return { most: length, measure: () => length };
  }
  if ('keys' in rest) {
    if (rest.keys.length === 0)
      refuse('The keys of the rest length are empty: give [seconds, length]', `${place}.restLength`);
    const { keys } = rest;
    const most = factor * Math.max(...keys.map(([, length]) => check(length)));
    return { most, measure: (time) => factor * sampleCurve(keys, time) };
  }
  const morph = character.morphs.findIndex(({ name }) => name === rest.morph);
  if (morph < 0) {
    const names = character.morphs.map(({ name }) => `“${name}”`).join(', ') || 'none';
    refuse(`There is no morph target “${rest.morph}”: choose among ${names}`, `${place}.restLength.morph`);
  }
  const from = rest.from === undefined ? placed : factor * check(rest.from);
  const to = factor * check(rest.to);
  return {
    most: Math.max(from, to),
    measure(_, weights) {
      const weight = weights[morph]!;
      return from + (to - from) * (weight > 0 ? Math.min(1, weight) : 0);
    },
  };
}

/** Points (or normals) at the anchors into `out`; returns the length of the polyline through them. */
function gather(
  out: Float64Array,
  values: Float64Array,
  triangles: Uint32Array,
  anchors: readonly SurfaceAnchor[],
): number {
  let length = 0;
  for (let k = 0; k < anchors.length; k++) {
    const { triangle, barycentric } = anchors[k]!;
    const a = 3 * triangles[3 * triangle]!;
    const b = 3 * triangles[3 * triangle + 1]!;
    const c = 3 * triangles[3 * triangle + 2]!;
    let square = 0;
    for (let r = 0; r < 3; r++) {
      const value = barycentric[0] * values[a + r]! + barycentric[1] * values[b + r]! + barycentric[2] * values[c + r]!;
      out[3 * k + r] = value;
      if (k > 0) square += (value - out[3 * k - 3 + r]!) ** 2;
    }
    length += Math.sqrt(square);
  }
  return length;
}

function placeRectangles(rects: Float64Array, p: Float64Array, n: Float64Array, segments: number): void {
  let before = 0;
  for (let s = 0; s < segments; s++) {
    const r = STRIDE * s;
    const k = 3 * s;
    let length = 0;
    let along = 0;
    for (let i = 0; i < 3; i++) {
      rects[r + i] = p[k + i]!;
      rects[r + 3 + i] = p[k + 3 + i]! - p[k + i]!;
      length += rects[r + 3 + i]! ** 2;
    }
    length = Math.sqrt(length);
    for (let i = 0; i < 3; i++) {
      rects[r + 3 + i] = length > 0 ? rects[r + 3 + i]! / length : 0;
      rects[r + 9 + i] = n[k + i]! + n[k + 3 + i]!;
      along += rects[r + 3 + i]! * rects[r + 9 + i]!;
    }
    let square = 0;
    for (let i = 0; i < 3; i++) {
      rects[r + 9 + i]! -= along * rects[r + 3 + i]!;
      square += rects[r + 9 + i]! ** 2;
    }
    // Normals that run along AB, or away from each other, say nothing: no point faces a zero normal, so nothing is lifted.
    const unit = square > 1e-12 ? 1 / Math.sqrt(square) : 0;
    for (let i = 0; i < 3; i++) rects[r + 9 + i]! *= unit;
    for (let i = 0; i < 3; i++) {
      const j = (i + 1) % 3;
      const l = (i + 2) % 3;
      rects[r + 6 + i] = rects[r + 9 + j]! * rects[r + 3 + l]! - rects[r + 9 + l]! * rects[r + 3 + j]!;
    }
    rects[r + 12] = length;
    rects[r + 13] = before;
    before += length;
  }
}

function checkAnchor(anchor: SurfaceAnchor, triangleCount: number, place: string): void {
  const { triangle, barycentric } = anchor;
  if (!(Number.isInteger(triangle) && triangle >= 0 && triangle < triangleCount)) {
    refuse(
      `The tool is off the surface: there is no triangle ${triangle} among ${triangleCount}; place it again`,
      place,
    );
  }
  const [u, v, w] = barycentric;
  const isInside = [u, v, w].every((value) => value >= -1e-6 && value <= 1 + 1e-6) && Math.abs(u + v + w - 1) <= 1e-6;
  if (!isInside) {
    refuse(`The tool is off the surface: [${barycentric.join(', ')}] is no point of a triangle; place it again`, place);
  }
}

function refuse(message: string, place: string): never {
  throw new IsoskinError('WRINKLE_TOOL', message, place);
}
