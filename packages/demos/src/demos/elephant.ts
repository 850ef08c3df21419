import { bothSides, easeThere, swing, type Turn } from './create-clip.js';
import { mirrorFlesh, sheet, tube } from './flesh.js';
import type { Model } from './model.js';
import { createChain, type Joint, linkJoints, mirrorJoints, readPoints } from './rig.js';
import { walkLegs } from './walk-legs.js';

/** Metres. The spine runs under the back, so that the belly hangs far from every bone (organic maps, D4). */
const SPINE: readonly Joint[] = linkJoints(
  ['pelvis', 'spine.1', 'spine.2', 'chest', 'neck', 'head', 'head.tip'],
  '0 2 -1, 0 2.12 -0.5, 0 2.16 0.1, 0 2.12 0.65, 0 2.12 1.1, 0 2.22 1.42, 0 2.3 1.85',
);

const TRUNK = readPoints(
  '0 2 1.95, 0 1.74 2.14, 0 1.48 2.24, 0 1.22 2.29, 0 0.98 2.32, 0 0.76 2.35, 0 0.56 2.4, 0 0.4 2.48',
);
const TRUNK_THICKNESS = [0.3, 0.25, 0.21, 0.185, 0.165, 0.145, 0.125, 0.11];
const TRUNK_BONES = ['trunk.1', 'trunk.2', 'trunk.3', 'trunk.4', 'trunk.5', 'trunk.6', 'trunk.7'];

const LEFT: readonly Joint[] = [
  ...createChain('ear.L', 'head', '0.4 2.28 1.42, 0.78 2.25 1.2, 1.12 2.15 1'),
  ...createChain('fore.L', 'chest', '0.4 1.62 0.72, 0.43 0.98 0.76, 0.43 0.36 0.72, 0.43 0.1 0.84'),
  ...createChain('hind.L', 'pelvis', '0.4 1.66 -0.92, 0.43 1 -0.78, 0.43 0.38 -0.94, 0.43 0.1 -0.82'),
];

const FLESH = [
  tube('body', '0 1.74 -1.1 0.46, 0 1.7 -0.65 0.68, 0 1.64 -0.05 0.76, 0 1.72 0.5 0.68, 0 1.86 0.9 0.48', {
    bones: ['pelvis', 'spine.1', 'spine.2', 'chest'],
    reach: 1.35,
  }),
  tube('head', '0 1.98 1.1 0.4, 0 2.22 1.42 0.45, 0 2.24 1.7 0.4, 0 2 1.92 0.3', {
    bones: ['neck', 'head'],
    blends: ['body'],
    reach: 1.35,
  }),
  tube(
    'trunk',
    TRUNK.map(([x, y, z], n) => [x, y, z, TRUNK_THICKNESS[n]!] as const),
    { bones: TRUNK_BONES, blends: ['head'] },
  ),
  tube('tail', '0 2 -1.5 0.13, 0 1.8 -1.75 0.1, 0 1.4 -1.86 0.09, 0 1.05 -1.9 0.09, 0 0.85 -1.91 0.12', {
    bones: ['tail.1', 'tail.2', 'tail.3'],
    blends: ['body'],
  }),
  ...mirrorFlesh([
    sheet(
      'ear.L',
      '0.36 2.42 1.45 0.1, 0.6 2.66 1.32 0.1, 0.92 2.66 1.12 0.1, 1.16 2.4 0.98 0.1, 1.2 2.16 0.96 0.1',
      '0.36 2.05 1.45 0.1, 0.52 1.82 1.37 0.1, 0.7 1.6 1.24 0.1, 0.9 1.58 1.12 0.1, 1.08 1.84 1.02 0.1',
      { bones: ['ear.L.1', 'ear.L.2'], blends: ['head'], reach: 1.8, pieces: 2 },
    ),
    tube('tusk.L', '0.2 1.95 1.85 0.1, 0.27 1.68 2.05 0.09, 0.31 1.52 2.3 0.085, 0.3 1.5 2.52 0.075', {
      bones: ['head'],
      blends: ['head'],
    }),
    tube('fore.L', '0.36 1.6 0.7 0.4, 0.43 1 0.76 0.29, 0.43 0.5 0.74 0.25, 0.43 0.36 0.75 0.22', {
      bones: ['fore.L.1', 'fore.L.2', 'fore.L.3'],
      blends: ['body'],
      reach: 1.4,
    }),
    sheet('fore foot.L', '0.34 0.2 0.68 0.2, 0.34 0.2 0.88 0.2', '0.52 0.2 0.68 0.2, 0.52 0.2 0.88 0.2', {
      bones: ['fore.L.3'],
      blends: ['fore.L'],
      pieces: 1,
    }),
    tube('hind.L', '0.34 1.62 -0.9 0.46, 0.43 1.02 -0.8 0.32, 0.43 0.5 -0.9 0.25, 0.43 0.36 -0.88 0.22', {
      bones: ['hind.L.1', 'hind.L.2', 'hind.L.3'],
      blends: ['body'],
      reach: 1.4,
    }),
    sheet('hind foot.L', '0.34 0.2 -0.96 0.2, 0.34 0.2 -0.76 0.2', '0.52 0.2 -0.96 0.2, 0.52 0.2 -0.76 0.2', {
      bones: ['hind.L.3'],
      blends: ['hind.L'],
      pieces: 1,
    }),
  ]),
];

