export interface Tool {
  readonly name: string;
  readonly version: string;
  /** Largest distance of a vertex as a share of the size. */
  readonly limit: number;
  run(bytes: Uint8Array): Promise<Uint8Array>;
}
export interface SurviveRow {
  readonly tool: string;
  readonly distance: number;
  readonly result: string;
}
export interface Reproduction {
  readonly glb: Uint8Array;
  readonly heights: readonly number[];
  readonly tool: string;
}
export const REPRODUCTIONS: Readonly<Record<string, Reproduction>>;
export function listTools(): readonly Tool[];
export function judgeTools(
  tools: readonly Tool[],
  model: string,
  plain: Uint8Array,
  baked: Uint8Array,
): Promise<readonly SurviveRow[]>;
export function playHeights(bytes: Uint8Array, times: number): Promise<readonly number[]>;
