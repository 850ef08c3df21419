import { easeThere, swing, type Turn } from './create-clip.js';
import { mirrorFlesh, sheet, tube } from './flesh.js';
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
  flesh: [
    sheet(
      'torso',
      '0.07 1 0 0.115, 0.06 1.14 0 0.11, 0.095 1.31 0.005 0.128, 0.135 1.43 -0.005 0.115',
      '-0.07 1 0 0.115, -0.06 1.14 0 0.11, -0.095 1.31 0.005 0.128, -0.135 1.43 -0.005 0.115',
      { bones: ['pelvis', 'spine.1', 'spine.2', 'chest', 'clavicle.L', 'clavicle.R'], reach: 1.3 },
    ),
    tube('neck', '0 1.46 -0.01 0.07, 0 1.6 0 0.06, 0 1.68 0.01 0.06', { bones: ['neck'], blends: ['torso', 'head'] }),
    tube('head', '0 1.7 0.045 0.078, 0 1.77 0.02 0.108, 0 1.8 0.005 0.108', { bones: ['head'], reach: 1.3 }),
    tube('nose', '0 1.77 0.11 0.025, 0 1.735 0.122 0.028', { bones: ['head'], blends: ['head'] }),
    ...mirrorFlesh([
      tube(
        'arm.L',
        '0.19 1.47 -0.01 0.088, 0.28 1.415 -0.01 0.084, 0.36 1.335 -0.01 0.076, 0.43 1.27 -0.01 0.062, 0.49 1.21 -0.01 0.066, 0.63 1.07 0.01 0.044',
        { bones: ['clavicle.L', 'arm.L.1', 'arm.L.2'], blends: ['torso'] },
      ),
      sheet(
        'hand.L',
        '0.64 1.07 0.03 0.03, 0.73 0.98 0.06 0.033, 0.82 0.89 0.055 0.029',
        '0.63 1.06 -0.01 0.03, 0.71 0.97 -0.03 0.033, 0.8 0.88 -0.015 0.029',
        { bones: ['arm.L.3', 'arm.L.4'], blends: ['arm.L'] },
      ),
      tube('thumb.L', '0.66 1.05 0.05 0.028, 0.695 1.035 0.1 0.027, 0.72 1.01 0.135 0.024', {
        bones: ['thumb.L.1'],
        blends: ['hand.L'],
      }),
      tube(
        'leg.L',
        '0.105 0.94 0 0.11, 0.12 0.78 0.005 0.098, 0.128 0.53 0.01 0.073, 0.132 0.4 -0.015 0.074, 0.135 0.14 -0.015 0.045, 0.135 0.09 -0.015 0.05',
        { bones: ['leg.L.1', 'leg.L.2'], blends: ['torso'] },
      ),
      tube('foot.L', '0.135 0.055 -0.035 0.05, 0.14 0.062 0.03 0.05, 0.146 0.045 0.12 0.045, 0.15 0.04 0.18 0.04', {
        bones: ['leg.L.3', 'leg.L.4'],
        blends: ['leg.L'],
      }),
    ]),
  ],
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
