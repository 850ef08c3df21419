import { easeThere, swing, type Turn } from './create-clip.js';
import { mirrorFlesh, placeFlesh, sheet, tube } from './flesh.js';
import { createHeadFlesh } from './head-flesh.js';
import type { Model } from './model.js';
import { createChain, type Joint, linkJoints, mirrorJoints } from './rig.js';

/** Metres; arms half-way down. Thigh and shin are equally long, so that a squat keeps the feet on the floor. */
const HIP = 0.96;
const SHIN = 0.43;

const LEFT: readonly Joint[] = [
  { name: 'clavicle.L', parent: 'chest', at: [0.05, 1.5, 0] },
  ...createChain(
    'arm.L',
    'clavicle.L',
    '0.2 1.49 -0.01, 0.43 1.27 -0.02, 0.63 1.07 0.01, 0.72 0.98 0.02, 0.82 0.88 0.03',
  ),
  ...createChain('thumb.L', 'arm.L.3', '0.66 1.05 0.05, 0.71 1.02 0.13'),
  ...createChain('leg.L', 'pelvis', [
    [0.11, HIP, 0],
    [0.125, HIP - SHIN, 0.01],
    [0.135, HIP - 2 * SHIN, -0.01],
    [0.145, 0.04, 0.12],
    [0.15, 0.04, 0.2],
  ]),
];

/** A finger; the four lie side by side. */
const finger = (name: string, corners: string) =>
  tube(name, corners, { bones: ['arm.L.4'], blends: ['hand.L'], reach: 1.35 });

