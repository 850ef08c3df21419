import { type Corner, createSheet, createTube, type Potential, type Primitive } from '../field/primitive.js';
import { mirrorName, type Point, readPoints } from './rig.js';

/** One primitive, the joints that move its skin and the primitives that it blends with. */
export interface FleshPart {
  readonly shape: Primitive;
  readonly bones: readonly string[];
  readonly blends: readonly string[];
}

interface FleshOptions extends Potential {
  /** Default: none, for what carves. */
  readonly bones?: readonly string[];
  readonly blends?: readonly string[];
  readonly pieces?: number;
}

/** A smooth tube through corners `x y z thickness, …`. */
export function tube(
  name: string,
  corners: string | readonly Corner[],
  { bones = [], blends = [], pieces, ...potential }: FleshOptions,
): FleshPart {
  return { shape: createTube(name, readPoints<Corner>(corners), potential, pieces), bones, blends };
}

/** A smooth strip between two rails of corners `x y z thickness, …`. */
export function sheet(
  name: string,
  left: string | readonly Corner[],
  right: string | readonly Corner[],
  { bones = [], blends = [], pieces, ...potential }: FleshOptions,
): FleshPart {
  const rails = [left, right].map((rail) => readPoints<Corner>(rail)) as [readonly Corner[], readonly Corner[]];
  return { shape: createSheet(name, ...rails, potential, pieces), bones, blends };
}

/** Both sides of a part made for the left: x → −x, `.L` → `.R`. */
export function mirrorFlesh(flesh: readonly FleshPart[]): FleshPart[] {
  return flesh.flatMap((left) => [
    left,
    {
      shape: {
        ...left.shape,
        name: mirrorName(left.shape.name),
        corners: left.shape.corners.map(([x, y, z, e]) => [-x, y, z, e] as const),
      },
      bones: left.bones.map(mirrorName),
      blends: left.blends.map(mirrorName),
    },
  ]);
}

/** x → at + size·x. */
export function placeFlesh(flesh: readonly FleshPart[], size: number, at: Point): FleshPart[] {
  return flesh.map((part) => ({
    ...part,
    shape: {
      ...part.shape,
      corners: part.shape.corners.map(
        ([x, y, z, e]) => [at[0] + size * x, at[1] + size * y, at[2] + size * z, size * e] as const,
      ),
    },
  }));
}
