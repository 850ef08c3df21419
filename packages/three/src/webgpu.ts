/**
 * The WebGPU path: compute kernels write what a WebGPURenderer draws, on its own device, without a read-back.
 *
 *   preserveVolume(gltf.scene, { webgpu });
 */
import { applyMorphs } from '@isoskin/core';
import { createGpuFrame } from '@isoskin/webgpu';
import { Box3, Matrix4 } from 'three';
import { StorageBufferAttribute } from 'three/webgpu';
import { cofactors } from './apply-mesh-layout.js';
import { createAttributes, writeMeshes } from './create-cpu-path.js';
import type { Evaluator } from './evaluator.js';
import { GROUP, layoutShader, UNIFORM_LENGTH } from './layout-shader.js';
import { measureBounds, planBoneSpheres } from './measure-bounds.js';
import type { DrawnAttributes } from './mesh-drawing.js';
import type { AnyRenderer, MeshSpaces, Path, RendererPath } from './path.js';
import type { BodyPlan } from './plan-body.js';
import type { MeshLayout } from './plan-mesh-layout.js';

/** What of three.js's WebGPUBackend is used. */
interface Backend {
  readonly isWebGPUBackend?: boolean;
  readonly device?: GPUDevice | null;
  createStorageAttribute(attribute: StorageBufferAttribute): void;
  get(attribute: StorageBufferAttribute): { buffer: GPUBuffer };
}

export const webgpu: RendererPath = {
  create(renderer: AnyRenderer, plan: BodyPlan) {
    const backend = renderer.backend as Backend | undefined;
    // The renderer falls back to WebGL2 where there is no WebGPU; kernels run on the CPU then.
    if (!backend?.isWebGPUBackend || !plan.isFast) return undefined;
    return backend.device ? createWebgpuPath(backend, backend.device, plan) : 'later';
  },
};

/** Of GPUBufferUsage, which only browsers have as a global. */
const COPY_DST = 0x08;
const UNIFORM = 0x40;
const STORAGE = 0x80;

const IDENTITY = new Matrix4().elements;
const box = new Box3();
const matrix = new Matrix4();

function createWebgpuPath(backend: Backend, device: GPUDevice, plan: BodyPlan): Path {
  const { character, context, layouts } = plan;
  const frame = createGpuFrame(device, plan.getFramePlan());
  const meshes = layouts.map((layout) => createMeshStage(backend, device, layout, frame));
  const bounds = new Float64Array(6);
  const spheres = planBoneSpheres(plan);
  const boxes = layouts.map(() => new Float64Array(6));
  const rest = character.morphs.length > 0 ? character.surface.positions.slice() : undefined;
  const readable = layouts.map(createAttributes);
  const attributes = meshes.map((mesh) => mesh.attributes);
  let evaluator: Evaluator | undefined;
  return {
    name: 'webgpu',
    attributes,
    boxes,
    draw(pose, report, spaces) {
      if (rest) {
        applyMorphs(rest, character, pose.morphWeights);
        frame.setRest(rest);
      }
      context.targets.measure(report.targets, pose.bones, pose.time, pose.morphWeights);
      const encoder = device.createCommandEncoder({ label: 'isoskin' });
      frame.encode(encoder, pose.bones, report.targets, { warm: true });
      const pass = encoder.beginComputePass({ label: 'isoskin meshes' });
      for (const [m, mesh] of meshes.entries()) mesh.encode(pass, spaces[m] ?? null);
      pass.end();
      device.queue.submit([encoder.finish()]);
      measureBounds(bounds, spheres, pose);
      for (const [m, out] of boxes.entries()) moveBox(out, bounds, spaces[m] ?? null);
    },
    forget: () => frame.reset(),
    // Rays are cast on the CPU: the same pose once more, there, when the first one asks.
    prepare(pose, _report, spaces, body) {
      evaluator ??= plan.createEvaluator();
      evaluator.run(pose, plan.createReport(), body);
      const exact = layouts.map(() => new Float64Array(6));
      writeMeshes(readable, layouts, evaluator, spaces, exact);
      for (const [m, { position }] of readable.entries()) copyPositions(attributes[m]!.position.array, position.array);
    },
    dispose() {
      frame.dispose();
      for (const mesh of meshes) mesh.dispose();
    },
  };
}

