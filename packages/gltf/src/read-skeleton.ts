/**
 * A1. The skeleton of all deforming meshes: their joints and the joints' ancestors, and one bone for every different
 * (joint, inverse bind matrix) pair.
 *
 * The joints of a skin scale the bind shape by s = ∛ median_i det(T_i T̄_i⁻¹) in the default pose (negative: mirrored), so
 * rest positions are s · POSITION and the bones get T̄_i⁻¹ · diag(1/s, 1/s, 1/s, 1).
 */
import type { Document, GLTF, Node } from '@gltf-transform/core';
import { IsoskinError, POSE_STRIDE, type Skeleton, type Warning } from '@isoskin/core';
import {
  measureBoneMatrices,
  measureBoneScales,
  measureCommonScale,
  measureWorldMatrices,
} from '@isoskin/core/kernels';
import type { Deforming } from './find-deforming.js';
import { readNumbers } from './read-numbers.js';

export interface ReadSkeleton {
  readonly skeleton: Skeleton;
  /** Node of the file → node of the skeleton, −1 for others. */
  readonly skeletonNode: Int32Array;
  /** Node of the skeleton → node of the file. */
  readonly fileNodes: readonly number[];
  /** What each deforming mesh hangs on, in their order. */
  readonly bindings: readonly BoneSet[];
}

export interface BoneSet {
  /** World units per unit of POSITION. */
  readonly scale: number;
  /** Joint of the skin → bone. */
  readonly bones: Uint32Array;
}

/** Joint scales that differ by less than the rounding of f32 matrices are the same scale. */
const SAME_SCALE = 2e-6;
/** A matrix that TRS reproduces to this share of its largest entry has no shear. */
const SHEAR = 1e-5;

export function readSkeleton(
  json: GLTF.IGLTF,
  document: Document,
  deforming: readonly Deforming[],
  warnings: Warning[],
): ReadSkeleton {
  // One source of bones per skin, or per node of an unskinned mesh.
  const keys = deforming.map(({ skin, node }) => (skin === undefined ? `node ${node}` : `skin ${skin}`));
  const sources = new Map(deforming.map((d, i) => [keys[i]!, readBoneSource(json, document, d)]));
  const joints = [...sources.values()].flatMap((source) => source.joints);
  const { fileNodes, skeletonNode, parents } = orderNodes(json, joints);
  const { locals, fixedMatrices } = readLocals(json, document, fileNodes, warnings);
  const names = uniqueNames(fileNodes.map((n) => json.nodes![n]!.name || `node ${n}`));

  const raw: Skeleton = {
    nodeCount: fileNodes.length,
    names,
    parents,
    locals,
    fixedMatrices,
    boneCount: joints.length,
    boneNodes: Uint32Array.from(joints, (n) => skeletonNode[n]!),
    inverseBinds: Float64Array.from([...sources.values()].flatMap((source) => Array.from(source.inverseBinds))),
  };
  const world = new Float64Array(raw.nodeCount * 16);
  measureWorldMatrices(world, raw, locals);
  const matrices = new Float64Array(raw.boneCount * 12);
  measureBoneMatrices(matrices, raw, world);
  const determinants = new Float64Array(raw.boneCount);
  measureBoneScales(determinants, matrices, raw.boneCount);

  const boneNodes: number[] = [];
  const inverseBinds: number[] = [];
  const boneOf = new Map<string, number>();
  const sets = new Map<string, BoneSet>();
  const scales = [1, -1];
  let from = 0;
  for (const [key, { joints }] of sources) {
    const determinant = measureCommonScale(determinants.subarray(from, from + joints.length));
    const scale = chooseScale(determinant, scales, key, warnings);
    const bones = new Uint32Array(joints.length);
    for (let i = 0; i < joints.length; i++) {
      const node = raw.boneNodes[from + i]!;
      const bind = Array.from(raw.inverseBinds.subarray((from + i) * 16, (from + i + 1) * 16));
      for (let k = 0; k < 12; k++) bind[k]! /= scale;
      const id = `${node}:${bind}`;
      if (!boneOf.has(id)) {
        boneOf.set(id, boneNodes.push(node) - 1);
        inverseBinds.push(...bind);
      }
      bones[i] = boneOf.get(id)!;
    }
    sets.set(key, { scale, bones });
    from += joints.length;
  }
  return {
    skeleton: {
      ...raw,
      boneCount: boneNodes.length,
      boneNodes: Uint32Array.from(boneNodes),
      inverseBinds: Float64Array.from(inverseBinds),
    },
    skeletonNode,
    fileNodes,
    bindings: keys.map((key) => sets.get(key)!),
  };
}

/** The scale of a determinant; one of the `known` when it is the same but for rounding, so that equal bones stay equal. */
function chooseScale(determinant: number, known: number[], place: string, warnings: Warning[]): number {
  const scale = Math.cbrt(determinant);
  if (Number.isFinite(scale) && scale !== 0) {
    const same = known.find((other) => Math.abs(scale / other - 1) < SAME_SCALE);
    if (same === undefined) known.push(scale);
    return same ?? scale;
  }
  if (scale !== 0) return 1; // not finite: createCharacter says which matrix is at fault
  const message = 'The joints are scaled to nothing in the default pose; rest volumes are those of the bind shape';
  warnings.push({ code: 'JOINT_SCALE_ZERO', message, place });
  return 1;
}

