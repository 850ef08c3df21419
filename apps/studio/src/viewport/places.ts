/** From places of the canvas to what is seen there, and back. */
import { Vector3 } from 'three';
import type { PickResult } from '../engine/protocol.js';
import type { Studio } from '../state/studio.js';
import type { Viewport } from './viewport.js';

export type SurfaceName = 'skinned' | 'corrected';

export class Places {
  constructor(
    private readonly viewport: Pick<Viewport, 'camera' | 'canvas' | 'skeleton'>,
    private readonly studio: Studio,
  ) {}

  /** Ray through a place of the canvas (CSS pixels) and the surface that is shown there. */
  rayAt(x: number, y: number): { origin: Vector3; direction: Vector3; surface: SurfaceName } {
    const part = this.partAt(x);
    const origin = this.viewport.camera.position.clone();
    const direction = new Vector3((2 * (x - part.left)) / part.width - 1, 1 - (2 * y) / this.height, 0.5)
      .unproject(this.viewport.camera)
      .sub(origin)
      .normalize();
    return { origin, direction, surface: part.surface };
  }

  /** What lies under a place of the canvas. */
  pick(x: number, y: number): Promise<PickResult | null> {
    const { origin, direction, surface } = this.rayAt(x, y);
    return this.studio.engine.pick({ origin: origin.toArray(), direction: direction.toArray(), surface });
  }

  /** Place of an event on the canvas. */
  placeOf(event: PointerEvent): { x: number; y: number } {
    const box = this.viewport.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** Canvas place of a point, for the part of the view that a pointer at x is in. */
  project(point: Vector3, x: number): { x: number; y: number; depth: number } {
    const part = this.partAt(x);
    const seen = point.clone().project(this.viewport.camera);
    return { x: part.left + ((seen.x + 1) / 2) * part.width, y: ((1 - seen.y) / 2) * this.height, depth: seen.z };
  }

  /** Joint drawn nearest to a place of the canvas, −1 if none is within `reach` pixels. */
  jointAt(x: number, y: number, reach: number): number {
    let best = -1;
    let nearest = reach;
    const place = new Vector3();
    for (const { node } of this.studio.character.peek()?.joints ?? []) {
      const seen = this.project(this.viewport.skeleton!.place(place, node), x);
      const distance = Math.hypot(seen.x - x, seen.y - y);
      if (distance < nearest && seen.depth < 1) {
        nearest = distance;
        best = node;
      }
    }
    return best;
  }

  /** The part of the canvas around x: its left edge and width, and what it shows. */
  private partAt(x: number): { left: number; width: number; surface: SurfaceName } {
    const { layout, split } = this.studio.document.peek().view;
    const { width } = this;
    if (layout !== 'side') {
      return { left: 0, width, surface: layout === 'split' && x < split * width ? 'skinned' : 'corrected' };
    }
    const isLeft = x < width / 2;
    return { left: isLeft ? 0 : width / 2, width: width / 2, surface: isLeft ? 'skinned' : 'corrected' };
  }

  private get width(): number {
    return this.viewport.canvas.clientWidth;
  }

  private get height(): number {
    return this.viewport.canvas.clientHeight;
  }
}
