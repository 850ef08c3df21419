/**
 * three.js meshes as `createStillCharacter` takes them: one part per SkinnedMesh, one bone per different (bone, inverse) pair.
 *
 *   x̄ = s · bindMatrix · position        T̄_i⁻¹ = boneInverse_i · diag(1/s, 1/s, 1/s, 1)
 *
 * s  common scale of the joints in the present pose, so that rest volumes are those that are seen (as the glTF reader does).
 * Poses are read in *body space*: that of the first mesh, so that a character keeps its precision far from the origin.
 */

import type { CharacterInput, MorphInput, PartInput } from '@isoskin/core';
import { IsoskinError, measureBoneScales, measureCommonScale, POSE_STRIDE } from '@isoskin/core/runtime';
import type { AnimationClip, BufferAttribute, InterleavedBufferAttribute, Matrix4, Object3D, SkinnedMesh } from 'three';
import { describeMesh } from './describe-mesh.js';
import { getComponent } from './get-component.js';
import { listSkeletonNodes } from './list-skeleton-nodes.js';
import { measureBodySpace } from './measure-body-space.js';
import { measureBones } from './measure-bones.js';
import { readClips } from './read-clips.js';
import { readPose } from './read-pose.js';

/** Where a bone (or a morph target) of the character is found in any body with the same geometry. */
export interface Place {
  readonly mesh: number;
  readonly index: number;
}

export interface ReadMeshes {
  readonly input: CharacterInput;
  readonly bones: readonly Place[];
  /** Where the weight of every morph target is found. */
  readonly morphs: readonly Place[];
}

type Attribute = BufferAttribute | InterleavedBufferAttribute;

const INFLUENCES = 4;

/** @param animations clips that the plan is rehearsed on */
export function readSkinnedMeshes(
  meshes: readonly SkinnedMesh[],
  borderTolerance?: number,
  animations: readonly AnimationClip[] = [],
): ReadMeshes {
  for (const mesh of meshes) checkMesh(mesh);
  const { nodes, parents } = listSkeletonNodes(meshes);
  const nodeOf = new Map(nodes.map((node, n) => [node, n]));
  const { bones, inverses, boneOf } = listBones(meshes);
  const boneNodes = bones.map(({ mesh, index }) => nodeOf.get(meshes[mesh]!.skeleton.bones[index]!)!);

  const space = measureBodySpace(meshes[0]!);
  const matrices = new Float64Array(12 * bones.length);
  measureBones(matrices, meshes, bones, inverses, space);
  const scale = measureScale(matrices, bones.length);
  const inverseBinds = inverses.map((value, k) => (k % 16 < 12 ? value / scale : value));

  const groups = listGroups(meshes);
  const morphs: MorphInput[] = [];
  const morphPlaces: Place[] = [];
  const firstMorph = new Map<number, number>();
  const parts = meshes.map((mesh, m): PartInput => {
    const group = groups[m]!;
    const targets = mesh.geometry.morphAttributes.position?.length ?? 0;
    if (!firstMorph.has(group)) {
      firstMorph.set(group, morphs.length);
      for (let k = 0; k < targets; k++) {
        morphs.push({ name: nameMorph(mesh, k), group, weight: 0 });
        morphPlaces.push({ mesh: m, index: k });
      }
    }
    return readPart(mesh, m, group, boneOf[m]!, scale, firstMorph.get(group)!);
  });
  const locals = new Float64Array(POSE_STRIDE * nodes.length);
  readPose(locals, nodes, parents, space);
  const tolerance = borderTolerance ?? measureBorderTolerance(meshes);
  const clips = readClips(animations, {
    ...{ nodes, parents, space, meshes },
    morphs: meshes.map(({ geometry }, m) => ({
      first: firstMorph.get(groups[m]!)!,
      count: geometry.morphAttributes.position?.length ?? 0,
    })),
  });
  return {
    input: {
      name: meshes[0]!.name || 'body',
      parts,
      skeleton: { names: nodes.map(nameNode), parents, locals, boneNodes, inverseBinds },
      morphs,
      ...(tolerance > 0 && { borderTolerance: tolerance }),
      ...(clips.length > 0 && { clips }),
    },
    bones,
    morphs: morphPlaces,
  };
}

