/** Wrinkles drawn with the mouse: from where the button goes down to where it comes up, along the skin. */

import type { SurfaceAnchor } from '@isoskin/core/wrinkles';
import { effect } from '@preact/signals';
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, Points, PointsMaterial } from 'three';
import type { PickResult } from '../engine/protocol.js';
import { addWrinkles, listWrinkles } from '../state/edit-wrinkles.js';
import type { Studio } from '../state/studio.js';
import { listen } from './listen.js';
import type { Viewport } from './viewport.js';

/** Segments that all lines together may have. */
const MOST_SEGMENTS = 512;
const LEAST_DRAG = 6;

export function startWrinkling(viewport: Viewport, studio: Studio): () => void {
  const { canvas, controls } = viewport;
  const lines = createLines();
  viewport.scene.add(lines.object);
  let start: { x: number; y: number; hit: Promise<PickResult | null> } | undefined;
  /** Ends of the wrinkle that is being drawn, on the skin as it stands. */
  let draft: readonly (readonly number[])[] = [];
  let isAsking = false;

  const onDown = (event: PointerEvent) => {
    if (studio.tool.peek() !== 'wrinkle' || event.button !== 0) return;
    const { x, y } = viewport.places.placeOf(event);
    studio.playback.playing.value = false; // nobody draws on a moving skin
    controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
    start = { x, y, hit: viewport.places.pick(x, y) };
  };
  const onMove = (event: PointerEvent) => {
    const from = start;
    if (!from || isAsking) return;
    const { x, y } = viewport.places.placeOf(event);
    isAsking = true;
    void Promise.all([from.hit, viewport.places.pick(x, y)])
      .then(([a, b]) => {
        if (!start || !a || !b) return;
        draft = [a.point, b.point];
        redraw();
      })
      .finally(() => {
        isAsking = false;
      });
  };
  const onUp = (event: PointerEvent) => {
    const from = start;
    if (!from) return;
    start = undefined;
    controls.enabled = true;
    const { x, y } = viewport.places.placeOf(event);
    if (Math.hypot(x - from.x, y - from.y) >= LEAST_DRAG) void finish(from.hit, viewport.places.pick(x, y));
    else clear();
  };
  const clear = () => {
    draft = [];
    redraw();
  };

  async function finish(from: Promise<PickResult | null>, to: Promise<PickResult | null>): Promise<void> {
    try {
      const [a, b] = [await from, await to];
      if (!a || !b) {
        studio.notices.show(
          'info',
          'A wrinkle needs both ends on the skin',
          'Drag from one point of the skin to another.',
        );
        return;
      }
      const preset = studio.wrinklePreset.peek();
      const tools = await studio.engine.placeWrinkle({ a: toAnchor(a), b: toAnchor(b), preset });
      studio.commit('Draw a wrinkle', ({ stack }) => ({ stack: addWrinkles(stack, tools) }));
      studio.wrinkle.value = listWrinkles(studio.document.peek().stack).length - 1;
    } catch (error) {
      studio.notices.show('error', 'No wrinkle can be put here', error);
    } finally {
      clear();
    }
  }

  function redraw(): void {
    const isShown = studio.tool.peek() === 'wrinkle';
    lines.object.visible = isShown;
    const arrays = studio.frame.peek()?.arrays;
    const facts = studio.character.peek();
    if (isShown && arrays && facts && arrays.values.length === facts.vertexCount) {
      const at = (anchor: SurfaceAnchor) => anchorPlace(arrays.positions, facts.triangles, anchor);
      const tools = listWrinkles(studio.document.peek().stack);
      const chosen = studio.wrinkle.peek();
      lines.set([
        ...tools.map((tool, n) => ({ points: [tool.a, ...(tool.via ?? []), tool.b].map(at), isChosen: n === chosen })),
        ...(draft.length === 2 ? [{ points: draft, isChosen: true }] : []),
      ]);
    }
    viewport.invalidate();
  }
  const stop = effect(() => {
    void studio.frame.value;
    void studio.document.value.stack;
    void studio.wrinkle.value;
    void studio.tool.value;
    redraw();
  });

  const stopListening = listen(canvas, { down: onDown, move: onMove, up: onUp });
  return () => {
    stop();
    stopListening();
    lines.object.removeFromParent();
    lines.dispose();
  };
}

function toAnchor({ triangle, barycentric }: PickResult): SurfaceAnchor {
  return { triangle, barycentric };
}

function anchorPlace(
  positions: Float32Array,
  triangles: Uint32Array,
  { triangle, barycentric }: SurfaceAnchor,
): number[] {
  return [0, 1, 2].map((r) =>
    barycentric.reduce(
      (sum, share, c) => sum + share * (positions[3 * (triangles[3 * triangle + c] ?? 0) + r] ?? 0),
      0,
    ),
  );
}

interface Line {
  readonly points: readonly (readonly number[])[];
  readonly isChosen: boolean;
}

/** Lines over the skin, with a dot at both ends. */
function createLines() {
  const geometry = new BufferGeometry();
  const places = new BufferAttribute(new Float32Array(6 * MOST_SEGMENTS), 3);
  const colours = new BufferAttribute(new Float32Array(6 * MOST_SEGMENTS), 3);
  geometry.setAttribute('position', places).setAttribute('color', colours);
  const options = { vertexColors: true, depthTest: false, transparent: true };
  const object = new LineSegments(geometry, new LineBasicMaterial(options));
  const dots = new Points(geometry, new PointsMaterial({ ...options, size: 5, sizeAttenuation: false }));
  object.add(dots);
  for (const one of [object, dots]) {
    one.frustumCulled = false;
    one.renderOrder = 6;
  }
  return {
    object,
    set(list: readonly Line[]) {
      let n = 0;
      for (const { points, isChosen } of list) {
        for (let k = 0; k + 1 < points.length && n + 2 <= 2 * MOST_SEGMENTS; k++) {
          for (const point of [points[k]!, points[k + 1]!]) {
            places.setXYZ(n, point[0]!, point[1]!, point[2]!);
            if (isChosen) colours.setXYZ(n++, 1, 0.62, 0.2);
            else colours.setXYZ(n++, 0.75, 0.85, 1);
          }
        }
      }
      geometry.setDrawRange(0, n);
      places.needsUpdate = true;
      colours.needsUpdate = true;
    },
    dispose() {
      geometry.dispose();
      object.material.dispose();
      dots.material.dispose();
    },
  };
}
