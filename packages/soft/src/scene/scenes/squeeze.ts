import type { MotionKey, ObstacleSpec, SceneSpec, Vector } from '../scene-spec.js';
import { createPaste } from './paste.js';

/** A finger: where it begins, which way it points when it is straight, and its phalanges, root first: length and how far they bend. */
interface Finger {
  readonly name: string;
  readonly root: Vector;
  readonly points: Vector;
  /** Axis of all its joints. */
  readonly axis: Vector;
  readonly radius: number;
  readonly phalanges: readonly (readonly [length: number, degrees: number])[];
}

const SKIN: Vector = [0.86, 0.68, 0.58];
const STEP = 0.05;
/** When the hand begins to close, is closed, begins to open and is open. */
const TIMES = [0.3, 2.3, 2.9, 4.3] as const;

/** A hand closes around a lump of paste, which comes out between its fingers, and opens again. */
export function createSqueeze(): SceneSpec {
  const fingers = [-0.33, -0.11, 0.11, 0.33].map(
    (x, f): Finger => ({
      name: ['little', 'ring', 'middle', 'index'][f]!,
      root: [x, 0.14, 0.34],
      points: [0, 0, 1],
      axis: [-1, 0, 0],
      radius: 0.075,
      phalanges: [
        [[0.24, 0.28, 0.3, 0.28][f]!, 80],
        [0.26, 66],
        [0.18, 20],
      ],
    }),
  );
  const thumb: Finger = {
    name: 'thumb',
    root: [0.46, 0.14, -0.12],
    points: [1, 0, 0],
    axis: [0, 0, 1],
    radius: 0.085,
    phalanges: [
      [0.3, 76],
      [0.26, 50],
    ],
  };
  return {
    name: 'squeeze',
    duration: 5,
    sampling: 3,
    view: { box: [-0.6, 0, -0.5, 0.85, 0.75, 0.75], azimuth: 25, elevation: 38 },
    fusion: { force: 1.5, time: 0.3 },
    obstacles: [
      { name: 'table', shape: 'plane', friction: 0.3, color: [0.8, 0.81, 0.82] },
      {
        name: 'palm',
        shape: 'box',
        size: [0.9, 0.14, 0.72],
        radius: 0.06,
        position: [0, 0.07, 0],
        friction: 0.4,
        color: SKIN,
      },
      {
        name: 'heel of the hand',
        shape: 'capsule',
        radius: 0.12,
        length: 0.56,
        position: [0, 0.17, -0.34],
        friction: 0.4,
        color: SKIN,
      },
      ...[...fingers, thumb].flatMap(listPhalanges),
    ],
    objects: [
      {
        name: 'paste',
        color: [0.45, 0.66, 0.78],
        material: { reach: 1.8, stiffness: 5e5, friction: 0.3 },
        structure: createPaste(2, { ball: { centre: [0, 0.4, 0.06], radius: 0.24 } }),
      },
    ],
  };
}

/** Every phalanx as a capsule that follows its finger. */
function listPhalanges({ name, root, points, axis, radius, phalanges }: Finger): ObstacleSpec[] {
  return phalanges.map(([length], i) => {
    const place = (closed: number) => {
      let turned = 0;
      const at = [...root] as [number, number, number];
      for (let j = 0; j <= i; j++) {
        turned += closed * phalanges[j]![1];
        const way = turn(points, axis, turned);
        for (let r = 0; r < 3; r++) at[r]! += way[r]! * phalanges[j]![0] * (j < i ? 1 : 0.5);
      }
      return { at, turned };
    };
    const open = place(0).at;
    const keys: MotionKey[] = [];
    for (let time = TIMES[0]; time < TIMES[3] + STEP / 2; time += STEP) {
      const { at, turned } = place(measureClosed(time));
      const move: Vector = [at[0] - open[0], at[1] - open[1], at[2] - open[2]];
      const about: Vector = [axis[0] * turned, axis[1] * turned, axis[2] * turned];
      keys.push({ time: Number(time.toFixed(3)), move, turn: about, straight: true });
    }
    return {
      name: `${name} ${i + 1}`,
      shape: 'capsule',
      radius,
      length,
      position: open,
      turn: points[2] === 1 ? [0, -90, 0] : [0, 0, 0], // a capsule lies along x
      friction: 0.3,
      color: SKIN,
      keys,
    };
  });
}

/** 0: open, 1: a fist; eased. */
function measureClosed(time: number): number {
  const [begin, shut, loose, end] = TIMES;
  const s = time < shut ? (time - begin) / (shut - begin) : time < loose ? 1 : 1 - (time - loose) / (end - loose);
  const u = Math.min(1, Math.max(0, s));
  return u * u * (3 - 2 * u);
}

/** v turned about a unit axis across it. */
function turn(v: Vector, axis: Vector, degrees: number): Vector {
  const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const [x, y, z] = [axis[1] * v[2] - axis[2] * v[1], axis[2] * v[0] - axis[0] * v[2], axis[0] * v[1] - axis[1] * v[0]];
  return [c * v[0] + s * x, c * v[1] + s * y, c * v[2] + s * z];
}
