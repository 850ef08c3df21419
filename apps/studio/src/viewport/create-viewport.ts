/**
 * The 3-D view: draws the last frame of the studio as it is set up in the document. It only draws; all geometry comes from
 * the engine. It redraws when something has changed, not all the time.
 */
import { effect, signal } from '@preact/signals';
import { Color, PerspectiveCamera, Scene, SRGBColorSpace, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { CharacterFacts } from '../engine/protocol.js';
import type { Studio } from '../state/create-studio.js';
import { regionColour } from './colour-scales.js';
import { createDrawFence } from './create-draw-fence.js';
import { FIELD_OF_VIEW, frameCamera } from './frame-camera.js';
import { createGround } from './ground.js';
import { createSkeletonView, type SkeletonView } from './skeleton-view.js';
import { createSkinMeshes, type SkinMeshes } from './skin-meshes.js';
import { createSurfaceMaterial } from './surface-material.js';

export interface Viewport {
  readonly renderer: WebGLRenderer;
  readonly scene: Scene;
  readonly camera: PerspectiveCamera;
  readonly controls: OrbitControls;
  readonly canvas: HTMLCanvasElement;
  /** Looks at the whole character again. */
  frame(): void;
  /** Draw soon: something outside the document has changed. */
  invalidate(): void;
  /** Colours by these values, 0 … 1 for every vertex, whatever the document says; undefined ends it. */
  showValues(values: Float32Array | undefined): void;
  /** Ray through a place of the canvas (CSS pixels) and the surface that is shown there. */
  rayAt(x: number, y: number): { origin: Vector3; direction: Vector3; surface: 'skinned' | 'corrected' };
  /** Canvas place of a point, for the part of the view that a pointer at x is in. */
  project(point: Vector3, x: number): { x: number; y: number; depth: number };
  /** Joint drawn nearest to a place of the canvas, −1 if none is within `reach` pixels. */
  jointAt(x: number, y: number, reach: number): number;
  readonly skeleton: SkeletonView | undefined;
  /** Draws at once and gives the canvas: for pictures. */
  draw(): HTMLCanvasElement;
  /** Called after every drawing. */
  onDraw: ((canvas: HTMLCanvasElement) => void) | undefined;
  dispose(): void;
}

/** More pixels than this per CSS pixel cost more than they show. */
const MOST_DENSE = 2;

const THEMES = {
  dark: { skinned: [0.6, 0.61, 0.65], corrected: [0.86, 0.72, 0.6], line: [0.55, 0.6, 0.68], wire: 0x0b0d10 },
  light: { skinned: [0.64, 0.65, 0.69], corrected: [0.9, 0.76, 0.63], line: [0.35, 0.38, 0.44], wire: 0x30343c },
} as const;

export function createViewport(canvas: HTMLCanvasElement, studio: Studio): Viewport {
  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, powerPreference: 'high-performance' });
  renderer.outputColorSpace = SRGBColorSpace;
  const clearColour = () => renderer.setClearColor(new Color(0, 0, 0), 0);
  clearColour();
  renderer.autoClear = false;
  renderer.debug.checkShaderErrors = false; // asking would wait for the compiler
  const gl = renderer.getContext() as WebGL2RenderingContext;
  const fence = createDrawFence(canvas, gl, () => {
    clearColour(); // three.js forgets it with the context
    invalidate();
  });
  const scene = new Scene();
  const camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
  const controls = new OrbitControls(camera, canvas);
  controls.enableDamping = false;
  controls.zoomToCursor = true;
  const ground = createGround();
  scene.add(ground.mesh);
  const ghost = createSurfaceMaterial(true);

  let meshes: SkinMeshes | undefined;
  let skeleton: SkeletonView | undefined;
  let facts: CharacterFacts | null = null;
  const drawn = signal<CharacterFacts | null>(null);
  let size = 1;
  let isDirty = true;
  let shown: Float32Array | undefined;
  let width = 1;
  let height = 1;
  const invalidate = () => {
    isDirty = true;
  };
  controls.addEventListener('change', invalidate);

  function frame(): void {
    if (!facts) return;
    const { layout } = studio.document.peek().view;
    frameCamera(camera, controls, facts.bounds, (layout === 'side' ? 0.5 : 1) * (width / height));
    invalidate();
  }

  function show(next: CharacterFacts): void {
    meshes?.dispose();
    skeleton?.dispose();
    skeleton?.group.removeFromParent();
    facts = next;
    size = Math.hypot(...[0, 1, 2].map((k) => next.bounds[3 + k]! - next.bounds[k]!)) || 1;
    meshes = createSkinMeshes(next);
    skeleton = createSkeletonView(next.joints, size);
    scene.add(meshes.skinned.mesh, meshes.corrected.mesh, skeleton.group);
    ground.place(next.bounds, size);
    drawn.value = next;
    frame();
  }

  const stops = [
    effect(() => {
      // The character before stays until there is something to show of the next one.
      const result = studio.frame.value;
      const next = studio.character.peek();
      if (!result || !next) return;
      if (next !== facts) show(next);
      const isPainting = shown?.length === next.vertexCount;
      if (isPainting) meshes!.setFrame({ ...result.arrays, values: shown!, skinnedValues: shown! });
      else meshes!.setFrame(result.arrays, result.refined);
      skeleton?.move(result.nodes);
      invalidate();
    }),
    effect(() => {
      const plan = studio.plan.value;
      void drawn.value;
      if (!plan || !meshes || plan.vertexRegion.length !== facts?.vertexCount) return;
      meshes.setRegions(plan.vertexRegion);
      invalidate();
    }),
    effect(() => {
      const plan = studio.plan.value;
      const { selection } = studio.document.value;
      const hovered = studio.hoveredRegion.value;
      void drawn.value;
      const names = plan?.regions.map(({ name }) => name) ?? [];
      const states = Float32Array.from(names, (name, s) =>
        selection.regions.includes(name) ? 1 : s === hovered ? 0.45 : 0,
      );
      const palette = names.length > 0 ? names.map((_, s) => regionColour(s)) : [regionColour(0)];
      for (const mesh of meshes ? [meshes.skinned, meshes.corrected] : []) mesh.surface.setRegions(states, palette);
      skeleton?.select(selection.joint);
      invalidate();
    }),
    effect(() => {
      const { view } = studio.document.value;
      const theme = THEMES[studio.theme.value];
      const tool = studio.tool.value;
      void drawn.value;
      if (!meshes || !skeleton) return;
      const colouring = tool === 'paint' ? 'gamma' : view.colouring;
      meshes.skinned.surface.setColouring(colouring);
      meshes.corrected.surface.setColouring(colouring);
      meshes.skinned.surface.setClay(theme.skinned);
      meshes.corrected.surface.setClay(theme.corrected);
      ghost.setClay(theme.line);
      ground.setLine(theme.line);
      meshes.setWireframe(view.wireframe, theme.wire);
      skeleton.group.visible = view.bones || tool === 'pose';
      invalidate();
    }),
  ];

  /** One part of the canvas, from `left` to `right` in CSS pixels. */
  function drawPart(which: 'skinned' | 'corrected', left: number, right: number, isOwnView: boolean): void {
    if (!meshes || right <= left) return;
    meshes.skinned.mesh.visible = which === 'skinned';
    meshes.corrected.mesh.visible = which === 'corrected';
    renderer.setViewport(isOwnView ? left : 0, 0, isOwnView ? right - left : width, height);
    renderer.setScissor(left, 0, right - left, height);
    renderer.setScissorTest(true);
    renderer.render(scene, camera);
  }

  function draw(): HTMLCanvasElement {
    isDirty = false;
    renderer.setScissorTest(false);
    renderer.clear();
    if (!meshes) return canvas;
    const { layout, split } = studio.document.peek().view;
    camera.aspect = (layout === 'side' ? 0.5 : 1) * (width / height);
    camera.updateProjectionMatrix();
    if (layout === 'side') {
      drawPart('skinned', 0, width / 2, true);
      drawPart('corrected', width / 2, width, true);
    } else if (layout === 'split') {
      drawPart('skinned', 0, Math.round(split * width), false);
      drawPart('corrected', Math.round(split * width), width, false);
    } else {
      if (layout === 'overlay') {
        meshes.skinned.mesh.visible = true;
        meshes.corrected.mesh.visible = true;
        const own = meshes.skinned.mesh.material;
        meshes.skinned.mesh.material = ghost.material;
        renderer.setViewport(0, 0, width, height);
        renderer.render(scene, camera);
        meshes.skinned.mesh.material = own;
      } else drawPart('corrected', 0, width, false);
    }
    fence.mark();
    viewport.onDraw?.(canvas);
    return canvas;
  }

  let last = performance.now();
  let animation = requestAnimationFrame(function tick(now) {
    animation = requestAnimationFrame(tick);
    studio.step(Math.min(0.1, Math.max(0, (now - last) / 1000)));
    last = now;
    if (isDirty && !fence.isBusy()) draw();
  });

  const observer = new ResizeObserver(() => {
    const isFirst = width === 1;
    width = Math.max(1, canvas.clientWidth);
    height = Math.max(1, canvas.clientHeight);
    renderer.setPixelRatio(Math.min(MOST_DENSE, window.devicePixelRatio));
    renderer.setSize(width, height, false);
    if (isFirst) frame();
    draw();
  });
  observer.observe(canvas);

  /** The part of the canvas around x: its left edge and width, and what it shows. */
  function partAt(x: number): { left: number; width: number; surface: 'skinned' | 'corrected' } {
    const { layout, split } = studio.document.peek().view;
    if (layout === 'side') {
      return x < width / 2
        ? { left: 0, width: width / 2, surface: 'skinned' }
        : { left: width / 2, width: width / 2, surface: 'corrected' };
    }
    return { left: 0, width, surface: layout === 'split' && x < split * width ? 'skinned' : 'corrected' };
  }

  const point = new Vector3();
  const viewport: Viewport = {
    renderer,
    scene,
    camera,
    controls,
    canvas,
    frame,
    invalidate,
    showValues(values) {
      shown = values;
      const arrays = studio.frame.peek()?.arrays;
      if (arrays && shown?.length === arrays.values.length)
        meshes?.setFrame({ ...arrays, values: shown, skinnedValues: shown });
      else if (arrays) meshes?.setFrame(arrays, studio.frame.peek()?.refined);
      invalidate();
    },
    rayAt(x, y) {
      const part = partAt(x);
      const origin = camera.position.clone();
      const direction = new Vector3((2 * (x - part.left)) / part.width - 1, 1 - (2 * y) / height, 0.5)
        .unproject(camera)
        .sub(origin)
        .normalize();
      return { origin, direction, surface: part.surface };
    },
    project(from, x) {
      const part = partAt(x);
      point.copy(from).project(camera);
      return { x: part.left + ((point.x + 1) / 2) * part.width, y: ((1 - point.y) / 2) * height, depth: point.z };
    },
    jointAt(x, y, reach) {
      let best = -1;
      let nearest = reach;
      const place = new Vector3();
      for (const { node } of facts?.joints ?? []) {
        const seen = viewport.project(skeleton!.place(place, node), x);
        const distance = Math.hypot(seen.x - x, seen.y - y);
        if (distance < nearest && seen.depth < 1) {
          nearest = distance;
          best = node;
        }
      }
      return best;
    },
    get skeleton() {
      return skeleton;
    },
    draw,
    onDraw: undefined,
    dispose() {
      cancelAnimationFrame(animation);
      observer.disconnect();
      fence.dispose();
      for (const stop of stops) stop();
      controls.dispose();
      meshes?.dispose();
      renderer.dispose();
    },
  };
  return viewport;
}
