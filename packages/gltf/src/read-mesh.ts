/**
 * A mesh file opened to be bound to a skeleton: its triangles as a welded surface, whether it has a skin or not, and a way to
 * write it back with new weights and everything else that is in it. And the skeleton of a file, with or without a mesh.
 */
import { basename, extname } from 'node:path';
import {
  type Accessor,
  type Document,
  type GLTF,
  Logger,
  type Node,
  type Primitive,
  WebIO,
} from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import {
  type Binding,
  type Character,
  type Clip,
  createCharacter,
  IsoskinError,
  type PartInput,
  POSE_STRIDE,
  type Skeleton,
  type SkeletonInput,
  type Warning,
} from '@isoskin/core';
import { type Deforming, findDeforming } from './find-deforming.js';
import { createDracoDecoder, type LoadOptions, loadModel, resolveLoaded } from './load-model.js';
import { measureBorderTolerance } from './measure-border-tolerance.js';
import { openDocument } from './open-document.js';
import { type BoneSet, planSkeleton } from './plan-skeleton.js';
import { readClips } from './read-clips.js';
import { type PartSource, readParts } from './read-parts.js';

export interface MeshFile {
  /** The surface, with the file's own skeleton, weights and clips. Without a skin: rigid, at its place in the scene. */
  readonly character: Character;
  readonly skinned: boolean;
  /** Bones that the skin of each group lists, for `autoWeights`. */
  readonly bonesOfGroup: readonly (readonly number[])[];
  /** The file as a .glb with these weights; `rig` is the skeleton that they belong to, if it is not the file's own. */
  write(binding: Binding, rig?: Rig): Promise<Uint8Array>;
}

/** A skeleton and what moves it. */
export interface Rig {
  readonly skeleton: Skeleton;
  readonly clips: readonly Clip[];
}

/** Reads the meshes of a .glb or .gltf: the skinned ones or, if there is none, all. */
export async function readMesh(path: string, options: LoadOptions = {}): Promise<MeshFile> {
  const { json, document, warnings } = await openFile(path, options);
  const skinned = json.nodes?.some(({ mesh, skin }) => mesh !== undefined && skin !== undefined) ?? false;
  const deforming = skinned ? findDeforming(json, warnings) : listMeshNodes(json);
  const plan = planSkeleton(json, document, deforming, warnings);
  const { parts, sources, morphs, firstMorph } = readParts(json, document, deforming, plan.bindings, warnings);
  const clips = skinned ? readClips(json, document, deforming, firstMorph, plan.skeletonNode, warnings) : [];
  const isQuantised = (p: number) =>
    !(sources[p]!.primitive.getAttribute('POSITION')!.getArray() instanceof Float32Array);
  const borderTolerance = measureBorderTolerance(parts, isQuantised);
  const character = createCharacter({
    name: basename(path, extname(path)),
    parts: skinned ? parts : parts.map((part, p) => placePart(part, sources[p]!.node)),
    skeleton: plan.input,
    morphs: skinned ? morphs : [],
    clips,
    warnings,
    ...(borderTolerance !== undefined && { borderTolerance }),
  });
  const nodes = document.getRoot().listNodes();
  const groups = deforming.map(({ node }, g) => ({ node: nodes[node]!, binding: plan.bindings[g]!, skinned }));
  return {
    character,
    skinned,
    bonesOfGroup: plan.bindings.map(({ bones }) => Array.from(new Set(bones))),
    write: (binding, rig) => writeBound(document, character, sources, groups, binding, rig),
  };
}

/** Reads the skeleton of a file: that of its largest skin or, without any skin, all its nodes in their default pose. */
export async function readRig(path: string, options: LoadOptions = {}): Promise<Rig> {
  const { json, document, warnings } = await openFile(path, options);
  if (!json.skins?.length) {
    const joints = json.nodes?.flatMap(({ mesh, camera }, n) =>
      mesh === undefined && camera === undefined ? [n] : [],
    );
    if (!joints?.length) {
      const message = `"${path}" holds no skeleton: give a file with joints, or --demo-skeleton`;
      throw new IsoskinError('SKELETON_MISSING', message);
    }
    json.skins = [{ joints }];
  }
  const sizes = json.skins.map(({ joints }) => joints.length);
  const skin = sizes.indexOf(Math.max(...sizes));
  const plan = planSkeleton(json, document, [{ node: 0, mesh: 0, skin, targets: 0 }], warnings);
  const clips = readClips(json, document, [], [], plan.skeletonNode, warnings);
  return { skeleton: createSkeleton(plan.input), clips };
}

