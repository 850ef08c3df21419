/**
 * Direct Delta Mush (Le, Lewis 2019, variant 0), for comparison only: Delta Mush in one pass, from matrices that are planned.
 *
 *   Ψ_ki = Σ_j B_kj w_ij (x̄_j, 1)(x̄_j, 1)ᵀ  (4×4),    B = (I + λL)⁻ᵖ        Σ_i M_i Ψ_ki = [Q q; pᵀ 1]
 *   R = rotation nearest to Q − q pᵀ,   t = q − R p,   y = R x̄_k + t
 *
 * M_i  bone matrices;  B  smoothing, here as many plain sweeps as Delta Mush has;  L  the surface's Laplacian.
 */
import { fitRotation } from '../../packages/core/dist/linear-algebra/fit-rotation.js';

const SWEEPS = 40;
const SIZE = 10; // a symmetric 4×4 by its upper part
const PAIRS = [
  [0, 0],
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 1],
  [1, 2],
  [1, 3],
  [2, 2],
  [2, 3],
  [3, 3],
];

/** @param measureBones pose → #B×12. */
export function planDirectDeltaMush({ surface, binding, skeleton }, measureBones) {
  const { positions: rest, neighbours, vertexCount: count } = surface;
  const { boneCount } = skeleton;
  const width = SIZE * boneCount;
  let psi = new Float64Array(width * count);
  for (let k = 0; k < count; k++) {
    const p = [rest[3 * k], rest[3 * k + 1], rest[3 * k + 2], 1];
    for (let e = binding.offsets[k]; e < binding.offsets[k + 1]; e++) {
      const at = width * k + SIZE * binding.bones[e];
      PAIRS.forEach(([a, b], n) => {
        psi[at + n] += binding.weights[e] * p[a] * p[b];
      });
    }
  }
  psi = smooth(psi, neighbours, count, width);
  const out = new Float64Array(3 * count);
  const sum = new Float64Array(12);
  const matrix = new Float64Array(9);
  const rotation = new Float64Array(9);
  const axes = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, -1);
  const ends = new Float64Array(18);
  return (pose) => {
    const bones = measureBones(pose);
    for (let k = 0; k < count; k++) {
      sum.fill(0);
      const mean = [0, 0, 0, 0];
      for (let i = 0; i < boneCount; i++) {
        const at = width * k + SIZE * i;
        if (psi[at + 9] < 1e-9) continue;
        const m = (a, b) => psi[at + (a <= b ? index(a, b) : index(b, a))];
        for (let c = 0; c < 4; c++) {
          mean[c] += m(c, 3);
          for (let r = 0; r < 3; r++) {
            let value = 0;
            for (let d = 0; d < 4; d++) value += bones[12 * i + 3 * d + r] * m(d, c);
            sum[3 * c + r] += value;
          }
        }
      }
      for (let c = 0; c < 3; c++) for (let r = 0; r < 3; r++) matrix[3 * c + r] = sum[3 * c + r] - sum[9 + r] * mean[c];
      for (let n = 0; n < 9; n++) [ends[n], ends[9 + n]] = [matrix[n], -matrix[n]];
      fitRotation(rotation, axes, ends, 6);
      for (let r = 0; r < 3; r++) {
        let value = sum[9 + r];
        for (let c = 0; c < 3; c++) value += rotation[3 * c + r] * (rest[3 * k + c] - mean[c]);
        out[3 * k + r] = value;
      }
    }
    return out;
  };
}

const index = (a, b) => PAIRS.findIndex(([p, q]) => p === a && q === b);

function smooth(values, { offsets, values: near }, count, width) {
  let [x, next] = [values, new Float64Array(values.length)];
  for (let n = 0; n < SWEEPS; n++) {
    for (let k = 0; k < count; k++) {
      const degree = offsets[k + 1] - offsets[k];
      for (let c = 0; c < width; c++) next[width * k + c] = 0;
      for (let e = offsets[k]; e < offsets[k + 1]; e++) {
        for (let c = 0; c < width; c++) next[width * k + c] += x[width * near[e] + c];
      }
      for (let c = 0; c < width; c++)
        next[width * k + c] =
          degree > 0 ? 0.5 * x[width * k + c] + (0.5 * next[width * k + c]) / degree : x[width * k + c];
    }
    [x, next] = [next, x];
  }
  return x;
}
