/** Min x, y, z, max x, y, z of `points`, #×3, and of what `box` holds already. */
export function measureBox(
  points: ArrayLike<number>,
  box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity],
): number[] {
  for (let i = 0; i < points.length; i += 3) {
    for (let r = 0; r < 3; r++) {
      const x = points[i + r]!;
      if (x < box[r]!) box[r] = x;
      if (x > box[r + 3]!) box[r + 3] = x;
    }
  }
  return box;
}

/** Diagonal of the box around `points`, #×3: the size that tolerances are relative to. 1 where all lie on one place. */
export function measureDiagonal(points: ArrayLike<number>): number {
  const box = measureBox(points);
  return Math.hypot(box[3]! - box[0]!, box[4]! - box[1]!, box[5]! - box[2]!) || 1;
}
