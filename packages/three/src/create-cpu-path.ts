import { BufferAttribute, DynamicDrawUsage } from 'three';
import { applyMeshLayout, moveArrays } from './apply-mesh-layout.js';
import type { Evaluator } from './evaluator.js';
import type { DrawnAttributes } from './mesh-drawing.js';
import type { MeshSpaces, Path } from './path.js';
import type { BodyPlan } from './plan-body.js';
import type { MeshLayout } from './plan-mesh-layout.js';
import type { RefinedMesh } from './plan-refined-mesh.js';

/** Kernels on the CPU and one upload per frame: for every renderer. */
export function createCpuPath({ layouts, geometries }: BodyPlan, evaluator: Evaluator): Path {
  const { refineMesh } = evaluator;
  const refined = refineMesh && layouts.map((layout, m) => refineMesh(geometries[m]!, layout));
  const attributes = refined?.map((mesh) => mesh.attributes) ?? layouts.map(createAttributes);
  const boxes = layouts.map(() => new Float64Array(6));
  return {
    get name() {
      return evaluator.name;
    },
    attributes,
    boxes,
    draw(pose, report, spaces, body) {
      evaluator.run(pose, report, body);
      writeMeshes(attributes, layouts, evaluator, spaces, boxes, refined);
      for (const { position, normal, tangent } of attributes) {
        position.needsUpdate = true;
        if (normal) normal.needsUpdate = true;
        if (tangent) tangent.needsUpdate = true;
      }
    },
    dispose: () => evaluator.dispose(),
  };
}

/** Copies the surface to the arrays of all meshes, in their spaces. */
export function writeMeshes(
  attributes: readonly DrawnAttributes[],
  layouts: readonly MeshLayout[],
  evaluator: Evaluator,
  spaces: MeshSpaces,
  boxes: readonly Float64Array[],
  refined?: readonly RefinedMesh[],
): void {
  for (let m = 0; m < layouts.length; m++) {
    const { position, normal, tangent } = attributes[m]!;
    const arrays = {
      position: position.array as Float32Array,
      normal: normal?.array as Float32Array | undefined,
      tangent: tangent?.array as Float32Array | undefined,
    };
    applyMeshLayout(arrays, layouts[m]!, evaluator, boxes[m]!);
    refined?.[m]?.update(evaluator.refined);
    const space = spaces[m];
    // Vertices that are not drawn lie flat, so that moving them never runs away.
    if (evaluator.refined || space) refined?.[m]?.apply(arrays, evaluator, boxes[m]!);
    if (space) moveArrays(arrays, space, boxes[m]!);
  }
}

export function createAttributes({ vertexCount, normal, tangent }: MeshLayout): DrawnAttributes {
  const create = (width: number) =>
    new BufferAttribute(new Float32Array(width * vertexCount), width).setUsage(DynamicDrawUsage);
  return { position: create(3), normal: normal && create(3), tangent: tangent && create(4) };
}
