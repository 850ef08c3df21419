/**
 * The 3-D view: draws the last frame of the studio as it is set up in the document. It only draws; all geometry comes from
 * the engine. It redraws when something has changed, not all the time.
 */
import { effect, signal } from '@preact/signals';
import { Color, PerspectiveCamera, Scene, SRGBColorSpace, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { CharacterFacts, FrameResult, PickResult } from '../engine/protocol.js';
import type { Studio } from '../state/studio.js';
import { regionColour } from './colour-scales.js';
import { createDrawFence } from './create-draw-fence.js';
import { FIELD_OF_VIEW, frameCamera } from './frame-camera.js';
import { createGround } from './ground.js';
import { createSkeletonView, type SkeletonView } from './skeleton-view.js';
import { createSkinMeshes, type SkinMeshes } from './skin-meshes.js';
import { createSurfaceMaterial } from './surface-material.js';

/** More pixels than this per CSS pixel cost more than they show. */
const MOST_DENSE = 2;

const THEMES = {
  dark: { skinned: [0.6, 0.61, 0.65], corrected: [0.86, 0.72, 0.6], line: [0.55, 0.6, 0.68], wire: 0x0b0d10 },
  light: { skinned: [0.64, 0.65, 0.69], corrected: [0.9, 0.76, 0.63], line: [0.35, 0.38, 0.44], wire: 0x30343c },
} as const;

type SurfaceName = 'skinned' | 'corrected';

export class Viewport {
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
  readonly controls: OrbitControls;
  skeleton: SkeletonView | undefined;
  /** Called after every drawing. */
  onDraw: ((canvas: HTMLCanvasElement) => void) | undefined;
  private readonly ground = createGround();
  private readonly ghost = createSurfaceMaterial(true);
  private readonly fence;
  private readonly observer: ResizeObserver;
  private readonly stops: readonly (() => void)[];
  private meshes: SkinMeshes | undefined;
  private facts: CharacterFacts | null = null;
  private readonly drawn = signal<CharacterFacts | null>(null);
  private isDirty = true;
  private shown: Float32Array | undefined;
  private width = 1;
  private height = 1;
  private last = performance.now();
  private animation = 0;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly studio: Studio,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, powerPreference: 'high-performance' });
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.renderer.autoClear = false;
    this.renderer.debug.checkShaderErrors = false; // asking would wait for the compiler
    const clearColour = () => this.renderer.setClearColor(new Color(0, 0, 0), 0);
    clearColour();
    this.fence = createDrawFence(canvas, this.renderer.getContext() as WebGL2RenderingContext, () => {
      clearColour(); // three.js forgets it with the context
      this.invalidate();
    });
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => this.invalidate());
    this.scene.add(this.ground.mesh);
    const followers = [this.followFrame, this.followPlan, this.followSelection, this.followView];
    this.stops = followers.map((follow) => effect(follow.bind(this)));
    this.animation = requestAnimationFrame((now) => this.tick(now));
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(canvas);
  }

  /** Draw soon: something outside the document has changed. */
  invalidate(): void {
    this.isDirty = true;
  }

  /** Looks at the whole character again. */
  frame(): void {
    if (!this.facts) return;
    frameCamera(this.camera, this.controls, this.facts.bounds, this.aspect);
    this.invalidate();
  }

  /** Colours by these values, 0 … 1 for every vertex, whatever the document says; undefined ends it. */
  showValues(values: Float32Array | undefined): void {
    this.shown = values;
    const result = this.studio.frame.peek();
    if (result && this.meshes) this.setFrame(result, result.arrays.values.length);
    this.invalidate();
  }

  /** Ray through a place of the canvas (CSS pixels) and the surface that is shown there. */
  rayAt(x: number, y: number): { origin: Vector3; direction: Vector3; surface: SurfaceName } {
    const part = this.partAt(x);
    const origin = this.camera.position.clone();
    const direction = new Vector3((2 * (x - part.left)) / part.width - 1, 1 - (2 * y) / this.height, 0.5)
      .unproject(this.camera)
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
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** Canvas place of a point, for the part of the view that a pointer at x is in. */
  project(point: Vector3, x: number): { x: number; y: number; depth: number } {
    const part = this.partAt(x);
    const seen = point.clone().project(this.camera);
    return { x: part.left + ((seen.x + 1) / 2) * part.width, y: ((1 - seen.y) / 2) * this.height, depth: seen.z };
  }

  /** Joint drawn nearest to a place of the canvas, −1 if none is within `reach` pixels. */
  jointAt(x: number, y: number, reach: number): number {
    let best = -1;
    let nearest = reach;
    const place = new Vector3();
    for (const { node } of this.facts?.joints ?? []) {
      const seen = this.project(this.skeleton!.place(place, node), x);
      const distance = Math.hypot(seen.x - x, seen.y - y);
      if (distance < nearest && seen.depth < 1) {
        nearest = distance;
        best = node;
      }
    }
    return best;
  }

  /** Draws at once and gives the canvas: for pictures. */
  draw(): HTMLCanvasElement {
    const { renderer, camera, canvas, meshes, width } = this;
    this.isDirty = false;
    renderer.setScissorTest(false);
    renderer.clear();
    if (!meshes) return canvas;
    const { layout, split } = this.studio.document.peek().view;
    camera.aspect = this.aspect;
    camera.updateProjectionMatrix();
    const middle = layout === 'side' ? width / 2 : layout === 'split' ? Math.round(split * width) : 0;
    if (layout === 'overlay') {
      meshes.skinned.mesh.visible = true;
      meshes.corrected.mesh.visible = true;
      const own = meshes.skinned.mesh.material;
      meshes.skinned.mesh.material = this.ghost.material;
      renderer.setViewport(0, 0, width, this.height);
      renderer.render(this.scene, camera);
      meshes.skinned.mesh.material = own;
    } else {
      this.drawPart(meshes, 'skinned', 0, middle, layout === 'side');
      this.drawPart(meshes, 'corrected', middle, width, layout === 'side');
    }
    this.fence.mark();
    this.onDraw?.(canvas);
    return canvas;
  }

  dispose(): void {
    cancelAnimationFrame(this.animation);
    this.observer.disconnect();
    this.fence.dispose();
    for (const stop of this.stops) stop();
    this.controls.dispose();
    this.meshes?.dispose();
    this.renderer.dispose();
  }

  /** Of one part of the canvas. */
  private get aspect(): number {
    return (this.studio.document.peek().view.layout === 'side' ? 0.5 : 1) * (this.width / this.height);
  }

  /** One part of the canvas, from `left` to `right` in CSS pixels. */
  private drawPart(meshes: SkinMeshes, which: SurfaceName, left: number, right: number, isOwnView: boolean): void {
    const { renderer, width, height } = this;
    if (right <= left) return;
    meshes.skinned.mesh.visible = which === 'skinned';
    meshes.corrected.mesh.visible = which === 'corrected';
    renderer.setViewport(isOwnView ? left : 0, 0, isOwnView ? right - left : width, height);
    renderer.setScissor(left, 0, right - left, height);
    renderer.setScissorTest(true);
    renderer.render(this.scene, this.camera);
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

  private tick(now: number): void {
    this.animation = requestAnimationFrame((next) => this.tick(next));
    this.studio.step(Math.min(0.1, Math.max(0, (now - this.last) / 1000)));
    this.last = now;
    if (this.isDirty && !this.fence.isBusy()) this.draw();
  }

  private resize(): void {
    const { canvas, renderer } = this;
    const isFirst = this.width === 1;
    this.width = Math.max(1, canvas.clientWidth);
    this.height = Math.max(1, canvas.clientHeight);
    renderer.setPixelRatio(Math.min(MOST_DENSE, window.devicePixelRatio));
    renderer.setSize(this.width, this.height, false);
    if (isFirst) this.frame();
    this.draw();
  }

  private show(next: CharacterFacts): void {
    this.meshes?.dispose();
    this.skeleton?.dispose();
    this.skeleton?.group.removeFromParent();
    this.facts = next;
    const size = Math.hypot(...[0, 1, 2].map((k) => next.bounds[3 + k]! - next.bounds[k]!)) || 1;
    this.meshes = createSkinMeshes(next);
    this.skeleton = createSkeletonView(next.joints, size);
    this.scene.add(this.meshes.skinned.mesh, this.meshes.corrected.mesh, this.skeleton.group);
    this.ground.place(next.bounds, size);
    this.drawn.value = next;
    this.frame();
  }

  private setFrame({ arrays, refined }: FrameResult, vertexCount: number): void {
    const { shown } = this;
    if (shown?.length === vertexCount) this.meshes!.setFrame({ ...arrays, values: shown, skinnedValues: shown });
    else this.meshes!.setFrame(arrays, refined);
  }

  private followFrame(): void {
    // The character before stays until there is something to show of the next one.
    const result = this.studio.frame.value;
    const next = this.studio.character.peek();
    if (!result || !next) return;
    if (next !== this.facts) this.show(next);
    this.setFrame(result, next.vertexCount);
    this.skeleton?.move(result.nodes);
    this.invalidate();
  }

  private followPlan(): void {
    const plan = this.studio.plan.value;
    void this.drawn.value;
    if (!plan || !this.meshes || plan.vertexRegion.length !== this.facts?.vertexCount) return;
    this.meshes.setRegions(plan.vertexRegion);
    this.invalidate();
  }

  private followSelection(): void {
    const { meshes, studio } = this;
    const { selection } = studio.document.value;
    const hovered = studio.hoveredRegion.value;
    void this.drawn.value;
    const names = studio.plan.value?.regions.map(({ name }) => name) ?? [];
    const states = Float32Array.from(names, (name, s) =>
      selection.regions.includes(name) ? 1 : s === hovered ? 0.45 : 0,
    );
    const palette = names.length > 0 ? names.map((_, s) => regionColour(s)) : [regionColour(0)];
    for (const mesh of meshes ? [meshes.skinned, meshes.corrected] : []) mesh.surface.setRegions(states, palette);
    this.skeleton?.select(selection.joint);
    this.invalidate();
  }

  private followView(): void {
    const { meshes, skeleton, studio } = this;
    const { view } = studio.document.value;
    const theme = THEMES[studio.theme.value];
    const tool = studio.tool.value;
    void this.drawn.value;
    if (!meshes || !skeleton) return;
    for (const which of ['skinned', 'corrected'] as const) {
      meshes[which].surface.setColouring(tool === 'paint' ? 'gamma' : view.colouring);
      meshes[which].surface.setClay(theme[which]);
    }
    this.ghost.setClay(theme.line);
    this.ground.setLine(theme.line);
    meshes.setWireframe(view.wireframe, theme.wire);
    skeleton.group.visible = view.bones || tool === 'pose';
    this.invalidate();
  }
}
