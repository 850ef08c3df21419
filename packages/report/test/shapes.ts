/** Sphere of n × 2n quads, outward. */
export function createSphere(radius: number, n: number, centre: readonly number[] = [0, 0, 0]) {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= 2 * n; j++) {
      const a = (Math.PI * i) / n;
      const b = (Math.PI * j) / n;
      positions.push(
        centre[0]! + radius * Math.sin(a) * Math.cos(b),
        centre[1]! + radius * Math.cos(a),
        centre[2]! - radius * Math.sin(a) * Math.sin(b),
      );
      if (i === n || j === 2 * n) continue;
      const p = i * (2 * n + 1) + j;
      const q = p + 2 * n + 1;
      triangles.push(p, q, q + 1, p, q + 1, p + 1);
    }
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** A square of side 2·half in the plane z, facing +z. */
export function createSquare(half: number, z: number) {
  return {
    positions: Float64Array.of(-half, -half, z, half, -half, z, half, half, z, -half, half, z),
    triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
  };
}
