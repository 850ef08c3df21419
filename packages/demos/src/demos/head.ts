import { easeThere } from './create-clip.js';
import { mirrorFlesh, tube } from './flesh.js';
import type { Model } from './model.js';
import { createChain, type Joint, linkJoints, mirrorJoints } from './rig.js';

const LEFT: readonly Joint[] = createChain('brow.L', 'head', '0.1 1.52 0.66, 0.52 1.55 0.5');

/** Decimetres: a head that raises its brows and frowns, with nothing but a bone in each of them. */
export const head: Model = {
  name: 'head',
  vertices: 4200,
  joints: [
    ...linkJoints(['neck', 'head', 'head.tip'], '0 -0.5 -0.25, 0 0.55 -0.15, 0 2.6 0'),
    ...LEFT,
    ...mirrorJoints(LEFT),
  ],
  flesh: [
    tube('neck', '0 -0.45 -0.25 0.44, 0 0.4 -0.2 0.42, 0 1 -0.15 0.45', { bones: ['neck'], blends: ['skull'] }),
    tube('skull', '0 1.5 -0.2 0.78, 0 1.85 -0.05 0.78', { bones: ['head'], reach: 1.3 }),
    tube('face', '0 1.3 0.2 0.56, 0 0.75 0.34 0.42', { bones: ['head'], blends: ['skull'] }),
    tube('nose', '0 1.3 0.76 0.13, 0 1.02 0.9 0.16', { bones: ['head'], blends: ['face'] }),
    ...mirrorFlesh([
      tube('brow.L', '0.12 1.5 0.56 0.17, 0.34 1.54 0.5 0.16, 0.5 1.5 0.38 0.14', {
        bones: ['brow.L.1', 'head'],
        blends: ['skull', 'face'],
      }),
      tube('ear.L', '0.74 1.45 -0.2 0.14, 0.82 1.1 -0.2 0.12', { bones: ['head'], blends: ['skull'] }),
    ]),
  ],
  motions: [
    {
      name: 'raise',
      duration: 2,
      turns: () => ({}),
      shifts: (u) => moveBrows(0, 0.15 * easeThere(u), -0.03 * easeThere(u)),
    },
    {
      name: 'frown',
      duration: 2,
      turns: () => ({}),
      shifts: (u) => moveBrows(-0.07 * easeThere(u), -0.07 * easeThere(u), 0.02 * easeThere(u)),
    },
  ],
};

function moveBrows(x: number, y: number, z: number) {
  return { 'brow.L.1': [x, y, z], 'brow.R.1': [-x, y, z] } as const;
}
