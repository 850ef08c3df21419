/**
 * Which region every triangle belongs to, in the extras of the primitives, so that anybody can measure what a bake promises:
 * `mesh.extras.isoskin.regions` names them, `primitive.extras.isoskin.triangles` is a run-length list: region, count, region, count …
 * (−1: a part without volume).
 */
import type { FrameSource } from '@isoskin/core';
import type { GltfFile } from '../patch/gltf-file.js';
import type { ReadResult } from '../read-character-from-bytes.js';
import { readTriangles } from '../read-parts.js';
import type { WrittenGroup } from './write-morphs.js';

export function writeRegions(
  file: GltfFile,
  read: ReadResult,
  stack: FrameSource,
  places: readonly WrittenGroup[],
): void {
  const regions = stack.volume?.regions;
  if (!regions) return;
  const { surface, parts } = read.character;
  const keyOf = (i: number, j: number, l: number) => [i, j, l].sort((a, b) => a - b).join(' ');
  const regionOf = new Map<string, number>();
  for (let t = 0; t < surface.triangles.length / 3; t++) {
    const [i, j, l] = surface.triangles.subarray(3 * t, 3 * t + 3) as unknown as [number, number, number];
    const region = regions.triangleRegion[t]!;
    regionOf.set(keyOf(i, j, l), region < regions.count ? region : -1);
  }
  for (const { mesh, primitives } of places) {
    const own = file.json.meshes![mesh]!;
    addExtras(own, { regions: regions.names });
    for (const [p, primitive] of primitives) {
      const { welded, name, vertexCount } = parts[p]!;
      const corners = readTriangles(read.sources[p]!.primitive, vertexCount, name, []);
      const at = (c: number) => welded[corners ? corners[c]! : c]!;
      const runs: number[] = [];
      for (let c = 0; c + 2 < (corners?.length ?? vertexCount); c += 3) {
        const region = regionOf.get(keyOf(at(c), at(c + 1), at(c + 2))) ?? -1;
        if (runs.length > 0 && runs[runs.length - 2] === region) runs[runs.length - 1]!++;
        else runs.push(region, 1);
      }
      const target = own.primitives[primitive]!;
      addExtras(target, { triangles: runs });
    }
  }
}

/** Extras of another kind than an object have no room for ours, and are the author's. */
function addExtras(entry: { extras?: unknown }, isoskin: object): void {
  const { extras = {} } = entry;
  if (typeof extras === 'object' && extras !== null && !Array.isArray(extras)) entry.extras = { ...extras, isoskin };
}
