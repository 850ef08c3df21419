import type { MotionKey, ObjectSpec, SceneSpec, Vector } from '../scene-spec.js';
import { createPaste } from './paste.js';

const RADIUS = 0.18;

/** A rigid roller goes to and fro over two sheets of paste, which melt together where it has pressed them. */
export function createRoller(): SceneSpec {
  const sheet = (name: string, y: number, color: Vector): ObjectSpec => ({
    name,
    color,
    material: { reach: 1.8, stiffness: 1e5, friction: 0.6 },
    structure: createPaste(1, {
      box: [
        [-0.42, y, -0.2],
        [0.42, y, 0.2],
      ],
    }),
  });
  // Rolls without slipping: a way of x turns it by x/radius about its own axis.
  const turned = (x: number): Vector => [0, 0, (-x / RADIUS) * (180 / Math.PI)];
  const rolled = (time: number, x: number, y: number): MotionKey => ({
    time,
    move: [x, y, 0],
    turn: turned(x),
  });
  return {
    name: 'roller',
    duration: 5,
    sampling: 3,
    view: { box: [-0.8, 0, -0.5, 0.8, 0.9, 0.5], azimuth: 20, elevation: 34 },
    fusion: { force: 30, time: 0.4 },
    obstacles: [
      { name: 'table', shape: 'plane', friction: 0.8, color: [0.8, 0.81, 0.82] },
      {
        name: 'roller',
        shape: 'capsule',
        radius: RADIUS,
        length: 0.8,
        position: [-0.4, 0.74, 0],
        turn: [0, 90, 0],
        friction: 0.6,
        color: [0.72, 0.62, 0.48],
        keys: [
          { time: 0.3 },
          rolled(1, 0, -0.3),
          rolled(2.5, 0.8, -0.3),
          rolled(4, 0.1, -0.33),
          { time: 4.6, move: [0.1, 0, 0], turn: turned(0.1) },
        ],
      },
    ],
    objects: [sheet('red', 0.098, [0.86, 0.42, 0.36]), sheet('blue', 0.301, [0.36, 0.56, 0.8])],
  };
}
