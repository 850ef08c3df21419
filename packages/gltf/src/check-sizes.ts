/**
 * Validates every size that the JSON claims against the bytes that are really there, before anything is allocated:
 * buffer ⊇ buffer view ⊇ accessor, and one budget for all memory that decoding would ask for. Mends what glTF-Transform misreads. Linear.
 */
import type { GLTF } from '@gltf-transform/core';
import { IsoskinError } from '@isoskin/core';
import { LIMITS } from '@isoskin/core/json';
import { extension, invalid, reference, show, wholeNumber } from './check-structure.js';
import { COMPONENT_TYPES, ELEMENT_WIDTH } from './patch/gltf-file.js';

const COMPONENT_BYTES = new Map([
  ...Array.from(COMPONENT_TYPES, ([type, code]) => [code, (type as Int8ArrayConstructor).BYTES_PER_ELEMENT] as const),
  ...([
    [5130, 8],
    [5131, 2],
  ] as const), // 64 and 16 bits, of extensions
] as [number, number][]);

/** Memory that a file may ask for: no honest compression or sparse accessor unpacks to more than this. */
const BUDGET_BYTES = 64 * 2 ** 20;
const BUDGET_FACTOR = 64;
/** .glb chunks are padded to four bytes, and some writers count the padding. */
const PADDING = 3;

/**
 * @param buffers the real data of each buffer; undefined for a buffer without data (meshopt fallback).
 * @param maxMemory most bytes that everything unpacked may take.
 */
