/// <reference path="./draco.d.ts" />
/** The Draco decoder for browsers: the script of `draco3dgltf` with its program fetched beside it, only when a file needs it. */

import programUrl from 'draco3dgltf/draco_decoder_gltf.wasm?url';
import createDecoder from 'draco3dgltf/draco_decoder_gltf_nodejs.js';

export async function loadDraco(): Promise<unknown> {
  const response = await fetch(programUrl);
  return createDecoder({ wasmBinary: await response.arrayBuffer() });
}
