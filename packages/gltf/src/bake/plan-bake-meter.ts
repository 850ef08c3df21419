import type { VolumeMeter } from '@isoskin/core';
import { planVolumeMeter } from '@isoskin/core/frames';
import type { CreateTetrahedronSums } from '@isoskin/core/kernels';
import { openRoom } from '@isoskin/wasm/bake';
import type { BakeStack } from './create-frame-baker.js';

/** The meter of a stack, its sums in WASM: the same bits. */
export function planBakeMeter({ character, volume }: Pick<BakeStack, 'character' | 'volume'>): VolumeMeter {
  return planVolumeMeter(character, volume, createSums);
}

const createSums: CreateTetrahedronSums = (tetrahedra, places, vertexCount, placeCount) => {
  const { code, lists, at } = openRoom({
    tetrahedra,
    places,
    positions: new Float64Array(3 * vertexCount),
    sums: new Float64Array(placeCount),
  });
  return {
    positions: lists.positions,
    sum(out) {
      lists.sums.set(out);
      code.sumTetrahedra(at.sums, at.positions, at.tetrahedra, at.places, places.length);
      out.set(lists.sums);
    },
  };
};
