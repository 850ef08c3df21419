/** A file with new skin weights, for its own skeleton or one from elsewhere; everything else in it stays as it is. */

import type { Skeleton } from '@isoskin/core';
import type { Binding } from '@isoskin/core/mesh';
import { judgeBytes } from './judge/judge-bytes.js';
import { listUnused, zeroNumbers } from './mend-numbers.js';
import { addClips, addInfluences, addSkeleton } from './patch/add-rig.js';
import { appendAccessor } from './patch/append-accessor.js';
import { copyFile } from './patch/gltf-file.js';
import { ownMesh, primitiveOf, setAttribute } from './patch/own-mesh.js';
import { writeGlb } from './patch/write-glb.js';
import type { ReadResult } from './read-character-from-bytes.js';
import type { Rig } from './read-rig.js';

/** @param rig the skeleton that the weights belong to, if it is not the file's own. */
export async function writeWeights(read: ReadResult, binding: Binding, rig?: Rig): Promise<Uint8Array<ArrayBuffer>> {
  const { character, sources, groups, groupIndices, boneSets, isSkinned } = read;
  const file = copyFile(read.file);
  const { json } = file;
  const joints = rig && addSkeleton(json, rig.skeleton, 'skeleton');
  const written = new Set<number>();
  groupIndices.forEach((index, g) => {
    const { scale, bones } = boneSets[g]!;
    if (rig && joints) {
      const scaled = [scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, 1];
      const array = createBindMatrices(rig.skeleton, isSkinned ? scaled : groups[g]!.getWorldMatrix());
      const inverseBindMatrices = appendAccessor(file, { type: 'MAT4', array, usage: 'bind' });
      const name = rig.skeleton.names[rig.skeleton.boneNodes[0]!] ?? 'skin';
      const list = Array.from(rig.skeleton.boneNodes, (bone) => joints[bone]!);
      json.nodes![index]!.skin = (json.skins ??= []).push({ name, joints: list, inverseBindMatrices }) - 1;
    }
    // A mesh that several nodes show gets weights for each of them.
    const mesh = written.has(json.nodes![index]!.mesh!) ? ownMesh(file, index) : json.nodes![index]!.mesh!;
    written.add(mesh);
    character.parts.forEach((part, p) => {
      if (part.group !== g) return;
      const primitive = primitiveOf(file, mesh, sources[p]!.primitiveIndex);
      for (const semantic of Object.keys(primitive.attributes)) {
        if (/^(JOINTS|WEIGHTS)_\d+$/.test(semantic)) setAttribute(primitive, semantic, undefined);
      }
      const influences = rig
        ? addInfluences(file, binding, part.welded, rig.skeleton.boneCount)
        : addInfluences(file, binding, part.welded, bones.length, (bone) => bones.indexOf(bone));
      for (const [semantic, accessor] of Object.entries(influences)) setAttribute(primitive, semantic, accessor);
    });
  });
  if (rig && joints) {
    addClips(file, rig.clips, ({ path, target }) => (path === 'weights' ? undefined : joints[target]));
  }
  const { file: clean, mended } = zeroNumbers(file, listUnused(file));
  const glb = await writeGlb(clean);
  await judgeBytes(zeroNumbers(read.file, mended).file, glb, ['targets', 'skinWeights', 'rig']);
  return glb;
}

/** T̄⁻¹ · bind of every bone, column-major: from the mesh's own coordinates to the joint. */
function createBindMatrices({ inverseBinds, boneCount }: Skeleton, bind: ArrayLike<number>): Float32Array<ArrayBuffer> {
  const out = new Float32Array(16 * boneCount);
  for (let i = 0; i < out.length; i++) {
    const [at, c, r] = [i - (i % 16), Math.floor((i % 16) / 4), i % 4];
    for (let k = 0; k < 4; k++) out[i]! += inverseBinds[at + 4 * k + r]! * bind[4 * c + k]!;
  }
  return out;
}
