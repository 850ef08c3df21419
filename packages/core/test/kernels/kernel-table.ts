/**
 * The tests of the reference kernels, to rounding.
 *
 * `expected` comes from naive implementations of the formulas of reference-kernels.ts, written here a second time. Compare with a
 * tolerance relative to `scale`, the size of the numbers that were summed.
 */
import type * as reference from '../../src/kernels/reference-kernels.js';
import type * as dual from '../../src/kernels/skin-dual-quaternion.js';

export type Kernels = typeof reference & typeof dual;

export interface KernelCase {
  readonly name: string;
  readonly run: (kernels: Kernels) => ArrayLike<number>;
  readonly expected: readonly number[];
  readonly scale: number;
}

type Vector = readonly [number, number, number];
type Quaternion = readonly [number, number, number, number];

/** Numbers between −1 and 1 that are the same on every machine. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

const at = (list: ArrayLike<number>, k: number): Vector => [list[3 * k]!, list[3 * k + 1]!, list[3 * k + 2]!];
const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const times = (a: Vector, s: number): Vector => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const columns = (m: ArrayLike<number>, from: number, v: Vector): Vector =>
  add(
    add(times([m[from]!, m[from + 1]!, m[from + 2]!], v[0]), times([m[from + 3]!, m[from + 4]!, m[from + 5]!], v[1])),
    times([m[from + 6]!, m[from + 7]!, m[from + 8]!], v[2]),
  );
const product = (a: Quaternion, b: Quaternion): Quaternion => {
  const [u, v] = [a.slice(0, 3), b.slice(0, 3)] as unknown as [Vector, Vector];
  return [...add(add(times(v, a[3]), times(u, b[3])), cross(u, v)), a[3] * b[3] - dot(u, v)] as unknown as Quaternion;
};
const conjugate = (q: Quaternion): Quaternion => [-q[0], -q[1], -q[2], q[3]];

/** Runs on vertices start … end − 1 only; everything else must stay as it was. */
const UNTOUCHED = 12345.678;

function createSkin(random: () => number, count: number, boneCount: number) {
  const offsets = [0];
  const bones: number[] = [];
  const weights: number[] = [];
  for (let k = 0; k < count; k++) {
    const influences = 1 + (k % 6);
    const raw = Array.from({ length: influences }, () => 0.05 + Math.abs(random())).sort((a, b) => b - a);
    const sum = raw.reduce((a, b) => a + b);
    for (const [i, w] of raw.entries()) {
      bones.push((k + 3 * i) % boneCount);
      weights.push(w / sum);
    }
    offsets.push(bones.length);
  }
  return {
    positions: Float64Array.from({ length: 3 * count }, () => 3 * random()),
    directions: Float64Array.from({ length: 3 * count }, random),
    offsets: Uint32Array.from(offsets),
    bones: Uint32Array.from(bones),
    weights: Float64Array.from(weights),
  };
}

function skinLinear(start: number, end: number): KernelCase {
  const random = createRandom(1);
  const count = 40;
  const skin = createSkin(random, count, 7);
  const matrices = Float64Array.from({ length: 12 * 7 }, random);
  const expected = new Array<number>(6 * count).fill(UNTOUCHED);
  for (let k = start; k < end; k++) {
    let [x, n]: [Vector, Vector] = [
      [0, 0, 0],
      [0, 0, 0],
    ];
    for (let i = skin.offsets[k]!; i < skin.offsets[k + 1]!; i++) {
      const m = 12 * skin.bones[i]!;
      const t: Vector = [matrices[m + 9]!, matrices[m + 10]!, matrices[m + 11]!];
      x = add(x, times(add(columns(matrices, m, at(skin.positions, k)), t), skin.weights[i]!));
      n = add(n, times(columns(matrices, m, at(skin.directions, k)), skin.weights[i]!));
    }
    expected.splice(3 * k, 3, ...x);
    expected.splice(3 * (count + k), 3, ...n);
  }
  return {
    name: `skinLinear, vertices ${start} … ${end}`,
    scale: 3,
    expected,
    run(kernels) {
      const out = createOutput(count);
      kernels.skinLinear(out, skin, matrices, start, end);
      return [...out.positions, ...out.directions];
    },
  };
}

function createOutput(count: number) {
  return {
    positions: new Float64Array(3 * count).fill(UNTOUCHED),
    directions: new Float64Array(3 * count).fill(UNTOUCHED),
  };
}