function checkMesh(mesh: SkinnedMesh): void {
  const { geometry, skeleton } = mesh;
  const place = describeMesh(mesh);
  if (!geometry?.attributes.position) {
    throw new IsoskinError('NO_POSITIONS', 'The geometry has no positions: load or build it first', place);
  }
  if (!geometry.attributes.skinIndex || !geometry.attributes.skinWeight) {
    const message = 'The geometry has no skinIndex or skinWeight: bind the model to a skeleton, or leave it out';
    throw new IsoskinError('NO_SKIN', message, place);
  }
  if (!skeleton?.bones.length || skeleton.bones.some((bone) => !bone)) {
    const message = 'The mesh hangs on no skeleton: call mesh.bind(skeleton) with all bones first';
    throw new IsoskinError('NO_SKELETON', message, place);
  }
}

/** All different (bone, inverse) pairs; `boneOf[mesh][skin index]` leads to them. */
function listBones(meshes: readonly SkinnedMesh[]) {
  const bones: Place[] = [];
  const inverses: number[] = [];
  const known = new Map<Object3D, number[]>();
  const boneOf = meshes.map(({ skeleton }, mesh) =>
    skeleton.bones.map((bone, index) => {
      const inverse = skeleton.boneInverses[index]!.elements;
      const same = known.get(bone)?.find((b) => inverse.every((value, k) => inverses[16 * b + k] === value));
      if (same !== undefined) return same;
      known.set(bone, [...(known.get(bone) ?? []), bones.length]);
      inverses.push(...inverse);
      return bones.push({ mesh, index }) - 1;
    }),
  );
  return { bones, inverses: Float64Array.from(inverses), boneOf };
}

/** Cube root of the median determinant; 1 where the joints are scaled to nothing. */
function measureScale(matrices: Float64Array, count: number): number {
  const scales = new Float64Array(count);
  measureBoneScales(scales, matrices, count);
  const scale = Math.cbrt(measureCommonScale(scales));
  if (!Number.isFinite(scale) || scale === 0) return 1;
  return Math.abs(Math.abs(scale) - 1) < 2e-6 ? Math.sign(scale) : scale; // f32 rounding is no scale
}

/**
 * Meshes that are one surface: the materials of one glTF mesh, which three.js loads as siblings in a Group of their own.
 * Vertices are welded across them; other meshes keep to themselves.
 */
function listGroups(meshes: readonly SkinnedMesh[]): number[] {
  const numbers = new Map<Object3D, number>();
  return meshes.map((mesh) => {
    const parent = mesh.parent as (Object3D & { isGroup?: boolean }) | null;
    const isOne =
      parent?.isGroup === true &&
      parent.children.length > 1 &&
      parent.children.every((child) => isSibling(child as SkinnedMesh, mesh, meshes));
    const owner = isOne ? parent : mesh;
    if (!numbers.has(owner)) numbers.set(owner, numbers.size);
    return numbers.get(owner)!;
  });
}

function isSibling(child: SkinnedMesh, mesh: SkinnedMesh, meshes: readonly SkinnedMesh[]): boolean {
  if (!meshes.includes(child)) return false;
  const targets = (m: SkinnedMesh) => m.geometry.morphAttributes.position?.length ?? 0;
  const [a, b] = [child.skeleton.bones, mesh.skeleton.bones];
  return targets(child) === targets(mesh) && a.length === b.length && a.every((bone, i) => bone === b[i]);
}

