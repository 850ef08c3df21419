/**
 * Transcodes KTX2 textures. It is what three.js's loader puts together from texts, in a file of its own instead: the transcoder makes functions
 * from texts, which the policy of the page does not allow, and that of this file does (`serve-studio.ts` of the command).
 */
import { KTX2Loader } from 'three/addons/loaders/KTX2Loader.js';
import BASIS from 'three/examples/jsm/libs/basis/basis_transcoder.js';

const { BasisWorker, EngineFormat, EngineType, TranscoderFormat, BasisFormat } = KTX2Loader as unknown as {
  readonly BasisWorker: () => void;
  readonly [name: string]: unknown;
};
Object.assign(globalThis, {
  BASIS,
  _EngineFormat: EngineFormat,
  _EngineType: EngineType,
  _TranscoderFormat: TranscoderFormat,
  _BasisFormat: BasisFormat,
});
BasisWorker();
