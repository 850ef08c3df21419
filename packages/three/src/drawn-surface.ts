import type { VolumeReport } from '@isoskin/core';
import type { RefinedSurface } from '@isoskin/core/wrinkles';
import type { BufferGeometry } from 'three';
import type { BodyPose } from './path.js';
import type { MeshLayout } from './plan-mesh-layout.js';
import type { RefinedMesh } from './plan-refined-mesh.js';

/** Corrected surface of one pose. The arrays are overwritten by the next run, of any body that shares the surface. */
export interface DrawnSurface {
  readonly positions: Float64Array;
  /** Unit normals. */
  readonly normals: Float64Array;
  /** What the last run folded; the arrays above are then those of its vertices. */
  readonly refined?: RefinedSurface | undefined;
  /** Memory for what a mesh draws, if the stack may fold it. */
  readonly refineMesh?: ((geometry: BufferGeometry, layout: MeshLayout) => RefinedMesh) | undefined;
  /** `body` tells warm starts apart: the next pose of the same body is near its last one. */
  run(pose: BodyPose, report: VolumeReport, body: object): void;
}