const FLESH = [
  sheet(
    'torso',
    '0.07 1 0 0.108, 0.055 1.14 0 0.096, 0.085 1.29 0 0.115, 0.12 1.4 -0.01 0.11, 0.11 1.46 -0.015 0.085',
    '-0.07 1 0 0.108, -0.055 1.14 0 0.096, -0.085 1.29 0 0.115, -0.12 1.4 -0.01 0.11, -0.11 1.46 -0.015 0.085',
    { bones: ['pelvis', 'spine.1', 'spine.2', 'chest', 'clavicle.L', 'clavicle.R'], reach: 1.3 },
  ),
  tube('neck', '0 1.48 -0.025 0.07, 0 1.58 -0.02 0.058, 0 1.68 -0.012 0.055', {
    bones: ['neck'],
    blends: ['torso', 'skull', 'throat', 'jaw.L', 'jaw.R'],
  }),
  ...placeFlesh(
    createHeadFlesh(['head']).filter(({ shape }) => !/helix|nostril/.test(shape.name)),
    0.106,
    [0, 1.63, 0.02],
  ),
  ...mirrorFlesh([
    tube('trapezius.L', '0.025 1.62 -0.035 0.035, 0.09 1.54 -0.035 0.05, 0.18 1.505 -0.02 0.055', {
      bones: ['neck', 'chest', 'clavicle.L'],
      blends: ['torso', 'neck', 'arm.L'],
    }),
    tube('pectoral.L', '0.055 1.355 0.07 0.052, 0.11 1.37 0.068 0.058, 0.17 1.42 0.03 0.05', {
      bones: ['spine.2', 'chest', 'clavicle.L'],
      blends: ['torso', 'arm.L'],
    }),
    tube('flank.L', '0.16 1.42 -0.05 0.05, 0.145 1.32 -0.04 0.05, 0.1 1.2 -0.03 0.05', {
      bones: ['spine.1', 'spine.2', 'chest', 'clavicle.L'],
      blends: ['torso', 'arm.L'],
    }),
    tube(
      'arm.L',
      '0.19 1.465 -0.01 0.076, 0.25 1.43 -0.01 0.076, 0.32 1.37 -0.01 0.064, 0.43 1.27 -0.015 0.052, 0.485 1.215 -0.01 0.057, 0.57 1.13 0 0.044, 0.63 1.07 0.01 0.033',
      { bones: ['clavicle.L', 'arm.L.1', 'arm.L.2'], blends: ['torso'] },
    ),
    tube('biceps.L', '0.29 1.4 0.02 0.035, 0.34 1.355 0.025 0.04, 0.39 1.31 0.015 0.032', {
      bones: ['arm.L.1'],
      blends: ['arm.L'],
    }),
    sheet(
      'hand.L',
      '0.64 1.06 0.025 0.026, 0.68 1.02 0.048 0.025, 0.724 0.976 0.058 0.02',
      '0.635 1.065 -0.005 0.026, 0.67 1.03 -0.018 0.025, 0.712 0.988 -0.027 0.019',
      { bones: ['arm.L.3'], blends: ['arm.L'] },
    ),
    finger('index.L', '0.725 0.975 0.052 0.017, 0.77 0.93 0.052 0.017, 0.796 0.9 0.048 0.0155'),
    finger('middle.L', '0.725 0.975 0.028 0.0175, 0.776 0.924 0.028 0.0175, 0.806 0.888 0.026 0.016'),
    finger('ring.L', '0.722 0.978 0.004 0.017, 0.77 0.93 0.004 0.017, 0.798 0.896 0.004 0.0155'),
    finger('little.L', '0.716 0.984 -0.02 0.016, 0.752 0.948 -0.02 0.016, 0.776 0.92 -0.016 0.0145'),
    tube('thumb.L', '0.655 1.045 0.035 0.033, 0.67 1.03 0.08 0.028, 0.686 1.018 0.115 0.024, 0.7 1.006 0.14 0.021', {
      bones: ['thumb.L.1', 'arm.L.3'],
      blends: ['hand.L'],
    }),
    tube('seat.L', '0.08 0.99 -0.045 0.085, 0.09 0.92 -0.045 0.085', {
      bones: ['leg.L.1'],
      blends: ['torso', 'leg.L'],
    }),
    tube(
      'leg.L',
      '0.105 0.94 0.005 0.104, 0.115 0.8 0.012 0.094, 0.123 0.64 0.015 0.074, 0.126 0.53 0.012 0.058, 0.13 0.4 -0.015 0.056, 0.134 0.24 -0.015 0.04, 0.135 0.11 -0.015 0.036',
      { bones: ['leg.L.1', 'leg.L.2'], blends: ['torso'] },
    ),
    tube('knee.L', '0.126 0.55 0.035 0.03, 0.127 0.51 0.033 0.03', {
      bones: ['leg.L.1', 'leg.L.2'],
      blends: ['leg.L'],
    }),
    tube('calf.L', '0.132 0.44 -0.03 0.036, 0.133 0.36 -0.035 0.04, 0.134 0.27 -0.025 0.03', {
      bones: ['leg.L.2'],
      blends: ['leg.L'],
    }),
    sheet(
      'foot.L',
      '0.122 0.042 -0.045 0.038, 0.12 0.06 0.03 0.036, 0.122 0.038 0.11 0.032, 0.13 0.03 0.19 0.027',
      '0.148 0.042 -0.045 0.038, 0.152 0.054 0.03 0.036, 0.166 0.034 0.1 0.03, 0.164 0.03 0.16 0.027',
      { bones: ['leg.L.3', 'leg.L.4'], blends: ['leg.L'] },
    ),
  ]),
];

