/**
 * One wrinkle tool on its way through a pose (H1, H5, H6): where its ends are, how much length is lost, and how high a point
 * of the skin is lifted.
 *
 *   Over the rectangle of A and B (tool-rectangles.ts) a point is lifted by h(x)·attenuation(t), x in 0 … |AB|, t in −1 … 1, if its
 *   normal faces N (⟨n, N⟩ > 0). Curved tools are a polyline of rectangles; x runs along all of them, and the nearest one counts.
 *   What is lost is counted along the skin under the tool (plan-skin-line.ts), not along the straight line between its ends.
 *
 * Complexity: O(segments) per point, no allocation.
 */
import type { Character } from '../character/character.js';
import { IsoskinError } from '../error.js';
import { smoothStep } from '../linear-algebra/smooth-step.js';
import { measureDiagonal } from '../mesh/measure-box.js';
import { type ControlCurve, measureHeight, planControlCurve } from './plan-control-curve.js';
import { planRestLength, type RestLengthPlan } from './plan-rest-length.js';
import { measureSkinLine, planSkinAnchors, planSkinLine, type SkinLine } from './plan-skin-line.js';
import { refuseTool } from './refuse-tool.js';
import {
  createToolPlace,
  gatherAnchors,
  placeRectangles,
  projectOnRectangles,
  STRIDE,
  type ToolPlace,
} from './tool-rectangles.js';
import { type Attenuation, type SurfaceAnchor, WRINKLE_DEFAULTS, type WrinkleTool } from './wrinkle-tool.js';

/** ⟨n, N⟩ from which a normal faces the rectangle in full; between 0 and this the fold fades. */
const FACING = 0.25;
/** Share of the length over which the skin gives way from the ends on: they never move. */
const RUN_OUT = 0.2;
/** Lost length, relative to ℓ, that the other layers let the skin tremble by: none of it counts, and all. */
const SLACK = [2e-4, 1e-3] as const;

export class PlannedTool {
  readonly name: string;
  readonly curve: ControlCurve;
  /** Component of the surface that it lies on, and triangles of its anchors. */
  readonly component: number;
  readonly anchors: readonly number[];
  readonly width: number;
  /** |t| up to which folds are high enough to be worth a finer mesh. */
  readonly reach: number;
  /** ℓ and length of the skin between the ends in the last pose, world units; lost = ℓ − distance, 0 when stretched. */
  length: number;
  distance: number;
  lost = 0;
  /** Length of the rectangles. */
  span: number;
  /** Factor of the heights that the user asked for. */
  readonly strength: number;
  /** Points of the skin from A to B. */
  readonly skin: readonly SurfaceAnchor[];
  readonly settings: Required<Pick<WrinkleTool, 'attenuation' | 'profile'>>;
  private readonly line: SkinLine;
  /** Length of the skin at rest, relative to that of the rectangles. */
  private readonly bow: number;
  private readonly triangles: Uint32Array;
  private readonly restLength: RestLengthPlan;
  private readonly places: readonly SurfaceAnchor[];
  private readonly points: Float64Array;
  private readonly normals: Float64Array;
  readonly rects: Float64Array;
  readonly curvePoints: Float64Array;
  private readonly place = createToolPlace();
  unit = 1; // the joints' common scale

