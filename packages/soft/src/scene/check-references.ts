import * as json from '@isoskin/core/json';
import type {
  BodiesSpec,
  MotionSpec,
  ObjectSpec,
  ObstacleSpec,
  ParticlesSpec,
  PrimitiveSpec,
  SceneSpec,
  Vector,
} from './scene-spec.js';

const { shorten } = json;
const fail: typeof json.fail = json.fail;

/** Second look at a scene whose fields are right one by one: names that refer to each other, anchors, masses. */
export function checkReferences({ objects, obstacles = [] }: SceneSpec): void {
  const names = new Map<string, string>();
  const anchors = new Map<string, string>();
  objects.forEach((object, o) => {
    claim(names, object.name, `objects[${o}].name`);
    checkObject(object, `objects[${o}]`, anchors);
  });
  obstacles.forEach((obstacle, o) => {
    claim(names, obstacle.name, `obstacles[${o}].name`);
    checkObstacle(obstacle, `obstacles[${o}]`);
  });
}

function checkObject(object: ObjectSpec, path: string, anchors: Map<string, string>): void {
  const { structure, primitives, blend, targets } = object;
  const known = primitives ? checkPrimitives(primitives, `${path}.primitives`, anchors) : new Set<string>();
  if (structure.kind === 'particles') {
    if (primitives) fail('Particles make their own primitives; remove these.', `${path}.primitives`);
    checkParticles(structure, `${path}.structure`, anchors);
  } else if (!primitives) {
    fail('“primitives” is missing: this structure needs some to carry.', `${path}.primitives`);
  }
  if (structure.kind === 'kinematic') checkMotions(structure.motions ?? [], primitives!, `${path}.structure.motions`);
  if (structure.kind === 'bodies') checkBodies(structure, primitives!, path);
  else {
    primitives?.forEach((primitive, p) => {
      if (primitive.body !== undefined) {
        fail(
          'Only a structure of “bodies” has bodies; remove the field or change the structure.',
          `${path}.primitives[${p}].body`,
        );
      }
    });
  }
  if (Array.isArray(blend)) {
    if (structure.kind === 'particles')
      fail('Particles have no names to pair; use “all”, “none” or “dynamic”.', `${path}.blend`);
    blend.forEach((pair: readonly string[], b) => {
      pair.forEach((name, i) => void refer(known, name, 'primitive', `${path}.blend[${b}][${i}]`));
      if (pair[0] === pair[1]) fail('A pair names two different primitives; correct one.', `${path}.blend[${b}]`);
    });
  }
  for (const name of Object.keys(targets ?? {})) {
    if (name !== 'all') refer(known, name, 'primitive (or “all”)', `${path}.targets.${shorten(name)}`);
  }
}

/** Also that anchors are apart; returns the names. */
function checkPrimitives(
  primitives: readonly PrimitiveSpec[],
  path: string,
  anchors: Map<string, string>,
): Set<string> {
  const names = new Map<string, string>();
  primitives.forEach(({ name, points, fill }, p) => {
    const at = `${path}[${p}]`;
    claim(names, name, `${at}.name`);
    if (fill === 'surface' && (points.length !== 3 || isFlat(points))) {
      fail('A surface is a triangle: give three points that are not on one line.', `${at}.points`);
    }
    points.forEach((point, i) => {
      if (i > 0 && isSame(point, points[i - 1]!)) {
        fail('Two anchors overlap: this point is where the one before it is; move one apart.', `${at}.points[${i}]`);
      }
    });
    const shape = points.map((point) => point.join(' ')).join(', ');
    const twin = anchors.get(shape);
    if (twin !== undefined) fail(`Its anchors overlap those of ${twin}; move one apart.`, `${at}.points`);
    anchors.set(shape, at);
  });
  return new Set(names.keys());
}

function checkMotions(motions: readonly MotionSpec[], primitives: readonly PrimitiveSpec[], path: string): void {
  const known = new Map(primitives.map((primitive) => [primitive.name, primitive]));
  motions.forEach(({ primitives: moved = [...known.keys()], points = [] }, m) => {
    moved.forEach((name, i) => void refer(known, name, 'primitive', `${path}[${m}].primitives[${i}]`));
    points.forEach((point, i) => {
      if (moved.some((name) => point >= known.get(name)!.points.length)) {
        fail(
          `There is no point ${point} in every primitive that moves; points count from 0.`,
          `${path}[${m}].points[${i}]`,
        );
      }
    });
  });
}

