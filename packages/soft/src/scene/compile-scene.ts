/** From a checked scene to what the soft world and the structures are made of. Primitives of the soft world are numbered in the scene's order. */
import type { SoftObject, SoftObstacle, SoftPrimitive, SoftWorldInput } from '../soft/soft-world.js';
import { type BodiesInput, type BodyInput, createBodies, type JointInput } from '../structure/bodies.js';
import { type FillShape, fillParticles } from '../structure/fill-particles.js';
import { createKeyedPrimitives, type KeyedMotion } from '../structure/keyed-primitives.js';
import { createMotion, rotateVector } from '../structure/motion.js';
import { Particles } from '../structure/particles.js';
import type { PlaneInput } from '../structure/rapier.js';
import type { Structure } from '../structure/structure.js';
import type { ContactMaterials } from './measure-contact-forces.js';
import type {
  BodiesSpec,
  KinematicSpec,
  ObjectSpec,
  ObstacleSpec,
  ParticlesSpec,
  PrimitiveSpec,
  SceneSpec,
  Vector,
} from './scene-spec.js';

/** What a scene has where it says nothing. */
export const SCENE_DEFAULTS = {
  gravity: [0, -9.81, 0] as Vector,
  fps: 60,
  duration: 5,
  material: { reach: 2, law: 'linear', stiffness: 1e5, friction: 0.5, damping: 0.03 },
  particles: { thickness: 0.75, damping: 1 },
} as const;

/** A substance sags by this share under its own weight. */
const SAG = 0.05;

/** What a scene becomes: the input of its soft world, and all that moves it. */
export interface CompiledScene extends ContactMaterials {
  readonly input: SoftWorldInput;
  /** Name of every territory, and the object that it is of. */
  readonly names: readonly string[];
  readonly objectOf: Int32Array;
  /** Wanted volumes: primitives and their keys. */
  readonly targets: readonly {
    readonly primitives: readonly number[];
    readonly keys: readonly (readonly [number, number])[];
  }[];
  createStructures(): Promise<Structure[]>;
}

/** From a checked scene to what the soft world and the structures are made of. */
export function compileScene(scene: SceneSpec): CompiledScene {
  const primitives: SoftPrimitive[] = [];
  const names: string[] = [];
  const objectOf: number[] = [];
  const targets: CompiledScene['targets'][number][] = [];
  const makers: (() => Structure | Promise<Structure>)[] = [];
  const gravity = scene.gravity ?? SCENE_DEFAULTS.gravity;
  const pressure = choosePressure(scene);

  const planes = (scene.obstacles ?? []).filter(({ shape }) => shape === 'plane').map(toPlane);
  const objects = scene.objects.map((object, o) => {
    const first = primitives.length;
    const { structure } = object;
    const points = structure.kind === 'particles' ? listParticles(structure) : undefined;
    const parts = points ? pointParts(points) : object.primitives!.flatMap(splitPrimitive);
    const radius = points ? particleThickness(structure as ParticlesSpec) : undefined;
    for (const part of parts) {
      primitives.push(toSoftPrimitive(object, part, radius ?? part.source!.thickness, pressure));
      names.push(`${object.name}.${part.name}`);
      objectOf.push(o);
    }
    for (const [name, keys] of Object.entries(object.targets ?? {})) {
      const meant = parts.flatMap((part, p) => (name === 'all' || part.source?.name === name ? [first + p] : []));
      targets.push({ primitives: meant, keys });
    }
    if (structure.kind === 'particles') {
      makers.push(() => new Particles(toParticles(structure, points!, gravity, first)));
    } else if (structure.kind === 'kinematic') {
      makers.push(() => createKeyedPrimitives({ ...toMotions(structure, object.primitives!, parts), first }));
    } else makers.push(() => createBodies({ ...toBodies(structure, parts, gravity, first), planes }));
    return toSoftObject(object);
  });

  const control = scene.volumeControl ?? true;
  return {
    input: {
      objects,
      primitives,
      obstacles: (scene.obstacles ?? []).map(toObstacle),
      volumeControl: control === true ? {} : control,
      ...(scene.fusion && { fusion: { ...scene.fusion, force: scene.fusion.force / pressure } }),
      ...(scene.sampling !== undefined && { sampling: scene.sampling }),
    },
    names,
    objectOf: Int32Array.from(objectOf),
    targets,
    stiffness: Float64Array.from(primitives, ({ stiffness }) => stiffness!),
    thicknesses: Float64Array.from(primitives, ({ thickness }) => thickness),
    frictions: Float64Array.from(objectOf, (o) => objects[o]!.friction!),
    dampings: Float64Array.from(
      objectOf,
      (o) => scene.objects[o]!.material?.damping ?? SCENE_DEFAULTS.material.damping,
    ),
    obstacleFrictions: Float64Array.from(
      scene.obstacles ?? [],
      ({ friction }) => friction ?? SCENE_DEFAULTS.material.friction,
    ),
    pressure,
    createStructures: () => Promise.all(makers.map((make) => make())),
  };
}

