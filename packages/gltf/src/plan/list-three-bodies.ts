/**
 * The bodies of a file as three.js's GLTFLoader and `preserveVolume` read them, so that a plan that is made here has the key that is asked for there. Where a file is read
 * otherwise than told here, keys differ and the runtime plans: nothing else can go wrong.
 *
 * Meshes in the order of the scene, those that share a bone are one body; one bone per different (joint, inverse) pair in the order of the skins; names without
 * what three.js takes out of them; four weights a vertex, scaled to a sum of 1.
 */
import type { Accessor, GLTF, Primitive } from '@gltf-transform/core';
import type { CharacterInput, MorphInput, PartInput } from '@isoskin/core';
import { POSE_STRIDE } from '@isoskin/core';
import type { ReadResult } from '../read-character-from-bytes.js';
import { createThreeNames, type ThreeNames } from './create-three-names.js';

interface SkinnedNode {
  readonly node: number;
  readonly mesh: number;
  readonly skin: number;
}

/** Why there are none, or the bodies. */
export type ThreeBodies = { readonly reason: string } | { readonly inputs: readonly CharacterInput[] };

export function listThreeBodies(read: ReadResult): ThreeBodies {
  const { json } = read.file;
  const order = listInSceneOrder(json);
  const reason = findReason(read, order);
  if (reason) return { reason };
  const names = createThreeNames(json, order);
  return { inputs: groupByJoints(json, order).map((nodes) => readBody(read, nodes, names)) };
}

function listInSceneOrder(json: GLTF.IGLTF): SkinnedNode[] {
  const out: SkinnedNode[] = [];
  const visit = (node: number): void => {
    const { mesh, skin, children = [] } = json.nodes![node]!;
    if (mesh !== undefined && skin !== undefined) out.push({ node, mesh, skin });
    children.forEach(visit);
  };
  json.scenes?.[json.scene ?? 0]?.nodes?.forEach(visit);
  return out;
}

/** What three.js reads in a way of its own. */
function findReason({ file: { json }, document }: ReadResult, order: readonly SkinnedNode[]): string | undefined {
  if (order.length === 0) return 'its default scene shows no skinned mesh';
  const all = order.flatMap(({ mesh }) => document.getRoot().listMeshes()[mesh]!.listPrimitives());
  if (json.nodes!.filter(({ mesh }) => order.some((one) => one.mesh === mesh)).length > order.length)
    return 'a skinned mesh stands in several places';
  if (all.some((primitive) => primitive.getMode() !== 4)) return 'a skinned mesh is not made of single triangles';
  if (all.some((primitive) => !(primitive.getAttribute('POSITION')?.getArray() instanceof Float32Array)))
    return 'its positions are quantised';
  if (all.some((primitive) => !primitive.getAttribute('JOINTS_0') || !primitive.getAttribute('WEIGHTS_0')))
    return 'a skinned mesh has no joints or no weights';
  if (all.some((primitive) => primitive.listTargets().some((target) => !target.getAttribute('POSITION'))))
    return 'a morph target has no positions';
  return undefined;
}

/** Those that share a joint, directly or through others. */
function groupByJoints(json: GLTF.IGLTF, order: readonly SkinnedNode[]): SkinnedNode[][] {
  let groups: { nodes: SkinnedNode[]; joints: Set<number> }[] = [];
  for (const one of order) {
    const { joints } = json.skins![one.skin]!;
    const [first, ...others] = groups.filter((group) => joints.some((joint) => group.joints.has(joint)));
    if (!first) {
      groups.push({ nodes: [one], joints: new Set(joints) });
      continue;
    }
    for (const other of [...others, { nodes: [one], joints: new Set(joints) }]) {
      first.nodes.push(...other.nodes);
      for (const joint of other.joints) first.joints.add(joint);
    }
    groups = groups.filter((group) => !others.includes(group));
  }
  return groups.map(({ nodes }) => nodes);
}

