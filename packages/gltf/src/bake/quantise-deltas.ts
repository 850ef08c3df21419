/**
 * Deltas as normalised integers (KHR_mesh_quantization): 8 bits where that is exact enough, 16 where not, f32 where even
 * that is too coarse. The scale goes into the animated weight: δ·w = (δ/s)·(w·s), so that |δ/s| ≤ 1.
 *
 * The position and the direction deltas of a target share its weight, so they share s; each array chooses its own bits.
 */
export type DeltaArray = Int8Array<ArrayBuffer> | Int16Array<ArrayBuffer> | Float32Array<ArrayBuffer>;

/** Largest length of a delta, #×3. */
export function measureReach(deltas: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < deltas.length; i++) largest = Math.max(largest, Math.abs(deltas[i]!));
  return largest;
}

/**
 * δ/s as the smallest type whose rounding, times s, stays within `tolerance`; vertices that move by less than `quiet` stay
 * where they are.
 */
export function quantiseDeltas(deltas: Float64Array, scale: number, tolerance: number, quiet: number): DeltaArray {
  const type = chooseType(scale, tolerance);
  const step = type === Float32Array ? 1 : type === Int16Array ? 32767 : 127;
  const out = new type(deltas.length);
  const factor = step / scale;
  const limit = quiet * quiet;
  for (let i = 0; i < deltas.length; i += 3) {
    const square = deltas[i]! ** 2 + deltas[i + 1]! ** 2 + deltas[i + 2]! ** 2;
    if (square < limit) continue;
    for (let k = i; k < i + 3; k++) out[k] = step === 1 ? deltas[k]! * factor : Math.round(deltas[k]! * factor);
  }
  return out;
}

function chooseType(scale: number, tolerance: number) {
  if (scale / 254 <= tolerance) return Int8Array;
  if (scale / 65534 <= tolerance) return Int16Array;
  return Float32Array;
}

/** The numbers that a viewer reads. */
export function readDeltas(array: DeltaArray): Float64Array {
  const step = array instanceof Float32Array ? 1 : array instanceof Int16Array ? 32767 : 127;
  const out = new Float64Array(array.length);
  for (let i = 0; i < array.length; i++) out[i] = array[i]! / step;
  return out;
}
