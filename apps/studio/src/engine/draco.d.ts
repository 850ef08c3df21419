declare module 'draco3dgltf/draco_decoder_gltf_nodejs.js' {
  const createDecoder: (options: { readonly wasmBinary: ArrayBuffer }) => Promise<unknown>;
  export default createDecoder;
}

declare module 'draco3dgltf/draco_decoder_gltf.wasm?url' {
  const url: string;
  export default url;
}
