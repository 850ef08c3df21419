import type { Warning } from '@isoskin/core';
import type { FleshFigures } from '@isoskin/core/quality';

/** Everything that the page of a bake shows; plain data. Volumes in world units, changes relative (−0.11: 11 % lost). */
export interface BakeReportData {
  readonly title: string;
  readonly input: ReportFile;
  readonly output: ReportFile;
  readonly vertices: number;
  /** #T×3 over the vertices of the poses. */
  readonly triangles: ArrayLike<number>;
  readonly skin: ReportSkin;
  readonly bones: number;
  readonly seconds: number;
  /** A change may be larger than before by this much without being worse. Default 0.0005. */
  readonly tolerance?: number;
  /** What the skin looks like; without it, clay. */
  readonly parts?: readonly ReportPart[];
  /** Pictures of base colours. */
  readonly textures?: readonly { readonly type: string; readonly bytes: Uint8Array }[];
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
  /** What the file shows worse than plain skinning, per cent; a kind is broken above its limit. */
  readonly harm?: readonly ReportHarm[];
}

export interface ReportHarm {
  readonly kind: string;
  readonly value: number;
  readonly limit: number;
  readonly clip: string;
  readonly time: number;
  /** Region that did most of it, where the limit is passed. */
  readonly region: string;
}

export interface ReportFile {
  readonly name: string;
  readonly bytes: number;
}

/** As plain skinning gives it and as the file gives it. */
type BeforeAndAfter<T> = Readonly<Record<'skinned' | 'baked', T>>;
/** One value per sample. */
type Series = readonly number[];

/** One clip: its volumes over time and what became worst. */
export interface ReportClip extends BeforeAndAfter<Series> {
  readonly name: string;
  readonly duration: number;
  readonly times: Series;
  readonly target: Series;
  readonly regions: readonly ReportRegion[];
  readonly components: readonly ReportRegion[];
  readonly worst: BeforeAndAfter<number> & { readonly time: number };
  readonly positionError: number;
  /** Where a region of plain skinning is worst, #V×3 each, that region and the box around it, and where the flesh is in both. */
  readonly pose?: BeforeAndAfter<Float64Array> & {
    readonly time: number;
    readonly region?: string;
    readonly focus?: readonly number[];
    readonly flesh?: BeforeAndAfter<FleshFigures>;
  };
  /** Frames for the player, #V×3 each, and the bones of each, #B×12. */
  readonly film?: BeforeAndAfter<readonly Float32Array[]> & {
    readonly times: Series;
    readonly bones: readonly ArrayLike<number>[];
  };
}

/** The vertices of the poses at rest, #V×3, and the bones that each of them follows. */
export interface ReportSkin {
  readonly rest: ArrayLike<number>;
  /** Vertex → its bones and weights, #V+1. */
  readonly offsets: ArrayLike<number>;
  readonly bones: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
}

/** Vertices as the file draws them. */
export interface ReportPart {
  /** Vertex of the file → vertex of the poses. */
  readonly welded: ArrayLike<number>;
  readonly triangles: ArrayLike<number>;
  /** Red, green, blue, alpha, linear. */
  readonly color: readonly number[];
  /** Red, green, blue of every vertex of the file, linear, that `color` is multiplied by. */
  readonly colors?: Float32Array;
  /** Number of its picture in `textures`, and coordinates, two per vertex of the file. */
  readonly texture?: number;
  readonly uv?: Float32Array;
}

/** Relative changes of a region or component. */
export interface ReportRegion extends Readonly<Record<'skinned' | 'corrected', Series>> {
  readonly name: string;
  readonly rest: number;
  readonly baked?: Series;
}
