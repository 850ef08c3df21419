import type { Document, Node } from '@gltf-transform/core';
import {
  type Character,
  type CharacterInput,
  createCharacter,
  IsoskinError,
  type MorphInput,
  type PartInput,
  type Warning,
} from '@isoskin/core';
import { copySkeleton } from '@isoskin/core/kernels';
import { findDeforming, listMeshNodes } from './find-deforming.js';
import { measureBorderTolerance } from './measure-border-tolerance.js';
import { type OpenOptions, openDocument } from './open-document.js';
import type { GltfFile } from './patch/gltf-file.js';
import { readClips } from './read-clips.js';
import { type PartSource, readParts } from './read-parts.js';
import { type BoneSet, readSkeleton } from './read-skeleton.js';

export interface ReadOptions extends OpenOptions {
  /** Name of the character. Default: that of the file, or of the scene. */
  readonly name?: string;
  /** Also take a model without a skin: rigid, at its place in the scene, to be bound to a skeleton (`writeWeights`). Default false. */
  readonly unskinned?: boolean;
  /** See `CharacterInput`. */
  readonly weldTolerance?: number;
  /** See `CharacterInput`. Default: measured, when the file is quantised. */
  readonly borderTolerance?: number;
}

export interface ReadResult {
  readonly character: Character;
  /** The file as it is: what is written is this, patched. */
  readonly file: GltfFile;
  /** What the character was read from: mended, compression undone. To look things up in; it is never written. */
  readonly document: Document;
  /** Source of each of `character.parts`. */
  readonly sources: readonly PartSource[];
  /** glTF node of each node of `character.skeleton`. */
  readonly nodes: readonly Node[];
  /** glTF node of each group. */
  readonly groups: readonly Node[];
  /** Numbers in the file of `nodes` and `groups`. */
  readonly nodeIndices: readonly number[];
  readonly groupIndices: readonly number[];
  /** What each group hangs on, and the bones that its skin lists, for `autoWeights`. */
  readonly boneSets: readonly BoneSet[];
  readonly bonesOfGroup: readonly (readonly number[])[];
  /** False for an `unskinned` model. */
  readonly isSkinned: boolean;
  /** Reads a .glb made from this file, with the same decoders and settings. */
  reopen(glb: Uint8Array): Promise<ReadResult>;
  /** The same of what it plays alone: nothing is welded, no surface is made. */
  replay(glb: Uint8Array): Promise<PlayedModel>;
}

/** What a file plays: its vertices, each for itself, under its skeleton. */
export interface PlayedModel extends Pick<ReadResult, 'sources' | 'nodes' | 'groups'> {
  readonly character: Pick<Character, 'skeleton' | 'morphWeights' | 'clips'> & {
    readonly surface: Pick<Character['surface'], 'vertexCount'>;
    readonly parts: readonly Pick<Character['parts'][number], 'group' | 'vertexCount' | 'welded'>[];
    readonly morphs: readonly MorphInput[];
  };
}

/** Reads a .glb or .gltf. Everything wrong with it is an `IsoskinError`; everything mended is in `character.warnings`. */
export function readCharacterFromBytes(bytes: Uint8Array, options: ReadOptions = {}): Promise<ReadResult> {
  return explainUnreadable(() => read(bytes, options));
}

/** Whatever goes wrong inside a reading becomes an `IsoskinError`. */
export async function explainUnreadable<T>(reading: () => Promise<T>): Promise<T> {
  try {
    return await reading();
  } catch (cause) {
    if (cause instanceof IsoskinError) throw cause;
    // A library's own words are shown; those of the JavaScript engine would say nothing.
    const isPlain = cause instanceof Error && !(cause instanceof TypeError || cause instanceof RangeError);
    const reason = isPlain ? ` (${cause.message.split('\n')[0]!.slice(0, 200)})` : '';
    const message = `The model cannot be read${reason}: check it with a glTF validator or export it again`;
    throw new IsoskinError('UNREADABLE', message, '', { cause });
  }
}

