/** What the camera looks at: a box, which stays in sight when the view gets wider or narrower. */
import type { PerspectiveCamera, Vector3 } from 'three';
import type { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { FrameArrays } from '../engine/protocol.js';
import { chooseView } from './choose-view.js';
import { type Bounds, fitDistance, frameCamera, measureSize } from './frame-camera.js';

/** A region is seen with this much around it, in its sizes. */
const AROUND = 2;
/** Share of the whole that is seen at least, where nobody chose what to look at. */
const CONTEXT = 0.4;
/** Share of what is around that lies on that side alone. */
const TOWARDS = 0.7;
/** Share of its size by which a box may differ and be the same. */
const SAME = 1e-5;

export class Eye {
  /** Of everything that is drawn. */
  bounds: Bounds = [-1, -1, -1, 1, 1, 1];
  private framed = this.bounds;
  private aspect = 1;

  constructor(
    private readonly camera: PerspectiveCamera,
    private readonly controls: OrbitControls,
  ) {}

  /** From what is looked at to the eye. */
  get direction(): Vector3 {
    return this.camera.position.clone().sub(this.controls.target).normalize();
  }

  /** Of another character; one that fills the same box, as after its joints were moved, is seen as before. */
  show(bounds: Bounds, aspect: number): void {
    const most = Math.max(...bounds.map((value, i) => Math.abs(value - this.bounds[i]!)));
    if (most < SAME * measureSize(bounds)) return;
    this.bounds = bounds;
    this.look(bounds, aspect);
  }

  look(bounds: Bounds, aspect: number, direction?: Vector3): void {
    frameCamera(this.camera, this.controls, bounds, aspect, this.bounds, direction);
    this.framed = bounds;
    this.aspect = aspect;
  }

  /** @param direction to look from; without one, from where the change of the vertices is seen best, with what they belong to */
  lookAt(arrays: FrameArrays, vertices: readonly number[], aspect: number, direction?: Vector3): void {
    const least = direction ? 0 : CONTEXT * measureSize(this.bounds);
    this.look(measureAround(arrays, vertices, least, this.bounds), aspect, direction ?? chooseView(arrays, vertices));
  }

  /** The same is seen as before, and as large as it can be. */
  refit(aspect: number): void {
    const { camera, controls, framed, direction } = this;
    if (aspect === this.aspect) return;
    const scale = fitDistance(framed, aspect, direction) / fitDistance(framed, this.aspect, direction);
    const distance = scale * camera.position.distanceTo(controls.target);
    camera.position.copy(controls.target).addScaledVector(direction, distance);
    this.aspect = aspect;
    controls.update();
  }

  /** There is more to be seen; what is shown grows with it if it is the whole. */
  widen(box: Bounds, aspect: number): void {
    const isWhole = this.framed === this.bounds;
    this.bounds = this.bounds.map((value, i) => (i < 3 ? Math.min : Math.max)(value, box[i]!));
    if (isWhole) this.look(this.bounds, aspect);
  }
}

/** The vertices of some regions. */
export function listVertices(vertexRegion: Float32Array, regions: readonly number[]): number[] {
  const out: number[] = [];
  vertexRegion.forEach((region, k) => void (regions.includes(region) && out.push(k)));
  return out;
}

/** The box of some vertices, before and after, and something around it; at least of some size. */
function measureAround(
  { positions, skinned }: FrameArrays,
  vertices: readonly number[],
  least: number,
  whole: Bounds,
): Bounds {
  const box = [0, 1, 2, 3, 4, 5].map((i) => {
    const pick = i < 3 ? Math.min : Math.max;
    const r = i % 3;
    return vertices.reduce(
      (most, k) => pick(most, positions[3 * k + r]!, skinned[3 * k + r]!),
      i < 3 ? Infinity : -Infinity,
    );
  });
  const size = measureSize(box);
  const around = (0.5 * (Math.max(AROUND * size, least) - size)) / Math.sqrt(3);
  return box.map((value, i) => {
    const r = i % 3;
    // What is around lies rather towards the middle of the whole.
    const away = least > 0 ? (whole[r]! + whole[r + 3]! - box[r]! - box[r + 3]!) / 2 : 0;
    return value + (i < 3 ? -around : around) + Math.max(-TOWARDS * around, Math.min(TOWARDS * around, away));
  });
}
