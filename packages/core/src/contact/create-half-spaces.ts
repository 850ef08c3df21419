/**
 * Half-spaces that vertices must stay in, one per entry: ⟨y_k, m⟩ − o ≥ gap, approached softly within `band`. One list for
 * joints and parts, filled anew in every frame and then walked for every trial surface.
 */
export interface HalfSpaces {
  count: number;
  readonly capacity: number;
  readonly vertices: Uint32Array;
  /** m and o, ×4. */
  readonly planes: Float64Array;
  readonly gaps: Float64Array;
  readonly bands: Float64Array;
  /** 1 where a blended patch is involved, whose field only follows it roughly. */
  readonly doubtful: Uint8Array;
}

export function createHalfSpaces(capacity: number): HalfSpaces {
  return {
    count: 0,
    capacity,
    vertices: new Uint32Array(capacity),
    planes: new Float64Array(4 * capacity),
    gaps: new Float64Array(capacity),
    bands: new Float64Array(capacity),
    doubtful: new Uint8Array(capacity),
  };
}
