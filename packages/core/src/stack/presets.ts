import { IsoskinError } from '../error.js';
import type { StackSpec } from './stack-spec.js';

/** γ where a stack names none: flesh gives way at the joints, most where it is far from the bones (D4). */
export const SHAPE_MAP = { kind: 'organic', a: 1, b: 0.5, floor: 0.1 } as const;
const ORGANIC = { map: SHAPE_MAP } as const;

/**
 * Stacks that a person understands. Each is a few lines of JSON over the same options; `isoskin measure --preset rubber`.
 *
 *   natural  flesh comes back at the joints that lost it, most where it is far from the bones (D4); the inner side of a bend bulges, the
 *            outer side thins (C16): the default of commands, studio and runtimes
 *   organic  natural without the bulge: the fewest bytes
 *   anatomic natural, and flesh gives way further where it is thick, creases close, twisted limbs keep their section (C16): nearest to physics
 *   rubber   a stretched hose: the whole limb gives way softly, and no joint stands out (D3)
 *   muscle   what a joint loses swells in the bellies of the bones beside it (D6), regions by bone
 *   toy      an elastic body that is one region per part: a squeezed toy swells everywhere
 *   flesh    organic, with flesh that lags behind the bones and swings back (G1)
 *   global   one exact constraint per part along the normals (C6): the simplest thing that keeps the volume
 */
export const PRESETS = {
  natural: { skin: {}, volume: { ...ORGANIC, options: { harmonics: 1 } } },
  organic: { skin: {}, volume: ORGANIC },
  rubber: {
    skin: {},
    volume: { map: { kind: 'rubber', a: 1, floor: 0.6 }, options: { smoothing: 1200 } },
  },
  anatomic: {
    skin: {},
    volume: {
      regions: { still: 'join' },
      map: { ...SHAPE_MAP, spread: 1.5, floor: 0.02 },
      options: { harmonics: 1, twist: 1, crease: 1 },
    },
  },
  muscle: {
    skin: {},
    volume: {
      map: { kind: 'intermediate', a: 1, floor: 0.3 },
      regions: { by: 'bone' },
      shape: [
        {
          region: '*',
          profile: [
            [0, 0.25],
            [0.5, 1.75],
            [1, 0.25],
          ],
        },
      ],
    },
  },
  toy: { skin: {}, volume: { map: { kind: 'uniform' }, regions: { by: 'component' }, options: { limit: 0 } } },
  flesh: { skin: {}, flesh: { frequency: 2.5, damping: 0.2, maxStretch: 0.3 }, volume: ORGANIC },
  global: { skin: {}, volume: { method: 'normal-exact', map: { kind: 'uniform' }, regions: { by: 'component' } } },
} as const satisfies Record<string, StackSpec>;

/** `natural`, `organic`, …: see `PRESETS`. */
export type PresetName = keyof typeof PRESETS;
/** Names of the presets. */
export const PRESET_NAMES = Object.keys(PRESETS) as PresetName[];

/** The stack of a preset, to use or to start from. Without a name: the default. */
export function presetStack(name: PresetName = 'natural'): StackSpec {
  if (Object.hasOwn(PRESETS, name)) return PRESETS[name];
  throw new IsoskinError('PRESET_UNKNOWN', `There is no preset “${name}”; choose one of ${PRESET_NAMES.join(', ')}`);
}
