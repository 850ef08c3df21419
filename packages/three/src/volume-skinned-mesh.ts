/**
 * A skinned character that keeps its volume.
 *
 *   const body = new VolumeSkinnedMesh(skinnedMesh);
 *
 * Planned in a worker: until then the mesh is drawn as it is. Updates itself before every render of its scene; with `auto: false`, whenever
 * `update(dt)` is called.
 */

import type { Character, StackSpec, VolumeReport } from '@isoskin/core';
import type { AmountKernels } from '@isoskin/core/kernels';
import { createVolumeReport, IsoskinError, presetStack } from '@isoskin/core/runtime';
import type { SkinnedMesh, Vector3 } from 'three';
import { checkMeshes, failSwapped } from './check-meshes.js';
import { checkOptions } from './check-options.js';
import { createPoseReader, type PoseReader } from './create-pose-reader.js';
import { createShapePath, type ShapePath } from './create-shape-path.js';
import { describeMesh } from './describe-mesh.js';
import { loadKernels } from './load-kernels.js';
import { getSparse, loadSparse } from './load-sparse.js';
import type { Path } from './path.js';
import { type BodyPlan, type FindPlans, planBody } from './plan-body.js';
import { findScene, joinScene, leaveScene } from './scene-director.js';
import { dropShapes } from './shape-geometry.js';
import { type Form, suitsSparse } from './suits-sparse.js';
import { updateBodyMatrices } from './update-body-matrices.js';
import type { VolumeOptions } from './volume-options.js';
import { watchRenders } from './watch-renders.js';

/** Found again by a module that was loaded anew. */
const BODY = Symbol.for('isoskin.body');
type Marked = SkinnedMesh & { [BODY]?: { dispose(): void } };

/** What a planned body works with. */
interface Work {
  readonly plan: BodyPlan;
  readonly reader: PoseReader;
  readonly path: Path;
  readonly report: VolumeReport;
}

const NO_BONES = new Float64Array();
const NOTHING = createVolumeReport([], NO_BONES);

export class VolumeSkinnedMesh {
  readonly meshes: readonly SkinnedMesh[];
  readonly options: VolumeOptions;
  /** Resolves when volume is kept, on the fastest kernels; rejects with what is wrong with the character or its stack. */
  readonly ready: Promise<void>;
  /** Milliseconds that the last update took on this thread, and when it was. */
  cost = 0;
  drawnAt = Number.NEGATIVE_INFINITY;
  readonly #originals: readonly SkinnedMesh['geometry'][];
  readonly #skeletons: readonly SkinnedMesh['skeleton'][];
  readonly #unwatch: () => void;
  /** Undefined until it is planned. */
  #work: Work | undefined;
  #isEnabled = true;
  #isFar = false;
  #isAsked = false;
  #isDisposed = false;
  #form: Form;
  #isSparse = false;
  /** A renderer that the sparse form is not for draws the body. */
  #isForeign = false;

