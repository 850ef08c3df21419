/**
 * C16. Creases that close: beyond about 50° the two sides of a bent joint meet, and what linear skinning pushes through the other side lies flat
 * on the plane between them, as finite elements have it. A few shapes per joint, taught at planning time over the joint's whole range.
 *
 *   y_k(u) = (1 − s_k) (x̄_k + u n̄_k) + s_k R (x̄_k + u n̄_k),      u_k ≤ 0 the least push with  ±⟨y_k(u_k), m⟩ ≤ 0
 *   u(q_i) ≈ Σ_m c_m,i d_m   over poses q_i (eight directions, four angles)      amount of shape m: c_m between the poses, smooth in both
 *
 * x̄  from the joint;  s  weight of the bones beyond it;  R  the swing of the bone's axis a, without its twist;  m = R^½ m̄  normal of the plane that
 * halves the bend, m̄ at rest, through the middle of the blend;  ±  side of the vertex at rest;  n̄  directions;  d  leading directions of all fields. Obstacle, not projection: u is
 * smoothed and lowered again, a few times; no deeper than a share of the thickness, and only where the joint blends. O(#V) per pose.
 */
import { findAxes } from '../linear-algebra/find-axes.js';
import { smoothStep } from '../linear-algebra/smooth-step.js';
import { measureDistance } from '../mesh/measure-distance.js';
import { ANGLES, type Crease, DIRECTIONS } from './create-creases.js';
import type { Twist } from './create-twists.js';
import type { GivenFamily, GivenShapes } from './given-shapes.js';
import { measureVertexAreas } from './measure-vertex-areas.js';
import { VertexTable } from './plan-bases.js';
import type { ShapeDraft } from './plan-shapes.js';
import { type BlendedTwist, findMainRegion, listTwists } from './plan-twists.js';
import type { SolverContext } from './volume-solver.js';

/** Blend c below which skin is not the joint's to move, and from which on it is. */
const BLEND = [0.02, 0.1] as const;
/** A push inward must lead away from the plane, by this share of itself at least. */
const LEAST_WAY = 0.05;
/** Width over which the crease is smoothed, in thicknesses. */
const WIDTH = 0.05;
const MOST_SWEEPS = 12;
/** Shapes per joint, and the share of all fields (squared) below which one more is not worth it. */
const MOST_SHAPES = 16;
const LEAST_SHARE = 5e-4;
/** A joint whose deepest push is less than this share of the thickness has no crease. */
const LEAST_DEPTH = 0.05;

export interface CreaseOptions {
  /** What amounts are multiplied by. */
  readonly strength: number;
  /** Deepest push as a share of the local thickness. */
  readonly limit: number;
}

/** Undefined where no joint closes. @param sight how much of a push the mesh can show, #V (plan-harmonics.ts) */
export function planCreases(
  context: SolverContext,
  draft: ShapeDraft,
  sight: Float64Array,
  { strength, limit }: CreaseOptions,
): GivenShapes | undefined {
  const { character } = context;
  const areas = measureVertexAreas(character.surface);
  const table = new VertexTable(character.surface.vertexCount);
  const creases: Crease[] = [];
  const families: GivenFamily[] = [];
  let count = 0;
  const { segments } = context.regions;
  for (const joint of listTwists(character, segments)) {
    const { bone, parent } = joint.twist;
    if (segments.offsets[parent + 1]! - segments.offsets[parent]! > 1) continue; // where limbs branch no plane parts them
    const patch = describePatch(context, draft, joint, sight, limit);
    const taught = teach(
      patch,
      joint.vertices.map((k) => areas[k]!),
    );
    if (!taught) continue;
    for (const [m, field] of taught.shapes.entries()) {
      for (const [i, k] of joint.vertices.entries()) if (field[i] !== 0) table.add(k, count + m, field[i]!);
    }
    creases.push({ ...joint.twist, table: taught.coefficients });
    const name = character.skeleton.names[character.skeleton.boneNodes[bone]!];
    families.push({ name: `${name} crease`, size: taught.shapes.length, region: findMainRegion(draft, joint) });
    count += taught.shapes.length;
  }
  if (count === 0) return undefined;
  return { values: table.finish(), plan: { families, creases: { creases, strength } } };
}

