/** Puts baked targets and their weights into the file. */
import { addTargets } from '../patch/add-targets.js';
import type { GltfFile } from '../patch/gltf-file.js';
import { setWeightTrack } from '../patch/set-weight-track.js';
import type { GroupBake } from './baked-group.js';
import type { DeltaArray } from './quantise-deltas.js';

export interface WriteMorphOptions {
  /** For curves that must be sampled to be merged. */
  readonly fps: number;
  /** Store mostly-zero deltas as sparse accessors. */
  readonly sparse: boolean;
}

/** Where a group is in the file that is written. */
export interface WrittenGroup {
  readonly node: number;
  readonly mesh: number;
  /** Part of the character → primitive of the mesh. */
  readonly primitives: ReadonlyMap<number, number>;
}

export function writeMorphs(
  file: GltfFile,
  places: readonly WrittenGroup[],
  groups: readonly GroupBake[],
  { fps, sparse }: WriteMorphOptions,
): void {
  const deltas = (array: DeltaArray | undefined) => array && { deltas: array };
  for (const { group, names, parts, keys } of groups) {
    const { node, mesh, primitives } = places[group]!;
    const added = parts.map(({ part, targets }) => ({
      meshIndex: mesh,
      primitiveIndex: primitives.get(part)!,
      targets: targets.map(({ position, normal, tangent }, k) => ({
        name: `isoskin ${names[k]!}`,
        positions: deltas(position),
        normals: deltas(normal),
        tangents: deltas(tangent),
      })),
    }));
    const firstTarget = addTargets(file, added, { sparse }).get(mesh)!;
    keys.forEach(({ times, values }, animationIndex) => {
      setWeightTrack(file, { animationIndex, nodeIndex: node, firstTarget, times, weights: values }, fps);
    });
  }
}
