import type { MotionKey, SceneSpec, Vector } from '../scene-spec.js';

/**
 * Two points meet, become one and part again. Their potential falls straight to 0 at R = 3e, so that without
 * control the merged ball has the radius 2e: four times the volume of the two.
 */
export function createMerge(): SceneSpec {
  const way = (side: number): MotionKey[] => {
    const together: Vector = [side * 0.49, 0, 0];
    return [{ time: 0.1 }, { time: 2.2, move: together }, { time: 2.6, move: together }, { time: 4.7 }];
  };
  return {
    name: 'merge',
    gravity: [0, 0, 0],
    duration: 5,
    view: { box: [-1.1, -0.55, -0.5, 1.1, 0.55, 0.5], azimuth: 0, elevation: 10 },
    objects: [
      {
        name: 'drop',
        material: { reach: 3, law: 'linear', falloff: 'linear' },
        blend: 'all',
        primitives: [
          { name: 'left', points: [[-0.505, 0, 0]], thickness: 0.25 },
          { name: 'right', points: [[0.505, 0, 0]], thickness: 0.25 },
        ],
        structure: {
          kind: 'kinematic',
          motions: [
            { primitives: ['left'], keys: way(1) },
            { primitives: ['right'], keys: way(-1) },
          ],
        },
      },
    ],
  };
}