/** Blends unit dual quaternions q + ε½tq, towards the sign of the strongest bone, after a linear blend of the stretches. */
function skinDualQuaternion(start: number, end: number): KernelCase {
  const random = createRandom(2);
  const count = 30;
  const boneCount = 5;
  const skin = createSkin(random, count, boneCount);
  const rotations = Array.from({ length: boneCount }, (): Quaternion => {
    const q = [random(), random(), random(), random()];
    const length = Math.hypot(...q);
    return q.map((c) => c / length) as unknown as Quaternion;
  });
  const moves = rotations.map((): Vector => [random(), random(), random()]);
  const stretches = Float64Array.from({ length: 9 * boneCount }, (_, i) => (i % 4 === 0 ? 1 : 0) + 0.3 * random());
  const duals = rotations.map((q, i) => product([...times(moves[i]!, 0.5), 0] as unknown as Quaternion, q));
  const quaternions = Float64Array.from(rotations.flatMap((q, i) => [...q, ...duals[i]!]));
  const expected = new Array<number>(6 * count).fill(UNTOUCHED);
  for (let k = start; k < end; k++) {
    const first = rotations[skin.bones[skin.offsets[k]!]!]!;
    let real: number[] = [0, 0, 0, 0];
    let dual: number[] = [0, 0, 0, 0];
    let [x, n]: [Vector, Vector] = [
      [0, 0, 0],
      [0, 0, 0],
    ];
    for (let i = skin.offsets[k]!; i < skin.offsets[k + 1]!; i++) {
      const bone = skin.bones[i]!;
      const sign = first.reduce((sum, c, j) => sum + c * rotations[bone]![j]!, 0) < 0 ? -1 : 1;
      real = real.map((c, j) => c + sign * skin.weights[i]! * rotations[bone]![j]!);
      dual = dual.map((c, j) => c + sign * skin.weights[i]! * duals[bone]![j]!);
      x = add(x, times(columns(stretches, 9 * bone, at(skin.positions, k)), skin.weights[i]!));
      n = add(n, times(columns(stretches, 9 * bone, at(skin.directions, k)), skin.weights[i]!));
    }
    const length = Math.hypot(...real);
    const q = real.map((c) => c / length) as unknown as Quaternion;
    const d = dual.map((c) => c / length) as unknown as Quaternion;
    const turn = (v: Vector) => product(product(q, [...v, 0] as unknown as Quaternion), conjugate(q)).slice(0, 3);
    const move = times(product(d, conjugate(q)).slice(0, 3) as unknown as Vector, 2);
    expected.splice(3 * k, 3, ...add(turn(x) as unknown as Vector, move));
    expected.splice(3 * (count + k), 3, ...turn(n));
  }
  return {
    name: `skinDualQuaternion, vertices ${start} … ${end}`,
    scale: 3,
    expected,
    run(kernels) {
      const out = createOutput(count);
      kernels.skinDualQuaternion(out, skin, quaternions, stretches, start, end);
      return [...out.positions, ...out.directions];
    },
  };
}

function createTriangles(random: () => number, count: number, vertexCount: number): Uint32Array {
  const index = () => Math.min(vertexCount - 1, Math.trunc(((random() + 1) / 2) * vertexCount));
  return Uint32Array.from({ length: 3 * count }, index);
}

function sumAreaVectors(): KernelCase {
  const random = createRandom(3);
  const vertexCount = 25;
  const triangles = createTriangles(random, 60, vertexCount);
  const positions = Float64Array.from({ length: 3 * vertexCount }, random);
  const used = 50; // a prefix of the list
  const expected = new Array<number>(3 * vertexCount).fill(0);
  for (let t = 0; t < used; t++) {
    const [i, j, l] = at(triangles, t);
    const normal = cross(subtract(at(positions, j), at(positions, i)), subtract(at(positions, l), at(positions, i)));
    for (const k of [i, j, l]) for (let r = 0; r < 3; r++) expected[3 * k + r]! += normal[r]! / 6;
  }
  return {
    name: 'sumAreaVectors clears its output and sums a prefix of the triangles',
    scale: 5,
    expected: [...expected, UNTOUCHED],
    run(kernels) {
      const out = new Float64Array(3 * vertexCount + 1).fill(UNTOUCHED);
      kernels.sumAreaVectors(out, positions, triangles, used, vertexCount);
      return out;
    },
  };
}

/** Up to three shapes a vertex, one of them beyond the regions: its amount is given. */
function displace(start: number, end: number): KernelCase {
  const random = createRandom(4);
  const count = 36;
  const shapeCount = 4;
  const offsets = [0];
  const shapes: number[] = [];
  const values: number[] = [];
  for (let k = 0; k < count; k++) {
    for (let s = 0; s < k % 4; s++) {
      shapes.push((k + s) % shapeCount);
      values.push(random());
    }
    offsets.push(shapes.length);
  }
  const input = {
    positions: Float64Array.from({ length: 3 * count }, random),
    directions: Float64Array.from({ length: 3 * count }, random),
    offsets: Uint32Array.from(offsets),
    shapes: Uint32Array.from(shapes),
    values: Float64Array.from(values),
    amounts: Float64Array.from({ length: shapeCount }, random),
  };
  const expected = new Array<number>(3 * count).fill(UNTOUCHED);
  for (let k = start; k < end; k++) {
    let sum = 0;
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) sum += input.amounts[shapes[e]!]! * values[e]!;
    expected.splice(3 * k, 3, ...add(at(input.positions, k), times(at(input.directions, k), sum)));
  }
  return {
    name: `displace, vertices ${start} … ${end}`,
    scale: 1,
    expected,
    run(kernels) {
      const out = new Float64Array(3 * count).fill(UNTOUCHED);
      kernels.displace(out, input, start, end);
      return out;
    },
  };
}

