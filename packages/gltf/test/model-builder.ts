/** Makes small glTF files in memory, good ones and bad ones. */

export type Json = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: tests reach into the JSON of broken files at will
export type Loose = any;
type Numbers = Float32Array | Uint8Array | Uint16Array | Uint32Array | Int8Array | Int16Array;

const COMPONENT = new Map<unknown, number>([
  [Int8Array, 5120],
  [Uint8Array, 5121],
  [Int16Array, 5122],
  [Uint16Array, 5123],
  [Uint32Array, 5125],
  [Float32Array, 5126],
]);
const WIDTH: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

export class ModelBuilder {
  readonly json: Loose = { asset: { version: '2.0' }, buffers: [{ byteLength: 0 }], bufferViews: [], accessors: [] };
  private readonly chunks: Uint8Array[] = [];
  private length = 0;

  view(array: Numbers): number {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const view = { buffer: 0, byteOffset: this.length, byteLength: bytes.length };
    const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
    padded.set(bytes);
    this.chunks.push(padded);
    this.length += padded.length;
    this.json.buffers[0].byteLength = this.length;
    return this.json.bufferViews.push(view) - 1;
  }

  add(type: string, array: Numbers, extra: Json = {}): number {
    const entry: Json = {
      bufferView: this.view(array),
      componentType: COMPONENT.get(array.constructor)!,
      count: array.length / WIDTH[type]!,
      type,
      ...extra,
    };
    return this.json.accessors.push(entry) - 1;
  }

  binary(): Uint8Array {
    const out = new Uint8Array(this.length);
    let at = 0;
    for (const chunk of this.chunks) {
      out.set(chunk, at);
      at += chunk.length;
    }
    return out;
  }

  glb(): Uint8Array {
    return packGlb(this.json, this.binary());
  }
}

export function packGlb(json: unknown, binary?: Uint8Array): Uint8Array {
  const text = new TextEncoder().encode(typeof json === 'string' ? json : JSON.stringify(json));
  const jsonLength = Math.ceil(text.length / 4) * 4;
  const binaryLength = binary ? Math.ceil(binary.length / 4) * 4 : 0;
  const out = new Uint8Array(20 + jsonLength + (binary ? 8 + binaryLength : 0)).fill(0x20, 20, 20 + jsonLength);
  const view = new DataView(out.buffer);
  view.setUint32(0, 0x46546c67, true);
  view.setUint32(4, 2, true);
  view.setUint32(8, out.length, true);
  view.setUint32(12, jsonLength, true);
  view.setUint32(16, 0x4e4f534a, true);
  out.set(text, 20);
  if (binary) {
    view.setUint32(20 + jsonLength, binaryLength, true);
    view.setUint32(24 + jsonLength, 0x004e4942, true);
    out.set(binary, 28 + jsonLength);
  }
  return out;
}

/** Corners of the box [0, x]×[0, y]×[0, z] and its 12 triangles, outward. */
export const BOX_TRIANGLES = Uint16Array.from(
  [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5].flat(),
);
export function boxPositions(x: number, y: number, z: number): Float32Array {
  return Float32Array.from({ length: 24 }, (_, i) => {
    const corner = Math.trunc(i / 3);
    return [corner & 1 ? x : 0, corner & 2 ? y : 0, corner & 4 ? z : 0][i % 3]!;
  });
}

export const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** A box 1×1×2 on two joints (root, tip at z = 1), volume 2: node 0 mesh, node 1 root, node 2 tip. */
export function skinnedBox(): ModelBuilder {
  const model = new ModelBuilder();
  const { json } = model;
  const joints = Uint8Array.from({ length: 32 }, (_, i) => (i % 4 === 0 && i >= 16 ? 1 : 0));
  const weights = Float32Array.from({ length: 32 }, (_, i) => (i % 4 === 0 ? 1 : 0));
  const tip = [...IDENTITY.slice(0, 14), -1, 1];
  json.meshes = [
    {
      name: 'Box',
      primitives: [
        {
          attributes: {
            POSITION: model.add('VEC3', boxPositions(1, 1, 2), { min: [0, 0, 0], max: [1, 1, 2] }),
            JOINTS_0: model.add('VEC4', joints),
            WEIGHTS_0: model.add('VEC4', weights),
          },
          indices: model.add('SCALAR', BOX_TRIANGLES),
        },
      ],
    },
  ];
  json.skins = [{ joints: [1, 2], inverseBindMatrices: model.add('MAT4', Float32Array.from([...IDENTITY, ...tip])) }];
  json.nodes = [
    { name: 'Box', mesh: 0, skin: 0 },
    { name: 'root', children: [2] },
    { name: 'tip', translation: [0, 0, 1] },
  ];
  json.scenes = [{ nodes: [0, 1] }];
  json.scene = 0;
  return model;
}

/** An animation of one channel on a node. */
export function animate(
  model: ModelBuilder,
  node: number,
  path: string,
  times: number[],
  values: number[],
  mode?: string,
) {
  const type = { translation: 'VEC3', scale: 'VEC3', rotation: 'VEC4' }[path] ?? 'SCALAR';
  const sampler = {
    input: model.add('SCALAR', Float32Array.from(times), { min: [Math.min(...times)], max: [Math.max(...times)] }),
    output: model.add(type, Float32Array.from(values)),
    ...(mode && { interpolation: mode }),
  };
  (model.json.animations ??= []).push({ channels: [{ sampler: 0, target: { node, path } }], samplers: [sampler] });
}
