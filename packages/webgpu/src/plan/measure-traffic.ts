/**
 * Bytes that a frame must move between memory and the GPU when every pass reads and writes each of its arrays once: the lower
 * bound that benchmarks compare with. Lists and the rest shape are shared by all instances and counted once per pass.
 */
export interface TrafficInput {
  readonly instances: number;
  /** Padded vertices, and vertices that are written out. */
  readonly vertices: number;
  readonly outputs: number;
  /** Bytes of a position, and of a normal. */
  readonly positionBytes: number;
  readonly normalBytes: number;
  readonly words: TrafficWords;
}

/** Words of the lists that the passes read, over vertices and over pairs; values are φ. */
export type TrafficWords = Readonly<Record<'influences' | 'rings' | 'items' | 'values' | 'pairValues', number>>;

const POINT = 16;
const WORD = 4;

/** @param evaluations those that really run. */
export function measureTraffic(input: TrafficInput, evaluations: number): number {
  const { instances, vertices, words } = input;
  const points = instances * vertices * POINT;
  const output = instances * input.outputs;
  const rest = vertices * POINT + WORD * (words.influences + words.values);
  const skin = rest + points;
  const measure =
    WORD * (words.rings + words.items + words.values + words.pairValues) + points + output * input.normalBytes;
  const displace = points + WORD * (words.values + vertices) + output * input.positionBytes;
  return evaluations * (skin + measure) + displace;
}
