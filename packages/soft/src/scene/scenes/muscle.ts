import type { MotionKey, SceneSpec, Vector } from '../scene-spec.js';

const BONES: readonly (readonly [name: string, from: Vector, to: Vector, thickness: number])[] = [
  ['shoulder', [-0.01, 1.18, 0], [-0.01, 1.15, 0], 0.1],
  ['upper', [0, 1.08, 0], [0, 0.65, 0], 0.052],
  ['biceps', [0.058, 0.93, 0], [0.058, 0.84, 0], 0.055],
  ['triceps', [-0.048, 0.96, 0], [-0.044, 0.86, 0], 0.05],
  ['forearm', [0, 0.565, 0], [0, 0.44, 0], 0.056],
  ['wrist', [0, 0.35, 0], [0, 0.27, 0], 0.046],
  ['hand', [0, 0.17, 0], [0.01, 0.11, 0], 0.05],
];
/** The arm bends, holds and stretches again between these times. */
const EFFORT = [0.5, 2, 2.6, 4.1];

/** An arm bends, and the wanted volume of its biceps rises and falls with the effort. */
export function createMuscle(): SceneSpec {
  const elbow: Vector = [0, 0.6, 0];
  /** Keys of a motion that is there while the effort lasts. */
  const during = (key: Omit<MotionKey, 'time'>) => EFFORT.map((time, k) => ({ time, ...(k % 3 > 0 && key) }));
  return {
    name: 'muscle',
    gravity: [0, 0, 0],
    duration: 5,
    sampling: 5,
    view: { box: [-0.2, 0.02, -0.15, 0.55, 1.3, 0.15], azimuth: 0, elevation: 5 },
    objects: [
      {
        name: 'arm',
        color: [0.9, 0.62, 0.5],
        material: { reach: 2, falloff: 'smooth' },
        primitives: BONES.map(([name, a, b, thickness]) => ({ name, points: [a, b], thickness })),
        blend: [
          ['shoulder', 'upper'],
          ['shoulder', 'biceps'],
          ['shoulder', 'triceps'],
          ['upper', 'biceps'],
          ['upper', 'triceps'],
          ['biceps', 'triceps'],
          ['upper', 'forearm'],
          ['forearm', 'wrist'],
          ['wrist', 'hand'],
        ],
        structure: {
          kind: 'kinematic',
          motions: [
            { primitives: ['forearm', 'wrist', 'hand'], pivot: elbow, keys: during({ turn: [0, 0, 115] }) },
            { primitives: ['biceps'], points: [1], keys: during({ move: [0.02, 0.045, 0] }) },
          ],
        },
        targets: { biceps: EFFORT.map((time, k) => [time, k % 3 > 0 ? 2.2 : 1]) },
      },
    ],
  };
}
