import type { Character } from '@isoskin/core';

export interface PartTriangles {
  /** Welded vertices that the part uses, in the order of their first use. */
  readonly vertices: Uint32Array;
  /** #×3, indices into `vertices`. */
  readonly triangles: Uint32Array;
}

/** Gives every triangle of the welded surface back to the part that holds its three corners (the first, if several). Linear. */
export function splitByPart({ surface, parts }: Character): PartTriangles[] {
  // Vertex → parts, CSR; a part is listed once for each of its source vertices there.
  const offsets = new Uint32Array(surface.vertexCount + 1);
  for (const { welded } of parts) for (const v of welded) offsets[v + 1]!++;
  for (let v = 0; v < surface.vertexCount; v++) offsets[v + 1]! += offsets[v]!;
  const owners = new Uint32Array(offsets[surface.vertexCount]!);
  const filled = offsets.slice();
  parts.forEach(({ welded }, p) => {
    for (const v of welded) owners[filled[v]!++] = p;
  });
  const owns = (p: number, v: number) => {
    for (let i = offsets[v]!; i < offsets[v + 1]!; i++) if (owners[i] === p) return true;
    return false;
  };

  const corners: number[][] = parts.map(() => []);
  for (let t = 0; t < surface.triangles.length; t += 3) {
    const [a, b, c] = surface.triangles.subarray(t, t + 3) as unknown as [number, number, number];
    let part = owners[offsets[a]!]!;
    for (let i = offsets[a]!; i < offsets[a + 1]!; i++) {
      if (!owns(owners[i]!, b) || !owns(owners[i]!, c)) continue;
      part = owners[i]!;
      break;
    }
    corners[part]!.push(a, b, c);
  }
  const local = new Int32Array(surface.vertexCount);
  return corners.map((list) => {
    local.fill(-1);
    const vertices: number[] = [];
    const triangles = Uint32Array.from(list, (v) => {
      if (local[v]! < 0) local[v] = vertices.push(v) - 1;
      return local[v]!;
    });
    return { vertices: Uint32Array.from(vertices), triangles };
  });
}