interface MeshStage {
  readonly attributes: DrawnAttributes;
  encode(pass: GPUComputePassEncoder, space: readonly number[] | null): void;
  dispose(): void;
}

function createMeshStage(
  backend: Backend,
  device: GPUDevice,
  { vertexCount, welded, neighbour, normal, tangent }: MeshLayout,
  frame: { readonly positions: GPUBuffer; readonly normals: GPUBuffer },
): MeshStage {
  const create = () => new StorageBufferAttribute(new Float32Array(4 * vertexCount), 4);
  const attributes = { position: create(), normal: normal && create(), tangent: tangent && create() };
  const getBuffer = (attribute: StorageBufferAttribute) => {
    backend.createStorageAttribute(attribute);
    return backend.get(attribute).buffer;
  };
  const owned: GPUBuffer[] = [];
  const upload = (values: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>, usage: number = STORAGE) => {
    const buffer = device.createBuffer({
      size: Math.max(16, values.byteLength),
      usage: usage | COPY_DST,
    });
    device.queue.writeBuffer(buffer, 0, values);
    owned.push(buffer);
    return buffer;
  };
  const vertices = new Uint32Array(2 * vertexCount);
  for (let i = 0; i < vertexCount; i++) {
    vertices[2 * i] = welded[i]!;
    vertices[2 * i + 1] = neighbour[i]!;
  }
  const numbers = new Float32Array(UNIFORM_LENGTH);
  new Uint32Array(numbers.buffer)[28] = vertexCount;
  const uniform = upload(numbers, UNIFORM);
  const module = device.createShaderModule({ code: layoutShader(!!normal, !!tangent) });
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } });
  const buffers: (GPUBuffer | undefined)[] = [
    uniform,
    upload(vertices),
    frame.positions,
    getBuffer(attributes.position),
  ];
  if (normal || tangent) buffers.push(frame.normals, upload(packFrames(vertexCount, normal, tangent)));
  buffers[6] = attributes.normal && getBuffer(attributes.normal);
  buffers[7] = attributes.tangent && getBuffer(attributes.tangent);
  const entries = buffers.flatMap((buffer, binding) => (buffer ? [{ binding, resource: { buffer } }] : []));
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
  return {
    attributes,
    encode(pass, space) {
      const m = space ?? IDENTITY;
      numbers.set(m, 0);
      const across = cofactors(m);
      for (let c = 0; c < 3; c++) for (let r = 0; r < 3; r++) numbers[16 + 4 * c + r] = across[3 * c + r]!;
      device.queue.writeBuffer(uniform, 0, numbers);
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(Math.ceil(vertexCount / GROUP));
    },
    dispose() {
      for (const buffer of owned) buffer.destroy();
    },
  };
}

/** a b c 0 of all normals, then a b c sign of all tangents. */
function packFrames(count: number, normal?: Float32Array, tangent?: Float32Array): Float32Array<ArrayBuffer> {
  const out = new Float32Array(4 * count * (Number(!!normal) + Number(!!tangent)));
  for (let i = 0; normal && i < count; i++) out.set(normal.subarray(3 * i, 3 * i + 3), 4 * i);
  if (tangent) out.set(tangent, normal ? 4 * count : 0);
  return out;
}

function moveBox(out: Float64Array, body: Float64Array, space: MeshSpaces[number]): void {
  box.min.fromArray(body, 0);
  box.max.fromArray(body, 3);
  if (space) box.applyMatrix4(matrix.fromArray(space));
  box.min.toArray(out, 0);
  box.max.toArray(out, 3);
}

/** #×3 → #×4. */
function copyPositions(out: { [index: number]: number }, from: ArrayLike<number>): void {
  for (let i = 0, to = 0; i < from.length; i += 3, to += 4) {
    for (let r = 0; r < 3; r++) out[to + r] = from[i + r]!;
  }
}
