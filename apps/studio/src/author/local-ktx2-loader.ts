/** Three.js's loader of KTX2 textures, with a transcoder that lies beside the page, half a megabyte, and a worker that is a file. */
import { KTX2Loader } from 'three/addons/loaders/KTX2Loader.js';
import wasm from 'three/examples/jsm/libs/basis/basis_transcoder.wasm?url';

export class LocalKtx2Loader extends KTX2Loader {
  override init(): Promise<void> {
    this.transcoderPending ??= fetch(wasm)
      .then((answer) => answer.arrayBuffer())
      .then((binary) => {
        this.workerPool.setWorkerCreator(() => {
          const worker = new Worker(new URL('./ktx2.worker.ts', import.meta.url), { type: 'module' });
          worker.postMessage({ type: 'init', config: this.workerConfig, transcoderBinary: binary });
          return worker;
        });
      });
    return this.transcoderPending;
  }
}
