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
  /** φ and ψ of the vertices, φ alone, and φ of the pairs. */
  readonly valueWords: number;
  readonly basisWords: number;
  readonly pairValueWords: number;
  readonly sweeps: number;
}

const POINT = 16;
const FIELD = 8;
const WORD = 4;

/** @param steps Gauss–Newton steps that really run. */
export function measureTraffic(input: TrafficInput, steps: number): number {
  const { instances, vertices, sweeps } = input;
  const moved = (points: number, fields: number) => instances * vertices * (points * POINT + fields * FIELD);
  const output = instances * input.outputs * input.outputStride;
  const rings = WORD * (input.ringWords + input.itemWords);
  const skin = (POINT + FIELD) * vertices + WORD * input.influenceWords + moved(1, 1);
  const measureSkin = rings + moved(1, sweeps > 0 ? 2 : 0);
  const laterSweeps = Math.max(0, sweeps - 1) * (WORD * input.ringWords + moved(0, 2));
  const displace = WORD * input.valueWords + moved(2, 1);
  const measure = rings + WORD * (input.basisWords + input.pairValueWords) + moved(1, 1);
  const displaceLast = WORD * (input.valueWords + input.itemWords) + moved(1, 1) + output;
  return skin + measureSkin + laterSweeps + steps * (displace + measure) + output + displaceLast;
}
