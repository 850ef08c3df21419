import type { Corner } from '../field/primitive.js';
import { easeThere, type Motion, swing, type Turn } from './create-clip.js';
import { type FleshPart, mirrorFlesh, placeFlesh, sheet, tube } from './flesh.js';
import type { Model } from './model.js';
import { createChain, type Joint, linkJoints, mirrorJoints, type Point, readPoints } from './rig.js';
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
  const [, y, z] = alongNeck(build, 1);
  const lenses = `0 ${y} ${z + 0.2 * build.head} ${1.3 * build.head} ${2.2 / build.head ** 1.5}`;
  return { name, vertices, joints: createJoints(build), flesh: createFlesh(build), lenses, motions };
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
  const { leg: top, body: b, limb } = build;
  const x = halfWidth(build);
  const back = -1.2 - 0.12 * b;
  return [
    tube(
      'body',
      [
        [0, top + 0.14, -0.78, 0.28 * b],
        [0, top + 0.14, -0.4, 0.41 * b],
        [0, top + 0.16, 0.1, 0.46 * b],
        [0, top + 0.26, 0.48, 0.38 * b],
      ],
      { bones: ['pelvis', 'spine.1', 'spine.2', 'chest'], reach: 1.4 },
    ),
    tube(
      'neck',
      [0, 0.18, 0.4, 0.7, 1].map((t) => [...alongNeck(build, t), neckThickness(build, t)] as const),
      { bones: NECK_BONES, blends: ['body', 'head'] },
    ),
    tube(
      'mane',
      [0, 0.2, 0.4, 0.7, 0.95].map(
        (t) => [...alongNeck(build, t, 0.95 * neckThickness(build, t)), (0.075 - 0.02 * t) * limb] as const,
      ),
      { bones: NECK_BONES, blends: ['neck', 'body'] },
    ),
    tube(
      'tail',
      [
        [0, top + 0.32, back + 0.25, 0.09 * limb],
        [0, top, back + 0.02, 0.078 * limb],
        [0, top - 0.3, back - 0.03, 0.075 * limb],
        [0, top - 0.45, back - 0.035, 0.1 * limb],
        [0, top - 0.58, back - 0.04, 0.08 * limb],
      ],
      { bones: ['tail.1', 'tail.2'], blends: ['body'] },
    ),
    ...createHead(build),
    ...mirrorFlesh([
      tube(
        'shoulder.L',
        [
          [0.6 * x, top + 0.42, 0.42, 0.2 * b],
          [x - 0.05, top + 0.08, 0.48, 0.22 * b],
        ],
        { bones: ['fore.L.1'], blends: ['body', 'fore.L'] },
      ),
      tube(
        'haunch.L',
        [
          [0.6 * x, top + 0.3, -0.7, 0.22 * b],
          [x - 0.05, top - 0.05, -0.6, 0.21 * b],
        ],
        { bones: ['hind.L.1'], blends: ['body', 'hind.L'] },
      ),
      ...createLeg(build, 'fore', [0.4, 0.44, 0.46, 0.45, 0.45, 0.5]),
      ...createLeg(build, 'hind', [-0.64, -0.57, -0.58, -0.66, -0.69, -0.64]),
    ]),
  ];
}

/** A leg through the z of hip, thigh, knee, shank, fetlock and hoof. */
function createLeg(build: GiraffeBuild, name: string, z: readonly number[]): FleshPart[] {
  const { leg: top, limb } = build;
  const x = halfWidth(build);
  const bones = [1, 2, 3].map((n) => `${name}.L.${n}`);
  const rows = [
    [x - 0.05, top + 0.08, 0.22],
    [x, top * 0.76, 0.14],
    [x, top * 0.53, 0.105],
    [x, top * 0.32, 0.088],
    [x, top * 0.13, 0.09],
    [x, 0.16 * limb, 0.09],
  ] as const;
  return [
    tube(
      `${name}.L`,
      rows.map(([across, y, e], n) => [across, y, z[n]!, e * limb] as const),
      { bones, blends: ['body'] },
    ),
    tube(
      `${name} knee.L`,
      [
        [x, top * 0.55, z[2]! + 0.03, 0.1 * limb],
        [x, top * 0.5, z[2]! + 0.03, 0.095 * limb],
      ],
      { bones: bones.slice(0, 2), blends: [`${name}.L`] },
    ),
    sheet(
      `${name} hoof.L`,
      [
        [x - 0.035 * limb, 0.1 * limb, z[5]! - 0.03, 0.092 * limb],
        [x - 0.03 * limb, 0.092 * limb, z[5]! + 0.07, 0.092 * limb],
      ],
      [
        [x + 0.035 * limb, 0.1 * limb, z[5]! - 0.03, 0.092 * limb],
        [x + 0.03 * limb, 0.092 * limb, z[5]! + 0.07, 0.092 * limb],
      ],
      { bones: bones.slice(2), blends: [`${name}.L`], reach: 1.3 },
    ),
  ];
}

/** A long face with a jaw, lips, brows over the eyes, two ossicones and leaf-shaped ears. */
function createHead(build: GiraffeBuild): FleshPart[] {
  const horn = build.horn / build.head;
  const bones = ['head'];
  const [, y, z] = alongNeck(build, 1);
  const parts = [
    tube('head', '0 0.04 0 0.16, 0 0.05 0.14 0.17, 0 -0.02 0.34 0.12, 0 -0.1 0.52 0.09', { bones, reach: 1.35 }),
    tube('jaw', '0 -0.06 0.06 0.12, 0 -0.14 0.3 0.09, 0 -0.19 0.5 0.075', { bones, blends: ['head'] }),
    tube('lips', '-0.04 -0.15 0.57 0.085, 0.04 -0.15 0.57 0.085', { bones, blends: ['head', 'jaw'] }),
    ...mirrorFlesh([
      tube('brow.L', '0.13 0.1 0.08 0.06, 0.135 0.09 0.17 0.075, 0.1 0.04 0.28 0.05', { bones, blends: ['head'] }),
      tube('nostril.L', '0.055 -0.06 0.52 0.055, 0.06 -0.09 0.61 0.05', { bones, blends: ['head', 'lips'] }),
      tube(
        'horn.L',
        readPoints<Corner>(
          '0.08 0.14 0.02 0.06, 0.1 0.28 -0.03 0.05, 0.115 0.36 -0.06 0.062, 0.118 0.39 -0.07 0.062',
        ).map(([px, py, pz, e]) => [px, py, pz, e * horn] as const),
        { bones, blends: ['head'] },
      ),
      tube(
        'ear.L',
        readPoints<Corner>(
          '0.13 0.06 -0.05 0.05, 0.25 0.09 -0.09 0.08, 0.36 0.11 -0.13 0.075, 0.45 0.11 -0.16 0.055',
        ).map(([px, py, pz, e]) => [px, py, pz, e * horn] as const),
        { bones, blends: ['head'] },
      ),
    ]),
  ];
  return placeFlesh(parts, build.head, [0, y, z]);
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
