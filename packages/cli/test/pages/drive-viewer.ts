/** What a page of the drive check can do: one engine with one driven file open. */
export interface DriveViewer {
  open(url: string): Promise<void>;
  /** Poses the character, lets its driver play, and says where everything is. */
  pose(asked: AskedPose): Promise<Played>;
}

export interface AskedPose {
  /** Two clips, or the names of none. */
  readonly clips: readonly [string, string];
  /** Share of the second clip. */
  readonly share: number;
  readonly time: number;
  /** A joint that is turned by code, on top of the clips. */
  readonly joint: string;
  readonly turn: readonly [number, number, number, number];
}

export interface Played {
  /** Node of the file, its translation, rotation and scale as the engine has them. */
  readonly locals: number[][];
  /** Vertices of every deforming primitive as the engine places them, #×3, world. */
  readonly meshes: number[][];
  /** Amounts that the driver gave. */
  readonly amounts: readonly number[];
}