  constructor(character: Character, tool: WrinkleTool, index: number) {
    const { triangles, triangleComponent, positions } = character.surface;
    const where = `wrinkles: tools[${index}]${tool.name ? ` “${tool.name}”` : ''}`;
    this.settings = { ...WRINKLE_DEFAULTS, ...tool };
    this.triangles = triangles;
    this.places = [tool.a, ...(tool.via ?? []), tool.b];
    for (const [k, anchor] of this.places.entries()) {
      const end = k === 0 ? 'a' : k === this.places.length - 1 ? 'b' : `via[${k - 1}]`;
      checkAnchor(anchor, triangles.length / 3, `${where}.${end}`);
    }
    this.anchors = this.places.map(({ triangle }) => triangle);
    this.component = triangleComponent[this.anchors[0]!]!;
    if (this.anchors.some((t) => triangleComponent[t] !== this.component)) {
      refuseTool(
        'The ends of the tool lie on parts that do not hang together: put both on one part of the skin',
        where,
      );
    }
    this.points = new Float64Array(3 * this.places.length);
    this.normals = new Float64Array(3 * this.places.length);
    this.rects = new Float64Array(STRIDE * (this.places.length - 1));
    const placed = gatherAnchors(this.points, positions, triangles, this.places);
    checkSizes(tool, placed, measureDiagonal(positions), where);
    // Units of this file per unit that the tool was placed in.
    const factor = placed / (tool.length ?? placed);
    this.restLength = planRestLength(character, tool.restLength, placed, factor, where);
    this.width = tool.width * factor;
    this.curve = planCurve(tool, this.restLength.most, factor, where);
    this.curvePoints = new Float64Array(2 * this.curve.pointCount);
    this.name = tool.name ?? `tool ${index + 1}`;
    // Wyvill's bell is down to 2 % there.
    this.reach = this.settings.attenuation === 'wyvill' ? 0.9 : 1;
    this.strength = tool.strength ?? WRINKLE_DEFAULTS.strength;
    this.skin = planSkinAnchors(character.surface, this.places, this.curve.pointCount - 1);
    this.line = planSkinLine(character.surface, this.skin);
    this.length = this.distance = measureSkinLine(this.line, positions);
    this.bow = this.length / placed;
    this.span = placed;
  }

  /** Finds the ends in a pose and folds the curve. `scale`: the joints' common scale. */
  pose(positions: Float64Array, normals: Float64Array, time: number, morphs: Float64Array, scale: number): void {
    this.unit = scale;
    this.span = gatherAnchors(this.points, positions, this.triangles, this.places);
    this.length = this.restLength.measure(time, morphs) * scale * this.bow;
    this.distance = measureSkinLine(this.line, positions);
    this.lost = Number.isFinite(this.distance) ? loosen(this.length - this.distance, this.length) : 0;
    if (this.lost === 0) return;
    this.placeRectangles(normals);
    // The curve is planned in units of the rest shape.
    this.curve.evaluate(this.curvePoints, this.span / scale, (this.span + this.lost) / scale);
  }

  /** Lays the rectangles over the rest shape, whatever the length. */
  poseFlat(positions: Float64Array, normals: Float64Array): void {
    this.unit = 1;
    this.span = gatherAnchors(this.points, positions, this.triangles, this.places);
    this.placeRectangles(normals);
  }

  private placeRectangles(normals: Float64Array): void {
    gatherAnchors(this.normals, normals, this.triangles, this.places);
    placeRectangles(this.rects, this.points, this.normals, this.places.length - 1);
  }

  /** Of the share of the depth by which the skin gives way, from the ends on. */
  get slope(): number {
    return 1 / (RUN_OUT * this.span);
  }

  /** Coordinates of a point over the rectangles, into `out`. */
  project(out: ToolPlace, px: number, py: number, pz: number): void {
    projectOnRectangles(out, this.rects, this.width * this.unit, px, py, pz);
  }

