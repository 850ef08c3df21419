/** The file as three.js's own loader reads it: scene, materials, textures and animations. Nothing is fetched from elsewhere. */
import { LoadingManager } from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import wasm from 'three/examples/jsm/libs/draco/gltf/draco_decoder.wasm?url';
import js from 'three/examples/jsm/libs/draco/gltf/draco_wasm_wrapper.js?url';
import type { SourceData } from '../engine/protocol.js';

export type FileData = Extract<SourceData, { kind: 'file' }>;

export async function loadAuthorFile({ bytes, files = {} }: FileData): Promise<GLTF> {
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
  try {
    return await loader.parseAsync(new Uint8Array(bytes).buffer, '');
  } finally {
    draco.dispose();
    for (const url of made) URL.revokeObjectURL(url);
  }
}
