/** Triangles of strips and fans, as index triples of the same orientation. O(corners). */
export const TRIANGLES = 4;
export const STRIP = 5;
export const FAN = 6;

/**
 * @param indices undefined for 0, 1, 2 …
 * @param restart index that begins a new strip or fan (KHR_mesh_primitive_restart), the largest of its type
 */
export function listTriangles(mode: number, indices: ArrayLike<number> | undefined, count: number, restart: number) {
  const at = (i: number) => (indices ? indices[i]! : i);
  const corners = indices?.length ?? count;
  const out: number[] = [];
  let begin = 0;
  for (let i = 0; i < corners; i++) {
    if (at(i) === restart) begin = i + 1;
    else if (i - begin < 2) continue;
    else if (mode === FAN) out.push(at(begin), at(i - 1), at(i));
    else if ((i - begin) % 2 === 0) out.push(at(i - 2), at(i - 1), at(i));
    else out.push(at(i - 1), at(i - 2), at(i));
  }
  return Uint32Array.from(out);
}
