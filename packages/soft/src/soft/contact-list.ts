import type { SoftContacts } from './soft-world.js';

/** Growing list of contact samples. */
export function createContactList() {
  let capacity = 256;
  let count = 0;
  let first = new Int32Array(capacity);
  let second = new Int32Array(capacity);
  let points = new Float64Array(3 * capacity);
  let normals = new Float64Array(3 * capacity);
  let areas = new Float64Array(capacity);
  let pressures = new Float64Array(capacity);
  let forces = new Float64Array(3 * capacity);
  const grow = (): void => {
    capacity *= 2;
    const integers = (old: Int32Array<ArrayBuffer>) => {
      const more = new Int32Array(2 * old.length);
      more.set(old);
      return more;
    };
    const numbers = (old: Float64Array<ArrayBuffer>) => {
      const more = new Float64Array(2 * old.length);
      more.set(old);
      return more;
    };
    first = integers(first);
    second = integers(second);
    points = numbers(points);
    normals = numbers(normals);
    areas = numbers(areas);
    pressures = numbers(pressures);
    forces = numbers(forces);
  };
  return {
    list: {
      get count() {
        return count;
      },
      get first() {
        return first;
      },
      get second() {
        return second;
      },
      get points() {
        return points;
      },
      get normals() {
        return normals;
      },
      get areas() {
        return areas;
      },
      get pressures() {
        return pressures;
      },
      get forces() {
        return forces;
      },
    } satisfies SoftContacts,
    clear() {
      count = 0;
    },
    push(
      a: number,
      b: number,
      x: number,
      y: number,
      z: number,
      nx: number,
      ny: number,
      nz: number,
      area: number,
      pressure: number,
      fx: number,
      fy: number,
      fz: number,
    ): void {
      if (count === capacity) grow();
      const at = 3 * count;
      first[count] = a;
      second[count] = b;
      points[at] = x;
      points[at + 1] = y;
      points[at + 2] = z;
      normals[at] = nx;
      normals[at + 1] = ny;
      normals[at + 2] = nz;
      areas[count] = area;
      pressures[count] = pressure;
      forces[at] = fx;
      forces[at + 1] = fy;
      forces[at + 2] = fz;
      count++;
    },
  };
}
