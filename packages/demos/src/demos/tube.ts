import type { CharacterInput } from '@isoskin/core';
import { createClip, easeThere } from './create-clip.js';
import { createSkeletonInput, type Joint } from './rig.js';

/** A tube of radius 1 about the x axis, bent about y by the joint in its middle. */
interface Tube {
  readonly name: string;
  /** Length of each of its two bones. */
  readonly bone: number;
  /** Rings, and points of a ring. */
  readonly rings: number;
  /** z of the bones: 0 runs through the middle of the tube; it bends towards −z. */
  readonly offset: number;
  /** What ω ∝ distance^−power is measured to: the two bones, or the joints at the two ends. */
  readonly weights: 'bones' | 'ends';
  readonly power: number;
  /** How far its clip bends it. */
  readonly degrees: number;
}

/**
 * The reference of `isoskin tables`: two bones of length 3.3, ω ∝ d⁻⁴ to them. Linear skinning loses 0.17 / 1.47 / 3.92 / 7.22 / 11.0 % of the volume at
 * 10 / 30 / 50 / 70 / 90°.
 */
export const tube: Tube = { name: 'tube', bone: 3.3, rings: 16, offset: 0, weights: 'bones', power: 4, degrees: 90 };

/**
 * Its bones run nearer to the outer side of the bend: what the distance to the bone adds to a map is seen here, and not on the other tubes.
 * Based on: Rohmer, Hahmann, Cani, GTMG 2008, fig. 9.
 */
export const offCentreTube: Tube = { ...tube, name: 'off-centre-tube', offset: 0.3, degrees: 60 };

/** As the thesis describes its own (Rohmer 2007, § 4.4.1): 25×25 points, ω ∝ d⁻² to the joints at the two ends. It gives no proportions. */
export const thesisTube: Tube = {
  name: 'thesis-tube',
  bone: 6,
  rings: 25,
  offset: 0,
  weights: 'ends',
  power: 2,
  degrees: 90,
};

/** n rings of n points and two cap centres: n×n + 2 vertices. */
export function createTubeInput({ name, bone, rings, offset, weights: kind, power, degrees }: Tube, vertices = 0) {
  const n = vertices > 0 ? Math.max(3, Math.round(Math.sqrt(vertices - 2))) : rings;
  const joints: readonly Joint[] = [
    { name: 'lower', at: [-bone, 0, offset] },
    { name: 'upper', parent: 'lower', at: [0, 0, offset] },
    { name: 'upper.tip', parent: 'upper', at: [bone, 0, offset] },
  ];
  const positions = new Float64Array(3 * (n * n + 2));
  const triangles: number[] = [];
  for (let ring = 0; ring < n; ring++) {
    for (let k = 0; k < n; k++) {
      const angle = (2 * Math.PI * k) / n;
      const x = bone * ((2 * ring) / (n - 1) - 1);
      positions.set([x, Math.cos(angle), Math.sin(angle)], 3 * (ring * n + k));
      const a = ring * n + k;
      const b = ring * n + ((k + 1) % n);
      if (ring < n - 1) triangles.push(a, b, a + n, b, b + n, a + n);
      if (ring === 0) triangles.push(b, a, n * n);
      if (ring === n - 1) triangles.push(a, b, n * n + 1);
    }
  }
  positions.set([-bone, 0, 0, bone, 0, 0], 3 * n * n);
  const bones = new Uint16Array(2 * (n * n + 2));
  const weights = new Float64Array(2 * (n * n + 2));
  for (let v = 0; v < n * n + 2; v++) {
    const [x, y, z] = [positions[3 * v]!, positions[3 * v + 1]!, positions[3 * v + 2]! - offset];
    // No vertex lies beyond an end, so it is beside one bone and at most beyond the joint of the other.
    const [lower, upper] = kind === 'ends' ? [x + bone, x - bone] : [Math.max(0, x), Math.max(0, -x)];
    const near = (y * y + z * z + lower ** 2) ** (power / 2);
    const far = (y * y + z * z + upper ** 2) ** (power / 2);
    bones[2 * v + 1] = 1;
    weights[2 * v] = far / (near + far);
    weights[2 * v + 1] = 1 - weights[2 * v]!;
  }
  const bend = createClip(
    { name: 'bend', duration: 2, turns: (u) => ({ upper: [0, degrees * easeThere(u, 0), 0] }) },
    joints,
  );
  return {
    name,
    parts: [{ name, group: 0, positions, triangles, bones, weights, influences: 2 }],
    skeleton: createSkeletonInput(joints),
    clips: [bend],
  } satisfies CharacterInput;
}
