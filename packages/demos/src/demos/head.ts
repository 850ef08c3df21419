import { easeThere } from './create-clip.js';
import { sheet, tube } from './flesh.js';
import { createHeadFlesh } from './head-flesh.js';
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
    tube('neck', '0 -0.3 -0.34 0.4, 0 0.1 -0.3 0.4, 0 0.5 -0.24 0.4, 0 1.1 -0.25 0.45', {
      bones: ['neck'],
      blends: ['skull', 'throat', 'jaw.L', 'jaw.R'],
    }),
    sheet('shoulders', '-0.55 -0.5 -0.46 0.24, -0.34 -0.54 -0.12 0.24', '0.55 -0.5 -0.46 0.24, 0.34 -0.54 -0.12 0.24', {
      bones: ['neck'],
      blends: ['neck'],
    }),
    ...createHeadFlesh(['brow.L.1', 'head']),
  ],
  lenses: '0 1.05 0.65 1.5 1.8, 0.8 1.2 -0.28 0.6 1.6, -0.8 1.2 -0.28 0.6 1.6',
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
