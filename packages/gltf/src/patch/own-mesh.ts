import type { GLTF } from '@gltf-transform/core';
import { copyReferences } from './copy-references.js';
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