/** What a joint's crease is taught on: its blended vertices, in the joint's frame. */
interface Patch {
  readonly count: number;
  /** x̄ and n̄, ×3 each, from the joint; s, ±, deepest push, share of it that is shown. */
  readonly points: Float64Array;
  readonly normals: Float64Array;
  readonly shares: Float64Array;
  readonly sides: Float64Array;
  readonly deepest: Float64Array;
  readonly shown: Float64Array;
  /** Neighbours inside the patch. */
  readonly neighbours: readonly (readonly number[])[];
  readonly sweeps: number;
  readonly frame: readonly number[];
  /** m̄, and where it crosses the axis. */
  readonly normal: readonly number[];
  readonly centre: number;
}

function describePatch(
  { character, directions, regions: { segments } }: SolverContext,
  { thickness }: ShapeDraft,
  joint: BlendedTwist,
  sight: Float64Array,
  limit: number,
): Patch {
  const { twist, vertices, blends, shares } = joint;
  const { positions: x, neighbours } = character.surface;
  const normal = findRestNormal(segments.joints, twist);
  const local = new Map(vertices.map((k, i) => [k, i]));
  const centre = measureCentre(x, segments.joints, joint, normal);
  const points = new Float64Array(3 * vertices.length);
  const normals = new Float64Array(3 * vertices.length);
  const sides = new Float64Array(vertices.length);
  let [ways, edges, depth] = [0, 0, 0];
  const near = vertices.map((k, i) => {
    for (let r = 0; r < 3; r++) {
      points[3 * i + r] = x[3 * k + r]! - segments.joints[3 * twist.bone + r]!;
      normals[3 * i + r] = directions[3 * k + r]!;
      sides[i]! += normal[r]! * points[3 * i + r]!;
    }
    sides[i] = Math.sign(sides[i]! - centre);
    depth += thickness[k]! / vertices.length;
    const list: number[] = [];
    for (let e = neighbours.offsets[k]!; e < neighbours.offsets[k + 1]!; e++) {
      const j = neighbours.values[e]!;
      ways += measureDistance(x, k, j);
      edges++;
      if (local.has(j)) list.push(local.get(j)!);
    }
    return list;
  });
  return {
    count: vertices.length,
    points,
    normals,
    sides,
    shares: Float64Array.from(shares),
    deepest: Float64Array.from(vertices, (k) => limit * thickness[k]!),
    shown: Float64Array.from(
      vertices,
      (k, i) => sight[k]! * smoothStep((blends[i]! - BLEND[0]) / (BLEND[1] - BLEND[0])),
    ),
    neighbours: near,
    sweeps: Math.min(MOST_SWEEPS, Math.max(1, Math.round(((WIDTH * depth * edges) / ways) ** 2))),
    frame: twist.frame,
    normal,
    centre,
  };
}

/** m̄: half way between the bone and the way that leads to it. */
function findRestNormal(joints: Float64Array, { bone, parent, frame }: Twist): number[] {
  const way = [0, 1, 2].map((r) => joints[3 * bone + r]! - joints[3 * parent + r]!);
  const length = Math.hypot(...way);
  const sum = way.map((value, r) => frame[r]! + (length > 0 ? value / length : 0));
  const size = Math.hypot(...sum);
  return size > 0.5 ? sum.map((value) => value / size) : frame.slice(0, 3); // a bone that turns back at rest: its own axis
}

/** Where the weights change hands, along m̄ from the joint: artists' need not do it at the joint itself. */
function measureCentre(
  x: Float64Array,
  joints: Float64Array,
  { twist: { bone }, vertices, blends }: BlendedTwist,
  normal: readonly number[],
): number {
  let [sum, weights] = [0, 0];
  for (const [i, k] of vertices.entries()) {
    const weight = blends[i]! ** 2;
    weights += weight;
    for (let r = 0; r < 3; r++) sum += weight * normal[r]! * (x[3 * k + r]! - joints[3 * bone + r]!);
  }
  return weights > 0 ? sum / weights : 0;
}

