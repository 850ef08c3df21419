/** Random characters that are the same on every machine. */
import { chain, character as characterInput, mergeShapes, part, type Shape, torusShape } from '../meshes.js';

/** Numbers from 0 to 1. */
export function createRandom(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A lumpy torus or two, perhaps torn, on two to five bones. */
export function createRandomInput(random: () => number) {
  const whole = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const boneCount = whole(2, 5);
  const shapes = Array.from({ length: whole(1, 2) }, (_, n) => moveShape(createLumps(random, whole), 7 * n));
  const shape = shuffleShape(
    random() < 0.4 ? tearShape(mergeShapes(...shapes), whole) : mergeShapes(...shapes),
    random,
  );
  const starts = Array.from({ length: boneCount }, (_, i) => -3 + (6 * i) / boneCount);
  const weigh = (x: number) => {
    const pulls = starts.map((start) => (0.2 + Math.abs(x - start - 3 / boneCount)) ** -5);
    const sum = pulls.reduce((a, b) => a + b);
    return pulls.map((pull) => pull / sum);
  };
  return characterInput([part(shape, weigh)], chain(starts));
}

/** A torus with waves of its own along and around. */
function createLumps(random: () => number, whole: (least: number, most: number) => number): Shape {
  const shape = torusShape(whole(18, 36), whole(8, 14), 2.4, 0.5 + 0.3 * random());
  const [along, around, phase] = [whole(2, 6), whole(1, 3), 6 * random()];
  shape.positions.forEach((value, i, list) => {
    const k = 3 * Math.floor(i / 3);
    const wave = Math.sin(along * Math.atan2(list[k + 1]!, list[k]!) + phase) * Math.cos(around * i);
    list[i] = value + 0.02 * wave + 0.01 * (random() - 0.5);
  });
  return shape;
}

const moveShape = ({ positions, triangles }: Shape, z: number): Shape => ({
  positions: positions.map((value, i) => (i % 3 === 2 ? value + z : value)),
  triangles,
});

/** Without the triangles around one vertex: a hole. */
function tearShape({ positions, triangles }: Shape, whole: (least: number, most: number) => number): Shape {
  const gone = whole(0, positions.length / 3 - 1);
  const left = Array.from({ length: triangles.length / 3 }, (_, t) => triangles.slice(3 * t, 3 * t + 3));
  const kept = left.filter((corners) => !corners.includes(gone)).flat();
  const close = (k: number) => (k > gone ? k - 1 : k);
  return { positions: positions.toSpliced(3 * gone, 3), triangles: kept.map(close) };
}

function shuffleShape({ positions, triangles }: Shape, random: () => number): Shape {
  const order = Array.from({ length: positions.length / 3 }, (_, k) => [random(), k] as const).sort(
    ([a], [b]) => a - b,
  );
  const place = new Map(order.map(([, k], n) => [k, n]));
  return {
    positions: order.flatMap(([, k]) => positions.slice(3 * k, 3 * k + 3)),
    triangles: triangles.map((k) => place.get(k)!),
  };
}
