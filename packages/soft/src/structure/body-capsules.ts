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

/** Mean of the corners of a body. */
export function middleOf({ rest, cornerCounts, owners }: BodiesInput, body: number): Float64Array {
  const middle = new Float64Array(4);
  for (let p = 0; p < cornerCounts.length; p++) {
    if (owners[p] !== body) continue;
    for (let k = 0; k < cornerCounts[p]!; k++, middle[3]!++) {
      for (let axis = 0; axis < 3; axis++) middle[axis]! += rest[9 * p + 3 * k + axis]!;
    }
  }
  return middle.subarray(0, 3).map((sum) => sum / middle[3]!);
}
