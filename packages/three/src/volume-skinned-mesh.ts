/**
 * A skinned character that keeps its volume.
 *
 *   const body = new VolumeSkinnedMesh(skinnedMesh, { preset: 'organic' });
 *
 * Updates itself before every render of its scene; with `auto: false`, whenever `update(dt)` is called.
 */

import {
  type Character,
  IsoskinError,
  type PresetName,
  presetStack,
  type StackSpec,
  type VolumeReport,
} from '@isoskin/core';
import type { AmountKernels } from '@isoskin/core/kernels';
import type { Scene, SkinnedMesh, Vector3 } from 'three';
import { checkOptions } from './check-options.js';
import { createPoseReader, type PoseReader } from './create-pose-reader.js';
import { createShapePath, type ShapePath } from './create-shape-path.js';
import { describeMesh } from './describe-mesh.js';
import { getGiven, lacksGiven, loadGiven } from './load-given.js';
import { loadKernels } from './load-kernels.js';
import type { Path } from './path.js';
import { type BodyPlan, type FullStack, planBody } from './plan-body.js';
import { type Detail, joinScene, leaveScene } from './scene-director.js';
import { dropShapes } from './shape-geometry.js';
import { updateBodyMatrices } from './update-body-matrices.js';
import { watchRenders } from './watch-renders.js';

export interface VolumeOptions {
  /** A stack that a person understands. Default: organic. */
  readonly preset?: PresetName;
  /** Any stack; takes the place of `preset`. JSON from outside should pass `resolveStack` of @isoskin/core first. */
  readonly stack?: StackSpec;
  /** What solves the amounts, or its promise. Default: the WASM kernels, on one thread, loaded by themselves; TypeScript until they are there. */
  readonly kernels?: AmountKernels | Promise<AmountKernels>;
  /** Update before every render of the scene. Default: true. */
  readonly auto?: boolean;
  /** How often to update, and how far from the camera. Default: every frame, everywhere. */
  readonly detail?: Detail;
  /** `fullStack` of @isoskin/three/full-stack, for stacks with methods or layers that the small runtime does not hold. */
  readonly fullStack?: FullStack;
  /** Wider weld tolerance on open borders, relative to the size, for compressed models whose seams do not meet. */
  readonly borderTolerance?: number;
}

/** Found again by a module that was loaded anew. */
const BODY = Symbol.for('isoskin.body');
type Marked = SkinnedMesh & { [BODY]?: { dispose(): void } };

export class VolumeSkinnedMesh {
  readonly meshes: readonly SkinnedMesh[];
  readonly options: VolumeOptions;
  /** Volumes and targets of the regions after the last update. */
  readonly report: VolumeReport;
  /** Resolves when the kernels are there. */
  readonly ready: Promise<void>;
  /** Milliseconds that the last update took on this thread, and when it was. */
  cost = 0;
  drawnAt = Number.NEGATIVE_INFINITY;
  readonly #originals: readonly SkinnedMesh['geometry'][];
  readonly #skeletons: readonly SkinnedMesh['skeleton'][];
  #plan: BodyPlan;
  #reader: PoseReader;
  readonly #unwatch: () => void;
  #path: Path;
  #scene: Scene | undefined;
  #isEnabled = true;
  #isFar = false;
  #isDisposed = false;

  constructor(mesh: SkinnedMesh | readonly SkinnedMesh[], options: VolumeOptions = {}) {
    const meshes = Array.isArray(mesh) ? (mesh as readonly SkinnedMesh[]) : [mesh as SkinnedMesh];
    checkOptions(options);
    const spec: StackSpec = options.stack ?? presetStack(options.preset ?? 'organic');
    for (const each of meshes as readonly Marked[]) each?.[BODY]?.dispose();
    checkMeshes(meshes);
    for (const each of meshes) dropShapes(each);
    updateBodyMatrices(meshes);
    this.meshes = meshes;
    this.options = options;
    this.#originals = meshes.map(({ geometry }) => geometry);
    this.#skeletons = meshes.map(({ skeleton }) => skeleton);
    this.#plan = this.#planBody(spec);
    this.report = this.plan.volume.createReport();
    this.#reader = createPoseReader(meshes, this.plan);
    const shapes = this.plan.isShapes ? createShapePath(meshes, this.plan) : undefined;
    this.#path = shapes ?? options.fullStack!.createPath(meshes, this.plan);
    for (const each of meshes as readonly Marked[]) each[BODY] = this;
    this.#unwatch = watchRenders(meshes[0]!, () => this.#findScene());
    this.#findScene();
    this.ready = shapes ? this.#load(shapes, spec) : Promise.resolve();
  }

  /** Shared by all bodies of the same geometry, skin and stack. */
  get plan(): BodyPlan {
    return this.#plan;
  }

