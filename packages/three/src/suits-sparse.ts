/**
 * Which of two forms the shapes of a body are drawn in, in bytes on the GPU per drawn vertex (docs/three.md, “Two forms”):
 *
 *   morph targets   32 K            any material, any pass, clones and exports: a stock mesh
 *   sparse          16 + 8 pairs    a few lookups whatever K is, in the materials of the mesh and its shadows
 */
import type { FramePlan } from '@isoskin/core/kernels';
import type { ShaderMaterial, SkinnedMesh } from 'three';

export type Form = 'morph' | 'sparse' | 'auto';

/** Shapes that cost as much per vertex, as morph targets, as all that a plain SkinnedMesh does there (benchmarks/forms.mjs). */
const SPARSE_FROM = 8;

export function suitsSparse(form: Form, meshes: readonly SkinnedMesh[], { shapes }: FramePlan): boolean {
  // Shaders of the user's own need not have the steps that the sparse form goes between.
  const materials = meshes.flatMap(({ material }) => material as ShaderMaterial | ShaderMaterial[]);
  if (form === 'morph' || materials.some((material) => material.isShaderMaterial)) return false;
  return form === 'sparse' || shapes.shapeCount >= SPARSE_FROM;
}
