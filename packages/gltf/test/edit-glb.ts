/** Changes a .glb by hand: its JSON at will, and more numbers behind its own. */
import { validateBytes } from 'gltf-validator';
import { type Loose, packGlb } from './model-builder.js';

type Numbers = Float32Array | Uint8Array | Uint16Array | Int8Array | Int16Array;

const COMPONENT = new Map<unknown, number>([
  [Int8Array, 5120],
  [Uint8Array, 5121],
  [Int16Array, 5122],
  [Uint16Array, 5123],
  [Float32Array, 5126],
]);
const WIDTH: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

export function jsonOf(glb: Uint8Array): Loose {
  const length = new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
  return JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
}

export function binaryOf(glb: Uint8Array): Uint8Array {
  const length = new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
  return glb.subarray(28 + length);
}

/** The bytes of every buffer view. */
export function viewsOf(glb: Uint8Array): Uint8Array[] {
  const binary = binaryOf(glb);
  const views = jsonOf(glb).bufferViews as readonly { byteOffset?: number; byteLength: number }[];
  return views.map(({ byteOffset = 0, byteLength }) => binary.slice(byteOffset, byteOffset + byteLength));
}

export interface GlbEdit {
  readonly json: Loose;
  /** The bytes of the binary chunk, to be changed in place. */
  readonly binary: Uint8Array;
  /** A buffer view of these numbers. */
  view(array: Numbers): number;
  /** An accessor of these numbers. */
  add(type: string, array: Numbers, extra?: object): number;
  /** Where the numbers of an accessor are. */
  floats(accessor: number): Float32Array;
}

export function editGlb(glb: Uint8Array, edit: (edit: GlbEdit) => void): Uint8Array {
  const json = jsonOf(glb);
  const binary = binaryOf(glb).slice();
  const more: Uint8Array[] = [];
  let length = binary.length;
  const view = (array: Numbers): number => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
    padded.set(bytes);
    more.push(padded);
    const at = length;
    length += padded.length;
    return json.bufferViews.push({ buffer: 0, byteOffset: at, byteLength: bytes.length }) - 1;
  };
  edit({
    json,
    binary,
    view,
    add: (type, array, extra = {}) =>
      json.accessors.push({
        bufferView: view(array),
        componentType: COMPONENT.get(array.constructor),
        count: array.length / WIDTH[type]!,
        type,
        ...extra,
      }) - 1,
    floats: (accessor) => {
      const { bufferView, byteOffset = 0, count, type } = json.accessors[accessor];
      const from = binary.byteOffset + (json.bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
      return new Float32Array(binary.buffer, from, count * WIDTH[type]!);
    },
  });
  const whole = new Uint8Array(length);
  whole.set(binary);
  let at = binary.length;
  for (const piece of more) {
    whole.set(piece, at);
    at += piece.length;
  }
  json.buffers[0].byteLength = length;
  return packGlb(json, whole);
}

export async function errorsOf(glb: Uint8Array): Promise<string[]> {
  const { issues } = await validateBytes(glb);
  return issues.messages.filter(({ severity }) => severity === 0).map(({ code, pointer }) => `${code} ${pointer}`);
}
