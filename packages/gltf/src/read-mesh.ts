/**
 * A mesh file opened to be bound to a skeleton: its triangles as a welded surface, whether it has a skin or not, and a way to
 * write it back with new weights and everything else that is in it. And the skeleton of a file, with or without a mesh.
 */
import type { GLTF, Node } from '@gltf-transform/core';
import {
  type Binding,
  type Character,
  type Clip,
  createCharacter,
  IsoskinError,
  type PartInput,
  type Skeleton,
  type SkeletonInput,
  type Warning,
} from '@isoskin/core';
import { type Deforming, findDeforming } from './find-deforming.js';
import { createDracoDecoder, type LoadedModel, type LoadOptions, loadModel, resolveLoaded } from './load-model.js';
import { measureBorderTolerance } from './measure-border-tolerance.js';
import { openDocument } from './open-document.js';
import { planSkeleton } from './plan-skeleton.js';
import { explainUnreadable } from './read-character-from-bytes.js';
import { readClips } from './read-clips.js';
import { readParts } from './read-parts.js';
import { writeBound } from './write-bound.js';

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

/** Reads the meshes of a .glb or .gltf, at a path or loaded: the skinned ones or, if there is none, all. */
export function readMesh(source: string | LoadedModel, options: LoadOptions = {}): Promise<MeshFile> {
  return explainUnreadable(async () =>
    openMesh(typeof source === 'string' ? await loadModel(source, options) : source, options),
  );
}

async function openMesh(model: LoadedModel, options: LoadOptions): Promise<MeshFile> {
  const { json, document, file, compression, warnings } = await openFile(model, options);
  const skinned = json.nodes?.some(({ mesh, skin }) => mesh !== undefined && skin !== undefined) ?? false;
  const deforming = skinned ? findDeforming(json, warnings) : listMeshNodes(json);
  const plan = planSkeleton(json, document, deforming, warnings);
  const { parts, sources, morphs, firstMorph } = readParts(json, document, deforming, plan.bindings, warnings);
  const clips = skinned ? readClips(json, document, deforming, firstMorph, plan.skeletonNode, warnings) : [];
  const isQuantised = (p: number) =>
    compression.draco || !(sources[p]!.primitive.getAttribute('POSITION')!.getArray() instanceof Float32Array);
  const borderTolerance = measureBorderTolerance(parts, isQuantised);
  const character = createCharacter({
    name: model.name,
    parts: skinned ? parts : parts.map((part, p) => placePart(part, sources[p]!.node)),
    skeleton: plan.input,
    morphs: skinned ? morphs : [],
    clips,
    warnings,
    ...(borderTolerance !== undefined && { borderTolerance }),
  });
  const nodes = document.getRoot().listNodes();
  const groups = deforming.map(({ node }, g) => ({
    index: node,
    node: nodes[node]!,
    binding: plan.bindings[g]!,
    skinned,
  }));
  return {
    character,
    skinned,
    bonesOfGroup: plan.bindings.map(({ bones }) => Array.from(new Set(bones))),
    write: (binding, rig) => writeBound(file, character, sources, groups, binding, rig),
  };
}

/** Reads the skeleton of a file: that of its largest skin or, without any skin, all its nodes in their default pose. */
export function readRig(path: string, options: LoadOptions = {}): Promise<Rig> {
  return explainUnreadable(() => openRig(path, options));
}

async function openRig(path: string, options: LoadOptions): Promise<Rig> {
  const { json, document, warnings } = await openFile(await loadModel(path, options), options);
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

async function openFile(model: LoadedModel, options: LoadOptions) {
  const warnings: Warning[] = [];
  const resolve = (file: string) => resolveLoaded(model, file);
  return {
    ...(await openDocument(model.bytes, { ...options, resolve, draco: createDracoDecoder }, warnings)),
    warnings,
  };
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