function readBody(read: ReadResult, list: readonly SkinnedNode[], names: ThreeNames): CharacterInput {
  const { json } = read.file;
  const meshes = read.document.getRoot().listMeshes();
  const scale = measureScale(read, list[0]!);
  const { boneOf, joints, inverses } = listBones(read, list);
  const { nodes, parents } = listNodes(json, list);
  const morphs: MorphInput[] = [];
  const parts: PartInput[] = [];
  let group = -1;
  for (const [n, { node, mesh }] of list.entries()) {
    const primitives = meshes[mesh]!.listPrimitives();
    // The primitives of a mesh are one surface, unless something else hangs on its node.
    const isOne = primitives.length > 1 && !json.nodes![node]!.children?.length;
    let first = 0;
    for (const [p, primitive] of primitives.entries()) {
      const targets = primitive.listTargets();
      if (p === 0 || !isOne) {
        first = morphs.length;
        group++;
        morphs.push(
          ...targets.map((_, k) => ({ name: nameTarget(json.meshes![mesh]!, targets.length, k), group, weight: 0 })),
        );
      }
      parts.push({
        name: names.meshes.get(node)![p]!,
        group,
        ...readSkin(primitive, boneOf[n]!),
        positions: readDoubles(primitive.getAttribute('POSITION')!),
        ...(primitive.getIndices() && { triangles: primitive.getIndices()!.getArray()! }),
        scale,
        ...(targets.length > 0 && {
          morphs: { first, deltas: targets.map((target) => readDoubles(target.getAttribute('POSITION')!)) },
        }),
        ...readPaint(primitive),
      });
    }
  }
  const places = new Map(nodes.map((node, i) => [node, i]));
  return {
    name: parts[0]!.name,
    parts,
    skeleton: {
      names: nodes.map((node, i) => names.nodes.get(node) || `node ${i}`),
      parents,
      locals: readLocals(read, nodes),
      boneNodes: joints.map((joint) => places.get(joint)!),
      inverseBinds: inverses.map((value, k) => (k % 16 < 12 ? value / scale : value)),
    },
    morphs,
  };
}

/** Of the joints beside the first mesh, which poses are read in. */
function measureScale({ boneSets, groupIndices, groups }: ReadResult, { node }: SkinnedNode): number {
  const g = groupIndices.indexOf(node);
  const m = groups[g]!.getWorldMatrix();
  const volume =
    m[0] * (m[5] * m[10] - m[9] * m[6]) - m[4] * (m[1] * m[10] - m[9] * m[2]) + m[8] * (m[1] * m[6] - m[5] * m[2]);
  const scale = boneSets[g]!.scale / Math.cbrt(volume);
  if (!Number.isFinite(scale) || scale === 0) return 1;
  return Math.abs(Math.abs(scale) - 1) < 2e-6 ? Math.sign(scale) : scale;
}

function listBones({ file: { json }, document }: ReadResult, list: readonly SkinnedNode[]) {
  const accessors = document.getRoot().listAccessors();
  const joints: number[] = [];
  const inverses: number[] = [];
  const known = new Map<string, number>();
  const boneOf = list.map(({ skin }) => {
    const { joints: own, inverseBindMatrices } = json.skins![skin]!;
    const matrices = inverseBindMatrices === undefined ? undefined : accessors[inverseBindMatrices]!.getArray()!;
    return own.map((joint, i) => {
      const inverse = Array.from({ length: 16 }, (_, k) => matrices?.[16 * i + k] ?? (k % 5 === 0 ? 1 : 0));
      const id = `${joint}:${inverse}`;
      if (!known.has(id)) {
        known.set(id, joints.push(joint) - 1);
        inverses.push(...inverse);
      }
      return known.get(id)!;
    });
  });
  return { boneOf, joints, inverses: Float64Array.from(inverses) };
}

