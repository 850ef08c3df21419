/** Attributes of vertices on the middle of edges: means of the two ends, in the type that the file has. O(new vertices). */
import type { Accessor, Primitive } from '@gltf-transform/core';
import type { NumberArray } from '../patch/gltf-file.js';

/** @param parents #new×2, vertices that stand before their child; unit vectors (NORMAL, TANGENT) stay unit */
export function interpolateAttribute(name: string, accessor: Accessor, parents: readonly number[]): NumberArray {
  const width = accessor.getElementSize();
  const from = accessor.getArray()!;
  const out = widen(from, width * accessor.getCount(), (width * parents.length) / 2);
  const isInteger = !(from instanceof Float32Array);
  const isDirection = name === 'NORMAL' || name === 'TANGENT';
  const most = isInteger ? 2 ** (8 * from.BYTES_PER_ELEMENT - 1) - 1 : 1;
  for (let i = 0; i < parents.length; i += 2) {
    const to = width * (accessor.getCount() + i / 2);
    const a = width * parents[i]!;
    const b = width * parents[i + 1]!;
    let square = 0;
    for (let k = 0; k < Math.min(3, width); k++) square += ((out[a + k]! + out[b + k]!) / 2) ** 2;
    const scale = isDirection && square > 0 ? most / Math.sqrt(square) : 1;
    for (let k = 0; k < width; k++) {
      // The sign of a tangent is no number to take the mean of.
      const value = isDirection && k === 3 ? out[a + k]! : (scale * (out[a + k]! + out[b + k]!)) / 2;
      out[to + k] = isInteger ? Math.round(value) : value;
    }
  }
  return out;
}

/** All JOINTS_n and WEIGHTS_n of a primitive: influences of both ends together, the strongest of them where they do not fit. */
export function interpolateSkin(primitive: Primitive, parents: readonly number[]): Map<string, NumberArray> {
  const out = new Map<string, NumberArray>();
  const sets: { joints: NumberArray; weights: NumberArray }[] = [];
  const count = primitive.getAttribute('POSITION')!.getCount();
  for (let n = 0; ; n++) {
    const [joints, weights] = [primitive.getAttribute(`JOINTS_${n}`), primitive.getAttribute(`WEIGHTS_${n}`)];
    if (!joints && !weights) break;
    if (!joints || !weights) continue;
    const set = {
      joints: widen(joints.getArray()!, 4 * count, 2 * parents.length),
      weights: widen(weights.getArray()!, 4 * count, 2 * parents.length),
    };
    sets.push(set);
    out.set(`JOINTS_${n}`, set.joints);
    out.set(`WEIGHTS_${n}`, set.weights);
  }
  if (sets.length === 0) return out;
  const isInteger = !(sets[0]!.weights instanceof Float32Array);
  for (let i = 0; i < parents.length; i += 2) {
    const sums = new Map<number, number>();
    let total = 0;
    for (const parent of [parents[i]!, parents[i + 1]!]) {
      for (const { joints, weights } of sets) {
        for (let k = 4 * parent; k < 4 * parent + 4; k++) {
          const weight = weights[k]! / 2;
          if (!(weight > 0 && weight < Number.POSITIVE_INFINITY)) continue;
          sums.set(joints[k]!, (sums.get(joints[k]!) ?? 0) + weight);
          total += weight;
        }
      }
    }
    const list = [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 4 * sets.length);
    const kept = list.reduce((sum, [, weight]) => sum + weight, 0);
    const scale = kept > 0 ? total / kept : 0;
    let left = Math.round(total);
    const at = 4 * (count + i / 2);
    list.forEach(([joint, weight], n) => {
      const set = sets[n >> 2]!;
      const value = isInteger ? Math.min(left, Math.round(weight * scale)) : weight * scale;
      set.joints[at + (n & 3)] = joint;
      set.weights[at + (n & 3)] = value;
      if (isInteger) left -= value;
    });
    // The strongest takes what rounding left over.
    if (isInteger && left > 0) sets[0]!.weights[at]! += left;
  }
  return out;
}

function widen(from: NumberArray, length: number, more: number): NumberArray {
  const Type = from.constructor as { new (length: number): NumberArray };
  const out = new Type(length + more);
  out.set(from.subarray(0, length) as never);
  return out;
}
