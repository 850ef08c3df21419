/**
 * The control curve of a wrinkle tool (H2–H4): an incompressible thread over AB that folds when A and B come closer.
 *
 *   Points stand at even steps over AB, pas = |AB|/(n−1); both ends stay put. The lost length r = ℓ − |AB| > 0 is taken up by
 *   bumps. A bump lifts its crest by h and gains g: √(p²+(s+h)²) + √(p²+(s−h)²) = 2c + g, c = √(p²+s²), s the slope under
 *   it: its feet are the foci of an ellipse, so h² = 1 / ((s/c)²/q² + (p/c)²/(q²−c²)) with q = c + g/2, exactly. On flat
 *   ground (s = 0) that is H2's h = √(r·pas + r²/4).
 *   Each level doubles the points and puts a share of r into bumps at the new ones; level 0 keeps what the others leave.
 *
 * Shapes: out 2·#points (x, y). Length is exact for every strategy, level and compression; heights are continuous in |AB|.
 * Complexity: O(#points), no allocation. ℓ length at rest, p pas of the level, r what a level takes up.
 * Based on: Larboulette, Cani, Plis dynamiques en temps réel, 2004, §4.
 */

import { IsoskinError } from '../error.js';
import { smoothStep } from '../linear-algebra/smooth-step.js';

export const CURVE_STRATEGIES = ['from-a', 'both-ends', 'everywhere'] as const;
export type CurveStrategy = (typeof CURVE_STRATEGIES)[number];

export interface CurveLevel {
  /** Share of the lost length that this level takes up, 0 … 1; the coarse level keeps what all others leave. */
  readonly share: number;
  /** Height after which the next bump starts. Default: one step of this level at rest. */
  readonly maxHeight?: number;
}

export interface CurveOptions {
  /** Points of the coarse level, both ends included, at least 3. Default 9. */
  readonly points?: number;
  /** Where bumps come up first. Default everywhere. */
  readonly strategy?: CurveStrategy;
  /** Height after which the next bump starts, world units; the length always wins over it. Default: one step at rest. */
  readonly maxHeight?: number;
  /** Flat steps between two bumps. Default 0: neighbours share their foot. */
  readonly spacing?: number;
  /** Points on the crest of a coarse bump. Default 1. */
  readonly crest?: number;
  /** Finer levels, coarse to fine; each doubles the points. Default none. */
  readonly levels?: readonly CurveLevel[];
}

export interface ControlCurveOptions extends CurveOptions {
  /** ℓ, length at rest. */
  readonly length: number;
}

export interface ControlCurve {
  /** ℓ. */
  readonly length: number;
  /** Points that `evaluate` writes. */
  readonly pointCount: number;
  /** Bumps of every level, coarse to fine. */
  readonly bumpCounts: readonly number[];
  /**
   * Writes the points (x along AB from 0 to `distance`, y the height) as pairs and returns how many. `length` replaces ℓ
   * where it is animated.
   */
  evaluate(out: Float64Array, distance: number, length?: number): number;
}

export const CURVE_DEFAULTS = { points: 9, strategy: 'everywhere', spacing: 0, crest: 1 } as const;

const MOST_POINTS = 65536;
const MOST_LEVELS = 8;

interface Level {
  readonly pointCount: number;
  readonly share: number;
  readonly maxHeight: number;
  readonly crest: number;
  /** First crest point of every bump, in the order in which bumps come up; those of one group grow together. */
  readonly bumps: Uint32Array;
  readonly groupSize: number;
  /** Scratch: gain of every bump at maxHeight. */
  readonly caps: Float64Array;
}