export const hero: Model = {
  name: 'hero',
  vertices: 5700,
  joints: [
    ...linkJoints(
      ['pelvis', 'spine.1', 'spine.2', 'chest', 'neck', 'head', 'head.tip'],
      '0 1.02 -0.02, 0 1.13 -0.03, 0 1.25 -0.03, 0 1.38 -0.03, 0 1.56 -0.01, 0 1.65 0.01, 0 1.86 0.02',
    ),
    ...LEFT,
    ...mirrorJoints(LEFT),
  ],
  flesh: FLESH,
  lenses: '0 1.745 0.045 0.66 3.6, 0.72 0.98 0.04 0.5 2.2, -0.72 0.98 0.04 0.5 2.2, 0 0.03 0.1 0.5 1.9',
  motions: [
    {
      name: 'squat',
      duration: 2.4,
      turns: (u) => {
        const down = easeThere(u, 0.15);
        const knee = 54 * down;
        return {
          pelvis: [28 * down, 0, 0],
          'spine.1': [8 * down, 0, 0],
          chest: [-10 * down, 0, 0],
          neck: [-14 * down, 0, 0],
          'leg.L.1': [-knee - 28 * down, -8 * down, 0],
          'leg.R.1': [-knee - 28 * down, 8 * down, 0],
          'leg.L.2': [2 * knee, 0, 0],
          'leg.R.2': [2 * knee, 0, 0],
          'leg.L.3': [-knee, 8 * down, 0],
          'leg.R.3': [-knee, -8 * down, 0],
          'arm.L.1': [0, -72 * down, 45 * down],
          'arm.R.1': [0, 72 * down, -45 * down],
          'arm.L.2': flexElbow('L', 12 * down),
          'arm.R.2': flexElbow('R', 12 * down),
        };
      },
      shifts: (u) => {
        const angle = (54 * easeThere(u, 0.15) * Math.PI) / 180;
        return { pelvis: [0, -2 * SHIN * (1 - Math.cos(angle)), 0] };
      },
    },
    {
      name: 'punch',
      duration: 1.6,
      turns: (u) => {
        const guard = easeThere(u, 0.55);
        const hit = easeThere(Math.min(1, Math.max(0, (u - 0.25) / 0.5)), 0.2) * guard;
        const back = guard - hit;
        return {
          'spine.1': [4 * hit, -8 * back + 14 * hit, 0],
          'spine.2': [4 * hit, -10 * back + 18 * hit, 0],
          chest: [0, -10 * back + 18 * hit, 0],
          neck: [0, 24 * back - 42 * hit, 0],
          'arm.R.1': [0, 10 * back + 44 * hit, 28 * back - 45 * hit],
          'arm.R.2': flexElbow('R', 115 * back + 4 * hit),
          'arm.R.4': [0, 0, 100 * guard],
          'arm.L.1': [0, -25 * guard, -25 * guard],
          'arm.L.2': flexElbow('L', 115 * guard),
          'arm.L.4': [0, 0, -100 * guard],
          'leg.L.1': [-22 * guard, 0, 0],
          'leg.L.2': [30 * guard, 0, 0],
          'leg.L.3': [-8 * guard, 0, 0],
          'leg.R.1': [10 * guard, 0, 0],
          'leg.R.2': [16 * guard, 0, 0],
          'leg.R.3': [-20 * guard, 0, 0],
        };
      },
      shifts: (u) => ({ pelvis: [0, -0.03 * easeThere(u, 0.55), 0] }),
    },
    {
      name: 'twist',
      duration: 2.4,
      turns: (u) => ({
        'spine.1': [0, 20 * swing(u), 5 * swing(u)],
        'spine.2': [0, 22 * swing(u), 7 * swing(u)],
        chest: [0, 22 * swing(u), 5 * swing(u)],
        neck: [0, 20 * swing(u), 0],
        'arm.L.1': [0, 20 * swing(u), 40],
        'arm.R.1': [0, 20 * swing(u), -40],
        'arm.L.2': flexElbow('L', 50 + 40 * swing(u)),
        'arm.R.2': flexElbow('R', 50 - 40 * swing(u)),
      }),
    },
    {
      name: 'knees',
      duration: 2.4,
      turns: (u) => {
        const [left, right] = [u, u + 0.5].map((phase) => Math.max(0, Math.sin(2 * Math.PI * phase)) ** 1.5);
        return {
          'spine.1': [4, 6 * swing(u), 0],
          'leg.L.1': [-38 * left!, 0, 0],
          'leg.R.1': [-38 * right!, 0, 0],
          'leg.L.2': [78 * left!, 0, 0],
          'leg.R.2': [78 * right!, 0, 0],
          'leg.L.3': [16 * left!, 0, 0],
          'leg.R.3': [16 * right!, 0, 0],
          'arm.L.1': [12 * swing(u), 0, -20],
          'arm.R.1': [-12 * swing(u), 0, 20],
          'arm.L.2': flexElbow('L', 40),
          'arm.R.2': flexElbow('R', 40),
        };
      },
    },
  ],
};

/** The forearm towards the front, about the axis across an arm that hangs out at 45°. */
function flexElbow(side: 'L' | 'R', degrees: number): Turn {
  return side === 'L' ? [-1, -1, 0, degrees] : [-1, 1, 0, degrees];
}
