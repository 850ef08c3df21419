import type { Corner } from '../field/primitive.js';
import { bothSides, easeThere, swing, type Turn } from './create-clip.js';
import { mirrorFlesh, sheet, tube } from './flesh.js';
import type { Model } from './model.js';
import { createChain, type Joint, linkJoints, mirrorJoints, readPoints } from './rig.js';
import { walkLegs } from './walk-legs.js';

const TAIL = readPoints('0 2.45 -1.75, 0 2.6 -2.25, 0 2.95 -2.7, 0 3.45 -2.92, 0 3.95 -2.85, 0 4.3 -2.62');
const TAIL_BONES = ['tail.1', 'tail.2', 'tail.3', 'tail.4', 'tail.5'];

/** Decimetres, and a little cartoonish. */
const LEFT: readonly Joint[] = [
  ...createChain('ear.L', 'head', '0.36 3.55 2.12, 0.54 4.3 2.16'),
  ...createChain('fore.L', 'chest', '0.36 2.05 1.2, 0.4 1.3 0.98, 0.4 0.45 1.14, 0.4 0.15 1.42'),
  ...createChain(
    'hind.L',
    'pelvis',
    '0.36 2.15 -1.3, 0.44 1.4 -0.92, 0.44 0.62 -1.45, 0.44 0.18 -1.32, 0.44 0.15 -0.98',
  ),
];

const FLESH = [
  tube('body', '0 2.25 -1.45 0.46, 0 2.2 -0.75 0.5, 0 2.14 0.1 0.54, 0 2.2 0.85 0.54, 0 2.3 1.15 0.46', {
    bones: ['pelvis', 'spine.1', 'spine.2', 'spine.3', 'chest'],
    reach: 1.4,
  }),
  tube('belly', '0 1.96 -0.6 0.27, 0 1.82 0 0.37, 0 1.94 0.6 0.32', {
    bones: ['spine.1', 'spine.2', 'spine.3'],
    blends: ['body'],
  }),
  tube('neck', '0 2.3 1.15 0.42, 0 2.65 1.6 0.36, 0 2.95 1.95 0.36', {
    bones: ['chest', 'neck'],
    blends: ['body', 'head'],
  }),
  sheet('head', '0.17 3.2 1.98 0.5, 0.12 3.1 2.3 0.44', '-0.17 3.2 1.98 0.5, -0.12 3.1 2.3 0.44', {
    bones: ['head'],
    reach: 1.3,
  }),
  tube('chin', '0 2.82 2.4 0.18, 0 2.78 2.66 0.12', { bones: ['head'], blends: ['head', 'muzzle.L', 'muzzle.R'] }),
  tube('nose', '0 3.22 2.55 0.14, 0 3.1 2.76 0.12, 0 3.02 2.87 0.09', {
    bones: ['head'],
    blends: ['head', 'muzzle.L', 'muzzle.R'],
  }),
  tube(
    'tail',
    TAIL.map(([x, y, z], n) => [x, y, z, 0.23 - 0.022 * n] as const),
    { bones: TAIL_BONES, blends: ['body'] },
  ),
  ...mirrorFlesh([
    tube('muzzle.L', '0.08 2.92 2.5 0.2, 0.11 2.9 2.72 0.16', { bones: ['head'], blends: ['head'] }),
    tube('cheek.L', '0.3 2.98 2.2 0.26, 0.42 2.92 2.1 0.2', { bones: ['head'], blends: ['head', 'neck'] }),
    tube('eye.L', '0.22 3.22 2.6 0.16, 0.27 3.23 2.57 0.16', { bones: ['head'] }),
    {
      shape: {
        name: 'ear.L',
        corners: readPoints<Corner>('0.14 3.56 2.08 0.14, 0.56 3.3 1.98 0.15, 0.52 4.12 2.12 0.1'),
        simplices: [[0, 1, 2]],
      },
      bones: ['ear.L.1'],
      blends: ['head'],
    },
    tube('ear hollow.L', '0.4 3.64 2.3 0.14, 0.48 3.9 2.28 0.1', { carve: 0.4 }),
    tube('fore.L', '0.34 2.05 1.12 0.36, 0.4 1.35 1 0.24, 0.4 0.75 1.09 0.18, 0.4 0.3 1.16 0.17', {
      bones: ['fore.L.1', 'fore.L.2'],
      blends: ['body'],
    }),
    sheet('fore paw.L', '0.34 0.2 1.14 0.18, 0.32 0.19 1.42 0.18', '0.46 0.2 1.14 0.18, 0.48 0.19 1.42 0.18', {
      bones: ['fore.L.3'],
      blends: ['fore.L'],
    }),
    tube(
      'hind.L',
      '0.32 2.1 -1.25 0.46, 0.42 1.5 -1 0.34, 0.44 1 -1.14 0.2, 0.44 0.64 -1.4 0.18, 0.44 0.3 -1.33 0.17',
      {
        bones: ['hind.L.1', 'hind.L.2', 'hind.L.3'],
        blends: ['body'],
      },
    ),
    sheet('hind paw.L', '0.38 0.2 -1.3 0.18, 0.36 0.19 -1.02 0.18', '0.5 0.2 -1.3 0.18, 0.52 0.19 -1.02 0.18', {
      bones: ['hind.L.4'],
      blends: ['hind.L'],
    }),
  ]),
];

