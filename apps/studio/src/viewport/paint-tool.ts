/** Painting with the mouse: dabs along the path of the pointer, shown at once, one undo step per stroke. */
import { effect } from '@preact/signals';
import { MOUSE } from 'three';
import { type Brush, createBrush, MOST_PAINT, unpainted } from '../state/brush.js';
import type { Studio } from '../state/studio.js';
import { listen } from './listen.js';
import type { Viewport } from './viewport.js';

/** Between two dabs, in radii. */
const SPACING = 0.35;
/** A path longer than this many dabs between two events is thinned out. */
const MOST_DABS = 12;

interface Stroke {
  readonly values: Float32Array;
  readonly wasPlaying: boolean;
  last: { x: number; y: number };
}

export function startPainting(viewport: Viewport, studio: Studio): () => void {
  const painter = new Painter(viewport, studio);
  return () => painter.stop();
}

class Painter {
  private readonly ring = document.createElement('div');
  private brush: Brush | undefined;
  private stroke: Stroke | undefined;
  /** Dabs wait for the one before: the engine answers one ray at a time. */
  private queue: Promise<void> = Promise.resolve();
  private readonly stops: readonly (() => void)[];

  constructor(
    private readonly viewport: Viewport,
    private readonly studio: Studio,
  ) {
    const { canvas } = viewport;
    this.ring.className = 'brush-ring';
    this.ring.hidden = true;
    canvas.parentElement!.append(this.ring);
    this.stops = [
      listen(canvas, {
        down: (event) => this.start(event),
        move: (event) => this.move(event),
        up: () => this.finish(),
        cancel: () => this.finish(),
        leave: () => this.ring.toggleAttribute('hidden', true),
      }),
      effect(() => {
        const facts = studio.character.value;
        this.brush = facts ? createBrush(facts) : undefined;
      }),
      effect(() => this.followTool()),
      effect(() => {
        const { size } = studio.brush.value;
        Object.assign(this.ring.style, { width: `${2 * size}px`, height: `${2 * size}px`, margin: `${-size}px` });
      }),
    ];
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.ring.remove();
  }

  private get isActive(): boolean {
    return this.studio.tool.peek() === 'paint';
  }

  private followTool(): void {
    const { studio, viewport } = this;
    const isOn = studio.tool.value === 'paint';
    viewport.controls.mouseButtons.LEFT = isOn ? null : MOUSE.ROTATE;
    viewport.controls.mouseButtons.RIGHT = isOn ? MOUSE.ROTATE : MOUSE.PAN;
    viewport.canvas.classList.toggle('painting', isOn);
    void studio.document.value.paint;
    void studio.brush.value.channel;
    void studio.character.value;
    this.show(isOn ? this.paintedValues() : undefined);
    if (!isOn) this.ring.hidden = true;
  }

  private async dab(values: Float32Array, x: number, y: number): Promise<void> {
    const { studio, viewport } = this;
    const { origin, direction, surface } = viewport.places.rayAt(x, y);
    const hit = await studio.engine.pick({ origin: origin.toArray(), direction: direction.toArray(), surface });
    const arrays = studio.frame.peek()?.arrays;
    if (!hit || !arrays || !this.brush) return;
    const settings = studio.brush.peek();
    const depth = Math.hypot(...hit.point.map((value, k) => value - origin.getComponent(k)));
    const perPixel = (2 * Math.tan((viewport.camera.fov * Math.PI) / 360) * depth) / viewport.canvas.clientHeight;
    const isSkinned = surface === 'skinned';
    this.brush.dab(
      values,
      isSkinned ? arrays.skinned : arrays.positions,
      isSkinned ? arrays.skinnedNormals : arrays.normals,
      settings,
      { point: hit.point, normal: hit.normal, radius: settings.size * perPixel },
    );
    this.show(values);
  }

  /** Paint 0 … 2 on the colour scale 0 … 1; what is fixed, 0 or 1, as it is. */
  private show(values: Float32Array | undefined): void {
    const most = this.studio.brush.peek().channel === 'fixed' ? 1 : MOST_PAINT;
    this.viewport.showValues(values?.map((value) => value / most));
  }

  private paintedValues(): Float32Array {
    const { paint } = this.studio.document.peek();
    const { channel } = this.studio.brush.peek();
    const count = this.studio.character.peek()?.vertexCount ?? 0;
    return paint[channel]?.slice() ?? new Float32Array(count).fill(unpainted(channel));
  }

  private start(event: PointerEvent): void {
    if (!this.isActive || event.button !== 0) return;
    this.viewport.canvas.setPointerCapture(event.pointerId);
    const at = this.viewport.places.placeOf(event);
    const { playing } = this.studio.playback;
    const values = this.paintedValues();
    this.stroke = { values, wasPlaying: playing.peek(), last: at };
    playing.value = false; // nobody hits a moving target
    this.queue = this.queue.then(() => this.dab(values, at.x, at.y));
  }

  private move(event: PointerEvent): void {
    const at = this.viewport.places.placeOf(event);
    this.ring.hidden = !this.isActive;
    this.ring.style.transform = `translate(${at.x}px, ${at.y}px)`;
    if (!this.stroke) return;
    const { values, last } = this.stroke;
    const length = Math.hypot(at.x - last.x, at.y - last.y);
    const step = SPACING * this.studio.brush.peek().size;
    if (length < step) return;
    this.stroke.last = at;
    const count = Math.min(MOST_DABS, Math.floor(length / step));
    for (let n = 1; n <= count; n++) {
      const u = n / count;
      this.queue = this.queue.then(() => this.dab(values, last.x + u * (at.x - last.x), last.y + u * (at.y - last.y)));
    }
  }

  private finish(): void {
    if (!this.stroke) return;
    const { values, wasPlaying } = this.stroke;
    this.stroke = undefined;
    this.queue = this.queue.then(() => {
      const { channel, mode } = this.studio.brush.peek();
      const what = { gamma: 'γ', softness: 'softness', fixed: 'what is fixed' }[channel];
      const word = `${mode.charAt(0).toUpperCase()}${mode.slice(1)} ${what}`;
      this.studio.commit(word, (present) => ({ ...present, paint: { ...present.paint, [channel]: values } }));
      if (wasPlaying) this.studio.playback.playing.value = true;
    });
  }
}
