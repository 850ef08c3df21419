/** The order of vertices in memory: the caller's for large meshes that have one, compact pieces else. */
import { createCharacter } from '@isoskin/core';
import { describe, expect, it } from 'vitest';
import { planFrameOf } from '../../core/test/kernels/open-runner.js';
import { tube } from '../../core/test/meshes.js';
import { findHomes } from '../src/find-homes.js';
import { NO_VERTEX, orderVertices } from '../src/order-vertices.js';

/** Share of vertices that stand behind the one that the caller has before them. */
function measureRows(input: ReturnType<typeof tube>): number {
  const plan = planFrameOf(createCharacter(input));
  const blocks = orderVertices(plan, findHomes(plan), new Uint32Array(plan.vertexCount));
  const order = blocks.flatMap(({ vertices }) => [...vertices]).filter((k) => k !== NO_VERTEX);
  expect(new Set(order).size).toBe(plan.vertexCount);
  expect(order.length).toBe(plan.vertexCount);
  return order.filter((k, n) => k === order[n - 1]! + 1).length / order.length;
}

/** Vertex k becomes 7919 k, modulo their number. */
function shuffle(input: ReturnType<typeof tube>): ReturnType<typeof tube> {
  const [part] = input.parts as [(typeof input.parts)[number]];
  const count = part.positions.length / 3;
  const place = (k: number) => (7919 * k) % count;
  const move = <List extends Float32Array | Float64Array | Uint16Array | Uint32Array>(list: List): List => {
    const width = list.length / count;
    const out = list.slice() as List;
    for (let i = 0; i < list.length; i++) out[width * place(Math.floor(i / width)) + (i % width)] = list[i]!;
    return out;
  };
  const { positions, bones, weights, triangles } = part as unknown as Record<string, Float32Array | Uint32Array>;
  const moved = { positions: move(positions!), bones: move(bones!), weights: move(weights!) };
  return { ...input, parts: [{ ...part, ...moved, triangles: triangles!.map(place) } as typeof part] };
}

describe('orderVertices', () => {
  const large = tube({ around: 256, along: 260 });

  it('keeps the order of a large mesh whose neighbours are near each other', () => {
    expect(measureRows(large)).toBeGreaterThan(0.9);
  });
  it('spreads over a large mesh that comes shuffled, and over a small one', () => {
    expect(measureRows(shuffle(large))).toBeLessThan(0.1);
    expect(measureRows(tube({ around: 40, along: 40 }))).toBeLessThan(0.9);
  });
});
