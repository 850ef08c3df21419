/**
 * Many characters of one kind, each in its own pose, with their volume kept: all computed on the GPU and drawn in one draw per mesh.
 *
 *   const crowd = new VolumeCrowd(gltf, 1000);
 *   scene.add(crowd);
 *
 * With a WebGPURenderer. Where that draws with WebGL2, the characters are clones with `preserveVolume` (crowd-clones.ts), for crowds of tens.
 */
import { IsoskinError, presetStack } from '@isoskin/core/runtime';
import type { GpuClip } from '@isoskin/webgpu';
import { type AnimationClip, Box3, Group, Matrix4, type Object3D, type Scene, Vector3 } from 'three';
import { StorageBufferAttribute, type WebGPURenderer } from 'three/webgpu';
import { type CrowdBody, createCrowdBody } from './create-crowd-body.js';
import { type CrowdClones, createCrowdClones } from './crowd-clones.js';
import { measureBones } from './measure-bones.js';
import { type CrowdPart, planCrowdPart } from './plan-crowd-part.js';
import { findTop, listBodies, type VolumeRoot } from './preserve-volume.js';
import { sampleClip } from './sample-clip.js';
import { updateBodyMatrices } from './update-body-matrices.js';
import type { VolumeOptions } from './volume-options.js';

type PlanOptions = Pick<VolumeOptions, 'preset' | 'stack' | 'planner' | 'plan' | 'cache' | 'borderTolerance'>;

/** How it is planned, as for `preserveVolume`; and what is played. */
export interface CrowdOptions extends PlanOptions {
  /** What they can play. Default: the animations of the file. */
  readonly clips?: readonly AnimationClip[];
  /** Poses per second that are kept of a clip; between them bone matrices are interpolated. Default: 60. */
  readonly rate?: number;
  /** Most evaluations of the surface in a frame without jumps. Default: 3. */
  readonly steps?: number;
}

/** Seconds of a clip that an update may skip and still go on from the last amounts. */
const SMOOTH = 0.1;
const DEFAULTS = { rate: 60, steps: 3 };

export class VolumeCrowd extends Group {
  override readonly count: number;
  readonly clips: readonly AnimationClip[];
  /** Resolves when there is a plan; before it nothing is drawn. */
  readonly ready: Promise<void>;
  readonly #top: Object3D;
  readonly #options: CrowdOptions;
  readonly #plays: Float32Array<ArrayBuffer>;
  readonly #speeds: Float32Array;
  readonly #matrices: StorageBufferAttribute;
  #parts: CrowdPart[] = [];
  #bodies: CrowdBody[] | undefined;
  #clones: CrowdClones | undefined;
  #device: GPUDevice | undefined;
  readonly #poses = new Map<number, Float64Array[]>();
  #isStale = true;
  #isJump = true;
  #isDisposed = false;
  #unwatch: (() => void) | undefined;

