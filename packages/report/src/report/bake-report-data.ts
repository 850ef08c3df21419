import type { FleshFigures, Warning } from '@isoskin/core';

/** Everything that the page of a bake shows; plain data. Volumes in world units, changes relative (−0.11: 11 % lost). */
export interface BakeReportData {
  readonly title: string;
  readonly input: ReportFile;
  readonly output: ReportFile;
  readonly vertices: number;
  /** #T×3 over the vertices of the poses. */
  readonly triangles: ArrayLike<number>;
  readonly bones: number;
  readonly seconds: number;
  readonly clips: readonly ReportClip[];
  readonly targets: readonly {
    readonly node: string;
    readonly count: number;
    readonly keys: number;
    readonly active: number;
  }[];
  /** Largest distance between the file and the exact correction, relative to the size. */
  readonly positionError: number;
  readonly options: readonly (readonly [name: string, value: string])[];
  /** The stack as JSON. */
  readonly stack: unknown;
  readonly warnings: readonly Warning[];
}

export interface ReportFile {
  readonly name: string;
  readonly bytes: number;
}

export interface ReportClip {
  readonly name: string;
  readonly duration: number;
  readonly times: readonly number[];
  readonly target: readonly number[];
  readonly skinned: readonly number[];
  readonly baked: readonly number[];
  readonly regions: readonly ReportRegion[];
  readonly components: readonly ReportRegion[];
  readonly worst: { readonly skinned: number; readonly baked: number; readonly time: number };
  readonly positionError: number;
  /** Where plain skinning is worst, #V×3 each. */
  readonly pose?: {
    readonly time: number;
    readonly skinned: Float64Array;
    readonly baked: Float64Array;
    /** Where the flesh is in both. */
    readonly flesh?: { readonly skinned: FleshFigures; readonly baked: FleshFigures };
  };
}

export interface ReportRegion {
  readonly name: string;
  readonly rest: number;
  /** Relative change of every sample. */
  readonly skinned: readonly number[];
  readonly corrected: readonly number[];
  readonly baked?: readonly number[];
}
