import { type Channel, type Character, type Clip, POSE_STRIDE } from '@isoskin/core';
import { measureWorldMatrices } from '@isoskin/core/kernels';
import { createSimulation, type Simulation } from '../scene/create-simulation.js';
import type { SceneSpec, Vector } from '../scene/scene-spec.js';
import { multiplyTurns, rotateVector } from '../structure/motion.js';
import type { BodyPose } from '../structure/structure.js';
import { type FittedBody, fitBodies } from './fit-bodies.js';

export interface DropOptions {
  /** Seconds. Default 5. */
  readonly duration?: number;
  /** Height of its lowest point above the floor, in sizes of the character. Default 0.3. */
  readonly height?: number;
  readonly onFrame?: (done: number, total: number) => void;
}

export interface Dropped {
  /** "drop": rotations of the parts, translation of those that hang on none. */
  readonly clip: Clip;
  readonly bodies: number;
  /** Kinetic energy at the end over the largest on the way. */
  readonly rest: number;
  /** Smallest and largest volume of a part over its volume at the start. */
  readonly volumes: readonly [number, number];
}

/** A character is taken as long as this, whatever its units, and as dense as water. */
const SIZE = 1.7;
const DENSITY = 1000;
/** How far the flesh of a part is felt, of its thickness. */
const REACH = 1.6;
const KEYS_PER_SECOND = 30;
/** Degrees that a slender part turns in its joint, and a stout one (a trunk, a head); between them by length over length and width. */
const MOST_TURN = 90;
const LEAST_TURN = 20;
/** What a joint resists with, of the torque of all that hangs on it, held out straight. */
const TONE = 0.3;
/** Radians per second about x and z at the start: nobody falls straight. */
const SPIN: Vector = [0.5, 0, 0.3];

/**
 * I6. Lets any character fall on the floor: rigid parts from its skin (`fitBodies`), ball joints with limits where its bones meet,
 * flesh around the parts that touches the floor and itself, and what comes of it as a clip of its skeleton. Bones keep their lengths: only
 * rotations are written, and the place of the root.
 */
export async function dropCharacter(character: Character, options: DropOptions = {}): Promise<Dropped> {
  const { duration = 5, height = 0.3, onFrame } = options;
  const { bodies, box } = fitBodies(character);
  const size = Math.max(box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!);
  const scale = SIZE / size;
  const shift: Vector = [-(box[0]! + box[3]!) / 2, height * size - box[1]!, -(box[2]! + box[5]!) / 2];
  const place = (x: Vector): Vector => x.map((value, k) => scale * (value + shift[k]!)) as unknown as Vector;
  const simulation = await createSimulation(createDropScene(character.name, bodies, place, scale));
  // In the file it falls onto the ground that it stood on.
  const track = createTrack(character, bodies, scale, shift, [shift[0], -box[1]!, shift[2]]);
  const volumes: [number, number] = [1, 1];
  let most = 0;
  try {
    const frames = Math.round(60 * duration);
    for (let frame = 0; frame <= frames; frame++) {
      if (frame > 0) simulation.step();
      if (frame % (60 / KEYS_PER_SECOND) === 0) track.record(simulation.time, simulation);
      const { energy, territories } = simulation.measure();
      most = Math.max(most, energy);
      for (const volume of territories) {
        volumes[0] = Math.min(volumes[0], volume);
        volumes[1] = Math.max(volumes[1], volume);
      }
      onFrame?.(frame, frames);
    }
    return { clip: track.clip(), bodies: bodies.length, rest: simulation.measure().energy / most, volumes };
  } finally {
    simulation.dispose();
  }
}