function checkBodies({ bodies, joints = [] }: BodiesSpec, primitives: readonly PrimitiveSpec[], path: string): void {
  const names = new Map<string, string>();
  bodies.forEach(({ name, kind, keys, velocity, spin }, b) => {
    const at = `${path}.structure.bodies[${b}]`;
    claim(names, name, `${at}.name`);
    if (kind === 'keyed' && !keys) fail('A keyed body needs “keys”; add them.', `${at}.keys`);
    if (kind !== 'keyed' && keys)
      fail('Only a body of kind “keyed” follows keys; set its kind or remove them.', `${at}.keys`);
    if (kind && kind !== 'free' && (velocity || spin)) {
      fail('Only a free body can be thrown; remove the velocity.', `${at}.${velocity ? 'velocity' : 'spin'}`);
    }
  });
  const carrying = new Set<string>();
  primitives.forEach(({ body }, p) => {
    const at = `${path}.primitives[${p}].body`;
    if (body === undefined) fail('Say which body carries this primitive.', at);
    refer(names, body, 'body', at);
    carrying.add(body);
  });
  bodies.forEach(({ name }, b) => {
    if (!carrying.has(name))
      fail('No primitive names this body, so it has no shape; give it one.', `${path}.structure.bodies[${b}].name`);
  });
  const joined = new Map<string, number>();
  joints.forEach(({ between, limits, limit, axis, motor }, j) => {
    const at = `${path}.structure.joints[${j}]`;
    between.forEach((name, i) => void refer(names, name, 'body', `${at}.between[${i}]`));
    if (between[0] === between[1]) fail('A joint needs two different bodies; correct one.', `${at}.between`);
    const pair = JSON.stringify([...between].sort());
    if (joined.has(pair)) {
      fail(
        `joints[${joined.get(pair)}] already joins these two, and two anchors would lock them; keep one.`,
        `${at}.between`,
      );
    }
    joined.set(pair, j);
    if (limit && axis) fail('A hinge has two limits; give it “limits”.', `${at}.limit`);
    if (limits && !axis) fail('Only a hinge has limits; give it an “axis”.', `${at}.limits`);
    if (limits && limits[0] > limits[1]) fail('The first limit must be the smaller one; swap them.', `${at}.limits`);
    if (motor?.angle !== undefined && !axis) fail('Only a hinge has an angle; give it an “axis”.', `${at}.motor.angle`);
  });
}

function checkParticles({ fill, spacing, thickness }: ParticlesSpec, path: string, anchors: Map<string, string>): void {
  if (thickness !== undefined && thickness < 0.3 * spacing) {
    fail(
      `A thickness of ${thickness} leaves gaps between particles ${spacing} apart; make it at least 0.3 of the spacing.`,
      `${path}.thickness`,
    );
  }
  if ('box' in fill) {
    const [low, high] = fill.box;
    if (low.some((x, axis) => x > high[axis]!))
      fail('The box is inside out: its first corner must be the lower one.', `${path}.fill.box`);
  }
  if (!('points' in fill)) return;
  fill.points.forEach((point, p) => {
    const at = `${path}.fill.points[${p}]`;
    const twin = anchors.get(point.join(' '));
    if (twin !== undefined) fail(`This anchor overlaps ${twin}; move one apart.`, at);
    anchors.set(point.join(' '), at);
  });
}

function checkObstacle({ shape, radius, length, size, keys }: ObstacleSpec, path: string): void {
  const needs = (field: string, value: unknown, needed: boolean) => {
    if (needed && value === undefined) fail(`A ${shape} needs “${field}”; add it.`, `${path}.${field}`);
    if (!needed && value !== undefined) fail(`A ${shape} has no “${field}”; remove it.`, `${path}.${field}`);
  };
  needs('length', length, shape === 'capsule');
  needs('size', size, shape === 'box');
  if (shape !== 'box') needs('radius', radius, shape === 'capsule');
  if (shape === 'capsule' && radius === 0) fail('A radius must be above 0; give one.', `${path}.radius`);
  if (shape === 'box' && radius !== undefined && size!.some((side) => radius > side / 2)) {
    fail('The rounding exceeds half a side of the box; make it smaller.', `${path}.radius`);
  }
  if (shape === 'plane' && keys) fail('A plane stands still; remove its keys.', `${path}.keys`);
}

function claim(names: Map<string, string>, name: string, path: string): void {
  const other = names.get(name);
  if (other !== undefined) fail(`The name “${shorten(name)}” is taken by ${other}; choose another.`, path);
  names.set(name, path);
}

function refer(
  known: { has(name: string): boolean; keys(): Iterable<string> },
  name: string,
  what: string,
  path: string,
): void {
  if (known.has(name)) return;
  const names = shorten([...known.keys()].join(', '));
  fail(`There is no ${what} called “${shorten(name)}”; there is ${names || 'none'}.`, path);
}

function isSame(a: Vector, b: Vector): boolean {
  return a.every((x, axis) => x === b[axis]);
}

function isFlat([a, b, c]: readonly Vector[]): boolean {
  const u = b!.map((x, i) => x - a![i]!);
  const v = c!.map((x, i) => x - a![i]!);
  const cross = [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
  return Math.hypot(...cross) <= 1e-9 * Math.hypot(...u) * Math.hypot(...v);
}
