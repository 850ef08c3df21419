/**
 * Makes tools from two points near the skin, as a mouse or a command gives them: plain JSON for a wrinkles layer.
 *
 *   placeTool(character, a, b, { width: 0.2 })                 one tool
 *   placeTools(character, a, b, 'knee-back')                   what a preset makes of them: one tool, or two that cross
 *
 * Points are in the space of the rest shape, or of the pose that the tool is drawn in (`drawnOn`), whose length ℓ then is; the nearest point of the skin counts.
 */

import type { Character } from '../character/character.js';
import type { Bvh } from '../contact/bvh.js';
import { IsoskinError } from '../error.js';
import { cross } from '../mesh/cross.js';
import { measureDiagonal } from '../mesh/measure-box.js';
import type { Surface } from '../mesh/surface.js';
import { findAnchor, placeAnchor, planGeodesic } from './plan-geodesic.js';
import { measureSkinLine, planSkinAnchors, planSkinLine, planSurfaceTree } from './plan-skin-line.js';
import { refuseTool } from './refuse-tool.js';
import {
  WRINKLE_PRESET_NAMES,
  WRINKLE_PRESETS,
  type WrinklePreset,
  type WrinklePresetName,
} from './wrinkle-presets.js';
import type { SurfaceAnchor, WrinkleTool } from './wrinkle-tool.js';

export interface PlaceToolOptions extends Partial<Omit<WrinkleTool, 'a' | 'b' | 'via' | 'length'>> {
  /** Follow the skin along a geodesic instead of the straight line from A to B. Default false. */
  readonly curved?: boolean;
  /** How far from the skin a point may lie, as a share of the character's size. Default 0.05. */
  readonly reach?: number;
  /** Positions of the skin (#V×3) in the pose that the tool is drawn in: ℓ is its length there. Default: the rest shape. */
  readonly drawnOn?: Float64Array;
}

const REACH = 0.05;
/** Anchors between the ends of a curved tool. */
const VIA = 5;
/** Width of a tool that is given none, as a share of its length. */
const WIDTH = 0.8;

/** A wrinkle tool between two points of the skin. */
export function placeTool(
  character: Character,
  pointA: ArrayLike<number>,
  pointB: ArrayLike<number>,
  options: PlaceToolOptions = {},
): WrinkleTool {
  const { drawnOn } = options;
  const surface: Surface = drawnOn ? { ...character.surface, positions: drawnOn } : character.surface;
  const bvh = planSurfaceTree(surface);
  const reach = (options.reach ?? REACH) * measureDiagonal(surface.positions);
  const a = attach(surface, bvh, pointA, reach, 'A');
  const b = attach(surface, bvh, pointB, reach, 'B');
  if (surface.triangleComponent[a.triangle] !== surface.triangleComponent[b.triangle]) {
    refuseTool('A and B lie on parts that do not hang together: put both on one part of the skin');
  }
  const [from, to] = [placeAnchor(surface, a), placeAnchor(surface, b)];
  const length = Math.hypot(...from.map((x, r) => x - to[r]!));
  if (!(length > 1e-6 * measureDiagonal(surface.positions))) refuseTool('A and B are the same place: move them apart');
  const { curved, reach: _, drawnOn: __, ...own } = options;
  const via = curved ? planGeodesic(surface, a, b, VIA, bvh) : undefined;
  const tool = { a, b, ...(via && { via }) };
  const placed = measureLength(character.surface, tool);
  const restLength = drawnOn && placed * measureStretch(character.surface, [a, ...(via ?? []), b], drawnOn);
  return { ...tool, length: placed, ...(restLength && { restLength }), width: WIDTH * placed, ...own };
}

/** How long the skin between anchors is at `positions`, relative to the rest shape. */
function measureStretch(surface: Surface, anchors: readonly SurfaceAnchor[], positions: Float64Array): number {
  const line = planSkinLine(surface, planSkinAnchors(surface, anchors, 1));
  return measureSkinLine(line, positions) / measureSkinLine(line, surface.positions);
}

