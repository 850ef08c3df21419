/**
 * A skeleton and weights for a mesh without a skin, and other weights for one that has it: what `isoskin rig` and `isoskin weights` do.
 *
 * The skeleton is found in the mesh, or is that of another file or of a demo, which must stand where the mesh stands.
 */
import { autoWeights, checkBudget, POSE_STRIDE, type Skeleton } from '@isoskin/core';
import { fitSkeleton, rigMesh, type WeightMethod } from '@isoskin/core/weights';
import { readRigFromBytes, writeWeights } from '@isoskin/gltf';
import { draco, openSource } from '../engine/open-source.js';
import type { SourceData } from '../engine/protocol.js';
import { packWeights, type SkinWeights } from '../state/skin-weights.js';
import type { JobProgress } from './job.worker.js';

export interface WeightSettings {
  readonly method: WeightMethod;
  readonly locality: number;
}

export interface BindRequest {
  readonly source: SourceData;
  /** A demo by name, or the bytes of a file; without one it is found in the mesh. */
  readonly skeleton?: string | Uint8Array;
  /** Where joints of the one that is found stand instead, by name. */
  readonly joints?: Readonly<Record<string, readonly number[]>>;
  readonly settings: WeightSettings;
}

export interface BoundMesh {
  readonly name: string;
  readonly glb: Uint8Array;
  readonly joints: readonly string[];
}

export async function bindMesh(
  { source, skeleton: wanted, joints = {}, settings }: BindRequest,
  onProgress: (progress: JobProgress) => void,
): Promise<BoundMesh> {
  onProgress({ words: 'Reading the mesh', share: 0 });
  const { file } = await openSource(source, { unskinned: true });
  const { character } = file!;
  const { surface } = character;
  onProgress({ words: wanted === undefined ? 'Looking for limbs' : 'Reading the skeleton', share: 0.1 });
  const { skeleton, clips } = await findRig();
  checkBudget(character, { bones: skeleton.boneCount });
  onProgress({ words: `Weighing ${surface.vertexCount} vertices on ${skeleton.boneCount} joints`, share: 0.3 });
  const binding = autoWeights(surface, skeleton, settings);
  onProgress({ words: 'Writing the character', share: 0.9 });
  const glb = await writeWeights(file!, binding, { skeleton, clips });
  return { name: source.name.replace(/\.[^.]+$/, '.glb'), glb, joints: skeleton.names };

  async function findRig() {
    if (wanted === undefined) return { skeleton: placeJoints(rigMesh(surface), joints), clips: [] };
    const { createDemo } = await import('@isoskin/demos');
    const rig = typeof wanted === 'string' ? createDemo(wanted) : await readRigFromBytes(wanted, { draco });
    return { skeleton: fitSkeleton(rig.skeleton, surface), clips: rig.clips };
  }
}

/** In place: joints elsewhere, the others where they were. A found skeleton has no rotations. */
function placeJoints(skeleton: Skeleton, joints: BindRequest['joints'] & object): Skeleton {
  const { names, parents, locals, inverseBinds } = skeleton;
  const points = names.map(
    (name, j) => joints[name] ?? Array.from(inverseBinds.slice(16 * j + 12, 16 * j + 15), (x) => -x),
  );
  points.forEach((point, j) => {
    for (let r = 0; r < 3; r++) {
      locals[POSE_STRIDE * j + r] = point[r]! - (points[parents[j]!]?.[r] ?? 0);
      inverseBinds[16 * j + 12 + r] = -point[r]!;
    }
  });
  return skeleton;
}

export interface WeighRequest {
  readonly source: SourceData;
  readonly settings: WeightSettings;
}

/** Weights from the skeleton that a character has. */
export async function weighCharacter(
  { source, settings }: WeighRequest,
  onProgress: (progress: JobProgress) => void,
): Promise<SkinWeights> {
  onProgress({ words: 'Reading the character', share: 0 });
  const { character, file } = await openSource(source);
  onProgress({ words: `Weighing ${character.surface.vertexCount} vertices`, share: 0.2 });
  const own = file && { bonesOfGroup: file.bonesOfGroup };
  return packWeights(autoWeights(character.surface, character.skeleton, { ...settings, ...own }));
}
