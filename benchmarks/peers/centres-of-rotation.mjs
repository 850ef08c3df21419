/**
 * Skinning with optimised centres of rotation (Le, Hodgins 2016), measured only, never shipped: every vertex turns about a centre of its own.
 *
 *   p_k = Σ_t s(w_k, w_t) A_t c_t / Σ_t s(w_k, w_t) A_t,    s(a, b) = Σ_{i≠j} a_i a_j b_i b_j exp(−(a_i b_j − a_j b_i)²/σ²),   σ = 0.1
 *   R = rotation of the blended quaternions,   y = R (x̄_k − p_k) + Σ_i w_i M_i p_k
 *
 * A_t, c_t, w_t  area, centre and mean weights of a triangle;  without a likeness s the vertex is skinned linearly.
 */
const SIGMA = 0.1;

/** @param measureBones pose → #B×12. @param skin linear skinning. */
export function planCentresOfRotation({ surface, binding, skeleton }, measureBones, skin) {
  const { positions: rest, triangles, vertexCount: count } = surface;
  const { boneCount } = skeleton;
  const dense = new Float64Array(boneCount * count);
  for (let k = 0; k < count; k++)
    for (let e = binding.offsets[k]; e < binding.offsets[k + 1]; e++)
      dense[boneCount * k + binding.bones[e]] += binding.weights[e];
  const faces = listFaces(rest, triangles, dense, boneCount);
  const centres = new Float64Array(4 * count);
  for (let k = 0; k < count; k++) {
    const own = listWeights(dense, boneCount * k, boneCount);
    if (own.length < 2) continue;
    let [x, y, z, sum] = [0, 0, 0, 0];
    for (const { area, centre, weights } of faces) {
      const s = area * measureLikeness(own, weights);
      x += s * centre[0];
      y += s * centre[1];
      z += s * centre[2];
      sum += s;
    }
    if (sum > 0) centres.set([x / sum, y / sum, z / sum, 1], 4 * k);
  }
  const quaternions = new Float64Array(4 * boneCount);
  return (pose) => {
    const out = Float64Array.from(skin(pose).subarray(0, 3 * count));
    const bones = measureBones(pose);
    for (let i = 0; i < boneCount; i++) quaternions.set(toQuaternion(bones, 12 * i), 4 * i);
    for (let k = 0; k < count; k++) {
      if (centres[4 * k + 3] === 0) continue;
      const p = centres.subarray(4 * k, 4 * k + 3);
      const q = [0, 0, 0, 0];
      const moved = [0, 0, 0];
      let pivot = -1;
      for (let e = binding.offsets[k]; e < binding.offsets[k + 1]; e++) {
        const [i, w] = [binding.bones[e], binding.weights[e]];
        if (pivot < 0) pivot = i;
        let side = 0;
        for (let c = 0; c < 4; c++) side += quaternions[4 * i + c] * quaternions[4 * pivot + c];
        for (let c = 0; c < 4; c++) q[c] += (side < 0 ? -w : w) * quaternions[4 * i + c];
        for (let r = 0; r < 3; r++) {
          let value = bones[12 * i + 9 + r];
          for (let c = 0; c < 3; c++) value += bones[12 * i + 3 * c + r] * p[c];
          moved[r] += w * value;
        }
      }
      const turned = rotate(
        q,
        [0, 1, 2].map((r) => rest[3 * k + r] - p[r]),
      );
      for (let r = 0; r < 3; r++) out[3 * k + r] = moved[r] + turned[r];
    }
    return out;
  };
}

function listFaces(rest, triangles, dense, boneCount) {
  const faces = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [triangles[t], triangles[t + 1], triangles[t + 2]];
    const at = (c, r) => rest[3 * corners[c] + r];
    const u = [0, 1, 2].map((r) => at(1, r) - at(0, r));
    const v = [0, 1, 2].map((r) => at(2, r) - at(0, r));
    const area = Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
    const centre = [0, 1, 2].map((r) => (at(0, r) + at(1, r) + at(2, r)) / 3);
    const mean = new Float64Array(boneCount);
    for (const k of corners) for (let i = 0; i < boneCount; i++) mean[i] += dense[boneCount * k + i] / 3;
    const weights = listWeights(mean, 0, boneCount);
    if (weights.length > 1) faces.push({ area, centre, weights });
  }
  return faces;
}

const listWeights = (values, at, count) => {
  const list = [];
  for (let i = 0; i < count; i++) if (values[at + i] > 1e-4) list.push([i, values[at + i]]);
  return list;
};

function measureLikeness(a, b) {
  let sum = 0;
  for (const [i, ai] of a) {
    for (const [j, aj] of a) {
      if (i === j) continue;
      const bi = b.find(([bone]) => bone === i)?.[1] ?? 0;
      const bj = b.find(([bone]) => bone === j)?.[1] ?? 0;
      sum += ai * aj * bi * bj * Math.exp(-(((ai * bj - aj * bi) / SIGMA) ** 2));
    }
  }
  return sum;
}

function toQuaternion(m, i) {
  const [xx, yx, zx, xy, yy, zy, xz, yz, zz] = m.subarray(i, i + 9);
  const w = Math.sqrt(Math.max(0, 1 + xx + yy + zz)) / 2;
  const x = (Math.sqrt(Math.max(0, 1 + xx - yy - zz)) / 2) * (zy < yz ? -1 : 1);
  const y = (Math.sqrt(Math.max(0, 1 - xx + yy - zz)) / 2) * (xz < zx ? -1 : 1);
  const z = (Math.sqrt(Math.max(0, 1 - xx - yy + zz)) / 2) * (yx < xy ? -1 : 1);
  return [x, y, z, w];
}

function rotate([x, y, z, w], v) {
  const size = Math.hypot(x, y, z, w) || 1;
  const [a, b, c, d] = [x / size, y / size, z / size, w / size];
  const t = [2 * (b * v[2] - c * v[1]), 2 * (c * v[0] - a * v[2]), 2 * (a * v[1] - b * v[0])];
  return [
    v[0] + d * t[0] + b * t[2] - c * t[1],
    v[1] + d * t[1] + c * t[0] - a * t[2],
    v[2] + d * t[2] + a * t[1] - b * t[0],
  ];
}
