import type { SceneSpec, Vector } from '../scene-spec.js';

/** The outlook of `003`: an arm bends, and the wanted volume of its biceps rises and falls with the effort. */
export function createMuscle(): SceneSpec {
  const elbow: Vector = [0, 0.6, 0];
  const bend = (degrees: number) => [
    { time: 0.5 },
    { time: 2, turn: [0, 0, degrees] as const },
    { time: 2.6, turn: [0, 0, degrees] as const },
    { time: 4.1 },
  ];
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
        primitives: [
          {
            name: 'shoulder',
            points: [
              [-0.01, 1.18, 0],
              [-0.01, 1.15, 0],
            ],
            thickness: 0.1,
          },
          {
            name: 'upper',
            points: [
              [0, 1.08, 0],
              [0, 0.65, 0],
            ],
            thickness: 0.052,
          },
          {
            name: 'biceps',
            points: [
              [0.058, 0.93, 0],
              [0.058, 0.84, 0],
            ],
            thickness: 0.055,
          },
          {
            name: 'triceps',
            points: [
              [-0.048, 0.96, 0],
              [-0.044, 0.86, 0],
            ],
            thickness: 0.05,
          },
          {
            name: 'forearm',
            points: [
              [0, 0.565, 0],
              [0, 0.44, 0],
            ],
            thickness: 0.056,
          },
          {
            name: 'wrist',
            points: [
              [0, 0.35, 0],
              [0, 0.27, 0],
            ],
            thickness: 0.046,
          },
          {
            name: 'hand',
            points: [
              [0, 0.17, 0],
              [0.01, 0.11, 0],
            ],
            thickness: 0.05,
          },
        ],
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
            { primitives: ['forearm', 'wrist', 'hand'], pivot: elbow, keys: bend(115) },
            {
              primitives: ['biceps'],
              points: [1],
              keys: [
                { time: 0.5 },
                { time: 2, move: [0.02, 0.045, 0] },
                { time: 2.6, move: [0.02, 0.045, 0] },
                { time: 4.1 },
              ],
            },
          ],
        },
        targets: {
          biceps: [
            [0.5, 1],
            [2, 2.2],
            [2.6, 2.2],
            [4.1, 1],
          ],
        },
      },
    ],
  };
}