function createSkeleton(input: SkeletonInput): Skeleton {
  return {
    nodeCount: input.names.length,
    names: input.names,
    parents: Int32Array.from(input.parents),
    locals: input.locals,
    fixedMatrices: input.fixedMatrices ?? new Map(),
    boneCount: input.boneNodes.length,
    boneNodes: Uint32Array.from(input.boneNodes),
    inverseBinds: input.inverseBinds,
  };
}

async function openFile(path: string, options: LoadOptions) {
  const warnings: Warning[] = [];
  const model = await loadModel(path, options);
  const settings = { resolve: (file: string) => resolveLoaded(model, file), draco: createDracoDecoder, ...options };
  return { ...(await openDocument(model.bytes, settings, warnings)), warnings };
}

function createIo(): WebIO {
  return new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT)).registerExtensions(ALL_EXTENSIONS);
}

function listMeshNodes(json: GLTF.IGLTF): Deforming[] {
  const found = (json.nodes ?? []).flatMap(({ mesh }, node) =>
    mesh === undefined ? [] : [{ node, mesh, targets: 0 }],
  );
  if (found.length > 0) return found;
  throw new IsoskinError('EMPTY_MESH', 'The model holds no mesh: export it with its mesh');
}

/** The part where its node puts it in the scene. */
function placePart({ morphs: _, ...part }: PartInput, node: Node): PartInput {
  const m = node.getWorldMatrix();
  const mirrored =
    m[0] * (m[5] * m[10] - m[9] * m[6]) - m[4] * (m[1] * m[10] - m[9] * m[2]) + m[8] * (m[1] * m[6] - m[5] * m[2]) < 0;
  // A scale of −1 tells createCharacter to wind the triangles the other way.
  const scale = mirrored ? -1 : 1;
  const positions = new Float64Array(part.positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    for (let r = 0; r < 3; r++) {
      positions[i + r] =
        scale *
        (m[r]! * part.positions[i]! +
          m[4 + r]! * part.positions[i + 1]! +
          m[8 + r]! * part.positions[i + 2]! +
          m[12 + r]!);
    }
  }
  return { ...part, positions, scale };
}

interface Group {
  readonly node: Node;
  readonly binding: BoneSet;
  readonly skinned: boolean;
}

