/**
 * One body of a crowd on the GPU: poses, amounts and skin in compute, drawn where they lie. Nothing of a vertex goes through the CPU.
 *
 *   p = M_i (P y),   n = a N + b T + c N×T        (plan-mesh-layout.ts)
 *
 * y, N  what the frame wrote (packed), read by the vertex shader through `place`; P body → model, M_i the character's matrix
 */
import { createClipPlayer, createGpuFrame, type GpuClip } from '@isoskin/webgpu';
import {
  type BufferAttribute,
  Float32BufferAttribute,
  InstancedBufferGeometry,
  type Material,
  type Matrix4,
  Mesh,
  type SkinnedMesh,
  Uint32BufferAttribute,
} from 'three';
import {
  attribute,
  Fn,
  instanceIndex,
  normalize,
  normalLocal,
  storage,
  uniform,
  unpackSnorm2x16,
  vec2,
  vec3,
  vec4,
} from 'three/tsl';
import { type Node, StorageBufferAttribute, type WebGPURenderer } from 'three/webgpu';
import type { BodyPlan } from './plan-body.js';
import { type MeshLayout, planMeshLayouts } from './plan-mesh-layout.js';

export interface CrowdBody {
  readonly meshes: readonly Mesh[];
  /** Bytes of GPU memory. */
  readonly bytes: number;
  /** Puts the pose of one character there: bone matrices, #B×12. */
  setPose(index: number, bones: Float64Array): void;
  /** Adds one frame; `plays`: clip and seconds of every character. */
  encode(encoder: GPUCommandEncoder, plays: Float32Array<ArrayBuffer>, jump: boolean): void;
  /** Points of all characters in the space of the body, as they are drawn. Waits for the GPU. */
  read(): Promise<{ positions: Float32Array; volumes: Float32Array; evaluations: Float32Array }>;
  readonly rowLength: number;
  /** Vertices of each mesh → points of a row. */
  readonly places: readonly Uint32Array[];
  dispose(): void;
}

export interface CrowdBodyOptions {
  readonly count: number;
  readonly clips: readonly GpuClip[];
  readonly targets: Float64Array;
  /** M_i, shared by the bodies of a crowd; #×16. */
  readonly matrices: StorageBufferAttribute;
  /** P. */
  readonly placement: Matrix4;
  readonly steps: number;
}

/** What the renderer knows of an attribute; a buffer that is there already is not made again. */
type Backend = { device: GPUDevice; get(attribute: BufferAttribute): { buffer?: GPUBuffer } };

