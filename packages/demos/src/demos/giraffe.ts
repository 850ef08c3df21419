import type { Corner } from '../field/primitive.js';
import { easeThere, type Motion, swing, type Turn } from './create-clip.js';
import { type FleshPart, mirrorFlesh, tube } from './flesh.js';
import type { Model } from './model.js';
import { createChain, type Joint, linkJoints, mirrorJoints, type Point } from './rig.js';
import { walkLegs } from './walk-legs.js';

/** What makes one giraffe of another: the rubber toy is the same animal, shorter and rounder. */
export interface GiraffeBuild {
  readonly name: string;
  readonly vertices: number;
  /** Length of the legs (m). */
  readonly leg: number;
  /** Length of the neck (m). */
  readonly neck: number;
  /** Factors on the thickness of the body, of neck and legs, of the head, and of its ears and horns. */
  readonly body: number;
  readonly limb: number;
  readonly head: number;
  readonly horn: number;
  readonly motions: readonly Motion[];
}

export const NECK_BONES = ['neck.1', 'neck.2', 'neck.3', 'neck.4', 'neck.5', 'neck.6'];

export function createGiraffeModel(build: GiraffeBuild): Model {
  const { name, vertices, motions } = build;
  return { name, vertices, joints: createJoints(build), flesh: createFlesh(build), motions };
}

/** Along the neck, from 0 at the chest to 1 at the head, `back` metres behind its middle. */
function alongNeck({ leg, neck }: GiraffeBuild, t: number, back = 0): Point {
  return [0, leg + 0.38 + neck * 0.93 * t + 0.38 * back, 0.62 + neck * 0.36 * t - 0.93 * back];
}

function neckThickness({ limb }: GiraffeBuild, t: number): number {
  return limb * (0.16 + 0.2 * (1 - t) ** 2);
}

/** How far the legs stand from the middle. */
function halfWidth({ limb }: GiraffeBuild): number {
  return 0.21 + 0.07 * limb;
}

/** Vertebrae lie behind the middle of the neck, the spine under the back. */
function createJoints(build: GiraffeBuild): Joint[] {
  const { leg, body, head } = build;
  const [, headY, headZ] = alongNeck(build, 1);
  const x = halfWidth(build);
  const left = [
    ...createChain('fore.L', 'chest', [
      [x - 0.03, leg, 0.42],
      [x, leg * 0.53, 0.46],
      [x, leg * 0.13, 0.44],
      [x, 0.03, 0.54],
    ]),
    ...createChain('hind.L', 'pelvis', [
      [x - 0.03, leg, -0.66],
      [x, leg * 0.55, -0.58],
      [x, leg * 0.13, -0.7],
      [x, 0.03, -0.6],
    ]),
  ];
  return [
    ...linkJoints(
      ['pelvis', 'spine.1', 'spine.2', 'chest', ...NECK_BONES, 'head', 'head.tip'],
      [
        [0, leg + 0.32, -0.72],
        [0, leg + 0.42, -0.3],
        [0, leg + 0.5, 0.12],
        [0, leg + 0.5, 0.48],
        ...NECK_BONES.map((_, n) => alongNeck(build, n / 6, 0.35 * neckThickness(build, n / 6))),
        [0, headY + 0.04, headZ],
        [0, headY - 0.16 * head, headZ + 0.5 * head],
      ],
    ),
    ...createChain('tail', 'pelvis', [
      [0, leg + 0.3, -1.0 - 0.12 * body],
      [0, leg - 0.05, -1.2 - 0.12 * body],
      [0, leg - 0.55, -1.24 - 0.12 * body],
    ]),
    ...left,
    ...mirrorJoints(left),
  ];
}

