import type { Combination } from './fold-sum.js';
import type { CurveOptions } from './plan-control-curve.js';

/** A point of the skin: barycentric coordinates inside a triangle of the character's surface, so it survives re-export. */
export interface SurfaceAnchor {
  readonly triangle: number;
  /** Shares of the three corners, sum 1. */
  readonly barycentric: readonly [number, number, number];
}

export const ATTENUATIONS = ['none', 'linear', 'wyvill'] as const;
export type Attenuation = (typeof ATTENUATIONS)[number];

/** Length at rest: a number, keys over time, or driven by a morph target (a forehead without a facial rig). */
export type RestLength =
  | number
  | { readonly keys: readonly (readonly [seconds: number, length: number])[] }
  | {
      /** Name of the morph target; its weight goes from `from` (weight 0; default: as placed) to `to` (weight 1). */
      readonly morph: string;
      readonly from?: number;
      readonly to: number;
    };

/** H1. A segment (or, with `via`, a curve) on the skin that folds when its ends come closer: plain JSON. */
export interface WrinkleTool extends CurveOptions {
  readonly name?: string;
  readonly enabled?: boolean;
  readonly a: SurfaceAnchor;
  readonly b: SurfaceAnchor;
  /** Points between A and B, for a tool that follows the skin (`placeTool` with `curved`). */
  readonly via?: readonly SurfaceAnchor[];
  /**
   * |AB| in the rest shape when the tool was placed: the unit of all lengths here. A model that was exported at another scale
   * wrinkles alike. Default: lengths are world units.
   */
  readonly length?: number;
  /** Width of the influence rectangle (H5), units of the rest shape. */
  readonly width: number;
  /** How folds fade across the width (H6). Default wyvill. */
  readonly attenuation?: Attenuation;
  /** ℓ. Default: |AB| in the rest shape. */
  readonly restLength?: RestLength;
  /** Factor of the heights. Default 1: the skin along the tool is as long as at rest. */
  readonly strength?: number;
  /** Rounded folds, or straight between the points of the curve. Default smooth. */
  readonly profile?: 'smooth' | 'linear';
}

export interface WrinklesOptions {
  readonly tools?: readonly WrinkleTool[];
  /** Most times that a triangle is split, 0 … 4. Default 2. */
  readonly refine?: number;
  /** Let the skin between the folds give way, so that they hold no volume of their own. Default true. */
  readonly keepVolume?: boolean;
  /** What overlapping series make together (H7). Default add. */
  readonly combine?: Combination;
}

export const WRINKLE_DEFAULTS = {
  refine: 2,
  keepVolume: true,
  combine: 'add',
  attenuation: 'wyvill',
  profile: 'smooth',
  strength: 1,
} as const;
