/** Cells (i, j, k) in one growing array, in the order in which they were found. */
export interface CellList {
  readonly count: number;
  /** i, j, k of every cell; replaced when the list grows, so do not keep it across a push. */
  readonly coordinates: Int32Array;
  push(i: number, j: number, k: number): void;
}

export function createCellList(): CellList {
  let coordinates = new Int32Array(3 * 1024);
  let count = 0;
  return {
    get count() {
      return count;
    },
    get coordinates() {
      return coordinates;
    },
    push(i, j, k) {
      if (3 * count === coordinates.length) {
        const more = new Int32Array(2 * coordinates.length);
        more.set(coordinates);
        coordinates = more;
      }
      coordinates[3 * count] = i;
      coordinates[3 * count + 1] = j;
      coordinates[3 * count + 2] = k;
      count++;
    },
  };
}
