/** Cells (i, j, k) in one growing array, in the order in which they were found. */
export class CellList {
  count = 0;
  /** i, j, k of every cell; replaced when the list grows, so do not keep it across a push. */
  coordinates = new Int32Array(3 * 1024);

  push(i: number, j: number, k: number): void {
    if (3 * this.count === this.coordinates.length) {
      const more = new Int32Array(2 * this.coordinates.length);
      more.set(this.coordinates);
      this.coordinates = more;
    }
    this.coordinates[3 * this.count] = i;
    this.coordinates[3 * this.count + 1] = j;
    this.coordinates[3 * this.count++ + 2] = k;
  }
}
