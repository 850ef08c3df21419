import { createField, createSheet, createTube } from '@isoskin/demos';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluatePotential } from '../../src/field/potential.js';
import { createPoint, createSegment } from '../shapes.js';

const SEED = 20261115;
const check = { seed: SEED, numRuns: 300 };
const place = fc.tuple(...[0, 1, 2].map(() => fc.double({ min: -2, max: 2, noNaN: true }))) as fc.Arbitrary<
  [number, number, number]
>;

const scene = createField({
  primitives: [
    createTube('trunk', [
      [0, -1.5, 0, 0.6],
      [0.1, 0, 0.2, 0.4],
      [0, 1.5, 0, 0.3],
    ]),
    createSegment('arm', [0, 0.5, 0, 0.3], [1.5, 0.8, 0.3, 0.1], { reach: 2, stiffness: 1 }),
    createSheet(
      'ear',
      [
        [0, 1, 0, 0.2],
        [0, 1, 1, 0.1],
      ],
      [
        [0, 1.6, 0, 0.2],
        [0, 1.8, 1, 0.05],
      ],
      { reach: 1.8 },
    ),
    createPoint('head', [0, 1.7, -0.3, 0.4]),
  ],
  blends: [
    ['trunk', 'arm'],
    ['trunk', 'ear'],
    ['trunk', 'head'],
  ],
});

