import { writeGlb } from './patch/write-glb.js';
import type { ReadResult } from './read-character-from-bytes.js';

/** The file that was read, with what was written into it, as a .glb. */
export function writeBinary({ file }: ReadResult, compress?: 'meshopt'): Promise<Uint8Array<ArrayBuffer>> {
  return writeGlb(file, compress);
}
