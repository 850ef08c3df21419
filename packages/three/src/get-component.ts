import type { BufferAttribute, InterleavedBufferAttribute } from 'three';

const GETTERS = ['getX', 'getY', 'getZ', 'getW'] as const;

/** `attribute.getComponent`, which interleaved attributes of older releases of three.js do not have. */
export function getComponent(attribute: BufferAttribute | InterleavedBufferAttribute, v: number, k: number): number {
  return attribute[GETTERS[k]!](v);
}
