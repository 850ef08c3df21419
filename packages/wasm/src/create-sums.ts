/** V_s and ∂V_s/∂λ_t from the sums of the blocks, added up in the order of the blocks: any number of threads gives the same bits. */
import type { Block } from './block-lists.js';

export interface Sums {
  readonly volumes: Float64Array;
  /** K×K by rows. */
  readonly jacobian: Float64Array;
  /** Cells of J that blocks add to. */
  readonly cells: ReadonlySet<number>;
  measure(): void;
}

/** @param parts what the kernels wrote. @param K regions; shapes beyond have amounts that are given, and no column. */
export function createSums(parts: Float64Array, blocks: readonly Block[], K: number): Sums {
  const volumes = new Float64Array(K);
  const jacobian = new Float64Array(K * K);
  const volumeTerms: Term[] = [];
  const slopeTerms: Term[] = [];
  for (const { region, home, sums, columns } of blocks) {
    const from = sums >> 3;
    if (region >= 0) volumeTerms.push({ to: region, from, scale: 1 / 3 });
    if (home >= 0) volumeTerms.push({ to: home, from: from + 1, scale: -1 / 3 });
    for (const [c, column] of columns.entries()) {
      if (column >= K) continue;
      if (region >= 0) slopeTerms.push({ to: region * K + column, from: from + 2 + 2 * c, scale: 1 });
      if (home >= 0) slopeTerms.push({ to: home * K + column, from: from + 2 + 2 * c, scale: -1 });
    }
  }
  const measureVolumes = createSum(volumes, parts, volumeTerms);
  const measureJacobian = createSum(jacobian, parts, slopeTerms);
  return {
    volumes,
    jacobian,
    cells: new Set(slopeTerms.map(({ to }) => to)),
    measure() {
      measureVolumes();
      measureJacobian();
    },
  };
}

interface Term {
  readonly to: number;
  readonly from: number;
  readonly scale: number;
}

/** out[to] = Σ scale · parts[from]. */
function createSum(out: Float64Array, parts: Float64Array, terms: readonly Term[]): () => void {
  const to = Uint32Array.from(terms, (term) => term.to);
  const from = Uint32Array.from(terms, (term) => term.from);
  const scales = Float64Array.from(terms, (term) => term.scale);
  return () => {
    out.fill(0);
    for (let n = 0; n < to.length; n++) out[to[n]!]! += scales[n]! * parts[from[n]!]!;
  };
}