interface BoneSource {
  readonly joints: readonly number[];
  /** #joints×16. */
  readonly inverseBinds: Float64Array;
}

function readBoneSource(json: GLTF.IGLTF, document: Document, deforming: Deforming): BoneSource {
  const skin = deforming.skin === undefined ? undefined : json.skins![deforming.skin]!;
  const joints = skin?.joints ?? [deforming.node];
  const inverseBinds = new Float64Array(joints.length * 16);
  if (skin?.inverseBindMatrices === undefined) {
    for (let k = 0; k < inverseBinds.length; k++) inverseBinds[k] = (k % 16) % 5 === 0 ? 1 : 0;
    return { joints, inverseBinds };
  }
  const place = `skins[${deforming.skin}].inverseBindMatrices`;
  const numbers = readNumbers(document.getRoot().listAccessors()[skin.inverseBindMatrices]!, 16, place);
  if (numbers.length < inverseBinds.length) {
    const message = `Has ${numbers.length / 16} matrices for ${joints.length} joints: the file is damaged, export it again`;
    throw new IsoskinError('INVERSE_BIND_COUNT', message, place);
  }
  inverseBinds.set(numbers.subarray(0, inverseBinds.length));
  return { joints, inverseBinds };
}

/** The joints and all their ancestors, parents first. */
function orderNodes(json: GLTF.IGLTF, joints: readonly number[]) {
  const nodes = json.nodes!;
  const fileParents = new Int32Array(nodes.length).fill(-1);
  nodes.forEach((node, i) => {
    for (const child of node.children ?? []) fileParents[child] = i;
  });
  const wanted = new Uint8Array(nodes.length);
  for (const joint of joints) for (let n = joint; n >= 0 && !wanted[n]; n = fileParents[n]!) wanted[n] = 1;

  const fileNodes: number[] = [];
  const skeletonNode = new Int32Array(nodes.length).fill(-1);
  for (let root = 0; root < nodes.length; root++) {
    if (!wanted[root] || fileParents[root]! >= 0) continue;
    const stack = [root];
    while (stack.length > 0) {
      const n = stack.pop()!;
      skeletonNode[n] = fileNodes.push(n) - 1;
      const children = nodes[n]!.children ?? [];
      for (let i = children.length - 1; i >= 0; i--) if (wanted[children[i]!]) stack.push(children[i]!);
    }
  }
  const parents = Int32Array.from(fileNodes, (n) => (fileParents[n]! < 0 ? -1 : skeletonNode[fileParents[n]!]!));
  return { fileNodes, skeletonNode, parents };
}

function readLocals(json: GLTF.IGLTF, document: Document, fileNodes: readonly number[], warnings: Warning[]) {
  const locals = new Float64Array(fileNodes.length * POSE_STRIDE);
  const fixedMatrices = new Map<number, Float64Array>();
  const nodes = document.getRoot().listNodes();
  const animated = new Set<number | undefined>();
  for (const { channels } of json.animations ?? []) {
    for (const { target } of channels ?? []) if (target.path !== 'weights') animated.add(target.node);
  }
  fileNodes.forEach((n, i) => {
    const node = nodes[n]!;
    const { matrix } = json.nodes![n]!;
    if (matrix && !isComposed(node, matrix)) {
      const place = `nodes[${n}]`;
      if (!node.getRotation().every(Number.isFinite)) node.setRotation([0, 0, 0, 1]);
      if (animated.has(n)) {
        const message = 'The matrix of an animated node is sheared; translation, rotation and scale alone are kept';
        warnings.push({ code: 'SHEAR_LOST', message, place });
      } else {
        fixedMatrices.set(i, Float64Array.from(matrix));
        const message = 'The matrix of a node is sheared; it is kept here, other programs may lose it';
        warnings.push({ code: 'SHEAR', message, place });
      }
    }
    locals.set([...node.getTranslation(), ...node.getRotation(), ...node.getScale()], i * POSE_STRIDE);
  });
  return { locals, fixedMatrices };
}

/** glTF-Transform keeps only translation, rotation and scale: do they give the matrix back? */
function isComposed(node: Node, matrix: readonly number[]): boolean {
  const composed = node.getMatrix();
  let largest = 0;
  for (let k = 0; k < 12; k++) largest = Math.max(largest, Math.abs(matrix[k]!));
  return composed.every((value, k) => k > 11 || Math.abs(value - matrix[k]!) <= SHEAR * largest);
}

function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  const seen = new Map<string, number>();
  return names.map((name) => {
    let copy = seen.get(name) ?? 0;
    let unique = name;
    while (copy > 0 && taken.has(unique)) unique = `${name} (${++copy})`;
    seen.set(name, Math.max(copy, 1));
    taken.add(unique);
    return unique;
  });
}
