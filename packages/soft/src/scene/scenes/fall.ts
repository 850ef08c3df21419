import type { JointSpec, PrimitiveSpec, SceneSpec, Vector } from '../scene-spec.js';

/**
 * A simple character falls on the floor and on itself. Its limbs blend with what they hang on and with nothing
 * else: a bent arm lies against the chest, and presses on it.
 */
export function createFall(): SceneSpec {
  const bones: [name: string, from: Vector, to: Vector, thickness: number, mass: number][] = [
    ['pelvis', [-0.07, 0.62, 0], [0.07, 0.62, 0], 0.11, 8],
    ['chest', [0, 0.82, 0], [0, 0.94, 0], 0.13, 12],
    ['head', [0, 1.24, 0.01], [0, 1.24, 0.01], 0.13, 4],
  ];
  for (const [side, sign] of [
    ['left', 1],
    ['right', -1],
  ] as const) {
    bones.push(
      [`${side} thigh`, [sign * 0.12, 0.52, 0], [sign * 0.16, 0.3, 0.02], 0.08, 4],
      [`${side} shin`, [sign * 0.165, 0.23, 0.02], [sign * 0.18, -0.02, 0], 0.065, 2.5],
    );
  }
  // One arm stretched out, one bent over the belly: it will be pressed against it.
  bones.push(
    ['left upper arm', [0.22, 0.99, 0], [0.42, 0.97, 0.02], 0.065, 2],
    ['left forearm', [0.48, 0.97, 0.03], [0.68, 0.99, 0.12], 0.06, 1.5],
    ['right upper arm', [-0.21, 0.97, 0.02], [-0.28, 0.79, 0.08], 0.065, 2],
    ['right forearm', [-0.27, 0.74, 0.13], [-0.07, 0.73, 0.21], 0.06, 1.5],
  );
  const tilt = tiltBy(62, 0.75);
  const primitives = bones.map(([name, from, to, thickness]): PrimitiveSpec => {
    const points = from.every((x, k) => x === to[k]) ? [from] : [from, to];
    return { name, points: points.map(tilt), thickness, body: name };
  });
  const ball = (a: string, b: string, at: Vector, stiffness: number): JointSpec => ({
    between: [a, b],
    at: tilt(at),
    motor: { stiffness, damping: stiffness / 8 },
  });
  const hinge = (a: string, b: string, at: Vector, limits: [number, number], stiffness: number): JointSpec => ({
    between: [a, b],
    at: tilt(at),
    axis: [1, 0, 0],
    limits,
    motor: { stiffness, damping: stiffness / 8 },
  });
  const joints = [
    ball('pelvis', 'chest', [0, 0.72, 0], 150),
    ball('chest', 'head', [0, 1.1, 0], 40),
    ball('chest', 'left upper arm', [0.17, 0.99, 0], 4),
    ball('left upper arm', 'left forearm', [0.45, 0.97, 0.025], 2),
    ball('chest', 'right upper arm', [-0.17, 0.98, 0.01], 4),
    ball('right upper arm', 'right forearm', [-0.28, 0.76, 0.105], 2),
    ...(['left', 'right'] as const).flatMap((side) => {
      const x = side === 'left' ? 1 : -1;
      return [
        ball('pelvis', `${side} thigh`, [x * 0.11, 0.58, 0], 25),
        hinge(`${side} thigh`, `${side} shin`, [x * 0.163, 0.265, 0.02], [-5, 140], 12),
      ];
    }),
  ];
  return {
    name: 'fall',
    duration: 5,
    sampling: 4,
    view: { box: [-0.65, 0, -0.75, 0.75, 1.12, 0.85], azimuth: 50, elevation: 18 },
    obstacles: [{ name: 'floor', shape: 'plane', friction: 0.7, color: [0.78, 0.79, 0.8] }],
    objects: [
      {
        name: 'man',
        color: [0.9, 0.66, 0.5],
        material: { stiffness: 1.5e6, reach: 1.6, friction: 0.6 },
        primitives,
        blend: joints.map(({ between }) => between),
        structure: {
          kind: 'bodies',
          bodies: bones.map(([name, , , , mass]) => ({ name, mass, velocity: [0, -0.5, 0] })),
          joints,
        },
      },
    ],
  };
}

/** Leans the standing figure back by so many degrees about its hips and lifts it. */
function tiltBy(degrees: number, lift: number): (point: Vector) => Vector {
  const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const round = (x: number) => Math.round(1e4 * x) / 1e4;
  return ([x, y, z]) => [x, round(c * (y - 0.62) - s * z + lift), round(s * (y - 0.62) + c * z)];
}
