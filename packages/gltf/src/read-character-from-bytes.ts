import type { Document, Node } from '@gltf-transform/core';
import { type Character, createCharacter, IsoskinError, type Warning } from '@isoskin/core';
import { type Deforming, findDeforming } from './find-deforming.js';
import { measureBorderTolerance } from './measure-border-tolerance.js';
import { type OpenOptions, openDocument } from './open-document.js';
import type { GltfFile } from './patch/gltf-file.js';
import { planSkeleton } from './plan-skeleton.js';
import { readClips } from './read-clips.js';
import { type PartSource, readParts } from './read-parts.js';

export interface ReadOptions extends OpenOptions {
  /** Name of the character. Default: that of the file, or of the scene. */
  readonly name?: string;
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
  /** Reads a .glb made from this file, with the same decoders and settings. */
  reopen(glb: Uint8Array): Promise<ReadResult>;
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
  const warnings: Warning[] = [];
  let deforming: Deforming[] = [];
  const { json, document, file, compression } = await openDocument(bytes, options, warnings, (found) => {
    deforming = findDeforming(found, warnings);
  });
  const root = document.getRoot();

  const skeleton = planSkeleton(json, document, deforming, warnings);
  const { parts, sources, morphs, firstMorph } = readParts(json, document, deforming, skeleton.bindings, warnings);
  const clips = readClips(json, document, deforming, firstMorph, skeleton.skeletonNode, warnings);
  const isQuantised = (p: number) =>
    compression.draco || !(sources[p]!.primitive.getAttribute('POSITION')!.getArray() instanceof Float32Array);
  const borderTolerance = options.borderTolerance ?? measureBorderTolerance(parts, isQuantised);
  const character = createCharacter({
    name: options.name ?? (json.scenes?.[json.scene ?? 0]?.name || 'character'),
    parts,
    skeleton: skeleton.input,
    morphs,
    clips,
    warnings,
    ...(options.weldTolerance !== undefined && { weldTolerance: options.weldTolerance }),
    ...(borderTolerance !== undefined && { borderTolerance }),
  });
  const nodes = root.listNodes();
  return {
    character,
    file,
    document,
    sources,
    nodes: skeleton.fileNodes.map((n) => nodes[n]!),
    groups: deforming.map(({ node }) => nodes[node]!),
    nodeIndices: skeleton.fileNodes,
    groupIndices: deforming.map(({ node }) => node),
    reopen: (glb) => readCharacterFromBytes(glb, { ...options, name: character.name }),
  };
}