function createFlesh(build: GiraffeBuild): FleshPart[] {
  const { leg: top, body: b, head: h, horn } = build;
  const [, headY, headZ] = alongNeck(build, 1);
  const x = halfWidth(build);
  const legCorners = (name: string, z: readonly number[]): Corner[] => [
    [x - 0.05, top + 0.08, z[0]!, 0.24 * build.limb],
    [x, top * 0.76, z[1]!, 0.145 * build.limb],
    [x, top * 0.53, z[2]!, 0.118 * build.limb],
    [x, top * 0.28, z[3]!, 0.085 * build.limb],
    [x, top * 0.12, z[4]!, 0.085 * build.limb],
    [x, 0.11 * build.limb, z[5]!, (name === 'fore' ? 0.11 : 0.105) * build.limb],
  ];
  return [
    tube(
      'body',
      [
        [0, top + 0.12, -0.78, 0.3 * b],
        [0, top + 0.12, -0.4, 0.43 * b],
        [0, top + 0.18, 0.1, 0.47 * b],
        [0, top + 0.28, 0.48, 0.38 * b],
      ],
      { bones: ['pelvis', 'spine.1', 'spine.2', 'chest'], reach: 1.4 },
    ),
    tube(
      'neck',
      [0, 0.18, 0.4, 0.7, 1].map((t) => [...alongNeck(build, t), neckThickness(build, t)] as const),
      { bones: NECK_BONES, blends: ['body', 'head'] },
    ),
    tube(
      'head',
      [
        [0, headY + 0.05, headZ, 0.17 * h],
        [0, headY + 0.04 * h, headZ + 0.16 * h, 0.18 * h],
        [0, headY - 0.06 * h, headZ + 0.36 * h, 0.125 * h],
        [0, headY - 0.16 * h, headZ + 0.54 * h, 0.115 * h],
      ],
      { bones: ['head'], reach: 1.35 },
    ),
    tube(
      'tail',
      [
        [0, top + 0.32, -0.95 - 0.12 * b, 0.08 * horn],
        [0, top, -1.18 - 0.12 * b, 0.065 * horn],
        [0, top - 0.35, -1.23 - 0.12 * b, 0.065 * horn],
        [0, top - 0.52, -1.24 - 0.12 * b, 0.09 * horn],
      ],
      { bones: ['tail.1', 'tail.2'], blends: ['body'] },
    ),
    ...mirrorFlesh([
      tube(
        'horn.L',
        [
          [0.09 * h, headY + 0.12 * h, headZ + 0.04, 0.065 * horn],
          [0.13 * h, headY + 0.27 * h, headZ - 0.01, 0.06 * horn],
          [0.155 * h, headY + 0.38 * h, headZ - 0.04, 0.07 * horn],
        ],
        { bones: ['head'], blends: ['head'] },
      ),
      tube(
        'ear.L',
        [
          [0.14 * h, headY + 0.05 * h, headZ - 0.05 * h, 0.06 * horn],
          [0.31 * h, headY + 0.06 * h, headZ - 0.12 * h, 0.085 * horn],
          [0.46 * h, headY + 0.04 * h, headZ - 0.17 * h, 0.06 * horn],
        ],
        { bones: ['head'], blends: ['head'] },
      ),
      tube('fore.L', legCorners('fore', [0.4, 0.44, 0.46, 0.45, 0.45, 0.5]), {
        bones: ['fore.L.1', 'fore.L.2', 'fore.L.3'],
        blends: ['body'],
      }),
      tube('hind.L', legCorners('hind', [-0.64, -0.57, -0.58, -0.66, -0.69, -0.64]), {
        bones: ['hind.L.1', 'hind.L.2', 'hind.L.3'],
        blends: ['body'],
      }),
    ]),
  ];
}

/** Every neck joint turned by the same share of `bend` (forward), `side` and `twist`, in degrees. */
export function bendNeck(bend: number, side: number, twist = 0): Record<string, Turn> {
  return Object.fromEntries(NECK_BONES.map((bone) => [bone, [bend / 6, twist / 6, side / 6] as const]));
}

export const giraffe: Model = createGiraffeModel({
  name: 'giraffe',
  vertices: 5700,
  leg: 1.95,
  neck: 2.1,
  body: 1,
  limb: 1,
  head: 1,
  horn: 1,
  motions: [
    {
      name: 'neck',
      duration: 4,
      keys: 30,
      turns: (u) => {
        const bent = easeThere(u, 0.15);
        return {
          ...bendNeck(165 * bent, 40 * swing(u) * bent),
          head: [-45 * bent, 0, 0],
          'tail.1': [0, 0, 15 * swing(2 * u)],
        };
      },
    },
    {
      name: 'walk',
      duration: 1.8,
      turns: (u) => ({
        ...walkLegs(u, { stride: 24, knee: 95 }),
        ...bendNeck(24 + 18 * swing(2 * u), 10 * swing(u)),
        pelvis: [0, 0, 3 * swing(u)],
        head: [-14 * swing(2 * u, 0.1) - 8, 0, 0],
        'tail.1': [0, 0, 15 * swing(u)],
      }),
    },
  ],
});