/** The first object's pressure at a depth of R − e: its potential then has one slope inside and outside. */
function choosePressure({ objects }: SceneSpec): number {
  const { structure, primitives, material } = objects[0]!;
  const { stiffness, reach } = { ...SCENE_DEFAULTS.material, ...material };
  const thickness = structure.kind === 'particles' ? particleThickness(structure) : primitives![0]!.thickness;
  return stiffness * (reach - 1) * thickness;
}

/** A piece of a primitive that the soft world knows: a point, a segment or a triangle. */
interface Part {
  readonly name: string;
  readonly source: PrimitiveSpec | undefined;
  /** Which of the source's points its corners are. */
  readonly indices: readonly number[];
  readonly points: readonly Vector[];
}

function splitPrimitive(source: PrimitiveSpec): Part[] {
  const { name, points, fill } = source;
  if (points.length <= 2 || fill === 'surface') return [{ name, source, indices: [...points.keys()], points }];
  return points.slice(1).map((point, i) => ({
    name: `${name}.${i}`,
    source,
    indices: [i, i + 1],
    points: [points[i]!, point],
  }));
}

function pointParts(points: readonly Vector[]): Part[] {
  return points.map((point, n) => ({ name: String(n), source: undefined, indices: [0], points: [point] }));
}

function toSoftPrimitive(object: ObjectSpec, part: Part, thickness: number, pressure: number): SoftPrimitive {
  const material = { ...SCENE_DEFAULTS.material, ...object.material };
  const chained = part.source && part.source.points.length > 2 && part.source.fill !== 'surface';
  return {
    name: `${object.name}.${part.name}`,
    object: object.name,
    shape: part.points.length === 1 ? 'point' : part.points.length === 2 ? 'segment' : 'triangle',
    corners: part.points.flat(),
    thickness,
    radius: material.reach * thickness,
    stiffness: material.stiffness / pressure,
    kind: material.law,
    ...(material.falloff && { falloff: material.falloff }),
    ...(chained && { chain: `${object.name}.${part.source.name}` }),
  };
}

function toSoftObject({ name, blend, structure, primitives = [], material }: ObjectSpec): SoftObject {
  const kind = blend ?? (structure.kind === 'particles' ? 'dynamic' : 'all');
  const friction = material?.friction ?? SCENE_DEFAULTS.material.friction;
  if (kind === 'dynamic') return { name, blending: 'dynamic', friction };
  const full = (short: string) => `${name}.${short}`;
  const all = () =>
    primitives.flatMap((a, i) => primitives.slice(i + 1).map((b): [string, string] => [full(a.name), full(b.name)]));
  const blends =
    typeof kind === 'string' ? (kind === 'all' ? all() : []) : kind.map(([a, b]) => [full(a), full(b)] as const);
  return { name, blending: 'fixed', blends, friction };
}

function toObstacle(spec: ObstacleSpec): SoftObstacle {
  const { name, shape, position, radius, length, size, friction } = spec;
  return {
    name,
    shape,
    position: position ?? [0, 0, 0],
    rotation: Array.from(turnOf(spec.turn)),
    friction: friction ?? SCENE_DEFAULTS.material.friction,
    ...(radius !== undefined && { radius }),
    ...(length !== undefined && { halfLength: length / 2 }),
    ...(size && { halfSize: size.map((side) => side / 2) }),
  };
}

/** Quaternion of axis times degrees. */
export function turnOf(turn: Vector | undefined): Float64Array {
  const motion = createMotion({ keys: [{ time: 0, turn: turn ?? [0, 0, 0] }] });
  motion.sample(0);
  return motion.rotation;
}