function createDropScene(
  name: string,
  bodies: readonly FittedBody[],
  place: (x: Vector) => Vector,
  scale: number,
): SceneSpec {
  const parts = bodies.map(({ from, to, radius, joint }, b) => {
    const [a, z, thickness] = [place(from), place(to), scale * radius];
    const length = Math.hypot(...a.map((x, k) => z[k]! - x));
    const mass = DENSITY * Math.PI * thickness * thickness * (length + (4 / 3) * thickness);
    return {
      name: `${b}`,
      points: length > 0.1 * thickness ? [a, z] : [a],
      thickness,
      mass,
      joint: place(joint),
      length,
    };
  });
  const middle = parts.map(({ points }) => [0, 1, 2].map((k) => (points[0]![k]! + points.at(-1)![k]!) / 2));
  const total = parts.reduce((sum, { mass }) => sum + mass, 0);
  const centre = [0, 1, 2].map((k) => parts.reduce((sum, { mass }, b) => sum + (mass / total) * middle[b]![k]!, 0));
  // Parents come before what hangs on them.
  const hanging = parts.map(({ mass }) => mass);
  for (let b = bodies.length - 1; b >= 0; b--) if (bodies[b]!.parent >= 0) hanging[bodies[b]!.parent]! += hanging[b]!;
  const root = Math.max(
    0,
    bodies.findIndex(({ parent }) => parent < 0),
  );
  const joints = bodies.flatMap(({ parent }, b) => {
    if (b === root) return [];
    const { length, thickness, joint } = parts[b]!;
    const stiffness = TONE * hanging[b]! * 9.81 * (length / 2 + thickness);
    const limit = Math.max(LEAST_TURN, (MOST_TURN * length) / (length + 2 * thickness));
    const between: [string, string] = [`${parent < 0 ? root : parent}`, `${b}`];
    return [{ between, at: joint, limit, motor: { stiffness, damping: stiffness / 8 } }];
  });
  return {
    name,
    sampling: 2,
    obstacles: [{ name: 'floor', shape: 'plane', friction: 0.8 }],
    objects: [
      {
        name: 'body',
        material: { stiffness: 1.5e6, reach: REACH, friction: 0.8 },
        primitives: parts.map(({ name: part, points, thickness }) => ({ name: part, points, thickness, body: part })),
        blend: [
          ...joints.map(({ between }) => between),
          ...listNear(
            parts,
            joints.map(({ between }) => between.join()),
          ),
        ],
        structure: {
          kind: 'bodies',
          bodies: parts.map(({ name: part, mass }, b) => {
            const r = middle[b]!.map((x, k) => x - centre[k]!);
            const velocity = [0, 1, 2].map(
              (k) => SPIN[(k + 1) % 3]! * r[(k + 2) % 3]! - SPIN[(k + 2) % 3]! * r[(k + 1) % 3]!,
            );
            const spin = SPIN.map((x) => (x * 180) / Math.PI) as unknown as Vector;
            return { name: part, mass, velocity: velocity as unknown as Vector, spin };
          }),
          joints,
        },
      },
    ],
  };
}

interface Part {
  readonly name: string;
  readonly points: readonly Vector[];
  readonly thickness: number;
}

/** Pairs that lie in each other at the start, or nearly with one part between them, beside those that are joined: they are one flesh and do not collide. */
function listNear(parts: readonly Part[], joined: readonly string[]): [string, string][] {
  const sample = ({ points }: Part, t: number) =>
    points[0]!.map((x, k) => x + t * (points.at(-1)![k]! - x)) as unknown as Vector;
  const steps = Array.from({ length: 9 }, (_, n) => n / 8);
  return parts.flatMap((a, i) =>
    parts.slice(i + 1).flatMap((b): [string, string][] => {
      const gap = Math.min(
        ...steps.flatMap((s) => steps.map((t) => Math.hypot(...sample(a, s).map((x, k) => x - sample(b, t)[k]!)))),
      );
      const isJoined = (one: string, two: string) =>
        joined.includes(`${one},${two}`) || joined.includes(`${two},${one}`);
      if (isJoined(a.name, b.name)) return [];
      const isNext = parts.some(({ name }) => isJoined(a.name, name) && isJoined(name, b.name));
      return gap > (isNext ? REACH : 1.1) * (a.thickness + b.thickness) ? [] : [[a.name, b.name]];
    }),
  );
}

/** x, y, z, w. */
type Quaternion = ArrayLike<number>;

