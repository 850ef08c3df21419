import type { GLTF } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { IsoskinError, type Warning } from '@isoskin/core';

const EXT_MESHOPT = 'EXT_meshopt_compression';
const KHR_MESHOPT = 'KHR_meshopt_compression';
const DRACO = 'KHR_draco_mesh_compression';

export interface Compression {
  readonly draco: boolean;
  readonly meshopt: boolean;
}

/**
 * Checks that no unknown extension shapes the geometry, and names the unknown ones. KHR_meshopt_compression is read as
 * EXT_meshopt_compression (same layout; the decoder knows the newer codec), and compression that the file uses without
 * saying so is declared, because the library looks only at the list.
 */
export function prepareExtensions(json: GLTF.IGLTF, warnings: Warning[]): Compression {
  const rename = (names: string[] | undefined) => [
    ...new Set((names ?? []).map((name) => (name === KHR_MESHOPT ? EXT_MESHOPT : name))),
  ];
  const used = new Set(rename(json.extensionsUsed));
  const required = rename(json.extensionsRequired);
  for (const entry of [...(json.buffers ?? []), ...(json.bufferViews ?? [])]) {
    const { extensions } = entry;
    if (extensions?.[KHR_MESHOPT]) {
      extensions[EXT_MESHOPT] = extensions[KHR_MESHOPT];
      delete extensions[KHR_MESHOPT];
    }
    if (extensions?.[EXT_MESHOPT]) used.add(EXT_MESHOPT);
  }
  for (const mesh of json.meshes ?? []) {
    for (const primitive of mesh.primitives) if (primitive.extensions?.[DRACO]) used.add(DRACO);
  }
  for (const name of required) used.add(name);

  const known = new Set(ALL_EXTENSIONS.map((extension) => extension.EXTENSION_NAME));
  for (const name of required) {
    if (known.has(name) || !shapesGeometry(json, name)) continue;
    const message = `The model requires the extension "${name}", which is not known and sits on its geometry: export it without`;
    throw new IsoskinError('EXTENSION_UNSUPPORTED', message, 'extensionsRequired');
  }
  for (const name of used) {
    if (known.has(name)) continue;
    const message = `The extension "${name}" is not known; it is kept as it is, and not looked at`;
    warnings.push({ code: 'EXTENSION_UNKNOWN', message, place: 'extensionsUsed' });
  }
  // The library drops unknown extensions by itself, but says so on the console.
  json.extensionsUsed = [...used].filter((name) => known.has(name));
  json.extensionsRequired = required.filter((name) => known.has(name));
  return { draco: used.has(DRACO), meshopt: used.has(EXT_MESHOPT) };
}

/** An unknown extension of these objects may say what the numbers mean, or where they are. */
function shapesGeometry(json: GLTF.IGLTF, name: string): boolean {
  const primitives = (json.meshes ?? []).flatMap((mesh) => mesh.primitives);
  const lists = [json.buffers, json.bufferViews, json.accessors, json.meshes, json.skins, primitives];
  return lists.some((list) => list?.some(({ extensions }) => extensions !== undefined && name in Object(extensions)));
}