function listParticles({ fill, spacing }: ParticlesSpec): Vector[] {
  if ('points' in fill) return [...fill.points];
  const shape: FillShape =
    'box' in fill ? { box: fill.box.flat() } : { ball: fill.ball.centre, radius: fill.ball.radius };
  const flat = fillParticles(shape, spacing);
  return Array.from({ length: flat.length / 3 }, (_, n) => [flat[3 * n]!, flat[3 * n + 1]!, flat[3 * n + 2]!]);
}

function particleThickness({ thickness, spacing }: ParticlesSpec): number {
  return thickness ?? SCENE_DEFAULTS.particles.thickness * spacing;
}

function toParticles(spec: ParticlesSpec, points: readonly Vector[], gravity: Vector, first: number) {
  const { mass, spacing, damping = SCENE_DEFAULTS.particles.damping } = spec;
  const each = mass / points.length;
  const heights = points.map((point) => point[1]);
  const height = heights.reduce((a, b) => Math.max(a, b)) - heights.reduce((a, b) => Math.min(a, b)) + spacing;
  const weight = each * (Math.hypot(...gravity) || 9.81);
  const fill = (value: number) => new Float64Array(points.length).fill(value);
  return {
    positions: Float64Array.from(points.flat()),
    masses: fill(each),
    spacings: fill(spacing),
    stiffnesses: fill(spec.stiffness ?? (weight * height) / (spacing * spacing * SAG)),
    dampings: fill(damping),
    gravity,
    first,
  };
}

function restOf(parts: readonly Part[]): Float64Array {
  const rest = new Float64Array(9 * parts.length);
  parts.forEach(({ points }, p) => {
    for (let k = 0; k < 3; k++) rest.set(points[Math.min(k, points.length - 1)]!, 9 * p + 3 * k);
  });
  return rest;
}

function toMotions({ motions = [] }: KinematicSpec, primitives: readonly PrimitiveSpec[], parts: readonly Part[]) {
  const rest = restOf(parts);
  const planned = motions.map(({ primitives: moved, points, pivot, keys }): KeyedMotion => {
    const names = new Set(moved ?? primitives.map(({ name }) => name));
    const corners = parts.flatMap((part, p) =>
      names.has(part.source!.name)
        ? part.indices.flatMap((i, k) => (!points || points.includes(i) ? [9 * p + 3 * k] : []))
        : [],
    );
    const turned = points ? [] : parts.flatMap((part, p) => (names.has(part.source!.name) ? [p] : []));
    return { corners, turned, keys, ...(pivot && { pivot }) };
  });
  return { rest, motions: planned };
}

const RADIANS = Math.PI / 180;

function toPlane({ position = [0, 0, 0], turn }: ObstacleSpec): PlaneInput {
  const normal = new Float64Array(3);
  rotateVector(normal, 0, turnOf(turn), 0, 1, 0);
  return { position, normal };
}

function toBodies(
  { bodies, joints = [] }: BodiesSpec,
  parts: readonly Part[],
  gravity: Vector,
  first: number,
): BodiesInput {
  const indices = new Map(bodies.map(({ name }, b) => [name, b]));
  return {
    rest: restOf(parts),
    cornerCounts: parts.map(({ points }) => points.length),
    radii: parts.map(({ source }) => source!.thickness),
    owners: parts.map(({ source }) => indices.get(source!.body!)!),
    first,
    gravity,
    bodies: bodies.map(
      ({ mass, kind = 'free', keys, pivot, velocity, spin }): BodyInput => ({
        mass,
        kind,
        ...(keys && { motion: { keys, ...(pivot && { pivot }) } }),
        ...(velocity && { velocity }),
        ...(spin && { spin: spin.map((degrees) => degrees * RADIANS) }),
      }),
    ),
    joints: joints.map(
      ({ between, at, axis, limits, limit, motor }): JointInput => ({
        first: indices.get(between[0])!,
        second: indices.get(between[1])!,
        at,
        ...(axis && { axis }),
        ...(limits && { limits: [limits[0] * RADIANS, limits[1] * RADIANS] as const }),
        ...(limit && { limit: limit * RADIANS }),
        ...(motor && {
          motor: {
            stiffness: motor.stiffness,
            damping: motor.damping ?? motor.stiffness / 10,
            angle: (typeof motor.angle === 'object' ? motor.angle : [[0, motor.angle ?? 0] as const]).map(
              ([time, degrees]) => [time, degrees * RADIANS] as const,
            ),
          },
        }),
      }),
    ),
  };
}
