import type { SkeletonInput } from '@isoskin/core';

export type Point = readonly [x: number, y: number, z: number];

/** A joint of a demo. Frames are not turned at rest, so a key's axes are the world's: y up, z forward, x to the left. */
export interface Joint {
  readonly name: string;
  /** Name of the parent; it must come earlier in the list. Absent for the root. */
  readonly parent?: string;
  readonly at: Point;
}

/** Points as text, `x y z, x y z …`: the numbers of a character stay in rows that can be read. */
export function readPoints<P extends readonly number[] = Point>(points: string | readonly P[]): readonly P[] {
  if (typeof points !== 'string') return points;
  return points.split(', ').map((row) => row.split(' ').map(Number) as unknown as P);
}

/** Joints one below the other, the first below `parent`. */
export function linkJoints(names: readonly string[], points: string | readonly Point[], parent?: string): Joint[] {
  return readPoints(points).map((at, n) => {
    const above = n === 0 ? parent : names[n - 1]!;
    return { name: names[n]!, ...(above !== undefined && { parent: above }), at };
  });
}

/** A joint chain from `parent`: name.1, name.2 … and at the last point name.tip, which ends the last bone. */
export function createChain(name: string, parent: string, points: string | readonly Point[]): Joint[] {
  const places = readPoints(points);
  const names = places.map((_, n) => `${name}.${n === places.length - 1 ? 'tip' : n + 1}`);
  return linkJoints(names, places, parent);
}

export function createSkeletonInput(joints: readonly Joint[]): SkeletonInput {
  const index = new Map(joints.map((joint, i) => [joint.name, i]));
  const parents = joints.map((joint) => (joint.parent === undefined ? -1 : index.get(joint.parent)!));
  const locals = new Float64Array(10 * joints.length);
  const inverseBinds = new Float64Array(16 * joints.length);
  joints.forEach(({ at }, i) => {
    const base = parents[i]! < 0 ? [0, 0, 0] : joints[parents[i]!]!.at;
    const translation = at.map((value, axis) => value - base[axis]!);
    locals.set([...translation, 0, 0, 0, 1, 1, 1, 1], 10 * i);
    inverseBinds.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -at[0], -at[1], -at[2], 1], 16 * i);
  });
  return {
    names: joints.map((joint) => joint.name),
    parents,
    locals,
    boneNodes: joints.map((_, i) => i),
    inverseBinds,
  };
}

/** The other side: x → −x, and `.L` in names → `.R`. */
export function mirrorJoints(joints: readonly Joint[]): Joint[] {
  return joints.map(({ name, parent, at }) => ({
    name: mirrorName(name),
    ...(parent === undefined ? {} : { parent: mirrorName(parent) }),
    at: [-at[0], at[1], at[2]] as const,
  }));
}

export function mirrorName(name: string): string {
  return name.replace('.L', '.R');
}
