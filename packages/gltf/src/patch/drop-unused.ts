/**
 * A file without the numbers that nothing in it uses: for a snapshot, which leaves skins and clips behind. Accessors and buffer
 * views get other numbers, so a file with an extension that is not known, and may name them, stays as it is.
 */
import type { GLTF } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { extension } from '../check-structure.js';
import type { GltfFile } from './gltf-file.js';
import { align } from './lay-out.js';

const KNOWN = new Set([...ALL_EXTENSIONS.map(({ EXTENSION_NAME }) => EXTENSION_NAME), 'KHR_meshopt_compression']);

/** @param file as read from bytes, nothing added. */
export function dropUnused(file: GltfFile): GltfFile {
  if (file.json.extensionsUsed?.some((name) => !KNOWN.has(name))) return file;
  const json = structuredClone(file.json);
  const accessors = listAccessorUses(json);
  const kept = renumber(
    json.accessors,
    accessors.map(({ get }) => get()),
  );
  for (const { get, set } of accessors) set(kept.numbers.get(get())!);
  if (json.accessors) json.accessors = kept.entries;
  const uses = listViewUses(json);
  const views = renumber(
    json.bufferViews,
    uses.map(({ get }) => get()),
  );
  for (const { get, set } of uses) set(views.numbers.get(get())!);
  json.bufferViews = views.entries;
  const buffers = packViews(file, json);
  for (const list of ['accessors', 'bufferViews'] as const) if (json[list]?.length === 0) delete json[list];
  return { ...file, json, buffers };
}

interface Use {
  get(): number;
  set(index: number): void;
}

function useOf<T extends string>(owner: { [key in T]?: unknown } | undefined, key: T): Use[] {
  if (!owner || typeof owner[key] !== 'number') return [];
  const own = owner as Record<T, number>;
  return [{ get: () => own[key], set: (index) => (own[key] = index as Record<T, number>[T]) }];
}

/** Every place that names an accessor. */
export function listAccessorUses(json: GLTF.IGLTF): Use[] {
  const all = (owner: Record<string, unknown> | undefined) =>
    Object.keys(owner ?? {}).flatMap((key) => useOf(owner, key));
  return [
    ...(json.meshes ?? []).flatMap(({ primitives }) =>
      primitives.flatMap((primitive) => [
        ...all(primitive.attributes),
        ...(primitive.targets ?? []).flatMap(all),
        ...useOf(primitive, 'indices'),
      ]),
    ),
    ...(json.skins ?? []).flatMap((skin) => useOf(skin, 'inverseBindMatrices')),
    ...(json.animations ?? []).flatMap(({ samplers = [] }) =>
      samplers.flatMap((sampler) => [...useOf(sampler, 'input'), ...useOf(sampler, 'output')]),
    ),
    ...(json.nodes ?? []).flatMap((node) => {
      const instances = extension(node, 'EXT_mesh_gpu_instancing');
      return all(instances?.attributes as Record<string, unknown> | undefined);
    }),
  ];
}

function listViewUses(json: GLTF.IGLTF): Use[] {
  return [
    ...(json.accessors ?? []).flatMap((accessor) => [
      ...useOf(accessor, 'bufferView'),
      ...useOf(accessor.sparse?.indices, 'bufferView'),
      ...useOf(accessor.sparse?.values, 'bufferView'),
    ]),
    ...(json.images ?? []).flatMap((image) => useOf(image, 'bufferView')),
    ...(json.meshes ?? []).flatMap(({ primitives }) =>
      primitives.flatMap((one) => useOf(extension(one, 'KHR_draco_mesh_compression'), 'bufferView')),
    ),
  ];
}

function renumber<T>(entries: readonly T[] | undefined, used: readonly number[]) {
  const order = [...new Set(used)].sort((a, b) => a - b);
  return { numbers: new Map(order.map((old, now) => [old, now])), entries: order.map((old) => entries![old]!) };
}

/** Moves the bytes of the views together; returns the buffers. */
function packViews(file: GltfFile, json: GLTF.IGLTF): GltfFile['buffers'] {
  const pieces: { at: number; bytes: Uint8Array }[] = [];
  let length = 0;
  for (const view of json.bufferViews ?? []) {
    const packed = extension(view, 'EXT_meshopt_compression') ?? extension(view, 'KHR_meshopt_compression') ?? view;
    const place = packed as { buffer: number; byteOffset?: number; byteLength: number };
    const from = place.byteOffset ?? 0;
    const bytes = file.buffers[place.buffer]?.subarray(from, from + place.byteLength);
    if (!bytes) continue;
    pieces.push({ at: length, bytes });
    place.buffer = 0;
    place.byteOffset = length;
    length += align(bytes.length);
  }
  const block = new Uint8Array(length);
  for (const { at, bytes } of pieces) block.set(bytes, at);
  if (json.buffers?.[0]) json.buffers[0].byteLength = length;
  return file.buffers.map((data, i) => (i === 0 ? block : data));
}
