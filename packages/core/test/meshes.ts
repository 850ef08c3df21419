/** Test meshes by capability. Every function returns a fresh `CharacterInput`; pass it to `createCharacter`. */
import type { CharacterInput, PartInput, SkeletonInput } from '@isoskin/core';

export interface Shape {
  positions: number[];
  triangles: number[];
}

/** A bone chain along x: bone i starts at starts[i] and is the child of bone i − 1. */
export function chain(starts: readonly number[]): SkeletonInput {
  const locals: number[] = [];
  const inverseBinds: number[] = [];
  starts.forEach((x, i) => {
    locals.push(x - (starts[i - 1] ?? 0), 0, 0, 0, 0, 0, 1, 1, 1, 1);
    inverseBinds.push(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, 0, 0, 1);
  });
  return {
    names: starts.map((_, i) => `bone ${i}`),
    parents: starts.map((_, i) => i - 1),
    locals: Float64Array.from(locals),
    boneNodes: starts.map((_, i) => i),
    inverseBinds: Float64Array.from(inverseBinds),
  };
}

/** A shape as one part; `weigh` gives each vertex one weight per bone (default: all on bone 0). */
export function part(
  shape: Shape,
  weigh: (x: number, y: number, z: number, vertex: number) => readonly number[] = () => [1],
  more: Partial<PartInput> = {},
): PartInput {
  const rows: (readonly number[])[] = [];
  for (let v = 0; v < shape.positions.length / 3; v++) {
    rows.push(weigh(shape.positions[3 * v]!, shape.positions[3 * v + 1]!, shape.positions[3 * v + 2]!, v));
  }
  const influences = Math.max(...rows.map((row) => row.length));
  return {
    name: 'mesh',
    group: 0,
    positions: Float64Array.from(shape.positions),
    triangles: Uint32Array.from(shape.triangles),
    bones: rows.flatMap((row) => Array.from({ length: influences }, (_, i) => (i < row.length ? i : 0))),
    weights: Float64Array.from(rows.flatMap((row) => Array.from({ length: influences }, (_, i) => row[i] ?? 0))),
    influences,
    ...more,
  };
}

export function character(parts: readonly PartInput[], skeleton = chain([0])): CharacterInput {
  return { name: 'test', parts, skeleton };
}

export interface TubeOptions {
  radius?: number;
  /** Length of each of the two bones. */
  length?: number;
  /** Points around each ring. */
  around?: number;
  /** Rings. */
  along?: number;
  /** α of ω ∝ d^−α. */
  power?: number;
  capped?: boolean;
}

/** Tube around x from 0 to 2·length: rings of points, then (if capped) the two cap centres. */
export function tubeShape(options: TubeOptions = {}): Shape {
  const { radius = 1, length = 3.3, around = 16, along = 16, capped = true } = options;
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i < along; i++) {
    for (let j = 0; j < around; j++) {
      const angle = (2 * Math.PI * j) / around;
      positions.push((2 * length * i) / (along - 1), radius * Math.cos(angle), radius * Math.sin(angle));
    }
  }
  const at = (i: number, j: number) => i * around + (j % around);
  for (let i = 0; i + 1 < along; i++) {
    for (let j = 0; j < around; j++) {
      triangles.push(at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i + 1, j));
    }
  }
  if (capped) {
    positions.push(0, 0, 0, 2 * length, 0, 0);
    const first = along * around;
    for (let j = 0; j < around; j++) {
      triangles.push(first, at(0, j + 1), at(0, j), first + 1, at(along - 1, j), at(along - 1, j + 1));
    }
  }
  return { positions, triangles };
}

/**
 * The reference tube of `isoskin tables`: radius 1, two bones of length 3.3 along x that meet at x = 3.3 (rotate node 1 about y),
 * 16×16 points and two cap centres = 258 vertices, ω ∝ d⁻⁴ with d the distance to the bone segment.
 */
export function tube(options: TubeOptions = {}): CharacterInput {
  const { length = 3.3, power = 4 } = options;
  const pull = (x: number, y: number, z: number, from: number) => {
    const outside = Math.max(from - x, 0, x - from - length);
    return Math.max(Math.hypot(outside, y, z), 1e-9) ** -power;
  };
  const weigh = (x: number, y: number, z: number) => {
    const [a, b] = [pull(x, y, z, 0), pull(x, y, z, length)];
    return [a / (a + b), b / (a + b)];
  };
  return character([part(tubeShape(options), weigh)], chain([0, length]));
}

/** The tube without its two ends. */
export function openTube(options: TubeOptions = {}): CharacterInput {
  return tube({ ...options, capped: false });
}

/** a×b×c box from the origin, 8 shared vertices, outward. */
export function boxShape(a: number, b: number, c: number, x = 0, y = 0, z = 0): Shape {
  const positions: number[] = [];
  for (let i = 0; i < 8; i++) positions.push(x + (i & 1 ? a : 0), y + (i & 2 ? b : 0), z + (i & 4 ? c : 0));
  // biome-ignore format: one face per line
  const triangles = [
    0, 2, 3, 0, 3, 1,
    4, 5, 7, 4, 7, 6,
    0, 1, 5, 0, 5, 4,
    2, 6, 7, 2, 7, 3,
    0, 4, 6, 0, 6, 2,
    1, 3, 7, 1, 7, 5,
  ];
  return { positions, triangles };
}