export function planControlCurve(options: ControlCurveOptions): ControlCurve {
  const { length, points, strategy, spacing, crest } = checkCurve(options);
  const finer = options.levels ?? [];
  const shares = finer.reduce((sum, { share }) => sum + share, 0);
  const levels: Level[] = [];
  for (let k = 0; k <= finer.length; k++) {
    const pointCount = (points - 1) * 2 ** k + 1;
    // A point between two others of the level before lies on a straight segment: only there is every bump a gain.
    const starts =
      k === 0 ? placeBumps(points, strategy, spacing, crest) : placeFineBumps(pointCount, strategy, spacing);
    const wanted = (k === 0 ? options.maxHeight : finer[k - 1]!.maxHeight) ?? length / (pointCount - 1);
    levels.push({
      pointCount,
      share: k === 0 ? Math.max(0, 1 - shares) : finer[k - 1]!.share,
      maxHeight: Math.min(wanted, length), // no fold is higher: keeps an endless height out of the sums
      crest: k === 0 ? crest : 1,
      bumps: Uint32Array.from(strategy === 'both-ends' ? orderFromEnds(starts) : starts),
      groupSize: strategy === 'everywhere' ? starts.length : strategy === 'both-ends' ? 2 : 1,
      caps: new Float64Array(starts.length),
    });
  }
  const { pointCount } = levels.at(-1)!;
  return {
    length,
    pointCount,
    bumpCounts: levels.map(({ bumps }) => bumps.length),
    evaluate(out, distance, rest = length) {
      if (out.length < 2 * pointCount) {
        const message = `The curve has ${pointCount} points: give an array of at least ${2 * pointCount} numbers`;
        throw new IsoskinError('CURVE_ROOM', message, 'out');
      }
      const d = Number.isFinite(distance) ? Math.max(0, distance) : length;
      const lost = Math.max(0, rest - d) || 0;
      for (let i = 0; i < 2 * points; i++) out[i] = 0;
      for (let k = 0; k < levels.length; k++) {
        const level = levels[k]!;
        if (k > 0) splitSegments(out, level.pointCount);
        if (lost > 0) raiseBumps(out, level, d / (level.pointCount - 1), lost * level.share);
      }
      for (let i = 0; i < pointCount; i++) out[2 * i] = d * (i / (pointCount - 1));
      return pointCount;
    },
  };
}

/** Height between the points of an evaluated curve, `at` steps from A; with `smooth`, crests and feet are rounded. */
export function measureHeight(curve: Float64Array, count: number, at: number, smooth: boolean): number {
  if (!(at > 0 && at < count - 1)) return 0;
  const i = Math.floor(at);
  const u = at - i;
  const low = curve[2 * i + 1]!;
  return low + (smooth ? smoothStep(u) : u) * (curve[2 * i + 3]! - low);
}

/** Puts a midpoint into every segment, from the back so that nothing is overwritten; heights only. */
function splitSegments(out: Float64Array, pointCount: number): void {
  for (let i = pointCount - 1; i > 0; i--) {
    out[2 * i + 1] = i % 2 === 0 ? out[i + 1]! : (out[i]! + out[i + 2]!) / 2;
  }
}

/** Raises the bumps of a level until the curve is longer by `gain`. */
function raiseBumps(out: Float64Array, level: Level, p: number, gain: number): void {
  const { bumps, groupSize, caps, maxHeight } = level;
  let room = 0;
  for (let b = 0; b < bumps.length; b++) {
    caps[b] = measureGain(p, slopeAt(out, bumps[b]!, level.crest), maxHeight);
    room += caps[b]!;
  }
  // When all have reached their height, all grow on alike: the length wins.
  const extra = Math.max(0, gain - room) / bumps.length;
  let left = Math.min(gain, room);
  for (let first = 0; first < bumps.length; first += groupSize) {
    const end = Math.min(bumps.length, first + groupSize);
    let cap = 0;
    for (let b = first; b < end; b++) cap += caps[b]!;
    const share = cap > 0 ? Math.min(1, left / cap) : 0;
    left = Math.max(0, left - cap);
    for (let b = first; b < end; b++) raise(out, level, p, b, caps[b]! * share + extra);
  }
}

/** Half the height difference between the feet: 0 at the coarse level, whose ground is flat. */
function slopeAt(out: Float64Array, start: number, crest: number): number {
  return (out[2 * (start + crest) + 1]! - out[2 * start - 1]!) / 2;
}

function raise(out: Float64Array, { bumps, crest }: Level, p: number, b: number, gain: number): void {
  if (!(gain > 0)) return;
  const start = bumps[b]!;
  const s = slopeAt(out, start, crest);
  const height = measureBump(p, s, gain);
  for (let i = start; i < start + crest; i++) out[2 * i + 1]! += height;
}

/** Height of a bump that makes the curve longer by `gain`. */
function measureBump(p: number, s: number, gain: number): number {
  const c = Math.sqrt(p * p + s * s);
  const q = c + gain / 2;
  const over = (gain / 2) * (c + q); // q² − c² without cancellation
  if (c === 0) return q;
  return 1 / Math.sqrt((s / c / q) ** 2 + (p / c) ** 2 / over);
}

/** Length that a bump of height h adds. */
function measureGain(p: number, s: number, h: number): number {
  const c = Math.sqrt(p * p + s * s); // Math.hypot takes ten times as long
  const up = Math.sqrt(p * p + (s + h) ** 2);
  const down = Math.sqrt(p * p + (s - h) ** 2);
  // √a − √b = (a − b)/(√a + √b), twice: small bumps must not drown in rounding.
  return up + c === 0 ? 0 : (h * (2 * s + h)) / (up + c) + (down + c === 0 ? 0 : (h * (h - 2 * s)) / (down + c));
}