/** The keys of the clip: what the poses of the bodies mean for the nodes that carry them. x = (simulated x)/scale − ground. */
function createTrack(
  { skeleton }: Character,
  bodies: readonly FittedBody[],
  scale: number,
  shift: Vector,
  ground: Vector,
) {
  const { nodeCount, parents, locals } = skeleton;
  const world = new Float64Array(16 * nodeCount);
  measureWorldMatrices(world, skeleton, locals);
  const local = (n: number) => locals.subarray(POSE_STRIDE * n + 3, POSE_STRIDE * n + 7);
  const start: Quaternion[] = [];
  for (let n = 0; n < nodeCount; n++) start.push(parents[n]! < 0 ? local(n) : multiply(start[parents[n]!]!, local(n)));
  const bodyOf = new Map(bodies.map(({ node }, b) => [node, b]));
  const times: number[] = [];
  const rotations = bodies.map((): number[] => []);
  const translations = bodies.map((): number[] => []);

  /** Where the joint of a body without parent is, seen from its parent node, which stands still. */
  const locate = (b: number, { origin, position, rotation }: BodyPose): number[] => {
    const { joint, node } = bodies[b]!;
    const out = new Float64Array(3);
    const seen = joint.map((x, k) => scale * (x + shift[k]!) - origin[k]!) as [number, number, number];
    rotateVector(out, 0, rotation, ...seen);
    const place = Array.from(out, (x, k) => (x + position[k]!) / scale - ground[k]!);
    return parents[node]! < 0 ? place : solveAffine(world, 16 * parents[node]!, place);
  };
  return {
    record(time: number, simulation: Simulation): void {
      const poses = simulation.poses(0);
      const now: Quaternion[] = [];
      times.push(time);
      for (let n = 0; n < nodeCount; n++) {
        const above = parents[n]! < 0 ? [0, 0, 0, 1] : now[parents[n]!]!;
        const b = bodyOf.get(n);
        if (b === undefined) {
          now.push(multiply(above, local(n)));
          continue;
        }
        now.push(multiply(poses[b]!.rotation, start[n]!));
        const keys = rotations[b]!;
        const own = Array.from(multiply([-above[0]!, -above[1]!, -above[2]!, above[3]!], now[n]!));
        // The nearer of q and −q, so that players that interpolate plainly do not turn round.
        const sign = keys.length > 0 && own.reduce((dot, x, k) => dot + x * keys[keys.length - 4 + k]!, 0) < 0 ? -1 : 1;
        const length = Math.hypot(...own);
        keys.push(...own.map((x) => (sign * x) / length));
        if (bodies[b]!.parent < 0) translations[b]!.push(...locate(b, poses[b]!));
      }
    },
    clip(): Clip {
      const shared = { interpolation: 'LINEAR', times: Float32Array.from(times) } as const;
      const channels = bodies.flatMap(({ node, parent }, b): Channel[] => [
        { ...shared, target: node, path: 'rotation', width: 4, values: Float32Array.from(rotations[b]!) },
        ...(parent < 0
          ? [
              {
                ...shared,
                target: node,
                path: 'translation' as const,
                width: 3,
                values: Float32Array.from(translations[b]!),
              },
            ]
          : []),
      ]);
      return { name: 'drop', duration: times.at(-1) ?? 0, channels };
    },
  };
}

function multiply(a: Quaternion, b: Quaternion): Quaternion {
  const out = [0, 0, 0, 1];
  multiplyTurns(out, a, b);
  return out;
}

/** x with M x = p, M the affine matrix at m[at …], column-major 4×4. */
function solveAffine(m: Float64Array, at: number, p: readonly number[]): number[] {
  const column = (c: number) => [0, 1, 2].map((k) => m[at + 4 * c + k]!);
  const r = p.map((x, k) => x - m[at + 12 + k]!);
  const det = (a: number[], b: number[], c: number[]) =>
    a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) +
    a[1]! * (b[2]! * c[0]! - b[0]! * c[2]!) +
    a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!);
  const [a, b, c] = [column(0), column(1), column(2)];
  const whole = det(a, b, c);
  return [det(r, b, c) / whole, det(a, r, c) / whole, det(a, b, r) / whole];
}
