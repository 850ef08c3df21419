/** The swing of soft vertices (G1, G3) in WASM: f32, one thread. `applyFleshSkin` of core is the specification. */
import type { FleshPlan, FleshRunner } from '@isoskin/core/kernels';
import { writeMatrices } from './create-runner.js';
import * as at from './layout.js';
import type { Slabs } from './open-slabs.js';

const MATRIX_BYTES = 64;
const BONE_STRIDE = 12;

export function createFlesh(
  { skin, waves, rest, matrixCount }: FleshPlan,
  slabs: Slabs,
  beside?: Float32Array,
): FleshRunner {
  const { vertices, offsets, weights } = skin;
  const count = vertices.length;
  const given = waves ? waves.amounts.length / 3 : 0;
  const modes = 4 * Math.ceil(given / 4);
  const sections: [field: number, bytes: number][] = [
    [at.FLESH_REST, 16 * count],
    [at.FLESH_ENDS, 4 * count],
    [at.FLESH_INFLUENCES, 8 * weights.length],
    [at.FLESH_MATRICES, MATRIX_BYTES * matrixCount],
    [at.FLESH_VALUES, 4 * modes * count],
    [at.FLESH_AMOUNTS, 16 * modes],
    [at.FLESH_OUT, 16 * count],
    [at.FLESH_PLACES, 4 * count],
  ];
  const size = sections.reduce((sum, [, bytes]) => sum + 16 * Math.ceil(bytes / 16), 64);
  const room = (beside && slabs.findIn(beside.buffer, size)) ?? slabs.find(size);
  const { buffer } = room.slab.memory;
  const head = new Uint32Array(buffer, room.base, at.FLESH_BYTES >> 2);
  let next = room.base + 64;
  for (const [field, bytes] of sections) {
    head[field >> 2] = next;
    new Uint8Array(buffer, next, bytes).fill(0); // what was here before is gone
    next += 16 * Math.ceil(bytes / 16);
  }
  head[at.FLESH_COUNT >> 2] = count;
  head[at.FLESH_MODES >> 2] = modes;
  const words = (field: number, length: number) => new Uint32Array(buffer, head[field >> 2]!, length);
  const floats = (field: number, length: number) => new Float32Array(buffer, head[field >> 2]!, length);
  const places = floats(at.FLESH_REST, 4 * count);
  const matrices = floats(at.FLESH_MATRICES, 16 * matrixCount);
  const amounts = floats(at.FLESH_AMOUNTS, 4 * modes);
  const out = floats(at.FLESH_OUT, 4 * count);

  const influences = words(at.FLESH_INFLUENCES, 2 * weights.length);
  const shares = floats(at.FLESH_INFLUENCES, 2 * weights.length);
  weights.forEach((weight, n) => {
    influences[2 * n] = (MATRIX_BYTES * skin.matrices[n]!) / BONE_STRIDE;
    shares[2 * n + 1] = weight;
  });
  words(at.FLESH_ENDS, count).set(offsets.subarray(1).map((end) => head[at.FLESH_INFLUENCES >> 2]! + 8 * end));
  const values = floats(at.FLESH_VALUES, modes * count);
  for (let v = 0; v < count; v++) {
    places[4 * v + 3] = skin.tightness[v]!;
    for (let m = 0; m < given; m++) values[modes * v + m] = waves!.values[given * v + m]!;
  }
  const bytes = words(at.FLESH_PLACES, count);
  let [shown, known]: [Float64Array?, Uint32Array?] = [];
  /** A surface in the same memory is moved there. @param to places in it */
  const moveThere = (byteOffset: number, to: Uint32Array): void => {
    if (to !== known) for (let v = 0; v < count; v++) bytes[v] = 4 * to[vertices[v]!]!;
    known = to;
    room.slab.code.swing(room.base, byteOffset);
  };
  /** x̄ changes under morph targets alone, in an array of its own. */
  const setRest = (from: Float64Array): void => {
    if (from === shown && from === rest) return;
    shown = from;
    for (let v = 0; v < count; v++) {
      for (let r = 0; r < 3; r++) places[4 * v + r] = from[3 * vertices[v]! + r]!;
    }
  };

  return {
    run(positions, now, lag, to) {
      setRest(now);
      writeMatrices(matrices, lag);
      if (waves) writeMatrices(amounts, waves.amounts);
      if (to && positions.buffer === buffer) return moveThere(positions.byteOffset, to);
      room.slab.code.swing(room.base, 0);
      for (let v = 0, i = 0; v < count; v++, i += 4) {
        const k = to ? to[vertices[v]!]! : 3 * vertices[v]!;
        positions[k]! += out[i]!;
        positions[k + 1]! += out[i + 1]!;
        positions[k + 2]! += out[i + 2]!;
      }
    },
    dispose: () => room.free(),
  };
}