  get character(): Character {
    return this.plan.character;
  }

  /** T_i T̄_i⁻¹ of the last pose in the space of the first mesh, #B×12. */
  get bones(): Float64Array {
    return this.#reader.pose.bones;
  }

  /** What computes: `wasm`, `typescript`, or `stack` under `fullStack`. */
  get path(): string {
    return this.#path.name;
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
    this.#reader.pose.time += dt;
    const start = performance.now();
    if (this.#reader.read()) this.#path.solve(this.#reader.pose, this.report, this.#reader.spaces);
    this.drawnAt = start;
    this.#showOrHide();
    this.cost = performance.now() - start;
  }

  /** Where the body is in the world. */
  measurePlace(out: Vector3): Vector3 {
    const { mesh, sphere } = this.#path.drawings[0]!;
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
    this.#path.dispose();
    for (const each of this.meshes) Reflect.deleteProperty(each, BODY);
  }

  #planBody(spec: StackSpec): BodyPlan {
    const { fullStack, borderTolerance } = this.options;
    return planBody(this.meshes, { spec, fullStack, borderTolerance });
  }

  /** What a page loads later: the bends of the flesh, for stacks that have them, and faster kernels. */
  async #load(path: ShapePath, spec: StackSpec): Promise<void> {
    let latest = path;
    if (!this.options.fullStack && lacksGiven(spec)) {
      await loadGiven().catch((error) => {
        console.warn('isoskin: bends could not be loaded; volumes are kept without them.', error);
      });
      if (this.#isDisposed) return;
      if (getGiven()) latest = this.#planAgain(spec);
    }
    await this.#useKernels(latest);
  }

  /** The same regions with more shapes. */
  #planAgain(spec: StackSpec): ShapePath {
    const wasDrawn = this.drawnAt > Number.NEGATIVE_INFINITY;
    const { time } = this.#reader.pose;
    this.#path.dispose();
    this.#plan = this.#planBody(spec);
    this.#reader = createPoseReader(this.meshes, this.plan);
    this.#reader.pose.time = time;
    const path = createShapePath(this.meshes, this.plan);
    this.#path = path;
    if (wasDrawn) this.update();
    return path;
  }

  async #useKernels(path: ShapePath): Promise<void> {
    const { kernels = loadKernels() } = this.options;
    if (!('then' in kernels)) return path.useKernels(kernels);
    const set = await kernels.catch((error) => {
      console.warn('isoskin: these kernels cannot run here; the TypeScript ones do their work.', error);
    });
    if (set && !this.#isDisposed) path.useKernels(set);
  }

  /** The scene that the body stands in updates it. */
  #findScene(): void {
    const scene = findScene(this.meshes[0]!);
    if (this.#isDisposed || !scene || scene === this.#scene) return;
    leaveScene(this);
    this.#scene = scene;
    if (this.options.auto !== false) joinScene(scene, this);
  }

  #showOrHide(): void {
    const shown = this.#isEnabled && !this.#isFar && this.drawnAt > Number.NEGATIVE_INFINITY;
    for (const drawing of this.#path.drawings) {
      if (shown) drawing.show();
      else drawing.hide();
    }
    if (shown) this.#path.write();
  }

  #check(): void {
    if (this.#isDisposed) {
      const message = 'This body was disposed and its mesh is the original again: make a new one for it';
      throw new IsoskinError('DISPOSED', message, describeMesh(this.meshes[0]!));
    }
    for (const [m, mesh] of this.meshes.entries()) {
      const { skeleton, geometry } = mesh;
      if (skeleton !== this.#skeletons[m]) failSwapped('skeleton', mesh);
      if (geometry !== this.#originals[m] && geometry !== this.#path.drawings[m]!.geometry)
        failSwapped('geometry', mesh);
    }
  }
}

function failSwapped(what: string, mesh: SkinnedMesh): never {
  const message = `The mesh has another ${what} than the one it was planned for: dispose this body and make a new one`;
  throw new IsoskinError(`${what.toUpperCase()}_SWAPPED`, message, describeMesh(mesh));
}

function checkMeshes(meshes: readonly SkinnedMesh[]): void {
  if (meshes.length === 0) {
    throw new IsoskinError('NO_MESH', 'There is no mesh: give a SkinnedMesh, or those that share a skeleton');
  }
  for (const mesh of meshes) {
    if (mesh?.isSkinnedMesh) continue;
    throw new IsoskinError('NO_SKIN', 'Only a SkinnedMesh deforms; this is none', mesh ? describeMesh(mesh) : '');
  }
}

function findScene(mesh: SkinnedMesh): Scene | undefined {
  let top: { parent: unknown } & object = mesh;
  while (top.parent) top = top.parent as typeof top;
  return (top as Scene).isScene ? (top as Scene) : undefined;
}
