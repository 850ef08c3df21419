/**
 * What names a mesh by its number goes for its copy too: expressions and first-person flags of VRM 0.x (VRM 1.0 names nodes), and
 * pointers of animations. Nothing that is there changes; entries are added behind it.
 */
import type { GLTF } from '@gltf-transform/core';

export function copyReferences(json: GLTF.IGLTF, mesh: number, copy: number): void {
  const vrm = Object(json.extensions?.VRM);
  for (const group of listOf(Object(vrm.blendShapeMaster).blendShapeGroups)) addCopies(group.binds, mesh, copy);
  addCopies(Object(vrm.firstPerson).meshAnnotations, mesh, copy);
  const start = `/meshes/${mesh}/`;
  for (const { channels = [] } of json.animations ?? []) {
    for (const channel of [...channels]) {
      const { pointer } = Object(channel.target?.extensions?.KHR_animation_pointer) as { pointer?: unknown };
      if (typeof pointer !== 'string' || !pointer.startsWith(start)) continue;
      const own = structuredClone(channel);
      own.target.extensions!.KHR_animation_pointer = { pointer: `/meshes/${copy}/${pointer.slice(start.length)}` };
      channels.push(own);
    }
  }
}

type Entry = Record<string, unknown>;

function listOf(value: unknown): Entry[] {
  return Array.isArray(value) ? value.map((entry) => Object(entry) as Entry) : [];
}

function addCopies(list: unknown, mesh: number, copy: number): void {
  for (const entry of listOf(list)) if (entry.mesh === mesh) (list as Entry[]).push({ ...entry, mesh: copy });
}
