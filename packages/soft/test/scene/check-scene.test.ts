import { IsoskinError } from '@isoskin/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkScene } from '../../src/scene/check-scene.js';
import { createScene, sceneNames } from '../../src/scene/create-scene.js';

// biome-ignore lint/suspicious/noExplicitAny: scenes are broken on purpose here
type Loose = any;

const good = (): Loose => ({
  objects: [
    {
      name: 'man',
      primitives: [
        {
          name: 'chest',
          points: [
            [0, 1, 0],
            [0, 1.5, 0],
          ],
          thickness: 0.2,
          body: 'chest',
        },
        {
          name: 'arm',
          points: [
            [0.3, 1.5, 0],
            [0.8, 1.5, 0],
          ],
          thickness: 0.1,
          body: 'arm',
        },
      ],
      blend: [['chest', 'arm']],
      structure: {
        kind: 'bodies',
        bodies: [
          { name: 'chest', mass: 20 },
          { name: 'arm', mass: 3 },
        ],
        joints: [{ between: ['chest', 'arm'], at: [0.25, 1.5, 0], axis: [0, 0, 1], limits: [-90, 90] }],
      },
      targets: {
        arm: [
          [0, 1],
          [1, 1.2],
        ],
      },
    },
    {
      name: 'paste',
      structure: {
        kind: 'particles',
        mass: 1,
        spacing: 0.1,
        fill: {
          box: [
            [0, 0, 0],
            [1, 1, 1],
          ],
        },
      },
    },
    {
      name: 'puppet',
      primitives: [
        {
          name: 'string',
          points: [
            [5, 0, 0],
            [5, 1, 0],
            [5, 2, 0],
          ],
          thickness: 0.1,
        },
      ],
      structure: {
        kind: 'kinematic',
        motions: [{ primitives: ['string'], points: [2], keys: [{ time: 0 }, { time: 1 }] }],
      },
    },
  ],
  obstacles: [
    { name: 'floor', shape: 'plane' },
    { name: 'roller', shape: 'capsule', radius: 0.2, length: 1 },
  ],
});

