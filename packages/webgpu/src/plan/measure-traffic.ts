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
  /** φ of the vertices, and of the pairs. */
  readonly valueWords: number;
  readonly pairValueWords: number;
}

const POINT = 16;
const WORD = 4;

/** @param evaluations those that really run. */
export function measureTraffic(input: TrafficInput, evaluations: number): number {
  const { instances, vertices, influenceWords, ringWords, itemWords, valueWords, pairValueWords } = input;
  const points = instances * vertices * POINT;
  const output = instances * input.outputs * input.outputStride;
  const rest = vertices * POINT + WORD * (influenceWords + valueWords);
  const skin = rest + points;
  const measure = WORD * (ringWords + itemWords + valueWords + pairValueWords) + points + output;
  return evaluations * (skin + measure) + rest + WORD * vertices + output;
}
