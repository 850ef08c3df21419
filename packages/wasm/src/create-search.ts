/** The search of contact (F7) in WASM: f32, one thread, in a memory of its own. `planPairSearch` of core is the specification. */
import { measureMotions, type PairSearch, type SearchPlan, tripleProduct } from '@isoskin/core/kernels';
import { writeMatrices } from './create-runner.js';
import { decodeBase64 } from './decode-base64.js';
import { SEARCH_CODE } from './generated/search-code.js';
import * as at from './layout.js';
import { BASE, writeSearch } from './write-search.js';

interface SearchCode {
  findNear(search: number): number;
  keepFacing(search: number, count: number): number;
}

export type CreateContactSearch = (plan: SearchPlan, skinned: () => Float32Array) => PairSearch;

/** Compiles the search. */
export async function openContact(): Promise<CreateContactSearch> {
  const module = await WebAssembly.compile(decodeBase64(SEARCH_CODE));
  return (plan, skinned) => createSearch(plan, skinned, module);
}

function createSearch(plan: SearchPlan, skinned: () => Float32Array, module: WebAssembly.Module): PairSearch {
  const { samples, near } = plan;
  const { count } = samples;
  const { memory, head, view } = writeSearch(plan);
  const { findNear, keepFacing } = new WebAssembly.Instance(module, { env: { memory } })
    .exports as unknown as SearchCode;
  const points = view(Float32Array, at.SEARCH_POINTS, 4 * count);
  const skin = view(Float32Array, at.SEARCH_SKIN, 4 * plan.character.surface.vertexCount);
  const matrices = view(Float32Array, at.SEARCH_MATRICES, 16 * plan.character.skeleton.boneCount);
  const turns = view(Float64Array, at.SEARCH_TURNS, near.motions.turns.length);
  const shifts = view(Float64Array, at.SEARCH_SHIFTS, turns.length);
  const signs = new Float32Array(memory.buffer, BASE + at.SEARCH_SIGN, 1);
  const most = head[at.SEARCH_MOST >> 2]!;
  let found = 0;
  return {
    pairs: view(Uint32Array, at.SEARCH_OUT_PAIRS, 2 * most),
    inverses: view(Float64Array, at.SEARCH_OUT_INVERSES, most),
    normals: view(Float64Array, at.SEARCH_WIDE_NORMALS, 3 * count),
    get count() {
      return found;
    },
    find(x, bones) {
      for (let i = 0, j = 0; i < x.length; i += 3, j += 4) {
        points[j] = x[i]!;
        points[j + 1] = x[i + 1]!;
        points[j + 2] = x[i + 2]!;
      }
      measureMotions(near.motions, bones);
      turns.set(near.motions.turns);
      shifts.set(near.motions.shifts);
      found = findNear(BASE);
      if (found === 0) return;
      skin.set(skinned());
      writeMatrices(matrices, bones);
      signs[0] = tripleProduct(bones, 0, 3, 6) < 0 ? -1 : 1;
      found = keepFacing(BASE, found);
    },
  };
}
