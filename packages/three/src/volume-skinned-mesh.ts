/**
 * A skinned character that keeps its volume.
 *
 *   const body = new VolumeSkinnedMesh(skinnedMesh, { preset: 'organic' });
 *
 * Updates itself before every render of its scene; with `auto: false`, whenever `update(dt)` is called.
 */
import {
  type Character,
  type FrameKernels,
  IsoskinError,
  PRESET_NAMES,
  type PresetName,
  presetStack,
  type StackSpec,
  type VolumeReport,
} from '@isoskin/core';
import type { Scene, SkinnedMesh, Vector3 } from 'three';
import { createCpuPath } from './create-cpu-path.js';
import { createPoseReader, type PoseReader } from './create-pose-reader.js';
import { describeMesh } from './describe-mesh.js';
import type { CreateEvaluator } from './evaluator.js';
import { MeshDrawing } from './mesh-drawing.js';
import type { AnyRenderer, Path, RendererPath } from './path.js';
import { type BodyPlan, planBody } from './plan-body.js';
import { type Detail, joinScene, leaveScene } from './scene-director.js';
import { updateBodyMatrices } from './update-body-matrices.js';
import { watchRenders } from './watch-renders.js';

export interface VolumeOptions {
  /** A stack that a person understands. Default: organic. */
  readonly preset?: PresetName;
  /** Any stack; takes the place of `preset`. JSON from outside should pass `checkStack` of @isoskin/core first. */
  readonly stack?: StackSpec;
  /** Faster kernels: those of @isoskin/wasm, or their promise (the original is drawn until they are there). */
  readonly kernels?: FrameKernels | Promise<FrameKernels>;
  /** `webgpu` of @isoskin/three/webgpu: with a WebGPURenderer positions never leave the GPU. */
  readonly webgpu?: RendererPath;
  /** The renderer, if it is known before the first frame is drawn. */
  readonly renderer?: AnyRenderer;
  /** Update before every render of the scene. Default: true. */
  readonly auto?: boolean;
  /** How often to update, and how far from the camera. Default: every frame, everywhere. */
  readonly detail?: Detail;
  /** `fullStack` of @isoskin/three/full-stack, for stacks with methods or layers that the small runtime does not hold. */
  readonly fullStack?: CreateEvaluator;
  /** Wider weld tolerance on open borders, relative to the size, for compressed models whose seams do not meet. */
  readonly borderTolerance?: number;
}

/** Found again by a module that was loaded anew. */
const BODY = Symbol.for('isoskin.body');
type Marked = SkinnedMesh & { [BODY]?: { dispose(): void } };

/** A bone that turned (radians) or went (sizes of the body) further since the last frame: that one is no help to the next. */
const FAR_MOVE = 0.15;

export class VolumeSkinnedMesh {
  readonly meshes: readonly SkinnedMesh[];
  readonly options: VolumeOptions;
  /** Shared by all bodies of the same geometry, skin and stack. */
  readonly plan: BodyPlan;
  /** Volumes and targets of the regions after the last update (volumes are not read back on the WebGPU path). */
  readonly report: VolumeReport;
  /** Resolves when the kernels are there. */
  readonly ready: Promise<void>;
  /** Milliseconds that the last update took on this thread, and when it was. */
  cost = 0;
  drawnAt = Number.NEGATIVE_INFINITY;
  readonly #drawings: readonly MeshDrawing[];
  readonly #skeletons: readonly SkinnedMesh['skeleton'][];
  readonly #reader: PoseReader;
  readonly #unwatch: () => void;
  #path: Path | undefined;
  #scene: Scene | undefined;
  #isEnabled = true;
  #isFar = false;
  #isDisposed = false;
  #isReadable = false;

