import type { ObstacleSpec, SceneSpec, Vector } from '../scene-spec.js';
import { createPaste } from './paste.js';

/** Pincers cut a roll of paste in two, let go, and two paddles press the halves together until they are one again. */
export function createPinch(): SceneSpec {
  const jaw = (name: string, side: number): ObstacleSpec => ({
    name,
    shape: 'capsule',
    radius: 0.13,
    length: 0.3,
    position: [0, 0.22, side * 0.5],
    turn: [0, 0, 90],
    friction: 0.05,
    color: [0.5, 0.54, 0.6],
    keys: [
      { time: 0.3 },
      { time: 1.6, move: [0, 0, side * -0.37] },
      { time: 1.8, move: [0, 0, side * -0.37] },
      { time: 2.4, move: [0, 0, side * 0.05] },
    ],
  });
  const paddle = (name: string, side: number): ObstacleSpec => {
    const pressed: Vector = [side * -0.44, 0, 0];
    return {
      name,
      shape: 'box',
      size: [0.08, 0.5, 0.6],
      radius: 0.03,
      position: [side * 0.98, 0.28, 0],
      friction: 0.2,
      color: [0.72, 0.62, 0.48],
      keys: [{ time: 1.9 }, { time: 3.9, move: pressed }, { time: 4.2, move: pressed }, { time: 4.9 }],
    };
  };
  return {
    name: 'pinch',
    duration: 5,
    sampling: 3,
    view: { box: [-1.05, 0, -0.6, 1.05, 0.55, 0.6], azimuth: 20, elevation: 42 },
    fusion: { force: 1.5, time: 0.3 },
    obstacles: [
      { name: 'table', shape: 'plane', friction: 0.15, color: [0.8, 0.81, 0.82] },
      jaw('front jaw', 1),
      jaw('back jaw', -1),
      paddle('left paddle', -1),
      paddle('right paddle', 1),
    ],
    objects: [
      {
        name: 'paste',
        color: [0.93, 0.74, 0.42],
        material: { reach: 1.8, stiffness: 5e5, friction: 0.3 },
        structure: createPaste(2, {
          box: [
            [-0.52, 0.085, -0.14],
            [0.52, 0.275, 0.14],
          ],
        }),
      },
    ],
  };
}
