import { growArray } from '../flat-arrays.js';

/** The contact samples of the last update. Arrays have room to spare; `count` are valid. */
export class ContactList {
  count = 0;
  /** Primitive on the first side. */
  first = new Int32Array(256);
  /** Primitive on the second side, or −1 − index of an obstacle. */
  second = new Int32Array(256);
  /** #×3. */
  points = new Float64Array(3 * 256);
  /** #×3, unit, from the second to the first. */
  normals = new Float64Array(3 * 256);
  /** Share of the contact area. */
  areas = new Float64Array(256);
  /** f − c, without damping. */
  pressures = new Float64Array(256);
  /** #×3, on the first, reaction and friction; the second gets the opposite. */
  forces = new Float64Array(3 * 256);

  /** `at`, `normal` and `force` have three numbers each. */
  push(
    first: number,
    second: number,
    at: Float64Array,
    normal: Float64Array,
    area: number,
    pressure: number,
    force: Float64Array,
  ): void {
    if (this.count === this.first.length) this.#grow();
    const n = this.count++;
    this.first[n] = first;
    this.second[n] = second;
    this.areas[n] = area;
    this.pressures[n] = pressure;
    for (let axis = 0; axis < 3; axis++) {
      this.points[3 * n + axis] = at[axis]!;
      this.normals[3 * n + axis] = normal[axis]!;
      this.forces[3 * n + axis] = force[axis]!;
    }
  }

  #grow(): void {
    this.first = growArray(this.first);
    this.second = growArray(this.second);
    this.areas = growArray(this.areas);
    this.pressures = growArray(this.pressures);
    this.points = growArray(this.points);
    this.normals = growArray(this.normals);
    this.forces = growArray(this.forces);
  }
}