/** The joints, and what stands between them. */
function listNodes({ nodes: all = [], skins }: GLTF.IGLTF, list: readonly SkinnedNode[]) {
  const joints = new Set(list.flatMap(({ skin }) => skins![skin]!.joints));
  const parentOf = new Map(all.flatMap(({ children = [] }, node) => children.map((child) => [child, node] as const)));
  const hasJointAbove = (node: number): boolean => {
    for (let above = parentOf.get(node); above !== undefined; above = parentOf.get(above))
      if (joints.has(above)) return true;
    return false;
  };
  const nodes: number[] = [];
  const parents: number[] = [];
  const add = (node: number): number => {
    if (nodes.includes(node)) return nodes.indexOf(node);
    const parent = hasJointAbove(node) ? add(parentOf.get(node)!) : -1;
    parents.push(parent);
    return nodes.push(node) - 1;
  };
  for (const joint of joints) add(joint);
  return { nodes, parents };
}

function readLocals({ document }: ReadResult, nodes: readonly number[]): Float64Array {
  const all = document.getRoot().listNodes();
  const locals = new Float64Array(POSE_STRIDE * nodes.length);
  for (const [i, node] of nodes.entries()) {
    const one = all[node]!;
    locals.set([...one.getTranslation(), ...one.getRotation(), ...one.getScale()], POSE_STRIDE * i);
  }
  return locals;
}

const INFLUENCES = 4;

/** The first set of joints, with weights as `normalizeSkinWeights` leaves them. */
function readSkin(
  primitive: Primitive,
  boneOf: readonly number[],
): Pick<PartInput, 'bones' | 'weights' | 'influences'> {
  const joints = primitive.getAttribute('JOINTS_0')!.getArray()!;
  const accessor = primitive.getAttribute('WEIGHTS_0')!;
  const weights = Float32Array.from(readDoubles(accessor));
  const steps = accessor.getNormalized() ? 2 ** (8 * accessor.getArray()!.BYTES_PER_ELEMENT) - 1 : 0;
  const read = readDoubles(accessor);
  for (let v = 0; v < read.length; v += INFLUENCES) {
    const sum = Math.abs(read[v]!) + Math.abs(read[v + 1]!) + Math.abs(read[v + 2]!) + Math.abs(read[v + 3]!);
    for (let k = v; k < v + INFLUENCES; k++) {
      const weight = sum > 0 ? read[k]! * (1 / sum) : k === v ? 1 : 0;
      weights[k] = steps > 0 ? Math.round(weight * steps) / steps : weight;
    }
  }
  return {
    bones: Uint32Array.from(joints as ArrayLike<number>, (joint) => boneOf[joint] ?? 0),
    weights,
    influences: INFLUENCES,
  };
}

/** As three.js unpacks them: normalised integers at full precision. */
function readDoubles(accessor: Accessor): Float64Array {
  const array = accessor.getArray()!;
  if (!accessor.getNormalized()) return Float64Array.from(array);
  const isSigned = array instanceof Int8Array || array instanceof Int16Array;
  const steps = 2 ** (8 * array.BYTES_PER_ELEMENT - (isSigned ? 1 : 0)) - 1;
  return Float64Array.from(array as ArrayLike<number>, (value) => Math.max(value / steps, -1));
}

function readPaint(primitive: Primitive): Pick<PartInput, 'paint'> {
  const paint = new Map<string, Float32Array>();
  const read = (accessor: Accessor, c: number): Float32Array => {
    const values = readDoubles(accessor);
    const width = accessor.getElementSize();
    return Float32Array.from({ length: values.length / width }, (_, v) => values[width * v + c]!);
  };
  for (const name of ['_ISOSKIN_GAMMA', '_ISOSKIN_SOFTNESS']) {
    const accessor = primitive.getAttribute(name);
    if (accessor) paint.set(name, read(accessor, 0));
  }
  const colour = primitive.getAttribute('COLOR_0');
  for (let c = 0; colour && c < colour.getElementSize(); c++) paint.set(`COLOR_0.${'rgba'[c]}`, read(colour, c));
  return paint.size > 0 ? { paint } : {};
}

function nameTarget({ extras }: GLTF.IMesh, count: number, k: number): string {
  const names = extras?.targetNames;
  return Array.isArray(names) && names.length === count ? `${names[k]}` : `${k}`;
}
