import { bothSides, easeThere, swing } from './create-clip.js';
import { bendNeck, createGiraffeModel } from './giraffe.js';
import type { Model } from './model.js';

/** A rubber giraffe: the same animal, short and round. Rubber bends where it is pushed, legs included. */
export const toy: Model = createGiraffeModel({
  name: 'toy',
  vertices: 1700,
  leg: 1.1,
  neck: 1.4,
  body: 1.16,
  limb: 1.3,
  head: 1.3,
  horn: 1.5,
  motions: [
    {
      name: 'bend',
      duration: 2.5,
      turns: (u) => {
        const bent = easeThere(u, 0.1);
        return {
          ...bendNeck(125 * bent, 0),
          head: [-20 * bent, 0, 0],
          'spine.1': [8 * bent, 0, 0],
          'spine.2': [10 * bent, 0, 0],
          chest: [8 * bent, 0, 0],
          ...bothSides({
            'fore.*.1': [-66 * bent, 0, 0],
            'fore.*.2': [90 * bent, 0, 0],
            'fore.*.3': [-40 * bent, 0, 0],
          }),
        };
      },
      // The front legs fold, so the front comes down about the hind feet.
      shifts: (u) => ({ pelvis: [0, -0.06 * easeThere(u, 0.1), 0] }),
    },
    {
      name: 'wobble',
      duration: 1.6,
      turns: (u) => ({
        ...bendNeck(30 * swing(2 * u), 90 * swing(u), 40 * swing(u, 0.2)),
        pelvis: [0, 0, 10 * swing(u, 0.1)],
        'spine.2': [0, 22 * swing(u, 0.1), 14 * swing(u)],
        head: [0, 0, 30 * swing(u, 0.12)],
        ...bothSides({
          'fore.*.1': [0, 0, -14 * swing(u, 0.1)],
          'hind.*.1': [0, 0, -12 * swing(u, 0.1)],
        }),
        'tail.1': [0, 0, 30 * swing(u, 0.3)],
      }),
    },
  ],
});