function readPart(
  mesh: SkinnedMesh,
  m: number,
  group: number,
  boneOf: number[],
  scale: number,
  firstMorph: number,
): PartInput {
  const { geometry, bindMatrix } = mesh;
  const { position, skinIndex, skinWeight } = geometry.attributes as Record<string, Attribute>;
  const positions = readVectors(position!, bindMatrix, 1);
  const bones = new Uint32Array(INFLUENCES * position!.count);
  const weights = new Float32Array(bones.length);
  for (let v = 0; v < position!.count; v++) {
    for (let k = 0; k < INFLUENCES && k < skinWeight!.itemSize; k++) {
      const weight = getComponent(skinWeight!, v, k);
      const bone = boneOf[getComponent(skinIndex!, v, k)];
      if (bone === undefined && weight > 0) {
        const message = `A vertex hangs on bone ${getComponent(skinIndex!, v, k)}, but the skeleton has ${boneOf.length}: bind the mesh to its own skeleton`;
        throw new IsoskinError('BONE_OUT_OF_RANGE', message, `${describeMesh(mesh)}, vertex ${v}`);
      }
      bones[INFLUENCES * v + k] = bone ?? 0; // an empty slot may say anything
      weights[INFLUENCES * v + k] = weight;
    }
  }
  const targets = geometry.morphAttributes.position ?? [];
  const deltas = targets.map((target) => {
    const values = readVectors(target, bindMatrix, geometry.morphTargetsRelative ? 0 : 1);
    return geometry.morphTargetsRelative ? values : values.map((value, i) => value - positions[i]!);
  });
  const paint = readPaint(geometry.attributes as Record<string, Attribute>);
  return {
    name: mesh.name || `mesh ${m + 1}`,
    group,
    positions,
    ...(geometry.index && { triangles: geometry.index.array }),
    bones,
    weights,
    influences: INFLUENCES,
    scale,
    ...(deltas.length > 0 && { morphs: { first: firstMorph, deltas } }),
    ...(paint.size > 0 && { paint }),
  };
}

/** matrix · attribute, #×3; w = 1 for points, 0 for vectors. Normalised and interleaved attributes come out as numbers. */
function readVectors(attribute: Attribute, { elements: m }: Matrix4, w: 0 | 1): Float64Array {
  const out = new Float64Array(3 * attribute.count);
  for (let v = 0; v < attribute.count; v++) {
    const [x, y, z] = [attribute.getX(v), attribute.getY(v), attribute.getZ(v)];
    for (let r = 0; r < 3; r++) out[3 * v + r] = m[r]! * x + m[4 + r]! * y + m[8 + r]! * z + m[12 + r]! * w;
  }
  return out;
}

/** `_ISOSKIN_GAMMA` and vertex colours, under the names that they have in a glTF file. */
function readPaint(attributes: Record<string, Attribute>): Map<string, Float32Array> {
  const paint = new Map<string, Float32Array>();
  const read = (attribute: Attribute, component: number) =>
    Float32Array.from({ length: attribute.count }, (_, v) => getComponent(attribute, v, component));
  for (const name of ['_ISOSKIN_GAMMA', '_ISOSKIN_SOFTNESS']) {
    const attribute = attributes[name.toLowerCase()] ?? attributes[name];
    if (attribute) paint.set(name, read(attribute, 0));
  }
  for (let c = 0; attributes.color && c < attributes.color.itemSize; c++) {
    paint.set(`COLOR_0.${'rgba'[c]}`, read(attributes.color, c));
  }
  return paint;
}

/** Seams of quantised positions can be a step apart: √3 of it, relative to the size. 0 for floats. */
function measureBorderTolerance(meshes: readonly SkinnedMesh[]): number {
  let tolerance = 0;
  for (const { geometry } of meshes) {
    const position = geometry.attributes.position as Attribute;
    const bytes = position.array.BYTES_PER_ELEMENT;
    if (position.array instanceof Float32Array || position.array instanceof Float64Array || bytes > 2) continue;
    const step = position.normalized ? 1 / (2 ** (8 * bytes - 1) - 1) : 1;
    if (!geometry.boundingBox) geometry.computeBoundingBox();
    const { min, max } = geometry.boundingBox!;
    tolerance = Math.max(tolerance, Math.min(1e-3, (1.8 * step) / min.distanceTo(max)));
  }
  return tolerance;
}

function nameMorph(mesh: SkinnedMesh, k: number): string {
  const name = Object.entries(mesh.morphTargetDictionary ?? {}).find(([, index]) => index === k);
  return name?.[0] ?? `target ${k}`;
}

function nameNode(node: Object3D, n: number): string {
  return node.name || `node ${n}`;
}
