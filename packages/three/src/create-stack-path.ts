import { BufferAttribute, DynamicDrawUsage, type SkinnedMesh } from 'three';
import { applyMeshLayout, moveArrays } from './apply-mesh-layout.js';
import type { DrawnSurface } from './drawn-surface.js';
import { type DrawnAttributes, MeshDrawing } from './mesh-drawing.js';
import type { Path } from './path.js';
import type { MeshLayout } from './plan-mesh-layout.js';

/** Any stack: positions and normals from the CPU, uploaded with every pose. */
export function createStackPath(
  meshes: readonly SkinnedMesh[],
  layouts: readonly MeshLayout[],
  surface: DrawnSurface,
): Path {
  const { refineMesh } = surface;
  const refined = refineMesh && layouts.map((layout, m) => refineMesh(meshes[m]!.geometry, layout));
  const attributes = refined?.map((mesh) => mesh.attributes) ?? layouts.map(createAttributes);
  const drawings = meshes.map((mesh, m) => new MeshDrawing(mesh, attributes[m]!));
  const box = new Float64Array(6);
  const body = {};

  function writeMesh(m: number, space: readonly number[] | null | undefined): void {
    const { position, normal, tangent } = attributes[m]!;
    const arrays = {
      position: position.array as Float32Array,
      normal: normal?.array as Float32Array | undefined,
      tangent: tangent?.array as Float32Array | undefined,
    };
    applyMeshLayout(arrays, layouts[m]!, surface, box);
    refined?.[m]?.update(surface.refined);
    // Vertices that are not drawn lie flat, so that moving them never runs away.
    if (surface.refined || space) refined?.[m]?.apply(arrays, surface, box);
    if (space) moveArrays(arrays, space, box);
    position.needsUpdate = true;
    if (normal) normal.needsUpdate = true;
    if (tangent) tangent.needsUpdate = true;
  }

  return {
    name: 'stack',
    drawings,
    solve(pose, report, spaces) {
      surface.run(pose, report, body);
      for (const [m, drawing] of drawings.entries()) {
        writeMesh(m, spaces[m]);
        drawing.box.min.fromArray(box, 0);
        drawing.box.max.fromArray(box, 3);
        drawing.box.getBoundingSphere(drawing.sphere);
      }
    },
    write() {},
    dispose() {
      for (const drawing of drawings) drawing.dispose();
    },
  };
}

function createAttributes({ vertexCount, normal, tangent }: MeshLayout): DrawnAttributes {
  const create = (width: number) =>
    new BufferAttribute(new Float32Array(width * vertexCount), width).setUsage(DynamicDrawUsage);
  return { position: create(3), normal: normal && create(3), tangent: tangent && create(4) };
}