  constructor(mesh: SkinnedMesh | readonly SkinnedMesh[], options: VolumeOptions = {}) {
    const meshes = Array.isArray(mesh) ? (mesh as readonly SkinnedMesh[]) : [mesh as SkinnedMesh];
    for (const each of meshes as readonly Marked[]) each?.[BODY]?.dispose();
    checkMeshes(meshes);
    updateBodyMatrices(meshes);
    this.meshes = meshes;
    this.options = options;
    this.plan = planBody(meshes, {
      spec: options.stack ?? findPreset(options.preset ?? 'organic'),
      fullStack: options.fullStack,
      borderTolerance: options.borderTolerance,
    });
    this.report = this.plan.createReport();
    this.#skeletons = meshes.map(({ skeleton }) => skeleton);
    this.#reader = createPoseReader(meshes, this.plan);
    this.#drawings = meshes.map((each) => new MeshDrawing(each, () => this.#prepareReading()));
    for (const each of meshes as readonly Marked[]) each[BODY] = this;
    this.#unwatch = watchRenders(meshes[0]!, (renderer, scene) => this.meet(renderer, scene));
    const scene = findScene(meshes[0]!);
    if (scene) this.#join(scene);
    if (options.renderer) this.meet(options.renderer, scene);
    this.ready = options.webgpu ? Promise.resolve() : this.#startOnCpu();
  }

  get character(): Character {
    return this.plan.character;
  }

  /** T_i T̄_i⁻¹ of the last pose in the space of the first mesh, #B×12. */
  get bones(): Float64Array {
    return this.#reader.pose.bones;
  }

  /** What computes: `typescript`, `wasm`, `webgpu`; empty while it is not known yet. */
  get path(): string {
    return this.#path?.name ?? '';
  }

  /** Off: the original meshes, exactly as they were. */
  get enabled(): boolean {
    return this.#isEnabled;
  }
  set enabled(value: boolean) {
    if (value) this.#check();
    this.#isEnabled = value;
    this.#showOrHide();
  }

  /** Too far for the correction to be seen: the original is drawn, and nothing computed. Set by `detail`. */
  get isFar(): boolean {
    return this.#isFar;
  }
  set isFar(value: boolean) {
    this.#isFar = value;
    this.#showOrHide();
  }