export const cat: Model = {
  name: 'cat',
  vertices: 1700,
  joints: [
    ...linkJoints(
      ['pelvis', 'spine.1', 'spine.2', 'spine.3', 'chest', 'neck', 'head', 'head.tip'],
      '0 2.55 -1.45, 0 2.62 -0.85, 0 2.62 -0.2, 0 2.6 0.45, 0 2.56 1.05, 0 2.7 1.55, 0 3.1 2.05, 0 2.95 2.85',
    ),
    ...createChain('tail', 'pelvis', TAIL),
    ...LEFT,
    ...mirrorJoints(LEFT),
  ],
  flesh: FLESH,
  lenses: '0 3.25 2.35 2 1.75',
  motions: [
    {
      name: 'paw',
      duration: 2.4,
      turns: (u) => {
        const lift = easeThere(u, 0.25);
        const beat = swing(3 * u) * lift;
        return {
          'fore.R.1': [-70 * lift - 8 * beat, 0, 0],
          'fore.R.2': [-20 * lift + 20 * beat, 0, 0],
          'fore.R.3': [80 * lift + 20 * beat, 0, 0],
          'spine.3': [0, 6 * lift, -6 * lift],
          neck: [0, -16 * lift, 8 * lift],
          head: [10 * lift, -12 * lift, 0],
          ...curlTail(u, 12),
        };
      },
    },
    {
      name: 'walk',
      duration: 1.2,
      turns: (u) => ({
        ...walkLegs(u, { stride: 28, knee: 90 }),
        pelvis: [0, 0, 4 * swing(u)],
        'spine.2': [0, 8 * swing(u, 0.1), -3 * swing(u)],
        neck: [6 * swing(2 * u), 0, 0],
        ...curlTail(u, 14),
      }),
    },
    {
      name: 'stretch',
      duration: 3,
      turns: (u) => {
        const down = easeThere(u, 0.2);
        return {
          pelvis: [22 * down, 0, 0],
          'spine.1': [14 * down, 0, 0],
          'spine.2': [4 * down, 0, 0],
          'spine.3': [-16 * down, 0, 0],
          chest: [-10 * down, 0, 0],
          neck: [-24 * down, 0, 0],
          head: [-10 * down, 0, 0],
          ...bothSides({
            'fore.*.1': [-88 * down, 0, 0],
            'fore.*.2': [-8 * down, 0, 0],
            'fore.*.3': [60 * down, 0, 0],
            'hind.*.1': [-22 * down, 0, 0],
          }),
          ...curlTail(u, 10 + 10 * down),
        };
      },
      shifts: (u) => ({ pelvis: [0, 0.1 * easeThere(u, 0.2), -0.3 * easeThere(u, 0.2)] }),
    },
    {
      name: 'hunch',
      duration: 2.4,
      turns: (u) => {
        const bow = easeThere(u, 0.2);
        return {
          pelvis: [-20 * bow, 0, 0],
          'spine.1': [9 * bow, 0, 0],
          'spine.2': [11 * bow, 0, 0],
          'spine.3': [11 * bow, 0, 0],
          chest: [9 * bow, 0, 0],
          neck: [-14 * bow, 0, 0],
          head: [-6 * bow, 0, 0],
          ...bothSides({ 'fore.*.1': [-20 * bow, 0, 0], 'hind.*.1': [20 * bow, 0, 0] }),
          ...curlTail(u, 8),
        };
      },
      shifts: (u) => ({ pelvis: [0, 0.08 * easeThere(u, 0.2), 0.1 * easeThere(u, 0.2)] }),
    },
  ],
};

function curlTail(u: number, degrees: number): Record<string, Turn> {
  return Object.fromEntries(
    TAIL_BONES.map((bone, n) => [bone, [0.5 * degrees * swing(u, 0.25), 0, degrees * swing(u, 0.1 * n)] as const]),
  );
}
