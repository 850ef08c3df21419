import type { CurveLevel, CurveStrategy } from './plan-control-curve.js';
import type { Attenuation } from './wrinkle-tool.js';

/** Parameters of a kind of wrinkle, relative to the length ℓ of the tool that is drawn. */
export interface WrinklePreset {
  readonly label: string;
  readonly points: number;
  readonly strategy: CurveStrategy;
  /** Share of ℓ. */
  readonly maxHeight: number;
  readonly spacing: number;
  readonly crest: number;
  /** Heights as shares of ℓ. */
  readonly levels: readonly Required<CurveLevel>[];
  /** Share of ℓ. */
  readonly width: number;
  readonly attenuation: Attenuation;
  /** Follows the skin from A to B. */
  readonly curved: boolean;
  /** Angle between two crossing tools, degrees; 0 for a single one. */
  readonly crossing: number;
}

/**
 *   forehead      a few long folds across, everywhere at once; needs no facial rig: animate `restLength`
 *   wrist-crease  fine folds in the hollow of a wrist, two scales
 *   knee-back     cloth behind a knee: two crossing tools whose folds add up
 *   belly         wide, soft rolls that start at both ends
 *   sleeve        a pushed-up sleeve: folds run from the cuff on
 */
export const WRINKLE_PRESETS = {
  forehead: {
    label: 'Forehead',
    points: 9,
    strategy: 'everywhere',
    maxHeight: 0.08,
    spacing: 0,
    crest: 1,
    levels: [{ share: 0.15, maxHeight: 0.02 }],
    width: 2.4,
    attenuation: 'wyvill',
    curved: true,
    crossing: 0,
  },
  'wrist-crease': {
    label: 'Wrist crease',
    points: 13,
    strategy: 'both-ends',
    maxHeight: 0.06,
    spacing: 0,
    crest: 1,
    levels: [{ share: 0.2, maxHeight: 0.02 }],
    width: 1.2,
    attenuation: 'wyvill',
    curved: false,
    crossing: 0,
  },
  'knee-back': {
    label: 'Knee-back cloth',
    points: 11,
    strategy: 'everywhere',
    maxHeight: 0.08,
    spacing: 0,
    crest: 1,
    levels: [],
    width: 0.8,
    attenuation: 'wyvill',
    curved: false,
    crossing: 50,
  },
  belly: {
    label: 'Belly',
    points: 7,
    strategy: 'both-ends',
    maxHeight: 0.12,
    spacing: 0,
    crest: 1,
    levels: [],
    width: 1.6,
    attenuation: 'wyvill',
    curved: true,
    crossing: 0,
  },
  sleeve: {
    label: 'Sleeve',
    points: 15,
    strategy: 'from-a',
    maxHeight: 0.05,
    spacing: 0,
    crest: 1,
    levels: [{ share: 0.2, maxHeight: 0.015 }],
    width: 0.9,
    attenuation: 'wyvill',
    curved: true,
    crossing: 0,
  },
} as const satisfies Record<string, WrinklePreset>;

export type WrinklePresetName = keyof typeof WRINKLE_PRESETS;
export const WRINKLE_PRESET_NAMES = Object.keys(WRINKLE_PRESETS) as WrinklePresetName[];