/** The tools of a preset, sized by the distance of the two points. */
export function placeTools(
  character: Character,
  pointA: ArrayLike<number>,
  pointB: ArrayLike<number>,
  preset: WrinklePresetName,
  options: PlaceToolOptions = {},
): WrinkleTool[] {
  const kind: WrinklePreset | undefined = Object.hasOwn(WRINKLE_PRESETS, preset) ? WRINKLE_PRESETS[preset] : undefined;
  if (!kind) {
    const message = `There is no wrinkle preset “${preset}”: choose among ${WRINKLE_PRESET_NAMES.join(', ')}`;
    throw new IsoskinError('WRINKLE_PRESET', message);
  }
  const first = placeTool(character, pointA, pointB, { ...options, curved: options.curved ?? kind.curved });
  const surface: Surface = { ...character.surface, positions: options.drawnOn ?? character.surface.positions };
  const [a, b] = [placeAnchor(surface, first.a), placeAnchor(surface, first.b)];
  const length = first.length!;
  const size = {
    name: options.name ?? preset,
    points: kind.points,
    strategy: kind.strategy,
    maxHeight: kind.maxHeight * length,
    spacing: kind.spacing,
    crest: kind.crest,
    levels: kind.levels.map(({ share, maxHeight }) => ({ share, maxHeight: maxHeight * length })),
    width: kind.width * length,
    attenuation: kind.attenuation,
  };
  const { reach: _, curved: __, drawnOn: ___, ...own } = options;
  if (!kind.crossing) return [{ ...first, ...size, ...own }];
  // Two tools over the same place: A and B move to either side, along the skin.
  const middle = a.map((x, r) => (x + b[r]!) / 2);
  const side = across(surface, first, a, b);
  const shift = (length / 2) * Math.tan((kind.crossing * Math.PI) / 360);
  return [1, -1].map((sign) => {
    const move = (point: readonly number[], to: number) => point.map((x, r) => x + to * sign * shift * side[r]!);
    const toward = (point: readonly number[]) => point.map((x, r) => middle[r]! + (x - middle[r]!) * 0.95);
    const tool = placeTool(character, move(toward(a), 1), move(toward(b), -1), { ...options, curved: kind.curved });
    return { ...tool, ...size, name: `${size.name} ${sign > 0 ? 1 : 2}`, ...own };
  });
}

function attach(surface: Surface, bvh: Bvh, point: ArrayLike<number>, reach: number, name: string): SurfaceAnchor {
  if (point.length !== 3 || !Array.from(point).every(Number.isFinite)) {
    refuseTool(`${name} is no point: give three numbers, found [${Array.from(point).join(', ')}]`);
  }
  if (surface.triangles.length === 0) refuseTool('The character has no surface to put a tool on');
  const anchor = findAnchor(surface, bvh, point);
  const on = placeAnchor(surface, anchor);
  const distance = Math.hypot(...on.map((x, r) => x - point[r]!));
  if (distance > reach) {
    const where = on.map((x) => x.toPrecision(4)).join(', ');
    refuseTool(`${name} is off the surface by ${distance.toPrecision(3)}: the nearest point of the skin is [${where}]`);
  }
  return anchor;
}

/** Length of a tool over the rest shape. */
export function measureLength(surface: Surface, { a, b, via = [] }: Pick<WrinkleTool, 'a' | 'b' | 'via'>): number {
  const points = [a, ...via, b].map((anchor) => placeAnchor(surface, anchor));
  return points.slice(1).reduce((sum, p, k) => sum + Math.hypot(...p.map((x, r) => x - points[k]![r]!)), 0);
}

/** Unit vector across AB in the plane of the skin. */
function across(surface: Surface, tool: WrinkleTool, a: readonly number[], b: readonly number[]): number[] {
  const along = a.map((x, r) => b[r]! - x);
  const normal = [0, 0, 0];
  for (const { triangle } of [tool.a, tool.b]) {
    const [p, q, s] = [0, 1, 2].map((k) =>
      surface.positions.subarray(3 * surface.triangles[3 * triangle + k]!).subarray(0, 3),
    );
    const u = [0, 1, 2].map((r) => q![r]! - p![r]!);
    const v = [0, 1, 2].map((r) => s![r]! - p![r]!);
    const n = cross(u, v);
    const unit = 1 / (Math.hypot(...n) || 1);
    for (let r = 0; r < 3; r++) normal[r]! += unit * n[r]!;
  }
  const side = cross(normal, along);
  const unit = 1 / (Math.hypot(...side) || 1);
  return side.map((x) => x * unit);
}