/** The leading shapes of all fields, the largest entry of the first 1, and how much of each makes every pose. */
function teach(
  patch: Patch,
  areas: readonly number[],
): { shapes: Float64Array[]; coefficients: Float64Array[] } | undefined {
  const fields: Float64Array[] = [];
  for (const angle of ANGLES.slice(1)) {
    for (let d = 0; d < DIRECTIONS; d++) fields.push(measureField(patch, angle, (2 * Math.PI * d) / DIRECTIONS));
  }
  const deepest = fields.reduce(
    (all, field) => field.reduce((most, u, i) => Math.max(most, -u / (patch.deepest[i]! || 1)), all),
    0,
  );
  if (deepest < LEAST_DEPTH) return undefined;
  const count = fields.length;
  const gram = new Float64Array(count * count);
  for (let a = 0; a < count; a++) {
    for (let b = a; b < count; b++) {
      let sum = 0;
      for (let i = 0; i < patch.count; i++) sum += areas[i]! * fields[a]![i]! * fields[b]![i]!;
      gram[a * count + b] = sum;
      gram[b * count + a] = sum;
    }
  }
  const axes = findAxes(gram, count);
  const all = axes.reduce((sum, { value }) => sum + value, 0);
  const kept = axes.slice(0, MOST_SHAPES).filter(({ value }) => value > LEAST_SHARE * all);
  // ⟨u_a, d⟩ / ⟨d, d⟩ = axis_a, as the fields' own Gram matrix has it. One unit for all: whoever keeps fewer sees which matter.
  const raw = kept.map(({ axis }) => {
    const shape = new Float64Array(patch.count);
    for (const [a, field] of fields.entries()) for (let i = 0; i < patch.count; i++) shape[i]! += axis[a]! * field[i]!;
    return shape;
  });
  const unit = raw[0]!.reduce((most, u) => Math.max(most, Math.abs(u)), 0);
  const shapes = raw.map((shape) => shape.map((u) => u / unit));
  const coefficients = kept.map(({ axis }) => Float64Array.from(axis, (c) => c * unit));
  return { shapes, coefficients };
}

/** u of one pose: the obstacle, smoothed and met again. */
function measureField(patch: Patch, angle: number, around: number): Float64Array {
  const { count, points, normals, shares, sides, deepest, shown, neighbours, frame, normal, centre } = patch;
  // The axis that the bone's direction turns about: across the way in which it bends.
  const axis = [0, 1, 2].map((r) => Math.cos(around) * frame[6 + r]! - Math.sin(around) * frame[3 + r]!);
  const whole = createRotation(axis, angle);
  const half = createRotation(axis, angle / 2);
  const m = [0, 1, 2].map((r) => half[r]! * normal[0]! + half[3 + r]! * normal[1]! + half[6 + r]! * normal[2]!);
  const back = [0, 1, 2].map((r) => whole[3 * r]! * m[0]! + whole[3 * r + 1]! * m[1]! + whole[3 * r + 2]! * m[2]!);
  const inward = [0, 1, 2].map((r) => Math.cos(around) * frame[3 + r]! + Math.sin(around) * frame[6 + r]!);
  // The plane goes through where the middle of the blend has come to.
  const middle = 0.5 * centre * [0, 1, 2].reduce((sum, r) => sum + (m[r]! + back[r]!) * normal[r]!, 0);
  const need = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    let [place, way, inner] = [-middle, 0, 0];
    for (let r = 0; r < 3; r++) {
      const w = (1 - shares[i]!) * m[r]! + shares[i]! * back[r]!;
      place += w * points[3 * i + r]!;
      way += w * normals[3 * i + r]!;
      inner += inward[r]! * points[3 * i + r]!;
    }
    place *= -sides[i]!;
    way *= -sides[i]!;
    if (place > 0 && way > LEAST_WAY && inner > 0) need[i] = -shown[i]! * limitDepth(place / way, deepest[i]!);
  }
  let field = need;
  for (let sweep = 0; sweep < patch.sweeps; sweep++) {
    field = field.map((u, i) => {
      let sum = 0;
      for (const j of neighbours[i]!) sum += field[j]!;
      return neighbours[i]!.length > 0 ? 0.5 * u + (0.5 * sum) / neighbours[i]!.length : u;
    });
    if (sweep + 1 < patch.sweeps) field = field.map((u, i) => Math.min(u, need[i]!));
  }
  return field;
}

/** Column-major 3×3, about a unit axis. */
function createRotation([x, y, z]: readonly number[], angle: number): number[] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const [a, b, d] = [x!, y!, z!];
  const t = 1 - c;
  return [
    c + t * a * a,
    t * a * b + s * d,
    t * a * d - s * b,
    t * a * b - s * d,
    c + t * b * b,
    t * b * d + s * a,
    t * a * d + s * b,
    t * b * d - s * a,
    c + t * d * d,
  ];
}

/** depth, smoothly below most. */
function limitDepth(depth: number, most: number): number {
  return most > 0 ? depth / (1 + (depth / most) ** 4) ** 0.25 : 0;
}