  constructor(root: VolumeRoot & { readonly animations?: AnimationClip[] }, count: number, options: CrowdOptions = {}) {
    super();
    if (!(Number.isInteger(count) && count > 0)) {
      throw new IsoskinError('BAD_COUNT', `A crowd has a whole number of characters from 1 on; found ${count}`);
    }
    this.count = count;
    this.clips = options.clips ?? root.animations ?? [];
    this.#options = options;
    this.#top = findTop(root);
    this.#plays = new Float32Array(2 * count);
    this.#speeds = new Float32Array(count).fill(1);
    this.#matrices = new StorageBufferAttribute(count, 16);
    const spec = options.stack ?? presetStack(options.preset);
    for (let i = 0; i < count; i++) this.play(i, 0, (this.clips[0]?.duration ?? 0) * ((0.618 * i) % 1));
    // In rows, until somebody says where they stand.
    const { x, z } = new Box3().setFromObject(this.#top).getSize(new Vector3());
    const side = Math.ceil(Math.sqrt(count));
    for (let i = 0; i < count; i++) {
      const [column, row] = [i % side, Math.trunc(i / side)].map((n) => 1.2 * (n - (side - 1) / 2) * Math.max(x, z));
      this.setMatrixAt(i, new Matrix4().setPosition(column!, 0, row!));
    }
    const parts = listBodies(this.#top).map((meshes) =>
      planCrowdPart(this.#top, meshes, { ...options, spec, animations: this.clips }),
    );
    if (parts.some((part) => part instanceof Promise)) {
      this.ready = Promise.all(parts).then((planned) => {
        this.#parts = planned;
      });
    } else {
      this.#parts = parts as CrowdPart[];
      this.ready = Promise.resolve();
    }
  }

  /** Bytes of GPU memory, once it has been drawn. */
  get bytes(): number {
    return this.#matrices.array.byteLength + (this.#bodies ?? []).reduce((sum, body) => sum + body.bytes, 0);
  }

  /** `gpu`, `clones` where the renderer draws with WebGL2, `none` before it has been drawn. */
  get path(): 'gpu' | 'clones' | 'none' {
    return this.#bodies ? 'gpu' : this.#clones ? 'clones' : 'none';
  }

  /** Where a character stands, in the space of the crowd. */
  setMatrixAt(index: number, matrix: Matrix4): void {
    this.#check(index);
    matrix.toArray(this.#matrices.array as Float32Array, 16 * index);
    this.#matrices.needsUpdate = true;
    this.#clones?.setMatrixAt(index, matrix);
  }

  /** A clip (number or name), from `time` on; it repeats. */
  play(index: number, clip: number | string = 0, time = 0, speed = 1): void {
    this.#check(index);
    const number = typeof clip === 'string' ? this.clips.findIndex(({ name }) => name === clip) : clip;
    if (this.clips.length > 0 && !this.clips[number]) {
      const names = this.clips.map(({ name }) => `"${name}"`).join(', ');
      throw new IsoskinError('NO_CLIP', `There is no clip ${JSON.stringify(clip)}: the file has ${names}`);
    }
    const at = 2 * index;
    if (this.#plays[at] !== number || Math.abs(this.#plays[at + 1]! - time) > SMOOTH) this.#isJump = true;
    this.#plays[at] = this.clips.length > 0 ? number : -1;
    this.#plays[at + 1] = time;
    this.#speeds[index] = speed;
    this.#poses.delete(index);
    this.#isStale = true;
  }

  /** A pose of its own: that of the model's bones at this moment. It holds until the next `setPose` or `play`. */
  setPose(index: number): void {
    this.#check(index);
    if (this.#parts.length === 0) {
      throw new IsoskinError('NOT_PLANNED', 'This crowd is still being planned: await its `ready` before setPose()');
    }
    this.#plays[2 * index] = -1;
    this.#poses.set(index, this.#readPose());
    this.#isStale = this.#isJump = true;
    this.#clones?.setPose(index);
  }

  /** Time goes on for all that play. */
  update(dt: number): void {
    for (let i = 0; i < this.count; i++) {
      if (this.#plays[2 * i]! >= 0) this.#plays[2 * i + 1]! += dt * this.#speeds[i]!;
    }
    if (dt !== 0) this.#isStale = true;
    if (Math.abs(dt) > SMOOTH) this.#isJump = true;
  }

  /** Points of a character's meshes in the space of the crowd, as they are drawn. Waits for the GPU: for tests and bakes. */
  async read(index: number): Promise<{ positions: Float32Array[]; volumes: Float32Array[] }> {
    this.#check(index);
    const positions: Float32Array[] = [];
    const volumes: Float32Array[] = [];
    for (const [b, body] of (this.#bodies ?? []).entries()) {
      const found = await body.read();
      const matrix = new Matrix4().fromArray(this.#matrices.array as Float32Array, 16 * index);
      const { elements: m } = matrix.multiply(this.#parts[b]!.placement);
      for (const places of body.places) {
        const out = new Float32Array(3 * places.length);
        for (let k = 0; k < places.length; k++) {
          const p = found.positions.subarray(4 * (index * body.rowLength + places[k]!));
          for (let r = 0; r < 3; r++) {
            out[3 * k + r] = m[r]! * p[0]! + m[4 + r]! * p[1]! + m[8 + r]! * p[2]! + m[12 + r]!;
          }
        }
        positions.push(out);
      }
      const regions = found.volumes.length / this.count;
      volumes.push(found.volumes.slice(index * regions, (index + 1) * regions));
    }
    return { positions, volumes };
  }

  override dispose(): void {
    this.#isDisposed = true;
    this.#unwatch?.();
    this.clear();
    for (const body of this.#bodies ?? []) body.dispose();
    this.#clones?.dispose();
    this.#bodies = this.#clones = undefined;
    this.removeFromParent();
  }

  /** The scene that it stands in computes it before a render. */
  override updateMatrixWorld(force?: boolean): void {
    super.updateMatrixWorld(force);
    if (this.#unwatch || this.#isDisposed) return;
    let top: Object3D = this;
    while (top.parent) top = top.parent;
    if ((top as Scene).isScene) this.#watch(top as Scene);
  }

  #watch(scene: Scene): void {
    const own = Object.hasOwn(scene, 'onBeforeRender') ? scene.onBeforeRender : undefined;
    const hook: Scene['onBeforeRender'] = (...values) => {
      own?.apply(scene, values);
      this.#draw(values[0] as unknown as WebGPURenderer);
    };
    scene.onBeforeRender = hook;
    this.#unwatch = () => {
      if (scene.onBeforeRender !== hook) return;
      if (own) scene.onBeforeRender = own;
      else Reflect.deleteProperty(scene, 'onBeforeRender');
    };
  }

  #draw(renderer: WebGPURenderer): void {
    if (this.#isDisposed || this.#parts.length === 0) return;
    const backend = renderer.backend as { isWebGPUBackend?: boolean; device?: GPUDevice } | undefined;
    if (!this.#bodies && !this.#clones) this.#open(renderer, backend?.isWebGPUBackend === true);
    this.#clones?.update(this.#plays);
    if (!this.#bodies || !this.#isStale || !backend?.device) return;
    if (backend.device !== this.#device) {
      throw new IsoskinError(
        'OTHER_RENDERER',
        'A crowd lies on the GPU of the renderer that drew it first: make one for each renderer',
      );
    }
    for (const [index, poses] of this.#poses) {
      for (const [b, body] of this.#bodies.entries()) body.setPose(index, poses[b]!);
    }
    const encoder = backend.device.createCommandEncoder({ label: 'isoskin crowd' });
    for (const body of this.#bodies) body.encode(encoder, this.#plays, this.#isJump);
    backend.device.queue.submit([encoder.finish()]);
    this.#poses.clear();
    this.#isStale = this.#isJump = false;
  }

  #open(renderer: WebGPURenderer, isGpu: boolean): void {
    if (!isGpu) {
      const { clips, rate, steps, ...options } = this.#options;
      this.#clones = createCrowdClones(this.#top, this.count, this.clips, options);
      for (let i = 0; i < this.count; i++) {
        this.#clones.setMatrixAt(i, new Matrix4().fromArray(this.#matrices.array as Float32Array, 16 * i));
      }
      this.add(...this.#clones.roots);
      return;
    }
    const { rate, steps } = { ...DEFAULTS, ...this.#options };
    this.#device = (renderer.backend as unknown as { device: GPUDevice }).device;
    const samples = this.clips.map((clip) => sampleClip(this.#top, clip, rate, () => this.#readPose()));
    this.#bodies = this.#parts.map(({ meshes, plan, placement, targets }, b) => {
      const still: GpuClip = repeatPose(this.#readPose()[b]!, targets);
      const clips = samples.map(({ duration, poses }): GpuClip => {
        const bones = Float64Array.from(poses.flatMap((pose) => [...pose[b]!]));
        return { duration, bones, targets: Float64Array.from(poses.flatMap(() => [...targets])) };
      });
      const all = clips.length > 0 ? clips : [still];
      const options = { count: this.count, clips: all, targets, matrices: this.#matrices, placement, steps };
      const body = createCrowdBody(renderer, meshes, plan, options);
      // Without a clip: the pose that the model has.
      for (let i = 0; i < this.count; i++) if (this.#plays[2 * i]! < 0) body.setPose(i, this.#readPose()[b]!);
      return body;
    });
    this.add(...this.#bodies.flatMap(({ meshes }) => meshes));
    super.updateMatrixWorld(true);
  }

  /** T_i T̄_i⁻¹ of the model's bones at this moment, per body. */
  #readPose(): Float64Array[] {
    return this.#parts.map(({ meshes, plan, space }) => {
      updateBodyMatrices(meshes);
      const bones = new Float64Array(12 * plan.bones.length);
      measureBones(bones, meshes, plan.bones, plan.character.skeleton.inverseBinds, space);
      return bones;
    });
  }

  #check(index: number): void {
    if (this.#isDisposed) throw new IsoskinError('DISPOSED', 'This crowd was disposed: make a new one');
    if (Number.isInteger(index) && index >= 0 && index < this.count) return;
    throw new IsoskinError('NO_SUCH_CHARACTER', `The crowd has ${this.count} characters, from 0 on; found ${index}`);
  }
}

function repeatPose(bones: Float64Array, targets: Float64Array): GpuClip {
  return { duration: 1, bones: Float64Array.of(...bones, ...bones), targets: Float64Array.of(...targets, ...targets) };
}
