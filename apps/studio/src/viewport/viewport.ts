/**
 * The 3-D view: draws the last frame of the studio as it is set up in the document. It only draws; all geometry comes from
 * the engine. It redraws when something has changed, not all the time.
 */
import { effect, signal } from '@preact/signals';
import { Color, PerspectiveCamera, Scene, SRGBColorSpace, type Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { AuthorDrawing } from '../author/author-drawing.js';
import type { CharacterFacts, FrameResult } from '../engine/protocol.js';
import type { Studio } from '../state/studio.js';
import type { ViewLayout } from '../state/studio-document.js';
import { regionColour } from './colour-scales.js';
import { createDrawFence } from './create-draw-fence.js';
import { Eye, listVertices } from './eye.js';
import { FIELD_OF_VIEW, measureSize } from './frame-camera.js';
import { createGround } from './ground.js';
import { createOutline } from './outline.js';
import { Places, type SurfaceName } from './places.js';
import { createSkeletonView, type SkeletonView } from './skeleton-view.js';
import { createSkinMeshes, type SkinMeshes } from './skin-meshes.js';

/** A frame this near to a moment, in seconds, shows it. */
const NEAR = 0.1;
/** More pixels than this per CSS pixel cost more than they show. */
const MOST_DENSE = 2;

const THEMES = {
  dark: {
    skinned: [0.6, 0.61, 0.65],
    corrected: [0.86, 0.72, 0.6],
    line: [0.55, 0.6, 0.68],
    before: [0.5, 0.76, 1],
    wire: 0x0b0d10,
  },
  light: {
    skinned: [0.64, 0.65, 0.69],
    corrected: [0.9, 0.76, 0.63],
    line: [0.35, 0.38, 0.44],
    before: [0.05, 0.3, 0.75],
    wire: 0x30343c,
  },
} as const;

export class Viewport {
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
  readonly controls: OrbitControls;
  skeleton: SkeletonView | undefined;
  readonly places: Places;
  author: AuthorDrawing | undefined;
  /** Called after every drawing. */
  onDraw: ((canvas: HTMLCanvasElement) => void) | undefined;
  private readonly ground = createGround();
  private readonly outline = createOutline();
  private readonly fence;
  private readonly observer: ResizeObserver;
  private readonly stops: readonly (() => void)[];
  private meshes: SkinMeshes | undefined;
  private facts: CharacterFacts | null = null;
  private readonly eye;
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
    this.renderer = new WebGLRenderer({
      canvas,
      antialias: true,
      alpha: true,
      stencil: true,
      powerPreference: 'high-performance',
    });
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.renderer.autoClear = false;
    this.renderer.debug.checkShaderErrors = false; // asking would wait for the compiler
    const clearColour = () => this.renderer.setClearColor(new Color(0, 0, 0), 0);
    clearColour();
    this.fence = createDrawFence(canvas, this.renderer.getContext() as WebGL2RenderingContext, () => {
      clearColour(); // three.js forgets it with the context
      this.author?.restore();
      this.invalidate();
    });
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => this.invalidate());
    this.eye = new Eye(this.camera, this.controls);
    this.places = new Places(this, studio);
    this.scene.add(this.ground.mesh);
    const followers = [this.followFrame, this.followPlan, this.followSelection, this.followView, this.followBlink];
    this.stops = followers.map((follow) => effect(follow.bind(this)));
    this.animation = requestAnimationFrame((now) => this.tick(now));
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(canvas);
  }

  /** Draw soon: something outside the document has changed. */
  invalidate(): void {
    this.isDirty = true;
  }

  /** Looks at the selected regions or, without any, at the whole character. */
  frame(isWhole = false): void {
    const { plan, document } = this.studio;
    const chosen = (plan.peek()?.regions ?? []).flatMap(({ name }, s) =>
      document.peek().selection.regions.includes(name) ? [s] : [],
    );
    if (!isWhole && chosen.length > 0) this.lookAt(chosen, this.eye.direction);
    else this.eye.look(this.eye.bounds, this.aspect);
    this.invalidate();
  }

  /** There is more than the character: its box grows, and the view with it if it shows the whole. */
  widen(box: readonly number[]): void {
    this.eye.widen(box, this.aspect);
    this.ground.place(this.eye.bounds, measureSize(this.eye.bounds));
    this.invalidate();
  }

  /** Colours by these values, 0 … 1 for every vertex, whatever the document says; undefined ends it. */
  showValues(values: Float32Array | undefined): void {
    this.shown = values;
    const result = this.studio.frame.peek();
    if (result && this.meshes) this.setFrame(result, result.arrays.values.length);
    this.invalidate();
  }

  /** Draws at once and gives the canvas: for pictures. */
  draw(layout: ViewLayout = this.studio.document.peek().view.layout): HTMLCanvasElement {
    const { renderer, camera, canvas, meshes, width } = this;
    this.isDirty = false;
    renderer.setScissorTest(false);
    renderer.clear();
    if (!meshes) return canvas;
    const { split } = this.studio.document.peek().view;
    camera.aspect = ((layout === 'side' ? 0.5 : 1) * width) / this.height;
    camera.updateProjectionMatrix();
    const middle = layout === 'side' ? width / 2 : layout === 'split' ? Math.round(split * width) : 0;
    this.drawPart(meshes, 'skinned', 0, middle, layout === 'side');
    const isBefore = this.studio.blink.peek();
    this.drawPart(meshes, isBefore ? 'skinned' : 'corrected', middle, width, layout === 'side');
    if (layout === 'overlay') this.outline.draw(renderer, camera, meshes.skinned.mesh.geometry, width, this.height);
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
    this.prepare(meshes, which);
    meshes.skinned.mesh.visible = which === 'skinned';
    meshes.corrected.mesh.visible = which === 'corrected';
    renderer.setViewport(isOwnView ? left : 0, 0, isOwnView ? right - left : width, height);
    renderer.setScissor(left, 0, right - left, height);
    renderer.setScissorTest(true);
    renderer.render(this.scene, this.camera);
  }

  private prepare(meshes: SkinMeshes, which: SurfaceName): void {
    meshes[which].surface.material.visible = !this.author?.prepare(which, this.facts);
  }

  private tick(now: number): void {
    this.animation = requestAnimationFrame((next) => this.tick(next));
    this.studio.step(Math.min(0.1, Math.max(0, (now - this.last) / 1000)));
    this.last = now;
    // Of a character that has just been opened there is nothing to draw yet: the picture before stays.
    if (this.isDirty && this.studio.frame.peek() && !this.fence.isBusy()) this.draw();
  }

  private resize(): void {
    const { canvas, renderer } = this;
    const isFirst = this.width === 1;
    this.width = Math.max(1, canvas.clientWidth);
    this.height = Math.max(1, canvas.clientHeight);
    renderer.setPixelRatio(Math.min(MOST_DENSE, window.devicePixelRatio));
    renderer.setSize(this.width, this.height, false);
    if (isFirst) this.eye.look(this.eye.bounds, this.aspect);
    this.eye.refit(this.aspect);
    this.draw();
  }

  private show(next: CharacterFacts): void {
    this.meshes?.dispose();
    this.skeleton?.dispose();
    this.skeleton?.group.removeFromParent();
    this.facts = next;
    const size = measureSize(next.bounds);
    this.meshes = createSkinMeshes(next);
    this.skeleton = createSkeletonView(next.joints, size);
    this.scene.add(this.meshes.skinned.mesh, this.meshes.corrected.mesh, this.skeleton.group);
    this.ground.place(next.bounds, size);
    this.drawn.value = next;
    this.eye.show(next.bounds, this.aspect);
  }

  /** @param direction to look from; without one, from where their change is seen best */
  private lookAt(regions: readonly number[], direction?: Vector3): void {
    const arrays = this.studio.frame.peek()?.arrays;
    const vertexRegion = this.studio.plan.peek()?.vertexRegion;
    if (!arrays || vertexRegion?.length !== this.facts?.vertexCount) return;
    const own = listVertices(vertexRegion!, regions);
    if (own.length > 0) this.eye.lookAt(arrays, own, this.aspect, direction);
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
    const focus = this.studio.tour.focus.peek();
    if (focus && result.clip === focus.clip && Math.abs(result.time - focus.time) < NEAR) {
      this.studio.tour.looked();
      this.lookAt([focus.region]);
    }
    this.invalidate();
  }

  private followBlink(): void {
    void this.studio.blink.value;
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
    this.outline.setColour(theme.before);
    this.eye.refit(this.aspect);
    this.ground.setLine(theme.line);
    meshes.setWireframe(view.wireframe, theme.wire);
    skeleton.group.visible = view.bones || tool === 'pose';
    this.invalidate();
  }
}
