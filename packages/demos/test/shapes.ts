import type { Corner, Potential, Primitive } from '@isoskin/demos';

export function createPoint(name: string, corner: Corner, potential: Potential = {}): Primitive {
  return { name, corners: [corner], simplices: [[0]], ...potential };
}

/** A tapered capsule. */
export function createSegment(name: string, a: Corner, b: Corner, potential: Potential = {}): Primitive {
  return { name, corners: [a, b], simplices: [[0, 1]], ...potential };
}
