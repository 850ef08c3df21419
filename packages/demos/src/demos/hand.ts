import { easeThere, swing, type Turn } from './create-clip.js';
import { sheet, tube } from './flesh.js';
import type { Model } from './model.js';
import { createChain, type Point, readPoints } from './rig.js';

/** Name, knuckle, lean, lengths of the three bones and thickness. Decimetres; fingers point up, the palm looks along +z. */
const FINGERS = [
  finger('index', [0.41, 0.98], 9, [0.4, 0.27, 0.2], 0.128),
  finger('middle', [0.135, 1.04], 2, [0.45, 0.3, 0.21], 0.132),
  finger('ring', [-0.14, 1.0], -6, [0.42, 0.28, 0.2], 0.126),
  finger('little', [-0.4, 0.88], -14, [0.33, 0.21, 0.17], 0.112),
];

const THUMB = readPoints('0.3 0.25 0.08, 0.55 0.52 0.16, 0.74 0.78 0.2, 0.87 0.98 0.21');

/** A finger leaning by `lean` degrees towards the thumb, with three bones behind its middle. */
function finger(name: string, [x, y]: readonly [number, number], lean: number, lengths: number[], thickness: number) {
  const [sine, cosine] = [Math.sin((lean * Math.PI) / 180), Math.cos((lean * Math.PI) / 180)];
  let along = 0;
  const points: Point[] = [[x, y, 0]];
  for (const length of lengths) {
    along += length;
    points.push([x + sine * along, y + cosine * along, 0]);
  }
  return {
    name,
    points,
    across: [cosine, -sine, 0] as const,
    lean,
    thickness: [0.9, 1, 0.92, 0.78].map((factor) => factor * thickness),
  };
}

/** Bones run this far behind the middle of the finger: the pads are on the palm side. */
const BACK = 0.03;

export const hand: Model = {
  name: 'hand',
  vertices: 8600,
  joints: [
    { name: 'forearm', at: [0, -1.0, -0.02] },
    { name: 'palm', parent: 'forearm', at: [0, -0.05, -0.02] },
    ...FINGERS.flatMap(({ name, points }) =>
      createChain(
        name,
        'palm',
        points.map(([x, y, z]) => [x, y, z - BACK] as const),
      ),
    ),
    ...createChain('thumb', 'palm', THUMB),
  ],
  flesh: [
    tube('forearm', '0 -1.05 0 0.28, 0 -0.5 0 0.235, 0 0.02 0 0.18', { bones: ['forearm'], blends: ['palm'] }),
    sheet(
      'palm',
      '0.1 0.1 0 0.14, 0.25 0.38 0.01 0.16, 0.39 0.99 0 0.104',
      '-0.1 0.1 0 0.14, -0.26 0.38 0.01 0.155, -0.39 0.92 0 0.098',
      { bones: ['palm'], reach: 1.35 },
    ),
    ...FINGERS.map(({ name, points, thickness }) =>
      tube(
        name,
        points.map(([x, y, z], n) => [x, y, z, thickness[n]!] as const),
        { bones: [1, 2, 3].map((n) => `${name}.${n}`), blends: ['palm'], reach: 1.35 },
      ),
    ),
    tube('thumb', '0.24 0.22 0.06 0.19, 0.52 0.5 0.15 0.15, 0.74 0.78 0.2 0.13, 0.86 0.96 0.21 0.1', {
      bones: ['thumb.1', 'thumb.2', 'thumb.3'],
      blends: ['palm'],
      reach: 1.35,
    }),
  ],
  motions: [
    {
      name: 'fist',
      duration: 3,
      turns: (u) => ({ ...curl(easeThere(u, 0.2)), palm: [-12 * easeThere(u, 0.2), 0, 0] }),
    },
    {
      name: 'wave',
      duration: 2,
      turns: (u) => ({
        palm: [8 * swing(2 * u), 0, 28 * swing(u)],
        ...bendFingers((f) => 24 - 24 * Math.cos(2 * Math.PI * (u - 0.08 * f))),
        'thumb.1': [10 * swing(u), 0, 12 * swing(u)],
      }),
    },
    {
      name: 'wrist',
      duration: 2.4,
      turns: (u) => {
        const bent = easeThere(u, 0.2);
        return { palm: [72 * bent, 0, 0], ...bendFingers(() => 16 * bent) };
      },
    },
  ],
};

/** All three joints of a finger by the same angle. */
function bendFingers(degrees: (finger: number) => number): Record<string, Turn> {
  const turns = FINGERS.flatMap(({ name }, f) => [1, 2, 3].map((n) => [`${name}.${n}`, [degrees(f), 0, 0]] as const));
  return Object.fromEntries(turns);
}

/** 0: open, 1: fist. The little finger leads, the fingers close up side by side; then the thumb lies over them. */
function curl(amount: number): Record<string, Turn> {
  const late = Math.max(0, 5 * amount - 4);
  const over = late * late * (3 - 2 * late);
  const turns: Record<string, Turn> = {
    'thumb.1': [42 * over, -16 * over, 4 * over],
    'thumb.2': [24 * over, -26 * over, 22 * over],
    'thumb.3': [14 * over, -26 * over, 36 * over],
  };
  FINGERS.forEach(({ name, lean, across }, f) => {
    const most = name === 'index' ? 0.92 : 1; // the thumb needs its place
    const bent = Math.min(1, amount * (1 + 0.08 * f)) * most;
    turns[`${name}.1`] = [82 * bent, 0, lean * bent];
    turns[`${name}.2`] = [...across, 94 * bent];
    turns[`${name}.3`] = [...across, 60 * bent];
  });
  return turns;
}
