/** How a rigid body's mass is spread over its primitives: capsules, as Rapier knows them. */
import type { BodiesInput } from './bodies.js';

export interface Capsule {
  readonly a: readonly number[];
  readonly z: readonly number[];
  readonly radius: number;
  /** Of the body's volume. */
  readonly share: number;
}

/** Triangles count as three capsules along their sides. */
export function listCapsules({ rest, cornerCounts, radii, owners }: BodiesInput, body: number): Capsule[] {
  const capsules: Capsule[] = [];
  for (let p = 0; p < cornerCounts.length; p++) {
    if (owners[p] !== body) continue;
    const corners = Array.from({ length: cornerCounts[p]! }, (_, k) =>
      Array.from(rest.subarray(9 * p + 3 * k, 9 * p + 3 * k + 3)),
    );
    const radius = radii[p]!;
    const sides =
      corners.length === 1
        ? [[0, 0]]
        : corners.length === 2
          ? [[0, 1]]
          : [
              [0, 1],
              [1, 2],
              [2, 0],
            ];
    for (const [i, j] of sides) {
      const [a, z] = [corners[i!]!, corners[j!]!];
      const length = Math.hypot(z[0]! - a[0]!, z[1]! - a[1]!, z[2]! - a[2]!);
      capsules.push({ a, z, radius, share: Math.PI * radius * radius * (length + (4 / 3) * radius) });
    }
  }
  const total = capsules.reduce((sum, { share }) => sum + share, 0);
  return capsules.map((capsule) => ({ ...capsule, share: capsule.share / total }));
}

/** The shortest rotation from +y, a capsule's own axis, to b − a. */
export function turnUpTo(a: readonly number[], b: readonly number[]): { x: number; y: number; z: number; w: number } {
  const { x, y, z } = unit([b[0]! - a[0]!, b[1]! - a[1]!, b[2]! - a[2]!]);
  if (y < -0.999999) return { x: 1, y: 0, z: 0, w: 0 };
  const w = 1 + y;
  const length = Math.hypot(z, x, w);
  return { x: z / length, y: 0, z: -x / length, w: w / length };
}

export function unit(v: ArrayLike<number>): { x: number; y: number; z: number } {
  const length = Math.hypot(v[0]!, v[1]!, v[2]!);
  return length > 0 ? { x: v[0]! / length, y: v[1]! / length, z: v[2]! / length } : { x: 0, y: 1, z: 0 };
}