describe(`createField, seed ${SEED}`, () => {
  it('has the gradient of its finite differences, away from creases', () => {
    const gradient = new Float64Array(3);
    let smooth = 0;
    fc.assert(
      fc.property(place, ([x, y, z]) => {
        const h = 1e-5;
        const value = scene.gradient(gradient, x, y, z);
        expect(value).toBe(scene.value(x, y, z));
        const axes = [
          [h, 0, 0],
          [0, h, 0],
          [0, 0, h],
        ] as const;
        axes.forEach(([dx, dy, dz], axis) => {
          const ahead = scene.value(x + dx, y + dy, z + dz);
          const behind = scene.value(x - dx, y - dy, z - dz);
          // Where the one-sided differences disagree the point is on a crease (max, or the middle of a primitive).
          if (Math.abs(ahead - 2 * value + behind) > 1e-7) return;
          smooth++;
          expect(gradient[axis]).toBeCloseTo((ahead - behind) / (2 * h), 4);
        });
      }),
      check,
    );
    expect(smooth).toBeGreaterThan(700);
  });

  it('equals the sum over all simplices: pruning loses nothing', () => {
    const { primitives } = scene;
    const alone = primitives.map((primitive) => createField({ primitives: [{ ...primitive, name: 'alone' }] }));
    const potentials = new Float64Array(primitives.length);
    fc.assert(
      fc.property(place, ([x, y, z]) => {
        scene.potentials(potentials, x, y, z);
        alone.forEach((field, i) => {
          expect(potentials[i]).toBeCloseTo(field.value(x, y, z), 12);
        });
      }),
      check,
    );
  });

  it('measures a tapered capsule as the union of its balls', () => {
    const [a, b] = [
      [0, 0, 0, 0.5],
      [2, 0.5, 0, 0.1],
    ] as const;
    const field = createField({ primitives: [createSegment('cone', a, b)] });
    fc.assert(
      fc.property(place, ([x, y, z]) => {
        let s = Infinity;
        for (let n = 0; n <= 2000; n++) {
          const at = (axis: 0 | 1 | 2 | 3) => a[axis] + ((b[axis] - a[axis]) * n) / 2000;
          s = Math.min(s, Math.hypot(x - at(0), y - at(1), z - at(2)) / at(3));
        }
        expect(field.value(x, y, z)).toBeCloseTo(evaluatePotential(s, 1.5, 3), 2);
      }),
      check,
    );
  });

  it('measures a triangle with three thicknesses as the union of its balls', () => {
    const corners = [
      [0, 0, 0, 0.5],
      [1.5, 0, 0.2, 0.3],
      [0.2, 1.4, 0, 0.15],
    ] as const;
    const field = createField({ primitives: [{ name: 'slab', corners, simplices: [[0, 1, 2]] }] });
    fc.assert(
      fc.property(place, ([x, y, z]) => {
        let s = Infinity;
        for (let m = 0; m <= 150; m++) {
          for (let n = 0; m + n <= 150; n++) {
            const at = (axis: 0 | 1 | 2 | 3) =>
              corners[0][axis] +
              ((corners[1][axis] - corners[0][axis]) * m + (corners[2][axis] - corners[0][axis]) * n) / 150;
            s = Math.min(s, Math.hypot(x - at(0), y - at(1), z - at(2)) / at(3));
          }
        }
        const found = field.value(x, y, z);
        const expected = evaluatePotential(s, 1.5, 3);
        expect(found).toBeGreaterThanOrEqual(expected - 1e-9);
        expect(found).toBeLessThan(expected + 0.06);
      }),
      { ...check, numRuns: 60 },
    );
  });

  it('does not melt an arm into the body beside it, although both blend with the shoulder', () => {
    const body = createSegment('body', [0, -2, 0, 0.5], [0, 1, 0, 0.5]);
    const shoulder = createSegment('shoulder', [0, 1, 0, 0.3], [0.84, 1, 0, 0.25]);
    const arm = createSegment('arm', [0.84, 1, 0, 0.25], [0.84, -2, 0, 0.25]);
    const primitives = [body, shoulder, arm];
    const chain = [
      ['body', 'shoulder'],
      ['shoulder', 'arm'],
    ] as const;
    const apart = createField({ primitives, blends: chain });
    const melted = createField({ primitives, blends: [...chain, ['body', 'arm']] });
    // Half-way between arm and body, well below the shoulder.
    const gap = [0.545, -0.8, 0] as const;
    expect(melted.value(...gap)).toBeGreaterThan(1);
    expect(apart.value(...gap)).toBeLessThan(1);
    // At the shoulder itself nothing changes.
    expect(apart.value(0.5, 1.2, 0)).toBe(melted.value(0.5, 1.2, 0));
  });

  it('is continuous across territories', () => {
    let previous = scene.value(-2, 0.9, 0.4);
    for (let n = 1; n <= 4000; n++) {
      const value = scene.value(-2 + n / 1000, 0.9, 0.4);
      expect(Math.abs(value - previous)).toBeLessThan(0.04);
      previous = value;
    }
  });

  it('takes away what carves, and says so in the gradient; what carves owns nothing', () => {
    const ball = createPoint('ball', [0, 0, 0, 1]);
    const dented = createField({ primitives: [ball, { ...createPoint('dent', [1.1, 0, 0, 0.3]), carve: 0.5 }] });
    const whole = createField({ primitives: [ball] });
    expect(dented.value(-1, 0, 0)).toBe(whole.value(-1, 0, 0));
    const place = [1, 0.1, 0.05] as const;
    expect(dented.value(...place)).toBeLessThan(whole.value(...place) - 0.5);
    const gradient = new Float64Array(3);
    dented.gradient(gradient, ...place);
    const step = 1e-6;
    const along = (dented.value(1, 0.1 + step, 0.05) - dented.value(1, 0.1 - step, 0.05)) / (2 * step);
    expect(gradient[1]).toBeCloseTo(along, 4);
    expect(dented.potentials(new Float64Array(2), ...place)).toBe(0);
  });

  it('refuses a potential that does not decrease, a blend with a stranger and an empty field', () => {
    const point = createPoint('p', [0, 0, 0, 1], { reach: 1.5, stiffness: 7 });
    expect(() => createField({ primitives: [point] })).toThrow(/must decrease/);
    expect(() => createField({ primitives: [createPoint('p', [0, 0, 0, 1])], blends: [['p', 'q']] })).toThrow(
      /names two/,
    );
    expect(() => createField({ primitives: [createPoint('p', [0, 0, 0, 0])] })).toThrow(/thickness above 0/);
    expect(() => createField({ primitives: [] })).toThrow(/no primitive/);
  });
});