/** The message of the refusal; its place is the field. */
function refuse(change: (scene: Loose) => void): { message: string; place: string } {
  const scene = good();
  change(scene);
  try {
    checkScene(scene);
  } catch (error) {
    expect(error).toBeInstanceOf(IsoskinError);
    const { message, place } = error as IsoskinError;
    expect(message).not.toMatch(/undefined|\[object| {2}/);
    return { message, place };
  }
  throw new Error('the scene was accepted');
}

describe('checkScene', () => {
  it('accepts a good scene and the built-in ones', () => {
    const scene = good();
    expect(checkScene(scene)).toBe(scene);
    for (const name of sceneNames)
      expect(() => checkScene(JSON.parse(JSON.stringify(createScene(name))))).not.toThrow();
  });

  it.each<[string, string, (s: Loose) => void]>([
    ['negative radius', 'objects[0].primitives[1].thickness', (s) => (s.objects[0].primitives[1].thickness = -0.1)],
    ['zero radius', 'objects[0].primitives[1].thickness', (s) => (s.objects[0].primitives[1].thickness = 0)],
    ['absurd size', 'objects[0].primitives[0].points[1][2]', (s) => (s.objects[0].primitives[0].points[1][2] = 1e300)],
    ['NaN', 'objects[0].primitives[0].points[0][1]', (s) => (s.objects[0].primitives[0].points[0][1] = NaN)],
    ['negative radius of an obstacle', 'obstacles[1].radius', (s) => (s.obstacles[1].radius = -1)],
    ['no radius at all', 'obstacles[1].radius', (s) => (s.obstacles[1].radius = 0)],
    ['zero mass', 'objects[0].structure.bodies[0].mass', (s) => (s.objects[0].structure.bodies[0].mass = 0)],
    ['zero mass of particles', 'objects[1].structure.mass', (s) => (s.objects[1].structure.mass = 0)],
    ['unknown body', 'objects[0].primitives[0].body', (s) => (s.objects[0].primitives[0].body = 'cest')],
    [
      'unknown body of a joint',
      'objects[0].structure.joints[0].between[1]',
      (s) => (s.objects[0].structure.joints[0].between[1] = 'leg'),
    ],
    ['unknown primitive in the graph', 'objects[0].blend[0][0]', (s) => (s.objects[0].blend[0][0] = 'head')],
    ['unknown target', 'objects[0].targets.leg', (s) => (s.objects[0].targets = { leg: [[0, 1]] })],
    [
      'unknown primitive in a motion',
      'objects[2].structure.motions[0].primitives[0]',
      (s) => (s.objects[2].structure.motions[0].primitives = ['rope']),
    ],
    [
      'unknown point in a motion',
      'objects[2].structure.motions[0].points[0]',
      (s) => (s.objects[2].structure.motions[0].points = [3]),
    ],
    ['unknown structure', 'objects[0].structure.kind', (s) => (s.objects[0].structure.kind = 'jelly')],
    ['unknown shape', 'obstacles[0].shape', (s) => (s.obstacles[0].shape = 'cone')],
    ['unknown field', 'objects[0].colour', (s) => (s.objects[0].colour = [1, 0, 0])],
    ['two of one name', 'objects[1].name', (s) => (s.objects[1].name = 'man')],
    ['an obstacle named as an object', 'obstacles[0].name', (s) => (s.obstacles[0].name = 'man')],
    [
      'overlapping anchors',
      'objects[0].primitives[1].points',
      (s) => (s.objects[0].primitives[1].points = s.objects[0].primitives[0].points),
    ],
    [
      'a segment without length',
      'objects[0].primitives[0].points[1]',
      (s) => (s.objects[0].primitives[0].points[1] = [0, 1, 0]),
    ],
    [
      'two joints for one pair',
      'objects[0].structure.joints[1].between',
      (s) => s.objects[0].structure.joints.push({ between: ['arm', 'chest'], at: [0, 0, 0] }),
    ],
    [
      'overlapping particles',
      'objects[1].structure.fill.points[1]',
      (s) =>
        (s.objects[1].structure.fill = {
          points: [
            [9, 9, 9],
            [9, 9, 9],
          ],
        }),
    ],
    ['an empty fill', 'objects[1].structure.fill', (s) => (s.objects[1].structure.fill = {})],
    [
      'a body without a shape',
      'objects[0].structure.bodies[2].name',
      (s) => s.objects[0].structure.bodies.push({ name: 'soul', mass: 0.021 }),
    ],
    [
      'keys out of order',
      'objects[2].structure.motions[0].keys[1].time',
      (s) => (s.objects[2].structure.motions[0].keys[1].time = 0),
    ],
    ['a target below nothing', 'objects[0].targets.arm[1][1]', (s) => (s.objects[0].targets.arm[1][1] = -1)],
    [
      'swapped limits',
      'objects[0].structure.joints[0].limits',
      (s) => (s.objects[0].structure.joints[0].limits = [90, -90]),
    ],
    [
      'a direction without length',
      'objects[0].structure.joints[0].axis',
      (s) => (s.objects[0].structure.joints[0].axis = [0, 0, 0]),
    ],
    ['nothing to simulate', 'objects', (s) => (s.objects = [])],
    ['no list', 'objects', (s) => (s.objects = 'many')],
    ['no primitives', 'objects[0].primitives', (s) => delete s.objects[0].primitives],
    ['gravity as a number', 'gravity', (s) => (s.gravity = -9.81)],
    ['fps', 'fps', (s) => (s.fps = Infinity)],
  ])('%s is refused at %s', (_, field, change) => {
    expect(refuse(change).place).toBe(`scene: ${field}`);
  });

  it('names of prototypes are names like any other', () => {
    const { place } = refuse((s) => Object.assign(s, JSON.parse('{ "x": 1 }')));
    expect(place).toBe('scene: x');
    for (const key of ['__proto__', 'constructor', 'toString']) {
      const text = JSON.stringify(good());
      expect(() => checkScene(JSON.parse(text.replace('"objects"', `"${key}": 1, "objects"`)))).toThrow(key);
      expect(() => checkScene(JSON.parse(text.replace('"arm":[[', `"${key}":[[`)))).toThrow(key);
      expect(() => checkScene(JSON.parse(text.replace('"shape":"plane"', `"shape":"${key}"`)))).toThrow(
        'obstacles[0].shape',
      );
      expect(() => checkScene(JSON.parse(text.replace('"kind":"bodies"', `"kind":"${key}"`)))).toThrow(
        'structure.kind',
      );
    }
  });

  it('never fails in another way, whatever it is given (seed 5)', () => {
    const paths = ['objects', 'obstacles', 'gravity', 'fps', 'view', 'fusion'];
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue(), fc.integer({ min: 0, max: 2 }), (path, value, depth) => {
        const scene = good();
        if (depth === 0) scene[path] = value;
        else if (depth === 1) scene.objects[0].structure = value;
        else scene.objects[0].primitives[0] = value;
        try {
          checkScene(scene);
        } catch (error) {
          expect(error).toBeInstanceOf(IsoskinError);
        }
      }),
      { seed: 5, numRuns: 300 },
    );
    for (const value of [null, undefined, 3, 'merge', [], () => 1])
      expect(() => checkScene(value)).toThrow(IsoskinError);
  });
});
