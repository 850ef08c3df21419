/** What a page of the browser check can do: one engine with one file open. */
export interface Viewer {
  /** Replaces what is open by a file, seen from `view`. */
  open(url: string, view: View): Promise<void>;
  /** Draws a moment of a clip; returns the vertices of every deforming primitive as the engine places them, #×3, world. */
  seek(clip: string, time: number): Promise<number[][]>;
}

/** An orthographic view without anything that an engine may choose by itself. */
export interface View {
  /** Pixels of the square picture. */
  readonly size: number;
  /** The middle of the picture, world units. */
  readonly centre: readonly [number, number, number];
  /** From there to the eye, length 1; +y is up in the picture. */
  readonly back: readonly [number, number, number];
  /** Half the side of the picture, world units. */
  readonly half: number;
  /** Nothing lies further than this from the centre, world units. */
  readonly reach: number;
}