  /** Takes the present pose of the skeleton. `dt` (seconds) moves targets that change over time. */
  update(dt = 0): void {
    this.#check();
    if (!this.#isEnabled) return;
    updateBodyMatrices(this.meshes);
    this.draw(dt);
  }

  /** The same in a scene whose matrices are up to date, as they are before a render. */
  draw(dt = 0): void {
    this.#check();
    const path = this.#path;
    this.#reader.pose.time += dt;
    if (!path) return;
    const start = performance.now();
    const moved = this.#reader.read();
    if (moved > 0) {
      if (moved > FAR_MOVE) path.forget?.();
      path.draw(this.#reader.pose, this.report, this.#reader.spaces, this);
      this.#isReadable = !path.prepare;
      this.#updateBounds(path);
    }
    this.drawnAt = start;
    this.#showOrHide();
    this.cost = performance.now() - start;
  }

  /** The renderer and scene that draw this body: where the path waits for the renderer, it is chosen now. */
  meet(renderer: AnyRenderer, scene?: Scene): void {
    if (this.#isDisposed) return;
    if (scene && scene !== this.#scene && scene.children) this.#join(scene);
    if (this.#path || !this.options.webgpu) return;
    const path = this.options.webgpu.create(renderer, this.plan);
    if (path === 'later') return;
    if (path) this.#take(path);
    else void this.#startOnCpu();
  }

  /** Where the body is in the world. */
  measurePlace(out: Vector3): Vector3 {
    const { mesh, sphere } = this.#drawings[0]!;
    out.copy(sphere.center);
    if (sphere.radius < 0) out.set(0, 0, 0);
    return out.applyMatrix4(mesh.matrixWorld);
  }

  /** Gives the original meshes back and frees all memory but the shared plan. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#isEnabled = false;
    this.#unwatch();
    leaveScene(this);
    for (const drawing of this.#drawings) drawing.dispose();
    for (const each of this.meshes) Reflect.deleteProperty(each, BODY);
    this.#path?.dispose();
    this.#path = undefined;
  }

  #startOnCpu(): Promise<void> {
    const kernels = this.plan.isFast ? this.options.kernels : undefined;
    if (kernels && 'then' in kernels)
      return kernels.then(
        (set) => this.#useKernels(set),
        (error) => this.#doWithout(error),
      );
    this.#useKernels(kernels);
    return Promise.resolve();
  }

  #useKernels(kernels: FrameKernels | undefined): void {
    if (this.#isDisposed) return;
    this.#take(createCpuPath(this.plan, this.plan.createEvaluator(kernels)));
  }

  #doWithout(error: unknown): void {
    console.warn('isoskin: the faster kernels cannot run here; the TypeScript ones do their work.', error);
    this.#useKernels(undefined);
  }

  #take(path: Path): void {
    this.#path = path;
    for (const [m, drawing] of this.#drawings.entries()) drawing.setAttributes(path.attributes[m]!);
  }

  #join(scene: Scene): void {
    leaveScene(this);
    this.#scene = scene;
    if (this.options.auto !== false) joinScene(scene, this);
  }

  #showOrHide(): void {
    const shown = this.#isEnabled && !this.#isFar && this.drawnAt > Number.NEGATIVE_INFINITY;
    for (const drawing of this.#drawings) {
      if (shown) drawing.show();
      else drawing.hide();
    }
  }

  #updateBounds(path: Path): void {
    for (const [m, { box, sphere }] of this.#drawings.entries()) {
      box.min.fromArray(path.boxes[m]!, 0);
      box.max.fromArray(path.boxes[m]!, 3);
      box.getBoundingSphere(sphere);
    }
  }

  #prepareReading(): void {
    if (this.#isReadable) return;
    this.#isReadable = true;
    this.#path?.prepare?.(this.#reader.pose, this.report, this.#reader.spaces, this);
  }

  #check(): void {
    const fail = (code: string, message: string, m = 0): never => {
      throw new IsoskinError(code, message, describeMesh(this.meshes[m]!));
    };
    if (this.#isDisposed) {
      fail(
        'DISPOSED',
        'This body was disposed and its mesh is the original again: make a new VolumeSkinnedMesh for it',
      );
    }
    this.meshes.forEach(({ skeleton, geometry }, m) => {
      if (skeleton !== this.#skeletons[m]) {
        const message = 'The mesh hangs on another skeleton than the one it was planned for';
        fail('SKELETON_SWAPPED', `${message}: dispose this body and make a new one after bind()`, m);
      }
      const { original, geometry: own } = this.#drawings[m]!;
      if (geometry !== original && geometry !== own) {
        const message = 'The mesh has another geometry than the one it was planned for';
        fail('GEOMETRY_SWAPPED', `${message}: dispose this body, set the geometry, and make a new one`, m);
      }
    });
  }
}

function checkMeshes(meshes: readonly SkinnedMesh[]): void {
  if (meshes.length === 0) {
    throw new IsoskinError('NO_MESH', 'There is no mesh: give a SkinnedMesh, or a list of those that share a skeleton');
  }
  for (const mesh of meshes) {
    if (mesh?.isSkinnedMesh) continue;
    const message =
      'Only a SkinnedMesh deforms; this object has no skin. Use preserveVolume(scene) to find those in a scene';
    throw new IsoskinError('NO_SKIN', message, mesh ? describeMesh(mesh) : '');
  }
}

function findPreset(name: PresetName): StackSpec {
  if (PRESET_NAMES.includes(name)) return presetStack(name);
  throw new IsoskinError('PRESET_UNKNOWN', `There is no preset "${name}"; choose one of ${PRESET_NAMES.join(', ')}`);
}

function findScene(mesh: SkinnedMesh): Scene | undefined {
  let top: { parent: unknown } & object = mesh;
  while (top.parent) top = top.parent as typeof top;
  return (top as Scene).isScene ? (top as Scene) : undefined;
}
