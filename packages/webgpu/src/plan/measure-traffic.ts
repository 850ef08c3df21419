/**
 * Bytes that a frame must move between memory and the GPU when every pass reads and writes each of its arrays once: the lower
 * bound that benchmarks compare with. Lists and the rest shape are shared by all instances and counted once per pass.
 */
export interface TrafficInput {
  readonly instances: number;
  /** Padded vertices, and vertices that are written out. */
  readonly vertices: number;
  readonly outputs: number;
  readonly outputStride: number;
  /** Words of the lists, over vertices and over pairs. */
  readonly influenceWords: number;
  readonly ringWords: number;
  readonly itemWords: number;
  /** φ and ψ of the vertices, and φ of the pairs. */
  readonly valueWords: number;
  readonly pairValueWords: number;
  readonly sweeps: number;
}

const VECTOR = 16;
const WORD = 4;

/** @param steps Gauss–Newton steps that really run. */
export function measureTraffic(input: TrafficInput, steps: number): number {
  const { instances, vertices, sweeps } = input;
  const vectors = (count: number) => count * VECTOR * instances * vertices;
  const output = instances * input.outputs * input.outputStride;
  const rings = WORD * (input.ringWords + input.itemWords);
  const skin = 2 * VECTOR * vertices + WORD * input.influenceWords + vectors(2);
  const measureSkin = rings + vectors(sweeps > 0 ? 3 : 1);
  const laterSweeps = Math.max(0, sweeps - 1) * (WORD * input.ringWords + vectors(2));
  const displace = WORD * input.valueWords + vectors(3);
  const measure = rings + WORD * (input.valueWords + input.pairValueWords) + vectors(2);
  const displaceLast = WORD * (input.valueWords + input.itemWords) + vectors(2) + output;
  return skin + measureSkin + laterSweeps + steps * (displace + measure) + output + displaceLast;
}
