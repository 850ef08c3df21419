/**
 * Delta Mush (Mancewicz, Derksen, Rijpkema, Wilson 2014), for comparison only: smooth the skinned surface, then give every vertex back what
 * smoothing took from it at rest, in its own frame.
 *
 *   y_k = S(x)_k + F_k F̄_kᵀ (x̄_k − S(x̄)_k)
 *
 * S  `SWEEPS` sweeps of ½ x + ½ mean of the neighbours;  F  a frame of the smoothed surface: its normal, an edge, their cross product.
 */
const SWEEPS = 40;

/** @param skin out, pose → skinned positions. */
export function planDeltaMush({ surface }, skin) {
  const { positions: rest, neighbours, triangles, vertexCount: count } = surface;
  const smoothed = smooth(rest, neighbours, count);
  const deltas = new Float64Array(3 * count);
  const frames = measureFrames(smoothed, triangles, neighbours, count);
  for (let k = 0; k < count; k++) {
    const d = [0, 1, 2].map((r) => rest[3 * k + r] - smoothed[3 * k + r]);
    for (let a = 0; a < 3; a++) deltas[3 * k + a] = dot(frames, 9 * k + 3 * a, d);
  }
  return (pose) => {
    const x = smooth(skin(pose), neighbours, count);
    const now = measureFrames(x, triangles, neighbours, count);
    for (let k = 0; k < count; k++) {
      for (let a = 0; a < 3; a++)
        for (let r = 0; r < 3; r++) x[3 * k + r] += deltas[3 * k + a] * now[9 * k + 3 * a + r];
    }
    return x;
  };
}

function smooth(positions, { offsets, values }, count) {
  let x = Float64Array.from(positions.subarray(0, 3 * count));
  let next = new Float64Array(3 * count);
  for (let n = 0; n < SWEEPS; n++) {
    for (let k = 0; k < count; k++) {
      const degree = offsets[k + 1] - offsets[k];
      for (let r = 0; r < 3; r++) {
        let sum = 0;
        for (let e = offsets[k]; e < offsets[k + 1]; e++) sum += x[3 * values[e] + r];
        next[3 * k + r] = degree > 0 ? 0.5 * x[3 * k + r] + (0.5 * sum) / degree : x[3 * k + r];
      }
    }
    [x, next] = [next, x];
  }
  return x;
}

/** Three rows per vertex: normal, an edge made perpendicular to it, their cross product. */
function measureFrames(x, triangles, { offsets, values }, count) {
  const out = new Float64Array(9 * count);
  for (let t = 0; t < triangles.length; t += 3) {
    const [i, j, l] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    const u = [0, 1, 2].map((r) => x[3 * j + r] - x[3 * i + r]);
    const v = [0, 1, 2].map((r) => x[3 * l + r] - x[3 * i + r]);
    const n = cross(u, v);
    for (const k of [i, j, l]) for (let r = 0; r < 3; r++) out[9 * k + r] += n[r];
  }
  for (let k = 0; k < count; k++) {
    const n = normalise([out[9 * k], out[9 * k + 1], out[9 * k + 2]]);
    const to = values[offsets[k]] ?? k;
    const edge = [0, 1, 2].map((r) => x[3 * to + r] - x[3 * k + r]);
    const along = edge[0] * n[0] + edge[1] * n[1] + edge[2] * n[2];
    const e = normalise(edge.map((value, r) => value - along * n[r]));
    out.set([...n, ...e, ...cross(n, e)], 9 * k);
  }
  return out;
}

const cross = (u, v) => [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
const dot = (m, i, v) => m[i] * v[0] + m[i + 1] * v[1] + m[i + 2] * v[2];
const normalise = (v) => {
  const size = Math.hypot(...v) || 1;
  return v.map((value) => value / size);
};
