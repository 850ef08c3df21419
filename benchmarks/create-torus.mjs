/**
 * A torus of any size for the benchmarks: 24 bones around it, four influences a vertex, one clip in which every bone swings and
 * twists at its own pace, so that all regions gain and lose volume. Vertices in rows, or shuffled.
 */
import { createCharacter } from '@isoskin/core';

const BONES = 24;
const [RADIUS, THICKNESS] = [12, 1];
const SECONDS = 4;
const KEYS = 120;

export function createTorus(vertices, options) {
  return createCharacter(createTorusInput(vertices, options));
}

export function createTorusInput(vertices, { shuffled = false } = {}) {
  const around = Math.max(6, Math.round(Math.sqrt((vertices * THICKNESS) / RADIUS)));
  const along = Math.round(vertices / around);
  const count = around * along;
  const places = Uint32Array.from({ length: count }, (_, k) => k);
  if (shuffled) shuffle(places, 12345);
  const positions = new Float32Array(3 * count);
  const bones = new Uint16Array(4 * count);
  const weights = new Float32Array(4 * count);
  const triangles = new Uint32Array(6 * count);
  const at = (i, j) => places[(i % along) * around + (j % around)];
  let t = 0;
  for (let i = 0; i < along; i++) {
    for (let j = 0; j < around; j++) {
      const [a, b] = [(2 * Math.PI * i) / along, (2 * Math.PI * j) / around];
      const distance = RADIUS + THICKNESS * Math.cos(b);
      positions.set([distance * Math.cos(a), distance * Math.sin(a), THICKNESS * Math.sin(b)], 3 * at(i, j));
      weigh(bones, weights, 4 * at(i, j), (BONES * i) / along);
      triangles.set([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1)], t);
      t += 6;
    }
  }
  const part = { name: 'torus', group: 0, positions, triangles, bones, weights, influences: 4 };
  return { name: 'torus', parts: [part], skeleton: createSkeleton(), clips: [createClip()] };
}

/** The four nearest bones, by a smooth falloff of their distance around the ring. */
function weigh(bones, weights, at, place) {
  const first = Math.floor(place) - 1;
  let sum = 0;
  for (let n = 0; n < 4; n++) {
    const weight = Math.max(0, 1 - ((first + n - place) / 2) ** 2) ** 3;
    bones[at + n] = (first + n + BONES) % BONES;
    weights[at + n] = weight;
    sum += weight;
  }
  for (let n = 0; n < 4; n++) weights[at + n] /= sum;
}

function bonePlace(i) {
  const angle = (2 * Math.PI * i) / BONES;
  return [RADIUS * Math.cos(angle), RADIUS * Math.sin(angle), 0];
}

function createSkeleton() {
  const places = Array.from({ length: BONES }, (_, i) => bonePlace(i));
  return {
    names: places.map((_, i) => `bone ${i}`),
    parents: places.map(() => -1),
    locals: Float64Array.from(places.flatMap((place) => [...place, 0, 0, 0, 1, 1, 1, 1])),
    boneNodes: places.map((_, i) => i),
    inverseBinds: Float64Array.from(places.flatMap(([x, y, z]) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1])),
  };
}

function createClip() {
  const times = Float32Array.from({ length: KEYS + 1 }, (_, n) => (SECONDS * n) / KEYS);
  const channels = Array.from({ length: BONES }, (_, i) => ({
    target: i,
    path: 'rotation',
    width: 4,
    interpolation: 'LINEAR',
    times,
    values: Float32Array.from(
      Array.from(times).flatMap((time) => {
        const phase = (2 * Math.PI * time) / SECONDS;
        const half = 0.35 * Math.sin(phase + 1.7 * i);
        const tilt = 0.9 * i + 0.3 * Math.sin(phase);
        return [Math.sin(half) * Math.cos(tilt), Math.sin(half) * Math.sin(tilt), 0, Math.cos(half)];
      }),
    ),
  }));
  return { name: 'swing', duration: SECONDS, channels };
}

function shuffle(list, seed) {
  let state = seed;
  for (let n = list.length - 1; n > 0; n--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const m = Math.floor((state / 2 ** 32) * (n + 1));
    [list[n], list[m]] = [list[m], list[n]];
  }
}
