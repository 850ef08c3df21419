/** Painting with the mouse: dabs along the path of the pointer, shown at once, one undo step per stroke. */
import { effect } from '@preact/signals';
import { MOUSE } from 'three';
import { type Brush, createBrush, MOST_PAINT, UNPAINTED } from '../state/brush.js';
import type { Studio } from '../state/create-studio.js';
import type { Viewport } from './create-viewport.js';

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
  const { canvas, controls, camera } = viewport;
  const ring = document.createElement('div');
  ring.className = 'brush-ring';
  ring.hidden = true;
  canvas.parentElement!.append(ring);
  let brush: Brush | undefined;
  let stroke: Stroke | undefined;
  /** Dabs wait for the one before: the engine answers one ray at a time. */
  let queue: Promise<void> = Promise.resolve();

  const isActive = () => studio.tool.peek() === 'paint';
  const place = (event: PointerEvent) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  async function dab(values: Float32Array, x: number, y: number): Promise<void> {
    const { origin, direction, surface } = viewport.rayAt(x, y);
    const hit = await studio.engine.pick({ origin: origin.toArray(), direction: direction.toArray(), surface });
    const arrays = studio.frame.peek()?.arrays;
    if (!hit || !arrays || !brush) return;
    const settings = studio.brush.peek();
    const depth = Math.hypot(...hit.point.map((value, k) => value - origin.getComponent(k)));
    const perPixel = (2 * Math.tan((camera.fov * Math.PI) / 360) * depth) / canvas.clientHeight;
    const isSkinned = surface === 'skinned';
    brush.dab(
      values,
      isSkinned ? arrays.skinned : arrays.positions,
      isSkinned ? arrays.skinnedNormals : arrays.normals,
      settings,
      { point: hit.point, normal: hit.normal, radius: settings.size * perPixel },
    );
    show(values);
  }

  /** Paint 0 … 2 on the colour scale 0 … 1. */
  function show(values: Float32Array | undefined): void {
    viewport.showValues(values?.map((value) => value / MOST_PAINT));
  }

  function paintedValues(): Float32Array {
    const { paint } = studio.document.peek();
    const count = studio.character.peek()?.vertexCount ?? 0;
    return paint[studio.brush.peek().channel]?.slice() ?? new Float32Array(count).fill(UNPAINTED);
  }

  const onDown = (event: PointerEvent) => {
    if (!isActive() || event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    const at = place(event);
    const { playing } = studio.playback;
    stroke = { values: paintedValues(), wasPlaying: playing.peek(), last: at };
    playing.value = false; // nobody hits a moving target
    const { values } = stroke;
    queue = queue.then(() => dab(values, at.x, at.y));
  };
  const onMove = (event: PointerEvent) => {
    const at = place(event);
    ring.hidden = !isActive();
    ring.style.transform = `translate(${at.x}px, ${at.y}px)`;
    if (!stroke) return;
    const { values, last } = stroke;
    const length = Math.hypot(at.x - last.x, at.y - last.y);
    const step = SPACING * studio.brush.peek().size;
    if (length < step) return;
    stroke.last = at;
    const count = Math.min(MOST_DABS, Math.floor(length / step));
    for (let n = 1; n <= count; n++) {
      const u = n / count;
      queue = queue.then(() => dab(values, last.x + u * (at.x - last.x), last.y + u * (at.y - last.y)));
    }
  };
  const onUp = () => {
    if (!stroke) return;
    const { values, wasPlaying } = stroke;
    stroke = undefined;
    queue = queue.then(() => {
      const { channel, mode } = studio.brush.peek();
      const word = channel === 'gamma' ? 'γ' : 'softness';
      studio.commit(`${mode === 'paint' ? 'Paint' : mode === 'smooth' ? 'Smooth' : 'Erase'} ${word}`, (present) => ({
        ...present,
        paint: { ...present.paint, [channel]: values },
      }));
      if (wasPlaying) studio.playback.playing.value = true;
    });
  };
  const onLeave = () => {
    ring.hidden = true;
  };

  canvas.addEventListener('pointerdown', onDown);
  canvas.addEventListener('pointermove', onMove);
  canvas.addEventListener('pointerup', onUp);
  canvas.addEventListener('pointercancel', onUp);
  canvas.addEventListener('pointerleave', onLeave);
  const stops = [
    effect(() => {
      const facts = studio.character.value;
      brush = facts ? createBrush(facts) : undefined;
    }),
    effect(() => {
      const isOn = studio.tool.value === 'paint';
      controls.mouseButtons.LEFT = isOn ? null : MOUSE.ROTATE;
      controls.mouseButtons.RIGHT = isOn ? MOUSE.ROTATE : MOUSE.PAN;
      canvas.classList.toggle('painting', isOn);
      void studio.document.value.paint;
      void studio.brush.value.channel;
      void studio.character.value;
      show(isOn ? paintedValues() : undefined);
      if (!isOn) ring.hidden = true;
    }),
    effect(() => {
      const { size } = studio.brush.value;
      ring.style.width = `${2 * size}px`;
      ring.style.height = `${2 * size}px`;
      ring.style.margin = `${-size}px`;
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    ring.remove();
    canvas.removeEventListener('pointerdown', onDown);
    canvas.removeEventListener('pointermove', onMove);
    canvas.removeEventListener('pointerup', onUp);
    canvas.removeEventListener('pointercancel', onUp);
    canvas.removeEventListener('pointerleave', onLeave);
  };
}
