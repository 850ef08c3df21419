import { easeThere, swing } from './create-clip.js';
import { tube } from './flesh.js';
import type { Model } from './model.js';
import { createChain } from './rig.js';

/** One finger on a stump of palm: the smallest organic example. Centimetres; it points up, its pad looks along +z. */
export const finger: Model = {
  name: 'finger',
  vertices: 1700,
  joints: [
    { name: 'palm', at: [0, -3, -0.2] },
    ...createChain('finger', 'palm', '0 0 -0.22, 0 4 -0.2, 0 6.7 -0.18, 0 8.9 -0.1'),
  ],
  flesh: [
    tube(
      'finger',
      '0 -2.6 0.05 1.25, 0 0 0 1.12, 0 2 0.05 1.02, 0 4 -0.02 1, 0 5.4 0.04 0.9, 0 6.7 -0.02 0.88, 0 7.9 0.06 0.82, 0 8.6 0.06 0.66',
      { bones: ['palm', 'finger.1', 'finger.2', 'finger.3'] },
    ),
  ],
  motions: [
    {
      name: 'curl',
      duration: 2.5,
      turns: (u) => {
        const bent = easeThere(u, 0.15);
        return { 'finger.1': [80 * bent, 0, 0], 'finger.2': [90 * bent, 0, 0], 'finger.3': [80 * bent, 0, 0] };
      },
    },
    {
      name: 'wave',
      duration: 2,
      turns: (u) => ({
        'finger.1': [20 + 30 * swing(u), 0, 10 * swing(u, 0.25)],
        'finger.2': [35 + 35 * swing(u, 0.12), 0, 0],
        'finger.3': [25 + 30 * swing(u, 0.24), 0, 0],
      }),
    },
  ],
};