async function read(bytes: Uint8Array, options: ReadOptions): Promise<ReadResult> {
  const { input, file, document, sources, skeleton, groupIndices, isSkinned } = await readInput(bytes, options);
  const character = createCharacter(input);
  return {
    character,
    file,
    document,
    sources,
    ...listNodes(document, skeleton.fileNodes, groupIndices),
    nodeIndices: skeleton.fileNodes,
    groupIndices,
    boneSets: skeleton.bindings,
    bonesOfGroup: skeleton.bindings.map(({ bones }) => Array.from(new Set(bones))),
    isSkinned,
    reopen: (glb) => readCharacterFromBytes(glb, { ...options, name: character.name }),
    replay: (glb) => explainUnreadable(() => readPlayed(glb, options)),
  };
}

async function readPlayed(bytes: Uint8Array, options: ReadOptions): Promise<PlayedModel> {
  const { input, document, sources, skeleton, groupIndices } = await readInput(bytes, options);
  let vertexCount = 0;
  const parts = input.parts.map(({ group, positions }) => {
    const welded = Uint32Array.from({ length: positions.length / 3 }, () => vertexCount++);
    return { group, vertexCount: welded.length, welded };
  });
  const { morphs = [], clips = [] } = input;
  const morphWeights = Float64Array.from(morphs, ({ weight }) => weight);
  return {
    character: { skeleton: copySkeleton(input.skeleton), surface: { vertexCount }, parts, morphs, morphWeights, clips },
    sources,
    ...listNodes(document, skeleton.fileNodes, groupIndices),
  };
}

/** Nodes of the skeleton and of the groups. */
function listNodes(document: Document, fileNodes: readonly number[], groupIndices: readonly number[]) {
  const all = document.getRoot().listNodes();
  return { nodes: fileNodes.map((n) => all[n]!), groups: groupIndices.map((n) => all[n]!) };
}

/** What a character is made of. */
async function readInput(bytes: Uint8Array, options: ReadOptions) {
  const warnings: Warning[] = [];
  const { json, document, file, compression } = await openDocument(bytes, options, warnings);
  const hasSkin = json.nodes?.some(({ mesh, skin }) => mesh !== undefined && skin !== undefined);
  const isSkinned = hasSkin || !options.unskinned;
  const deforming = isSkinned ? findDeforming(json, warnings) : listMeshNodes(json);
  const skeleton = readSkeleton(json, document, deforming, warnings);
  const { parts, sources, morphs, firstMorph } = readParts(json, document, deforming, skeleton.bindings, warnings);
  const isQuantised = (p: number) =>
    compression.draco || !(sources[p]!.primitive.getAttribute('POSITION')!.getArray() instanceof Float32Array);
  const borderTolerance = options.borderTolerance ?? measureBorderTolerance(parts, isQuantised);
  const input: CharacterInput = {
    name: options.name ?? (json.scenes?.[json.scene ?? 0]?.name || 'character'),
    parts: isSkinned ? parts : parts.map((part, p) => placePart(part, sources[p]!.node)),
    skeleton: skeleton.skeleton,
    morphs: isSkinned ? morphs : [],
    clips: isSkinned ? readClips(json, document, deforming, firstMorph, skeleton.skeletonNode, warnings) : [],
    warnings,
    ...(options.weldTolerance !== undefined && { weldTolerance: options.weldTolerance }),
    ...(borderTolerance !== undefined && { borderTolerance }),
  };
  return { input, file, document, sources, skeleton, groupIndices: deforming.map(({ node }) => node), isSkinned };
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
    const [x, y, z] = part.positions.slice(i, i + 3) as unknown as [number, number, number];
    for (let r = 0; r < 3; r++) positions[i + r] = scale * (m[r]! * x + m[4 + r]! * y + m[8 + r]! * z + m[12 + r]!);
  }
  return { ...part, positions, scale };
}
