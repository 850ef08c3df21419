/**
 * NaN and Inf in the floats of a file. One of them in a normal would spread over a whole bake, so those that only decorate
 * (normals, tangents, morph targets, colours, texture coordinates), and keys of clips, are mended in a copy of the bytes, and said. Positions and
 * bind matrices are not touched: reading refuses them. O(numbers).
 */
import type { GLTF } from '@gltf-transform/core';
import type { Warning } from '@isoskin/core';
import { listAccessorUses } from './patch/drop-unused.js';
import { ELEMENT_WIDTH, type GltfFile, type NumberArray } from './patch/gltf-file.js';
import { readAccessor } from './patch/read-accessor.js';

const FLOAT = 5126;

/** The file with mended bytes; the same where there is nothing to mend. */
export function mendNumbers(file: GltfFile, warnings: Warning[]): GltfFile {
  const mender = createMender(file);
  const seen = new Set<number>();
  const mend = (accessor: number, name: string, place: string, fix: Fix): void => {
    if (seen.has(accessor)) return;
    seen.add(accessor);
    const count = mender.mend(accessor, fix);
    if (count === 0) return;
    const message = `${count} of ${name} hold no number (NaN or infinite); they are mended`;
    warnings.push({ code: 'NUMBERS_MENDED', message, place });
  };
  file.json.meshes?.forEach(({ primitives }, m) => {
    primitives.forEach((primitive, p) => {
      const place = `meshes[${m}].primitives[${p}]`;
      for (const [name, accessor] of Object.entries(primitive.attributes ?? {})) {
        if (/^(POSITION|JOINTS_|WEIGHTS_)/.test(name)) continue;
        const fix = name === 'NORMAL' ? normalFix(file, primitive) : name === 'TANGENT' ? tangentFix : zeroFix;
        mend(accessor, name, `${place}.attributes.${name}`, fix);
      }
      primitive.targets?.forEach((target, k) => {
        for (const name in target) mend(target[name]!, name, `${place}.targets[${k}].${name}`, zeroFix);
      });
    });
  });
  file.json.animations?.forEach(({ channels, samplers }, a) => {
    channels?.forEach(({ sampler, target }, c) => {
      const { input, output, interpolation } = samplers[sampler]!;
      const fix = keyFix(file, input, output, interpolation === 'CUBICSPLINE', target.path);
      mend(output, `the keys of a ${target.path}`, `animations[${a}].channels[${c}]`, fix);
    });
  });
  return mender.file();
}

/** Accessors of a file that none of its meshes, skins and clips use. */
export function listUnused({ json }: GltfFile): number[] {
  const used = new Set(listAccessorUses(json).map(({ get }) => get()));
  return [...(json.accessors ?? []).keys()].filter((accessor) => !used.has(accessor));
}

/** What is no number in these accessors becomes 0 (a validator counts those that nothing uses too); returns which had some. */
export function zeroNumbers(file: GltfFile, accessors: readonly number[]): { file: GltfFile; mended: number[] } {
  const mender = createMender(file);
  const mended = accessors.filter((accessor) => mender.mend(accessor, zeroFix) > 0);
  return { file: mender.file(), mended };
}

/** Writes what an element should be; `element` is its number in the accessor. */
type Fix = (out: Float32Array, element: number) => void;

const zeroFix: Fix = (out) => out.fill(0);

/** Any direction will do: what is left of the surface's is unknown. */
const tangentFix: Fix = (out) => out.set([1, 0, 0, 1].slice(0, out.length));

/** A key holds the value of the one before it, or the first that is a number; tangents are flat. */
function keyFix(file: GltfFile, input: number, output: number, isCubic: boolean, path: string): Fix {
  let values: NumberArray | undefined;
  const keys = file.json.accessors![input]?.count ?? 0;
  return (out, element) => {
    values ??= readAccessor(file, output);
    const { count, type } = file.json.accessors![output]!;
    const width = ELEMENT_WIDTH[type]!;
    const perKey = Math.max(1, Math.floor(count / Math.max(1, keys)));
    const isTangent = isCubic && Math.floor(((element % perKey) * 3) / perKey) !== 1;
    const at = (e: number) => values?.subarray(width * e, width * (e + 1));
    const isWhole = (e: number) => e >= 0 && e < count && at(e)?.every(Number.isFinite);
    const neutral = path === 'rotation' ? [0, 0, 0, 1] : path === 'scale' ? [1, 1, 1] : [];
    let from = element - perKey; // whole, if there is one: those before were mended already
    if (from < 0) for (from = element; from < count && !isWhole(from); ) from += perKey;
    out.set(isTangent ? [] : isWhole(from) ? at(from)! : neutral.slice(0, width));
    at(element)?.set(out);
  };
}