async function writeBound(
  document: Document,
  character: Character,
  sources: readonly PartSource[],
  groups: readonly Group[],
  binding: Binding,
  rig: Rig | undefined,
): Promise<Uint8Array> {
  const root = document.getRoot();
  const buffer = root.listBuffers()[0] ?? document.createBuffer();
  const joints = rig && addSkeleton(document, rig.skeleton);
  const written = new Set<Primitive>();
  groups.forEach(({ node, binding: own, skinned }, g) => {
    if (rig && joints) {
      const bind = skinned
        ? [own.scale, 0, 0, 0, 0, own.scale, 0, 0, 0, 0, own.scale, 0, 0, 0, 0, 1]
        : node.getWorldMatrix();
      const skin = document.createSkin(rig.skeleton.names[rig.skeleton.boneNodes[0]!] ?? 'skin');
      for (const bone of rig.skeleton.boneNodes) skin.addJoint(joints[bone]!);
      const matrices = createBindMatrices(rig.skeleton, bind);
      node.setSkin(skin.setInverseBindMatrices(createAccessor('MAT4', matrices)));
    }
    // A mesh that several nodes show gets weights for each of them.
    const copies = new Map<Primitive, Primitive>();
    if (
      node
        .getMesh()!
        .listPrimitives()
        .some((primitive) => written.has(primitive))
    ) {
      const mesh = node.getMesh()!.clone();
      for (const primitive of mesh.listPrimitives()) {
        const copy = primitive.clone();
        copies.set(primitive, copy);
        mesh.removePrimitive(primitive).addPrimitive(copy);
      }
      node.setMesh(mesh);
    }
    const count = rig ? rig.skeleton.boneCount : own.bones.length;
    const jointOf = rig ? (bone: number) => bone : (bone: number) => own.bones.indexOf(bone);
    character.parts.forEach((part, p) => {
      if (part.group !== g) return;
      const primitive = copies.get(sources[p]!.primitive) ?? sources[p]!.primitive;
      written.add(primitive);
      for (const semantic of primitive.listSemantics()) {
        if (/^(JOINTS|WEIGHTS)_\d+$/.test(semantic)) primitive.setAttribute(semantic, null);
      }
      for (let set = 0; set === 0 || 4 * set < binding.maxInfluences; set++) {
        const indices = new (count <= 256 ? Uint8Array : Uint16Array)(4 * part.vertexCount);
        const weights = new Float32Array(4 * part.vertexCount);
        for (let v = 0; v < part.vertexCount; v++) {
          const end = binding.offsets[part.welded[v]! + 1]!;
          for (let k = 0, n = binding.offsets[part.welded[v]!]! + 4 * set; k < 4 && n < end; k++, n++) {
            indices[4 * v + k] = jointOf(binding.bones[n]!);
            weights[4 * v + k] = binding.weights[n]!;
          }
        }
        primitive.setAttribute(`JOINTS_${set}`, createAccessor('VEC4', indices));
        primitive.setAttribute(`WEIGHTS_${set}`, createAccessor('VEC4', weights));
      }
    });
  });
  if (rig && joints) addClips(rig.clips, joints);
  // A .glb has one buffer; what nothing uses any more is left out.
  for (const accessor of root.listAccessors()) {
    if (accessor.listParents().every((parent) => parent === root)) accessor.dispose();
    else accessor.setBuffer(buffer);
  }
  for (const skin of root.listSkins()) if (skin.listParents().every((parent) => parent === root)) skin.dispose();
  for (const other of root.listBuffers()) if (other !== buffer) other.dispose();
  return createIo().writeBinary(document);

  function createAccessor(type: string, array: Float32Array | Uint8Array | Uint16Array): Accessor {
    return document
      .createAccessor()
      .setType(type as ReturnType<Accessor['getType']>)
      .setArray(array as Parameters<Accessor['setArray']>[0])
      .setBuffer(buffer);
  }

  function addClips(clips: readonly Clip[], nodes: readonly Node[]): void {
    for (const clip of clips) {
      const channels = clip.channels.filter(({ path }) => path !== 'weights');
      if (channels.length === 0) continue;
      const animation = document.createAnimation(clip.name);
      for (const { target, path, interpolation, times, values } of channels) {
        const sampler = document
          .createAnimationSampler()
          .setInterpolation(interpolation)
          .setInput(createAccessor('SCALAR', Float32Array.from(times)))
          .setOutput(createAccessor(path === 'rotation' ? 'VEC4' : 'VEC3', Float32Array.from(values)));
        const channel = document.createAnimationChannel().setTargetNode(nodes[target]!).setTargetPath(path);
        animation.addSampler(sampler).addChannel(channel.setSampler(sampler));
      }
    }
  }
}

/** The skeleton's nodes in the scene of the document. */
function addSkeleton(document: Document, skeleton: Skeleton): Node[] {
  const [sheared] = skeleton.fixedMatrices.keys();
  if (sheared !== undefined) {
    const message =
      'A sheared node cannot be written as glTF translation, rotation and scale: freeze its transform first';
    throw new IsoskinError('SHEAR', message, skeleton.names[sheared]);
  }
  const root = document.getRoot();
  const scene = root.getDefaultScene() ?? root.listScenes()[0] ?? document.createScene();
  // glTF wants one common root of all joints.
  const roots = skeleton.parents.filter((parent) => parent < 0).length;
  const top = roots > 1 ? document.createNode('skeleton') : scene;
  if (top !== scene) scene.addChild(top as Node);
  const nodes: Node[] = [];
  for (let n = 0; n < skeleton.nodeCount; n++) {
    const [x, y, z, qx, qy, qz, qw, sx, sy, sz] = skeleton.locals.subarray(n * POSE_STRIDE) as unknown as number[];
    const node = document
      .createNode(skeleton.names[n]!)
      .setTranslation([x!, y!, z!])
      .setRotation([qx!, qy!, qz!, qw!])
      .setScale([sx!, sy!, sz!]);
    (skeleton.parents[n]! < 0 ? top : nodes[skeleton.parents[n]!]!).addChild(node);
    nodes.push(node);
  }
  return nodes;
}

/** T̄⁻¹ · bind of every bone, column-major: from the mesh's own coordinates to the joint. */
function createBindMatrices({ inverseBinds, boneCount }: Skeleton, bind: ArrayLike<number>): Float32Array {
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
