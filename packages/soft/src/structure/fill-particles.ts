import { IsoskinError } from '@isoskin/core';

/** What to fill: a box (min x, y, z, max x, y, z) or a ball (centre and radius). */
export type FillShape =
  | { readonly box: ArrayLike<number> }
  | { readonly ball: ArrayLike<number>; readonly radius: number };

/** Enough for any scene that can be waited for; refuses a spacing that is wrong by a factor. */
export const MOST_PARTICLES = 20_000;

/**
 * Close packing: layers of triangles along y, every third above the first (face-centred cubic), centred in the shape; each
 * particle has 12 neighbours at the rest distance, so that the substance starts at rest. #N×3.
 */
export function fillParticles(shape: FillShape, spacing: number): Float64Array {
  const box = 'box' in shape ? Array.from(shape.box) : boxOf(shape.ball, shape.radius);
  const middle = [0, 1, 2].map((axis) => (box[axis]! + box[3 + axis]!) / 2);
  const half = [0, 1, 2].map((axis) => (box[3 + axis]! - box[axis]!) / 2);
  const pitch = [spacing, spacing * Math.sqrt(2 / 3), spacing * Math.sqrt(3 / 4)];
  const volume = 8 * half[0]! * half[1]! * half[2]! * ('box' in shape ? 1 : Math.PI / 6);
  if (!((volume * Math.SQRT2) / spacing ** 3 <= MOST_PARTICLES)) {
    const message = `The shape would take more than ${MOST_PARTICLES} particles; use a larger spacing or a smaller shape.`;
    throw new IsoskinError('PARTICLES_TOO_MANY', message, 'spacing');
  }
  const out: number[] = [];
  const reach = [0, 1, 2].map((axis) => Math.ceil(half[axis]! / pitch[axis]!) + 1);
  for (let j = -reach[1]!; j <= reach[1]!; j++) {
    const layer = ((j % 3) + 3) % 3;
    for (let k = -reach[2]!; k <= reach[2]!; k++) {
      for (let i = -reach[0]! - 1; i <= reach[0]!; i++) {
        const x = (i + 0.5 * (Math.abs(k) % 2) + 0.5 * layer) * pitch[0]!;
        const y = j * pitch[1]!;
        const z = (k + layer / 3) * pitch[2]!;
        if (!isInside(shape, half, x, y, z, 1e-9 * spacing)) continue;
        out.push(middle[0]! + x, middle[1]! + y, middle[2]! + z);
      }
    }
  }
  return Float64Array.from(out);
}

function isInside(shape: FillShape, half: readonly number[], x: number, y: number, z: number, slack: number): boolean {
  if ('radius' in shape) return x * x + y * y + z * z <= (shape.radius + slack) ** 2;
  return Math.abs(x) <= half[0]! + slack && Math.abs(y) <= half[1]! + slack && Math.abs(z) <= half[2]! + slack;
}

function boxOf(centre: ArrayLike<number>, radius: number): number[] {
  return [-1, 1].flatMap((side) => [0, 1, 2].map((axis) => centre[axis]! + side * radius));
}
