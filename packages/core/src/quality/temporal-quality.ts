/**
 * How smooth a correction is over time (Q6): largest second difference of a vertex's correction u = y − x, relative to the
 * largest second difference of x itself, over all vertices and all frames of a clip.
 *
 *   max_{t,k} |u_k(t+1) − 2u_k(t) + u_k(t−1)|  /  max_{t,k} |x_k(t+1) − 2x_k(t) + x_k(t−1)|
 *
 * Frames must be pushed at even steps of time. No allocation after creation.
 */
export interface TemporalQuality {
  /** Next frame: skinned x and corrected y, at least #V×3. */
  push(x: Float64Array, y: Float64Array): void;
  /** The ratio so far; 0 before the third frame or where u never accelerates, ∞ if u does and x does not. */
  readonly value: number;
  /** Forgets everything: the next frame starts a new clip. */
  reset(): void;
}

/** Second differences below this share of the largest coordinate are rounding. */
const NOISE = 1e-9;

export function createTemporalQuality(vertexCount: number): TemporalQuality {
  const length = 3 * vertexCount;
  // Per number the two frames before: x(t), u(t) and the last steps x(t) − x(t−1), u(t) − u(t−1).
  const x0 = new Float64Array(length);
  const u0 = new Float64Array(length);
  const stepX = new Float64Array(length);
  const stepU = new Float64Array(length);
  let frames = 0;
  let largestX = 0;
  let largestU = 0;
  let extent = 0; // largest coordinate

  return {
    push(x, y) {
      for (let k = 0; k < length; k += 3) {
        let squareX = 0;
        let squareU = 0;
        for (let i = k; i < k + 3; i++) {
          const u = y[i]! - x[i]!;
          extent = Math.max(extent, Math.abs(x[i]!));
          const dx = x[i]! - x0[i]!;
          const du = u - u0[i]!;
          const ddx = dx - stepX[i]!;
          const ddu = du - stepU[i]!;
          squareX += ddx * ddx;
          squareU += ddu * ddu;
          x0[i] = x[i]!;
          u0[i] = u;
          stepX[i] = dx;
          stepU[i] = du;
        }
        if (frames < 2) continue;
        if (squareX > largestX) largestX = squareX;
        if (squareU > largestU) largestU = squareU;
      }
      frames++;
    },
    get value() {
      return largestU <= NOISE * NOISE * extent * extent ? 0 : Math.sqrt(largestU / largestX);
    },
    reset() {
      frames = 0;
      largestX = 0;
      largestU = 0;
      extent = 0;
    },
  };
}
