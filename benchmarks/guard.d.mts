/** Name of a ratio → its values in all rounds. */
export type Ratios = ReadonlyMap<string, readonly number[]>;
export function compareRatios(base: Ratios, head: Ratios): string[];
