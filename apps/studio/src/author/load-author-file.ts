/** The file as three.js's own loader reads it: scene, materials, textures and animations. Nothing is fetched from elsewhere. */
import { LoadingManager, type WebGLRenderer } from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import wasm from 'three/examples/jsm/libs/draco/gltf/draco_decoder.wasm?url';
import js from 'three/examples/jsm/libs/draco/gltf/draco_wasm_wrapper.js?url';
import type { SourceData } from '../engine/protocol.js';

export type FileData = Extract<SourceData, { kind: 'file' }>;

/** @param renderer what textures that stay compressed are for */
export async function loadAuthorFile({ bytes, files = {} }: FileData, renderer: WebGLRenderer): Promise<GLTF> {
  const made: string[] = [];
  const manager = new LoadingManager();
  // Files are dropped without their folders, so the last part of a path must do.
  manager.setURLModifier((url) => {
    const found = files[url] ?? files[decodeURIComponent(url.slice(url.lastIndexOf('/') + 1))];
    if (!found) return url;
    made.push(URL.createObjectURL(new Blob([new Uint8Array(found)])));
    return made.at(-1)!;
  });
  const draco = new DRACOLoader(manager).setDecoderPath({ js, wasm });
  const loader = new GLTFLoader(manager).setDRACOLoader(draco).setMeshoptDecoder(MeshoptDecoder);
  const { LocalKtx2Loader } = usesKtx2(bytes) ? await import('./local-ktx2-loader.js') : {};
  const ktx2 = LocalKtx2Loader && new LocalKtx2Loader(manager).detectSupport(renderer);
  if (ktx2) loader.setKTX2Loader(ktx2);
  try {
    return await loader.parseAsync(new Uint8Array(bytes).buffer, '');
  } finally {
    draco.dispose();
    ktx2?.dispose();
    for (const url of made) URL.revokeObjectURL(url);
  }
}

/** Whether the JSON of a file names the extension. */
function usesKtx2(bytes: Uint8Array): boolean {
  const isGlb = bytes[0] === 0x67; // “glTF”; JSON starts with a brace or a space
  const end = isGlb ? 20 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true) : bytes.length;
  return new TextDecoder().decode(bytes.subarray(0, end)).includes('KHR_texture_basisu');
}