export const elephant: Model = {
  name: 'elephant',
  vertices: 5700,
  joints: [
    ...SPINE,
    ...createChain('trunk', 'head', TRUNK),
    ...createChain('tail', 'pelvis', '0 2 -1.5, 0 1.75 -1.78, 0 1.4 -1.86, 0 0.9 -1.9'),
    ...LEFT,
    ...mirrorJoints(LEFT),
  ],
  flesh: FLESH,
  motions: [
    {
      name: 'trunk',
      duration: 4,
      keys: 30,
      turns: (u) => {
        const curl = easeThere(u, 0.15);
        const turns: Record<string, Turn> = {
          head: [-14 * curl, 0, 0],
          neck: [-8 * curl, 0, 0],
          ...flapEars(u, 10),
        };
        TRUNK_BONES.forEach((bone, n) => {
          turns[bone] = [-(26 + 5 * n) * curl, 0, 6 * swing(u, 0.05 * n) * (1 - curl)];
        });
        return turns;
      },
    },
    {
      name: 'belly',
      duration: 2.4,
      turns: (u) => ({
        pelvis: [0, 0, 10 * swing(u)],
        'spine.1': [8 * swing(2 * u), 14 * swing(u, 0.1), 10 * swing(u, 0.1)],
        'spine.2': [-8 * swing(2 * u), 16 * swing(u, 0.15), -14 * swing(u, 0.1)],
        chest: [0, -14 * swing(u, 0.15), -16 * swing(u, 0.05)],
        neck: [0, -12 * swing(u, 0.2), 6 * swing(u)],
        ...bothSides({
          'hind.*.1': [0, 0, -10 * swing(u)],
          'fore.*.1': [0, 0, 10 * swing(u)],
        }),
        ...swayTrunk(u, 10),
        ...flapEars(u, 12),
      }),
    },
    {
      name: 'walk',
      duration: 2,
      turns: (u) => ({
        ...walkLegs(u, { stride: 22, knee: 75 }),
        pelvis: [0, 0, 3 * swing(u)],
        'spine.2': [0, 5 * swing(u, 0.1), -4 * swing(u)],
        neck: [5 * swing(2 * u), 0, 0],
        'tail.1': [0, 0, 16 * swing(u)],
        'tail.2': [0, 0, 14 * swing(u, 0.1)],
        ...swayTrunk(u, 8),
        ...flapEars(u, 18),
      }),
    },
    {
      // Two bounces per round, for flesh that swings (G1).
      name: 'trot',
      duration: 1.2,
      keys: 36,
      turns: (u) => ({
        ...walkLegs(u, { stride: 16, knee: 36 }),
        pelvis: [1.5 * swing(2 * u, 0.3), 0, 3 * swing(u)],
        'spine.2': [0, 5 * swing(u, 0.1), -5 * swing(u)],
        neck: [5 * swing(2 * u, 0.1), 0, 0],
        'tail.1': [0, 0, 16 * swing(u)],
        'tail.2': [0, 0, 14 * swing(u, 0.1)],
        ...swayTrunk(u, 8),
        ...flapEars(u, 14),
      }),
      shifts: (u) => ({ pelvis: [0, 0.05 * swing(2 * u), 0] }),
    },
  ],
};

function swayTrunk(u: number, degrees: number): Record<string, Turn> {
  return Object.fromEntries(
    TRUNK_BONES.map((bone, n) => [bone, [-0.6 * degrees, 0, degrees * swing(u, 0.06 * n)] as const]),
  );
}

function flapEars(u: number, degrees: number): Record<string, Turn> {
  return Object.fromEntries(
    [1, 2].flatMap((n) => [
      [`ear.L.${n}`, [0, degrees * swing(2 * u, 0.1 * n), 0] as const],
      [`ear.R.${n}`, [0, -degrees * swing(2 * u, 0.1 * n), 0] as const],
    ]),
  );
}