  /**
   * Of a list of vertices: height of the fold, and how much of the depth each gives way by, 0 … 1: what the folds hold is taken from there. 0 for vertices that
   * are not in use or not over the rectangle.
   */
  lift(
    { vertices, masks, heights, sinks }: Lifted,
    used: Uint8Array,
    positions: Float64Array,
    normals: Float64Array,
  ): void {
    const { span, rects, place, curve, curvePoints, unit } = this;
    const { attenuation } = this.settings;
    const isSmooth = this.settings.profile === 'smooth';
    const { slope } = this;
    const steps = (curve.pointCount - 1) / span;
    const across = 2 / (this.width * unit);
    const isStraight = rects.length === STRIDE;
    heights.fill(0);
    sinks.fill(0);
    // A straight tool has one rectangle: it is kept out of the loop.
    if (isStraight) projectOnRectangles(place, rects, this.width * unit, rects[0]!, rects[1]!, rects[2]!);
    for (let i = 0; i < vertices.length; i++) {
      const k = vertices[i]!;
      const v = 3 * k;
      if (used[k] === 0) continue;
      if (isStraight) {
        const qx = positions[v]! - rects[0]!;
        const qy = positions[v + 1]! - rects[1]!;
        const qz = positions[v + 2]! - rects[2]!;
        place.x = qx * rects[3]! + qy * rects[4]! + qz * rects[5]!;
        place.t = across * (qx * rects[6]! + qy * rects[7]! + qz * rects[8]!);
      } else this.project(place, positions[v]!, positions[v + 1]!, positions[v + 2]!);
      const { x, t } = place;
      if (!(x > 0 && x < span && t > -1 && t < 1)) continue;
      const facing = normals[v]! * place.nx + normals[v + 1]! * place.ny + normals[v + 2]! * place.nz;
      if (!(facing > 0)) continue;
      const share = smoothStep(facing / FACING) * attenuate(attenuation, t) * masks[i]!;
      heights[i] = measureHeight(curvePoints, curve.pointCount, x * steps, isSmooth) * unit * share;
      sinks[i] = smoothStep(Math.min(x, span - x) * slope) * share;
    }
  }
}

/** Vertices that a tool may move, how much of the fold each gets, and what `lift` finds for them. */
export interface Lifted {
  readonly vertices: Uint32Array;
  readonly masks: Float64Array;
  readonly heights: Float64Array;
  readonly sinks: Float64Array;
}

/** Lost length without what the other layers let the skin tremble by. */
function loosen(lost: number, length: number): number {
  const u = (lost / length - SLACK[0]) / (SLACK[1] - SLACK[0]);
  return u > 0 ? lost * smoothStep(u) : 0;
}

/** H6: 1 at the centre, 0 at the edge. */
export function attenuate(kind: Attenuation, t: number): number {
  if (!(t > -1 && t < 1)) return 0;
  if (kind === 'none') return 1;
  if (kind === 'linear') return 1 - Math.abs(t);
  const s = t * t;
  return 1 + (s * (s * (17 - 4 * s) - 22)) / 9;
}

function planCurve(tool: WrinkleTool, length: number, factor: number, place: string): ControlCurve {
  const scale = <T extends { readonly maxHeight?: number }>(own: T): T =>
    own.maxHeight === undefined ? own : { ...own, maxHeight: own.maxHeight * factor };
  try {
    return planControlCurve({ ...scale(tool), ...(tool.levels && { levels: tool.levels.map(scale) }), length });
  } catch (error) {
    if (!(error instanceof IsoskinError)) throw error;
    const text = error.place ? error.message.slice(0, -error.place.length - 3) : error.message;
    throw new IsoskinError(error.code, text, `${place}.${error.place}`);
  }
}

function checkAnchor(anchor: SurfaceAnchor, triangleCount: number, place: string): void {
  const { triangle, barycentric } = anchor;
  if (!(Number.isInteger(triangle) && triangle >= 0 && triangle < triangleCount)) {
    refuseTool(
      `The tool is off the surface: there is no triangle ${triangle} among ${triangleCount}; place it again`,
      place,
    );
  }
  const [u, v, w] = barycentric;
  const isInside = [u, v, w].every((value) => value >= -1e-6 && value <= 1 + 1e-6) && Math.abs(u + v + w - 1) <= 1e-6;
  if (!isInside) {
    refuseTool(
      `The tool is off the surface: [${barycentric.join(', ')}] is no point of a triangle; place it again`,
      place,
    );
  }
}

function checkSizes({ length, width }: WrinkleTool, placed: number, size: number, where: string): void {
  if (!(placed > 1e-9 * size)) refuseTool('The tool has no length: move its ends apart', where);
  if (length !== undefined && !(length > 0 && Number.isFinite(length))) {
    refuseTool(`A length of ${length} makes no sense: give |AB| as it was placed, or leave it out`, `${where}.length`);
  }
  if (!(width > 0 && Number.isFinite(width))) {
    refuseTool(`A width of ${width} cannot be had: give a number above 0`, `${where}.width`);
  }
}
