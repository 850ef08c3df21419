/** A mesh file with new skin weights, for its own skeleton or one from elsewhere; everything else in it stays as it is. */
import type { GLTF, Node } from '@gltf-transform/core';
import { type Binding, type Character, POSE_STRIDE, type Skeleton } from '@isoskin/core';
import { judgeBytes } from './judge/judge-bytes.js';
import { listUnused, zeroNumbers } from './mend-numbers.js';
import { appendAccessor } from './patch/append-accessor.js';
import { copyFile, type GltfFile } from './patch/gltf-file.js';
import { ownMesh, primitiveOf, setAttribute } from './patch/own-mesh.js';
import { appendTimes } from './patch/weight-track.js';
import { writeGlb } from './patch/write-glb.js';
import type { BoneSet } from './plan-skeleton.js';
import type { Rig } from './read-mesh.js';
import type { PartSource } from './read-parts.js';

export interface BoundGroup {
  /** Number of its node in the file. */
  readonly index: number;
  readonly node: Node;
  readonly binding: BoneSet;
  readonly skinned: boolean;
}

export async function writeBound(
  opened: GltfFile,
  character: Character,
  sources: readonly PartSource[],
  groups: readonly BoundGroup[],
  binding: Binding,
  rig: Rig | undefined,
): Promise<Uint8Array> {
  const file = copyFile(opened);
  const { json } = file;
  const joints = rig && addSkeleton(json, rig.skeleton);
  const written = new Set<number>();
  groups.forEach(({ index, node, binding: own, skinned }, g) => {
    if (rig && joints) {
      const scaled = [own.scale, 0, 0, 0, 0, own.scale, 0, 0, 0, 0, own.scale, 0, 0, 0, 0, 1];
      const array = createBindMatrices(rig.skeleton, skinned ? scaled : node.getWorldMatrix());
      const inverseBindMatrices = appendAccessor(file, { type: 'MAT4', array, usage: 'bind' });
      const name = rig.skeleton.names[rig.skeleton.boneNodes[0]!] ?? 'skin';
      const list = Array.from(rig.skeleton.boneNodes, (bone) => joints[bone]!);
      json.nodes![index]!.skin = (json.skins ??= []).push({ name, joints: list, inverseBindMatrices }) - 1;
    }
    // A mesh that several nodes show gets weights for each of them.
    const mesh = written.has(json.nodes![index]!.mesh!) ? ownMesh(file, index) : json.nodes![index]!.mesh!;
    written.add(mesh);
    const count = rig ? rig.skeleton.boneCount : own.bones.length;
    const jointOf = rig ? (bone: number) => bone : (bone: number) => own.bones.indexOf(bone);
    character.parts.forEach((part, p) => {
      if (part.group !== g) return;
      writeWeights(file, primitiveOf(file, mesh, sources[p]!.primitiveIndex), part.welded, binding, count, jointOf);
    });
  });
  if (rig && joints) addClips(file, rig, joints);
  const { file: clean, mended } = zeroNumbers(file, listUnused(file));
  const glb = await writeGlb(clean);
  await judgeBytes(zeroNumbers(opened, mended).file, glb, ['targets', 'skinWeights', 'rig']);
  return glb;
}

function writeWeights(
  file: GltfFile,
  primitive: GLTF.IMeshPrimitive,
  welded: Uint32Array,
  binding: Binding,
  boneCount: number,
  jointOf: (bone: number) => number,
): void {
  for (const semantic of Object.keys(primitive.attributes)) {
    if (/^(JOINTS|WEIGHTS)_\d+$/.test(semantic)) setAttribute(primitive, semantic, undefined);
  }
  for (let set = 0; set === 0 || 4 * set < binding.maxInfluences; set++) {
    const indices = new (boneCount <= 256 ? Uint8Array : Uint16Array)(4 * welded.length);
    const weights = new Float32Array(4 * welded.length);
    for (let v = 0; v < welded.length; v++) {
      const end = binding.offsets[welded[v]! + 1]!;
      for (let k = 0, n = binding.offsets[welded[v]!]! + 4 * set; k < 4 && n < end; k++, n++) {
        indices[4 * v + k] = jointOf(binding.bones[n]!);
        weights[4 * v + k] = binding.weights[n]!;
      }
    }
    const append = (array: Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Float32Array<ArrayBuffer>) =>
      appendAccessor(file, { type: 'VEC4', array, usage: 'vertex' });
    setAttribute(primitive, `JOINTS_${set}`, append(indices));
    setAttribute(primitive, `WEIGHTS_${set}`, append(weights));
  }
}

function addClips(file: GltfFile, { clips }: Rig, nodes: readonly number[]): void {
  for (const clip of clips) {
    const channels = clip.channels.filter(({ path }) => path !== 'weights');
    if (channels.length === 0) continue;
    (file.json.animations ??= []).push({
      name: clip.name,
      samplers: channels.map(({ path, interpolation, times, values }) => ({
        input: appendTimes(file, Float32Array.from(times)),
        output: appendAccessor(file, {
          type: path === 'rotation' ? 'VEC4' : 'VEC3',
          array: Float32Array.from(values),
          usage: 'values',
        }),
        interpolation,
      })),
      channels: channels.map(({ target, path }, sampler) => ({ sampler, target: { node: nodes[target]!, path } })),
    });
  }
}

/** The skeleton's nodes in the default scene of the file, or the first, or a new one. */
function addSkeleton(json: GLTF.IGLTF, skeleton: Skeleton): number[] {
  const nodes = (json.nodes ??= []);
  json.scenes ??= [];
  if (json.scenes.length === 0) {
    json.scenes.push({ nodes: [] });
    json.scene ??= 0;
  }
  const scene = json.scenes[json.scene ?? 0]!;
  // glTF wants one common root of all joints.
  const hasMany = skeleton.parents.filter((parent) => parent < 0).length > 1;
  const top: GLTF.INode | undefined = hasMany ? { name: 'skeleton', children: [] } : undefined;
  if (top) scene.nodes = [...(scene.nodes ?? []), nodes.push(top) - 1];
  const placed: number[] = [];
  for (let n = 0; n < skeleton.nodeCount; n++) {
    const local = Array.from(skeleton.locals.subarray(n * POSE_STRIDE, (n + 1) * POSE_STRIDE));
    const matrix = skeleton.fixedMatrices.get(n);
    const index = nodes.push({
      name: skeleton.names[n]!,
      ...(matrix
        ? { matrix: Array.from(matrix) }
        : { translation: local.slice(0, 3), rotation: local.slice(3, 7), scale: local.slice(7, 10) }),
    });
    placed.push(index - 1);
    const parent = skeleton.parents[n]!;
    const above = parent < 0 ? top : nodes[placed[parent]!]!;
    if (above) above.children = [...(above.children ?? []), index - 1];
    else scene.nodes = [...(scene.nodes ?? []), index - 1];
  }
  return placed;
}

/** T̄⁻¹ · bind of every bone, column-major: from the mesh's own coordinates to the joint. */
function createBindMatrices({ inverseBinds, boneCount }: Skeleton, bind: ArrayLike<number>): Float32Array<ArrayBuffer> {
  const out = new Float32Array(16 * boneCount);
  for (let i = 0; i < out.length; i += 16) {
    for (let c = 0; c < 4; c++) {
      for (let r = 0; r < 4; r++) {
        let sum = 0;
        for (let k = 0; k < 4; k++) sum += inverseBinds[i + 4 * k + r]! * bind[4 * c + k]!;
        out[i + 4 * c + r] = sum;
      }
    }
  }
  return out;
}