export function checkSizes(
  json: GLTF.IGLTF,
  buffers: readonly (Uint8Array | undefined)[],
  maxMemory = Number.POSITIVE_INFINITY,
): void {
  const counts = { buffers: buffers.length, bufferViews: json.bufferViews?.length ?? 0 };
  const available = buffers.reduce((sum, buffer) => sum + (buffer?.byteLength ?? 0), 0);
  const plausible = BUDGET_BYTES + BUDGET_FACTOR * available;
  let budget = Math.min(plausible, maxMemory);
  const spend = (bytes: number, place: string) => {
    budget -= bytes;
    if (budget >= 0) return;
    if (maxMemory < plausible) {
      const allowed = `the ${Math.round(maxMemory / 2 ** 20)} MB that are allowed`;
      throw new IsoskinError(
        'TOO_LARGE',
        `The model takes more than ${allowed}: raise --max-memory, or make it smaller`,
        place,
      );
    }
    const message = `The file claims far more data than its ${available} bytes can hold: it is damaged, export it again`;
    throw new IsoskinError('SIZE_CLAIM', message, place);
  };

  if (maxMemory < plausible) spend(LIMITS.nodeBytes * (json.nodes?.length ?? 0), 'nodes');

  json.buffers?.forEach((buffer, i) => {
    const place = `buffers[${i}]`;
    const claim = wholeNumber(buffer.byteLength, `${place}.byteLength`);
    const data = buffers[i];
    if (data && claim > data.byteLength + PADDING) throw tooLong(place, claim, data.byteLength, 'the data');
  });

  json.bufferViews?.forEach((view, i) => {
    const place = `bufferViews[${i}]`;
    const buffer = reference(view.buffer, 'buffers', `${place}.buffer`, counts);
    const length = wholeNumber(view.byteLength, `${place}.byteLength`);
    const end = wholeNumber(view.byteOffset ?? 0, `${place}.byteOffset`) + length;
    if (view.byteStride !== undefined && wholeNumber(view.byteStride, `${place}.byteStride`) === 0)
      delete view.byteStride;
    const packed = extension(view, 'EXT_meshopt_compression');
    if (packed) {
      const source = buffers[reference(packed.buffer, 'buffers', `${place}.extensions.buffer`, counts)];
      const packedLength = wholeNumber(packed.byteLength ?? 0, `${place}.extensions.byteLength`);
      const packedEnd = wholeNumber(packed.byteOffset ?? 0, `${place}.extensions.byteOffset`) + packedLength;
      if (packedEnd > (source?.byteLength ?? 0)) throw tooLong(place, packedEnd, source?.byteLength ?? 0, 'its buffer');
      const stride = wholeNumber(packed.byteStride, `${place}.extensions.byteStride`);
      const unpacked = stride * wholeNumber(packed.count, `${place}.extensions.count`);
      if (unpacked < length) throw tooLong(place, length, unpacked, 'the compressed data');
      spend(unpacked, place);
    } else if (end > (buffers[buffer]?.byteLength ?? 0)) {
      throw tooLong(place, end, buffers[buffer]?.byteLength ?? 0, 'its buffer');
    }
  });

  json.accessors?.forEach((accessor, i) => {
    const place = `accessors[${i}]`;
    const bytes = elementBytes(accessor.componentType, accessor.type, place);
    const count = wholeNumber(accessor.count, `${place}.count`);
    if (accessor.bufferView !== undefined) checkSpan(accessor.bufferView, accessor.byteOffset, count, bytes, place);
    spend(bytes * count, place);
    const { sparse } = accessor;
    if (!sparse) return;
    if (!sparse.indices || !sparse.values) throw invalid('a sparse accessor lacks indices or values', place);
    const changed = wholeNumber(sparse.count, `${place}.sparse.count`);
    if (changed > count) throw tooLong(`${place}.sparse`, changed, count, 'the accessor');
    // glTF-Transform would take a missing offset from the accessor itself.
    sparse.indices.byteOffset ??= 0;
    sparse.values.byteOffset ??= 0;
    const indexBytes = elementBytes(sparse.indices.componentType, 'SCALAR', `${place}.sparse.indices`);
    checkSpan(sparse.indices.bufferView, sparse.indices.byteOffset, changed, indexBytes, `${place}.sparse.indices`);
    checkSpan(sparse.values.bufferView, sparse.values.byteOffset, changed, bytes, `${place}.sparse.values`);
  });

  json.images?.forEach((image, i) => {
    if (image.bufferView === undefined) return;
    reference(image.bufferView, 'bufferViews', `images[${i}].bufferView`, counts);
    spend(json.bufferViews![image.bufferView]!.byteLength, `images[${i}]`);
  });

  // A mesh is unpacked once for every node that shows it.
  json.nodes?.forEach((node, i) => {
    if (node.mesh === undefined) return;
    for (const { attributes, indices, targets } of json.meshes![node.mesh]!.primitives) {
      const vertices = json.accessors?.[attributes?.POSITION ?? -1]?.count ?? 0;
      const corners = json.accessors?.[indices ?? -1]?.count ?? 0;
      spend(12 * vertices * (1 + (targets?.length ?? 0)) + 4 * corners, `nodes[${i}]`);
    }
  });

  function checkSpan(index: unknown, offset: unknown, count: number, bytes: number, place: string): void {
    const view = json.bufferViews![reference(index, 'bufferViews', `${place}.bufferView`, counts)]!;
    const start = wholeNumber(offset ?? 0, `${place}.byteOffset`);
    const end = count === 0 ? start : start + (count - 1) * (view.byteStride || bytes) + bytes;
    if (end > view.byteLength) throw tooLong(place, end, view.byteLength, 'its buffer view');
  }
}

function elementBytes(componentType: unknown, type: unknown, place: string): number {
  const bytes = COMPONENT_BYTES.get(componentType as number);
  const width = Object.hasOwn(ELEMENT_WIDTH, String(type)) ? ELEMENT_WIDTH[String(type)] : undefined;
  if (!bytes) throw invalid(`componentType is ${show(componentType)}, no type of numbers`, place);
  if (!width) throw invalid(`type is ${show(type)}, not SCALAR, VEC3 or the like`, place);
  return bytes * width;
}

function tooLong(place: string, claim: number, there: number, where: string): IsoskinError {
  const message = `Reaches to ${claim}, but ${where} ends at ${there}: the file is cut off or damaged, export it again`;
  return new IsoskinError('SIZE_OUT_OF_RANGE', message, place);
}
