import { type Document, Logger, type Node, WebIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { type Character, createCharacter, IsoskinError, type Warning } from '@isoskin/core';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { checkSizes } from './check-sizes.js';
import { checkStructure } from './check-structure.js';
import { findDeforming } from './find-deforming.js';
import { measureBorderTolerance } from './measure-border-tolerance.js';
import { planSkeleton } from './plan-skeleton.js';
import { type Compression, prepareExtensions } from './prepare-extensions.js';
import { readClips } from './read-clips.js';
import { readContainer } from './read-container.js';
import { type PartSource, readParts } from './read-parts.js';
import { plainBytes, type ResolveUri, resolveResources } from './resolve-resources.js';
import { splitDuplicateJoints } from './split-duplicate-joints.js';

export interface ReadOptions {
  /** Name of the character. Default: that of the file, or of the scene. */
  readonly name?: string;
  /** Fetches files that the model refers to. Default: none can be had. */
  readonly resolve?: ResolveUri;
  /** Creates the Draco decoder module (draco3dgltf), asked for only when a file needs it. */
  readonly draco?: () => Promise<unknown>;
  /** See `CharacterInput`. */
  readonly weldTolerance?: number;
  /** See `CharacterInput`. Default: measured, when the file is quantised. */
  readonly borderTolerance?: number;
}

export interface ReadResult {
  readonly character: Character;
  /** The whole file, for writing it back with everything in it. Compression is undone. */
  readonly document: Document;
  /** Source of each of `character.parts`. */
  readonly sources: readonly PartSource[];
  /** glTF node of each node of `character.skeleton`. */
  readonly nodes: readonly Node[];
  /** glTF node of each group. */
  readonly groups: readonly Node[];
}

/** Reads a .glb or .gltf. Everything wrong with it is an `IsoskinError`; everything mended is in `character.warnings`. */
export async function readCharacterFromBytes(bytes: Uint8Array, options: ReadOptions = {}): Promise<ReadResult> {
  try {
    return await read(plainBytes(bytes), options);
  } catch (cause) {
    if (cause instanceof IsoskinError) throw cause;
    // A library's own words are shown; those of the JavaScript engine would say nothing.
    const isPlain = cause instanceof Error && !(cause instanceof TypeError || cause instanceof RangeError);
    const reason = isPlain ? ` (${cause.message.split('\n')[0]!.slice(0, 200)})` : '';
    const message = `The model cannot be read${reason}: check it with a glTF validator or export it again`;
    throw new IsoskinError('UNREADABLE', message, '', { cause });
  }
}

async function read(bytes: Uint8Array<ArrayBuffer>, options: ReadOptions): Promise<ReadResult> {
  const warnings: Warning[] = [];
  const container = readContainer(bytes, warnings);
  const json = checkStructure(container.json, warnings);
  const compression = prepareExtensions(json, warnings);
  const deforming = findDeforming(json, warnings);
  splitDuplicateJoints(json, warnings);
  const { byUri, buffers } = await resolveResources(json, container.binary, options.resolve, warnings);
  checkSizes(json, buffers);

  const io = await createReader(compression, options);
  const document = await io.readJSON({ json, resources: byUri });
  const root = document.getRoot();
  for (const extension of root.listExtensionsUsed()) {
    // The data is unpacked now; an encoder is not needed to write it.
    if (/_(draco_mesh|meshopt)_compression$/.test(extension.extensionName)) extension.dispose();
  }

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
    document,
    sources,
    nodes: skeleton.fileNodes.map((n) => nodes[n]!),
    groups: deforming.map(({ node }) => nodes[node]!),
  };
}

async function createReader(compression: Compression, options: ReadOptions): Promise<WebIO> {
  const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT)).registerExtensions(ALL_EXTENSIONS);
  if (compression.meshopt) {
    await MeshoptDecoder.ready;
    io.registerDependencies({ 'meshopt.decoder': MeshoptDecoder });
  }
  if (compression.draco) {
    if (!options.draco) {
      const message =
        'The model is Draco-compressed and no decoder was given: pass options.draco or export it uncompressed';
      throw new IsoskinError('DRACO_MISSING', message);
    }
    io.registerDependencies({ 'draco3d.decoder': await options.draco() });
  }
  return io;
}