function sumTetrahedra(): KernelCase {
  const random = createRandom(5);
  const vertexCount = 20;
  const count = 50;
  const tetrahedra = createTriangles(random, count, vertexCount);
  const regions = Uint32Array.from({ length: count }, (_, t) => t % 3);
  const positions = Float64Array.from({ length: 3 * vertexCount }, random);
  const expected = [1, 2, 3]; // added to
  const [start, end] = [5, 48];
  const o = at(positions, 0);
  for (let t = start; t < end; t++) {
    const [a, b, c] = at(tetrahedra, t).map((k) => subtract(at(positions, k), o)) as [Vector, Vector, Vector];
    expected[regions[t]!]! += dot(a, cross(b, c));
  }
  return {
    name: 'sumTetrahedra adds to its output',
    scale: 20,
    expected,
    run(kernels) {
      const out = Float64Array.of(1, 2, 3);
      kernels.sumTetrahedra(out, positions, tetrahedra, regions, start, end);
      return out;
    },
  };
}

function createRegionSum(random: () => number, byEntry: boolean) {
  const vertexCount = 30;
  const vertices = Uint32Array.from({ length: 17 }, (_, i) => (7 * i + 3) % vertexCount);
  return {
    vertexCount,
    positions: Float64Array.from({ length: 3 * vertexCount }, random),
    anchor: 4,
    vertices,
    gradients: Float64Array.from({ length: 3 * (byEntry ? vertices.length : vertexCount) }, random),
    byEntry,
  };
}

function sumVolume(byEntry: boolean): KernelCase {
  const input = createRegionSum(createRandom(6), byEntry);
  const [start, end] = [2, 16];
  let expected = 0;
  for (let i = start; i < end; i++) {
    const k = input.vertices[i]!;
    const arm = subtract(at(input.positions, k), at(input.positions, input.anchor));
    expected += dot(arm, at(input.gradients, byEntry ? i : k));
  }
  return {
    name: `sumVolume, gradients by ${byEntry ? 'entry' : 'vertex'}`,
    scale: 10,
    expected: [expected],
    run: (kernels) => [kernels.sumVolume(input, start, end)],
  };
}

function sumSlopes(byEntry: boolean): KernelCase {
  const random = createRandom(7);
  const base = createRegionSum(random, byEntry);
  const offsets = Uint32Array.from({ length: base.vertexCount + 1 }, (_, k) => 2 * k);
  const input = {
    ...base,
    directions: Float64Array.from({ length: 3 * base.vertexCount }, random),
    offsets,
    shapes: Uint32Array.from({ length: 2 * base.vertexCount }, (_, e) => e % 6), // the sixth has no column
    values: Float64Array.from({ length: 2 * base.vertexCount }, random),
  };
  const [start, end] = [1, 15];
  const expected = [9, 8, 7, 6, 5]; // added to
  for (let i = start; i < end; i++) {
    const k = input.vertices[i]!;
    const slope = dot(at(input.directions, k), at(input.gradients, byEntry ? i : k));
    for (let e = offsets[k]!; e < offsets[k + 1]!; e++) {
      if (input.shapes[e]! < 5) expected[input.shapes[e]!]! += slope * input.values[e]!;
    }
  }
  return {
    name: `sumSlopes adds to its row, gradients by ${byEntry ? 'entry' : 'vertex'}`,
    scale: 10,
    expected,
    run(kernels) {
      const row = Float64Array.of(9, 8, 7, 6, 5);
      kernels.sumSlopes(row, input, start, end);
      return row;
    },
  };
}

function normalise(): KernelCase {
  const vectors = Float64Array.of(7, 7, 7, 3, 4, 0, 0, 0, 0, 1e-12, 0, 0, -2, 3, 6, 7, 7, 7);
  return {
    name: 'normalise keeps zero vectors and works in place',
    scale: 1,
    expected: [7, 7, 7, 0.6, 0.8, 0, 0, 0, 0, 1, 0, 0, -2 / 7, 3 / 7, 6 / 7, 7, 7, 7],
    run(kernels) {
      const out = vectors.slice();
      kernels.normalise(out, out, 1, 5);
      return out;
    },
  };
}

export const kernelCases: readonly KernelCase[] = [
  skinLinear(0, 40),
  skinLinear(3, 17),
  skinDualQuaternion(0, 30),
  skinDualQuaternion(4, 21),
  sumAreaVectors(),
  displace(0, 36),
  displace(5, 30),
  sumTetrahedra(),
  sumVolume(false),
  sumVolume(true),
  sumSlopes(false),
  sumSlopes(true),
  normalise(),
];