  constructor(mesh: SkinnedMesh | readonly SkinnedMesh[], options: VolumeOptions = {}, findPlans?: FindPlans) {
    const meshes = Array.isArray(mesh) ? (mesh as readonly SkinnedMesh[]) : [mesh as SkinnedMesh];
    checkOptions(options);
    const spec: StackSpec = options.stack ?? presetStack(options.preset);
    for (const each of meshes as readonly Marked[]) each?.[BODY]?.dispose();
    checkMeshes(meshes);
    for (const each of meshes) dropShapes(each);
    updateBodyMatrices(meshes);
    this.meshes = meshes;
    this.options = options;
    this.#form = options.form ?? 'auto';
    this.#originals = meshes.map(({ geometry }) => geometry);
    this.#skeletons = meshes.map(({ skeleton }) => skeleton);
    const plan = planBody(meshes, { ...options, spec, findPlans });
    const shapes = plan instanceof Promise ? undefined : this.#start(plan);
    for (const each of meshes as readonly Marked[]) each[BODY] = this;
    this.#unwatch = watchRenders(meshes[0]!, (renderer) => {
      this.#findScene();
      this.#isForeign = this.#isSparse && 'isWebGPURenderer' in renderer !== !!options.nodes;
    });
    this.#findScene();
    this.ready = plan instanceof Promise ? this.#startLater(plan) : this.#finish(shapes);
  }

  /** Volumes and targets of the regions after the last update; empty until the body is planned. */
  get report(): VolumeReport {
    return this.#work?.report ?? NOTHING;
  }

  /** Shared by all bodies of the same geometry, skin and stack. */
  get plan(): BodyPlan {
    if (this.#work) return this.#work.plan;
    const message =
      'This body is still being planned: await its `ready`, or pass { planner } from @isoskin/three/planner';
    throw new IsoskinError('NOT_PLANNED', message, describeMesh(this.meshes[0]!));
  }

  /** The plan as bytes, for the option `plan`: another visit to the page then plans nothing. */
  get savedPlan(): Uint8Array | undefined {
    return this.plan.saved;
  }

  get character(): Character {
    return this.plan.character;
  }

  /** T_i T̄_i⁻¹ of the last pose in the space of the first mesh, #B×12. */
  get bones(): Float64Array {
    return this.#work?.reader.pose.bones ?? NO_BONES;
  }

  /** Seconds: where keyed targets of the stack stand. */
  get time(): number {
    return this.#work?.reader.pose.time ?? 0;
  }
  set time(value: number) {
    if (this.#work) this.#work.reader.pose.time = value;
  }

  /** What computes: `wasm`, `typescript`, or `stack` under `fullStack`; `none` until the body is planned. */
  get path(): string {
    return this.#work?.path.name ?? 'none';
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

  /** `morph` or `sparse`. */
  get form(): Form {
    return this.#isSparse ? 'sparse' : 'morph';
  }

  /** Draws the shapes as morph targets from now on: for exports, and for passes that know nothing of the sparse form. */
  useMorphs(): void {
    this.#form = 'morph';
    const { plan } = this;
    if (this.#isSparse) void this.#useKernels(this.#restart(plan));
  }

  /** Takes the present pose of the skeleton. `dt` (seconds) moves targets that change over time. */
  update(dt = 0): void {
    this.#check();
    if (!this.#isEnabled) return;
    this.#isAsked = true;
    updateBodyMatrices(this.meshes);
    this.draw(dt);
  }

  /** The same in a scene whose matrices are up to date, as they are before a render. */
  draw(dt = 0): void {
    this.#check();
    if (!this.#work) return;
    if (this.#isForeign) this.useMorphs();
    const { reader, path, report } = this.#work;
    reader.pose.time += dt;
    const start = performance.now();
    if (reader.read()) path.solve(reader.pose, report, reader.spaces);
    this.drawnAt = start;
    this.#showOrHide();
    this.cost = performance.now() - start;
  }

  /** Where the body is in the world. */
  measurePlace(out: Vector3): Vector3 {
    const sphere = this.#work?.path.drawings[0]?.sphere;
    if (sphere && sphere.radius >= 0) out.copy(sphere.center);
    else out.set(0, 0, 0);
    return out.applyMatrix4(this.meshes[0]!.matrixWorld);
  }

  /** Gives the original meshes back and frees all memory but the shared plan. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#isEnabled = false;
    this.#unwatch();
    leaveScene(this);
    this.#work?.path.dispose();
    for (const each of this.meshes) Reflect.deleteProperty(each, BODY);
  }

  /** The way from poses to the screen; its shapes, for faster kernels. */
  #start(plan: BodyPlan): ShapePath | undefined {
    const reader = createPoseReader(this.meshes, plan);
    const sparse = this.#wantsSparse(plan) ? getSparse(this.options.nodes) : undefined;
    this.#isSparse = !!sparse;
    const create = this.options.worker?.createPath ?? createShapePath;
    const shapes = plan.isShapes ? create(this.meshes, plan, sparse) : undefined;
    const path = shapes ?? this.options.fullStack!.createPath(this.meshes, plan);
    this.#work = { plan, reader, path, report: plan.volume.createReport() };
    return shapes;
  }

  /** In another form. */
  #restart(plan: BodyPlan): ShapePath | undefined {
    const { time } = this;
    this.#work?.path.dispose();
    const shapes = this.#start(plan);
    this.time = time;
    if (this.drawnAt > Number.NEGATIVE_INFINITY) this.update();
    return shapes;
  }

  #wantsSparse(plan: BodyPlan): boolean {
    return plan.isShapes && suitsSparse(this.#form, this.meshes, plan.volume.framePlan());
  }

  /** A body that was planned at once begins as it can, and waits for a form only if that was asked for by name. */
  async #finish(shapes: ShapePath | undefined): Promise<void> {
    let latest = shapes;
    if (this.#form === 'sparse' && !this.#isSparse && this.#wantsSparse(this.plan)) {
      await loadSparse();
      if (this.#isDisposed) return;
      latest = this.#restart(this.plan);
    }
    await this.#useKernels(latest);
  }

  async #startLater(planning: Promise<BodyPlan>): Promise<void> {
    const kernels = this.#askForKernels(); // loaded meanwhile
    try {
      const plan = await planning;
      if (this.#wantsSparse(plan)) await loadSparse();
      if (this.#isDisposed) return;
      this.#check();
      const shapes = this.#start(plan);
      if (this.#isAsked) this.update();
      await this.#useKernels(shapes, kernels);
    } catch (error) {
      if (!this.#isDisposed) throw error;
    }
  }

  async #useKernels(path: ShapePath | undefined, asked?: Promise<AmountKernels | undefined>): Promise<void> {
    const { kernels } = this.options;
    if (!path) return;
    if (kernels && !('then' in kernels)) return path.useKernels(kernels);
    const set = await (asked ?? this.#askForKernels());
    if (set && !this.#isDisposed) path.useKernels(set);
  }

  async #askForKernels(): Promise<AmountKernels | undefined> {
    try {
      return await (this.options.kernels ?? loadKernels());
    } catch (error) {
      console.warn('isoskin: these kernels cannot run here; the TypeScript ones do their work.', error);
      return undefined;
    }
  }

  /** The scene that the body stands in updates it. */
  #findScene(): void {
    const scene = findScene(this.meshes[0]!);
    if (scene && !this.#isDisposed && this.options.auto !== false) joinScene(scene, this);
  }

  #showOrHide(): void {
    const shown = this.#isEnabled && !this.#isFar && this.drawnAt > Number.NEGATIVE_INFINITY;
    for (const drawing of this.#work?.path.drawings ?? []) {
      if (shown) drawing.show();
      else drawing.hide();
    }
    if (shown) this.#work?.path.write();
  }

  #check(): void {
    if (this.#isDisposed) {
      const message = 'This body was disposed and its mesh is the original again: make a new one for it';
      throw new IsoskinError('DISPOSED', message, describeMesh(this.meshes[0]!));
    }
    for (const [m, mesh] of this.meshes.entries()) {
      const { skeleton, geometry } = mesh;
      if (skeleton !== this.#skeletons[m]) failSwapped('skeleton', mesh);
      if (geometry !== this.#originals[m] && geometry !== this.#work?.path.drawings[m]?.geometry)
        failSwapped('geometry', mesh);
    }
  }
}