export function box(a = 1, b = 1, c = 1): CharacterInput {
  return character([part(boxShape(a, b, c))]);
}

/** The same surface with no shared vertex at all, as if every triangle had its own UV island. */
export function splitShape({ positions, triangles }: Shape): Shape {
  return {
    positions: triangles.flatMap((v) => positions.slice(3 * v, 3 * v + 3)),
    triangles: triangles.map((_, i) => i),
  };
}

export function mergeShapes(...shapes: readonly Shape[]): Shape {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (const shape of shapes) {
    const base = positions.length / 3;
    positions.push(...shape.positions);
    triangles.push(...shape.triangles.map((v) => v + base));
  }
  return { positions, triangles };
}

/** The same shape inside out. */
export function reverseShape({ positions, triangles }: Shape): Shape {
  return { positions, triangles: triangles.map((_, i) => triangles[i % 3 === 1 ? i + 1 : i % 3 === 2 ? i - 1 : i]!) };
}

/** Box of which some triangles face inwards. */
export function inconsistentBox(flipped: readonly number[] = [3, 8]): CharacterInput {
  const shape = boxShape(1, 1, 1);
  for (const t of flipped) {
    const [b, c] = [shape.triangles[3 * t + 1]!, shape.triangles[3 * t + 2]!];
    shape.triangles[3 * t + 1] = c;
    shape.triangles[3 * t + 2] = b;
  }
  return character([part(shape)]);
}

/** UV-split box: 36 vertices, closed only after welding. */
export function seamedBox(a = 1, b = 1, c = 1): CharacterInput {
  return character([part(splitShape(boxShape(a, b, c)))]);
}

/** Sphere of radius 1: n rings of 2n points and two poles. */
export function sphereShape(n = 16): Shape {
  const positions: number[] = [0, 1, 0];
  const triangles: number[] = [];
  const around = 2 * n;
  for (let i = 1; i <= n; i++) {
    const polar = (Math.PI * i) / (n + 1);
    for (let j = 0; j < around; j++) {
      const angle = (2 * Math.PI * j) / around;
      positions.push(Math.sin(polar) * Math.sin(angle), Math.cos(polar), Math.sin(polar) * Math.cos(angle));
    }
  }
  positions.push(0, -1, 0);
  const at = (i: number, j: number) => 1 + (i - 1) * around + (j % around);
  for (let j = 0; j < around; j++) {
    triangles.push(0, at(1, j), at(1, j + 1), positions.length / 3 - 1, at(n, j + 1), at(n, j));
    for (let i = 1; i < n; i++) {
      triangles.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
  return { positions, triangles };
}

export function sphere(n = 16): CharacterInput {
  return character([part(sphereShape(n))]);
}

/** Torus around z with radii R and r, n×m points. */
export function torusShape(n = 32, m = 16, R = 2, r = 0.5): Shape {
  const positions: number[] = [];
  const triangles: number[] = [];
  const at = (i: number, j: number) => (i % n) * m + (j % m);
  for (let i = 0; i < n; i++) {
    const u = (2 * Math.PI * i) / n;
    for (let j = 0; j < m; j++) {
      const v = (2 * Math.PI * j) / m;
      const d = R + r * Math.cos(v);
      positions.push(d * Math.cos(u), d * Math.sin(u), r * Math.sin(v));
      triangles.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
  return { positions, triangles };
}

export function torus(n = 32, m = 16, R = 2, r = 0.5): CharacterInput {
  return character([part(torusShape(n, m, R, r))]);
}

/** Two unit cubes that share one edge: four triangles meet there. */
export function cubesOnAnEdge(): CharacterInput {
  return character([part(mergeShapes(boxShape(1, 1, 1), boxShape(1, 1, 1, 1, 1, 0)))]);
}

/** Two unit cubes, one per bone, whose faces touch at x = 1: coincident vertices with different weights. */
export function twoTouchingCubes(): CharacterInput {
  const shape = mergeShapes(boxShape(1, 1, 1), boxShape(1, 1, 1, 1));
  return character([part(shape, (_x, _y, _z, v) => (v < 8 ? [1, 0] : [0, 1]))], chain([0, 1]));
}

/** a×b×c box whose only morph target makes it b×a×c: V(t) = abc + c(a−b)²t(1−t). */
export function morphingBox(a = 1, b = 2, c = 1): CharacterInput {
  const from = boxShape(a, b, c);
  const to = boxShape(b, a, c);
  const deltas = Float64Array.from(to.positions, (x, i) => x - from.positions[i]!);
  return {
    ...character([part(from, undefined, { morphs: { first: 0, deltas: [deltas] } })]),
    morphs: [{ name: 'swap', group: 0, weight: 0 }],
  };
}

/** The registry: names of meshes that can do what a test needs. */
export const closed = (): Record<string, CharacterInput> => ({
  box: box(1, 2, 3),
  seamedBox: seamedBox(1, 2, 3),
  tube: tube(),
  sphere: sphere(),
  torus: torus(),
});
export const withBoundary = (): Record<string, CharacterInput> => ({ openTube: openTube() });
export const nonManifold = (): Record<string, CharacterInput> => ({ cubesOnAnEdge: cubesOnAnEdge() });
export const selfContact = (): Record<string, CharacterInput> => ({ twoTouchingCubes: twoTouchingCubes() });
