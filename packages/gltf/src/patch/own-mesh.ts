import type { GLTF } from '@gltf-transform/core';
import type { GltfFile } from './gltf-file.js';

/** Index of the node's mesh; where another node shows the same mesh, that of a copy made for this one. */
export function ownMesh({ json }: GltfFile, node: number): number {
  const entry = json.nodes![node]!;
  const mesh = entry.mesh!;
  if (json.nodes!.every((other) => other === entry || other.mesh !== mesh)) return mesh;
  entry.mesh = json.meshes!.push(structuredClone(json.meshes![mesh]!)) - 1;
  copyReferences(json, mesh, entry.mesh);
  return entry.mesh;
}

export function primitiveOf({ json }: GltfFile, mesh: number, primitive: number): GLTF.IMeshPrimitive {
  return json.meshes![mesh]!.primitives[primitive]!;
}

/** Points an attribute at another accessor, or takes it away; what Draco holds of it no longer counts. */
export function setAttribute(primitive: GLTF.IMeshPrimitive, semantic: string, accessor: number | undefined): void {
  if (accessor === undefined) delete primitive.attributes[semantic];
  else primitive.attributes[semantic] = accessor;
  const draco = primitive.extensions?.KHR_draco_mesh_compression as { attributes: Record<string, number> } | undefined;
  if (draco) delete draco.attributes[semantic];
}

/**
 * What names a mesh by its number goes for its copy too: expressions and first-person flags of VRM 0.x (VRM 1.0 names nodes), and
 * pointers of animations. Nothing that is there changes; entries are added behind it.
 */
function copyReferences(json: GLTF.IGLTF, mesh: number, copy: number): void {
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
