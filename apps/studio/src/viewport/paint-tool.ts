/** Painting with the mouse: dabs along the path of the pointer, shown at once, one undo step per stroke. */
import { effect } from '@preact/signals';
import { MOUSE } from 'three';
import { type Brush, createBrush, MOST_PAINT, unpainted } from '../state/brush.js';
import { createBrushTip } from '../state/brush-tip.js';
import { findOpposite } from '../state/mirror-pose.js';
import { readJoint, type SkinWeights } from '../state/skin-weights.js';
import type { Studio } from '../state/studio.js';
import { createWeightBrush, type WeightBrush } from '../state/weight-brush.js';
import { listen } from './listen.js';
import type { Viewport } from './viewport.js';

/** Between two dabs, in radii. */
const SPACING = 0.35;
/** A path longer than this many dabs between two events is thinned out. */
const MOST_DABS = 12;

/** A number per vertex, or the weights of all joints. */
type Painted = Float32Array | SkinWeights;

const WORDS = { gamma: 'γ', softness: 'softness', fixed: 'what is fixed', weights: 'weights' } as const;

interface Stroke {
  readonly values: Painted;
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
  private weightBrush: WeightBrush | undefined;
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
        if (!facts) return;
        const { joints } = facts;
        const tip = createBrushTip(facts);
        const oppositeOf = (node: number) => findOpposite(joints, node)?.node ?? node;
        const parentOf = (node: number) => joints.find((joint) => joint.node === node)?.parent ?? -1;
        this.brush = createBrush(tip);
        this.weightBrush = createWeightBrush(tip, facts.skin, oppositeOf, parentOf);
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
    void studio.document.value.selection.joint;
    void studio.brush.value.channel;
    void studio.character.value;
    this.show(isOn ? this.paintedValues() : undefined);
    if (!isOn) this.ring.hidden = true;
  }

  private async dab(values: Painted, x: number, y: number): Promise<void> {
    const { studio, viewport } = this;
    const { origin, direction, surface } = viewport.places.rayAt(x, y);
    const hit = await studio.engine.pick({ origin: origin.toArray(), direction: direction.toArray(), surface });
    const arrays = studio.frame.peek()?.arrays;
    if (!hit || !arrays || !this.brush) return;
    const settings = studio.brush.peek();
    const depth = Math.hypot(...hit.point.map((value, k) => value - origin.getComponent(k)));
    const perPixel = (2 * Math.tan((viewport.camera.fov * Math.PI) / 360) * depth) / viewport.canvas.clientHeight;
    const isSkinned = surface === 'skinned';
    const positions = isSkinned ? arrays.skinned : arrays.positions;
    const normals = isSkinned ? arrays.skinnedNormals : arrays.normals;
    const dab = { point: hit.point, normal: hit.normal, radius: settings.size * perPixel };
    if (values instanceof Float32Array) this.brush.dab(values, positions, normals, settings, dab);
    else this.weightBrush?.dab(values, this.joint, positions, normals, settings, dab);
    this.show(values);
  }

  private get joint(): number {
    return this.studio.document.peek().selection.joint;
  }

  /** Paint 0 … 2 on the colour scale 0 … 1; what is fixed, 0 or 1, and weights as they are. */
  private show(painted: Painted | undefined): void {
    const facts = this.studio.character.peek();
    if (!painted || !facts) return this.viewport.showValues(undefined);
    if (!(painted instanceof Float32Array)) {
      return this.viewport.showValues(readJoint(painted, facts.skin.boneNodes, this.joint));
    }
    const most = this.studio.brush.peek().channel === 'fixed' ? 1 : MOST_PAINT;
    this.viewport.showValues(painted.map((value) => value / most));
  }

  private paintedValues(): Painted {
    const { paint } = this.studio.document.peek();
    const { channel } = this.studio.brush.peek();
    const facts = this.studio.character.peek();
    if (channel === 'weights' && facts) {
      const { influences, bones, weights } = paint.weights ?? facts.skin.weights;
      return { influences, bones: bones.slice(), weights: weights.slice() };
    }
    const own = channel === 'weights' ? undefined : paint[channel];
    return own?.slice() ?? new Float32Array(facts?.vertexCount ?? 0).fill(unpainted(channel));
  }

  private start(event: PointerEvent): void {
    if (!this.isActive || event.button !== 0) return;
    if (this.studio.brush.peek().channel === 'weights' && this.joint < 0) return; // the panel asks for one
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
      const word = `${mode.charAt(0).toUpperCase()}${mode.slice(1)} ${WORDS[channel]}`;
      this.studio.commit(word, ({ paint }) => ({ paint: { ...paint, [channel]: values } }));
      if (wasPlaying) this.studio.playback.playing.value = true;
    });
  }
}