/** First crest points of as many bumps as fit, A to B. */
function placeBumps(points: number, strategy: CurveStrategy, spacing: number, crest: number): number[] {
  const period = crest + 1 + spacing;
  const count = Math.floor((points - 1 + spacing) / period);
  const used = count * period - spacing - 1;
  const first = strategy === 'everywhere' ? 1 + Math.floor((points - 2 - used) / 2) : 1;
  return Array.from({ length: count }, (_, k) => {
    const mirrored = points - crest - 1 - (count - 1 - k) * period;
    if (strategy !== 'both-ends' || 2 * k + 1 < count) return first + k * period;
    return 2 * k + 1 === count ? Math.floor((first + k * period + mirrored) / 2) : mirrored;
  });
}

/** Bumps of a finer level: at points that are new in it, one step apart or further. */
function placeFineBumps(pointCount: number, strategy: CurveStrategy, spacing: number): number[] {
  const between = Math.ceil(spacing / 2);
  // Counted in the new points alone, they are bumps without crest on a curve of segments.
  return placeBumps((pointCount - 1) / 2 + 2, strategy, between - 1, 1).map((k) => 2 * k - 1);
}

/** First, last, second, last but one, … */
function orderFromEnds(starts: readonly number[]): number[] {
  const last = starts.length - 1;
  return starts.map((_, k) => starts[k % 2 === 0 ? k / 2 : last - (k - 1) / 2]!);
}

/** Says what is wrong with the options of a curve, and what would be right. */
export function checkCurve(
  options: ControlCurveOptions,
): Required<Pick<ControlCurveOptions, 'length' | 'points' | 'strategy' | 'spacing' | 'crest'>> {
  if (typeof options !== 'object' || options === null) refuse('A control curve needs options, at least { length }', '');
  const { length } = options;
  const points = options.points ?? CURVE_DEFAULTS.points;
  const strategy = options.strategy ?? CURVE_DEFAULTS.strategy;
  const spacing = options.spacing ?? CURVE_DEFAULTS.spacing;
  const crest = options.crest ?? CURVE_DEFAULTS.crest;
  if (!(length > 0 && Number.isFinite(length)))
    refuse(`A curve of length ${length} cannot fold: give a number above 0`, 'length');
  if (!isWhole(points, 3))
    refuse(`A curve of ${points} points cannot fold: give a whole number of at least 3`, 'points');
  if (!CURVE_STRATEGIES.includes(strategy)) {
    refuse(`There is no strategy “${strategy}”: choose among ${CURVE_STRATEGIES.join(', ')}`, 'strategy');
  }
  if (!isWhole(spacing, 0)) refuse(`A spacing of ${spacing} is not a number of steps: give 0, 1, 2 …`, 'spacing');
  if (!isWhole(crest, 1)) refuse(`A crest of ${crest} points cannot be had: give 1, 2, 3 …`, 'crest');
  if (crest > points - 2) {
    refuse(
      `A crest of ${crest} points does not fit between the ends of ${points} points: give at most ${points - 2}`,
      'crest',
    );
  }
  checkHeight(options.maxHeight, 'maxHeight');
  const levels = options.levels ?? [];
  if (!Array.isArray(levels)) refuse('Levels are a list of { share, maxHeight }', 'levels');
  let sum = 0;
  for (const [k, level] of levels.entries()) {
    const share = level?.share;
    if (!(share >= 0 && share <= 1)) refuse(`A share of ${share} makes no sense: give 0 to 1`, `levels[${k}].share`);
    checkHeight(level.maxHeight, `levels[${k}].maxHeight`);
    sum += share;
  }
  if (sum > 1 + 1e-12) refuse(`The levels take ${sum} of the lost length: their shares may add up to 1`, 'levels');
  if (levels.length > MOST_LEVELS || (points - 1) * 2 ** levels.length >= MOST_POINTS) {
    refuse(`${points} points over ${levels.length} finer levels are too many: use fewer`, 'points');
  }
  return { length, points, strategy, spacing, crest };
}

function checkHeight(height: number | undefined, place: string): void {
  if (height === undefined || height >= 0) return;
  refuse(`A largest height of ${height} makes no sense: give a number of at least 0`, place);
}

function isWhole(value: number, least: number): boolean {
  return Number.isInteger(value) && value >= least;
}

function refuse(message: string, place: string): never {
  throw new IsoskinError('WRINKLE_CURVE', message, place);
}