/** Normal of the triangles around the vertex. */
function normalFix(file: GltfFile, primitive: GLTF.IMeshPrimitive): Fix {
  let sums: Float64Array | undefined;
  return (out, vertex) => {
    sums ??= sumNormals(file, primitive);
    const n = sums.subarray(3 * vertex, 3 * vertex + 3);
    const length = Math.hypot(...n);
    out.set(length > 0 && length < Number.POSITIVE_INFINITY ? n.map((x) => x / length) : [0, 0, 1]);
  };
}

function sumNormals(file: GltfFile, { attributes, indices, mode = 4 }: GLTF.IMeshPrimitive): Float64Array {
  const x = attributes.POSITION === undefined ? undefined : readAccessor(file, attributes.POSITION);
  const corners = indices === undefined ? undefined : readAccessor(file, indices);
  const sums = new Float64Array(x?.length ?? 0);
  const count = corners?.length ?? sums.length / 3;
  for (let t = 0; x && mode === 4 && t + 2 < count; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * (corners?.[t + k] ?? t + k)) as [number, number, number];
    for (let r = 0; r < 3; r++) {
      const [s, q] = [(r + 1) % 3, (r + 2) % 3];
      const n = (x[b + s]! - x[a + s]!) * (x[c + q]! - x[a + q]!) - (x[b + q]! - x[a + q]!) * (x[c + s]! - x[a + s]!);
      for (const v of [a, b, c]) if (v + r < sums.length) sums[v + r]! += n;
    }
  }
  return sums;
}

function createMender(file: GltfFile) {
  const buffers = [...file.buffers];
  return {
    file: (): GltfFile => (buffers.every((data, i) => data === file.buffers[i]) ? file : { ...file, buffers }),
    /** Returns how many elements were mended. Compressed numbers stay as they are. */
    mend(index: number, fix: Fix): number {
      const entry = file.json.accessors?.[index];
      const width = ELEMENT_WIDTH[entry?.type ?? ''];
      if (!entry || entry.componentType !== FLOAT || width === undefined || file.added.has(index)) return 0;
      const { bufferView, byteOffset = 0, count, sparse } = entry;
      let mended = bufferView === undefined ? 0 : mendSpan(bufferView, byteOffset, count, width, (i) => i, fix);
      if (sparse) {
        const { values } = sparse;
        const at = readIndices(file, sparse);
        mended += mendSpan(values.bufferView, values.byteOffset ?? 0, sparse.count, width, (i) => at[i] ?? 0, fix);
      }
      return mended;
    },
  };

  function mendSpan(
    index: number,
    offset: number,
    count: number,
    width: number,
    elementOf: (i: number) => number,
    fix: Fix,
  ): number {
    const view = file.json.bufferViews![index]!;
    let data = buffers[view.buffer];
    if (!data || /meshopt_compression/.test(Object.keys(view.extensions ?? {}).join())) return 0;
    const stride = view.byteStride || 4 * width;
    const start = (view.byteOffset ?? 0) + offset;
    let numbers = new DataView(data.buffer, data.byteOffset, data.byteLength);
    let mended = 0;
    for (let i = 0; i < count; i++) {
      let isWhole = true;
      for (let k = 0; k < width; k++) {
        if (!Number.isFinite(numbers.getFloat32(start + i * stride + 4 * k, true))) isWhole = false;
      }
      if (isWhole) continue;
      if (data === file.buffers[view.buffer]) {
        data = data.slice();
        buffers[view.buffer] = data;
        numbers = new DataView(data.buffer);
      }
      const out = new Float32Array(width);
      fix(out, elementOf(i));
      for (let k = 0; k < width; k++) numbers.setFloat32(start + i * stride + 4 * k, out[k]!, true);
      mended++;
    }
    return mended;
  }
}

function readIndices(file: GltfFile, { indices, count }: GLTF.IAccessorSparse): ArrayLike<number> {
  const accessors = [
    { bufferView: indices.bufferView, byteOffset: indices.byteOffset ?? 0, componentType: indices.componentType },
  ].map((entry) => ({ ...entry, count, type: 'SCALAR' as const }));
  return readAccessor({ ...file, json: { ...file.json, accessors }, added: new Map() }, 0) ?? [];
}