export function createCrowdBody(
  renderer: WebGPURenderer,
  sources: readonly SkinnedMesh[],
  { character, volume }: BodyPlan,
  { count, clips, targets, matrices, placement, steps }: CrowdBodyOptions,
): CrowdBody {
  const backend = renderer.backend as unknown as Backend;
  const { device } = backend;
  const frame = createGpuFrame(device, volume.framePlan(), { instances: count, packed: true, steps });
  const player = createClipPlayer(device, frame, clips);
  const share = (buffer: GPUBuffer, type: typeof Float32Array | typeof Uint32Array, itemSize: number) => {
    const shared = new StorageBufferAttribute(new type(itemSize), itemSize);
    backend.get(shared).buffer = buffer;
    return shared;
  };
  const points = storage(share(frame.positions, Float32Array, 4), 'vec4', count * frame.vertexCount).toReadOnly();
  const normals = storage(share(frame.normals, Uint32Array, 1), 'uint', count * frame.vertexCount).toReadOnly();
  const placed = storage(matrices, 'mat4', count).toReadOnly();
  const row = instanceIndex.mul(frame.vertexCount);
  const toModel = uniform(placement);
  const readPoint = (place: Node<'uint'>) => points.element(row.add(place)).xyz;

  /** Also turns the normal, as three.js's own skinning does. */
  const position = Fn(() => {
    const place = attribute<'uint'>('crowdPlace', 'uint');
    const point = readPoint(place).toVar();
    const word = unpackSnorm2x16(normals.element(row.add(place))) as unknown as Node<'vec2'>;
    const e = vec2(word).toVar();
    const z = e.x.abs().add(e.y.abs()).oneMinus();
    const fold = z.negate().max(0);
    const across = normalize(vec3(e.x.sub(fold.mul(e.x.sign())), e.y.sub(fold.mul(e.y.sign())), z)).toVar();
    const edge = readPoint(attribute<'uint'>('crowdNeighbour', 'uint')).sub(point);
    const along = edge.sub(across.mul(edge.dot(across))).toVar();
    const unit = along.div(along.length().max(1e-20));
    const shares = attribute<'vec3'>('crowdNormal', 'vec3');
    const normal = across.mul(shares.x).add(unit.mul(shares.y)).add(across.cross(unit).mul(shares.z));
    const matrix = placed.element(instanceIndex).mul(toModel).toVar();
    normalLocal.assign(normalize(matrix.mul(vec4(normal, 0)).xyz));
    return matrix.mul(vec4(point, 1)).xyz;
  });

  const layouts = planMeshLayouts(character, sources);
  const meshes = sources.map((source, m) => {
    const geometry = createGeometry(source, layouts[m]!, frame.places, count);
    const { material } = source;
    const own = Array.isArray(material) ? material.map(copyMaterial) : copyMaterial(material);
    const mesh = new Mesh(geometry, own);
    Object.assign(mesh, { name: source.name, frustumCulled: false });
    mesh.castShadow = source.castShadow;
    mesh.receiveShadow = source.receiveShadow;
    return mesh;
  });
  function copyMaterial(material: Material): Material {
    const copy = material.clone();
    return Object.assign(copy, { positionNode: position() });
  }

  const bytesOfRow = frame.inputs.size / count;
  let isKnown = false;
  return {
    meshes,
    bytes: frame.bytes + player.bytes,
    rowLength: frame.vertexCount,
    places: layouts.map(({ welded }) => Uint32Array.from(welded, (k) => frame.places[k]!)),
    setPose: (index, bones) =>
      device.queue.writeBuffer(frame.inputs, index * bytesOfRow, frame.pack(bones, targets), 0, bytesOfRow / 4),
    encode(encoder, plays, jump) {
      player.encode(encoder, plays);
      frame.encode(encoder, undefined, undefined, { warm: isKnown, jump });
      isKnown = true;
    },
    read: () => frame.read(),
    dispose() {
      for (const { geometry, material } of meshes) {
        geometry.dispose();
        for (const each of Array.isArray(material) ? material : [material]) each.dispose();
      }
      player.dispose();
      frame.dispose();
    },
  };
}

/** What is drawn of a mesh, `count` times; attributes are those of the original. */
function createGeometry(
  { geometry }: SkinnedMesh,
  { welded, neighbour, normal }: MeshLayout,
  places: Uint32Array,
  count: number,
): InstancedBufferGeometry {
  const out = new InstancedBufferGeometry();
  out.setIndex(geometry.index);
  for (const [name, values] of Object.entries(geometry.attributes)) {
    if (!/^(skin|tangent|_isoskin)/.test(name)) out.setAttribute(name, values);
  }
  const place = (list: Uint32Array) =>
    new Uint32BufferAttribute(
      Uint32Array.from(list, (k) => places[k]!),
      1,
    );
  out.setAttribute('crowdPlace', place(welded));
  out.setAttribute('crowdNeighbour', place(neighbour));
  const plain = () => Float32Array.from({ length: 3 * welded.length }, (_, i) => (i % 3 === 0 ? 1 : 0));
  out.setAttribute('crowdNormal', new Float32BufferAttribute(normal ?? plain(), 3));
  if (!out.attributes.normal) out.setAttribute('normal', new Float32BufferAttribute(plain(), 3));
  for (const { start, count: length, materialIndex } of geometry.groups) out.addGroup(start, length, materialIndex);
  out.instanceCount = count;
  return out;
}
