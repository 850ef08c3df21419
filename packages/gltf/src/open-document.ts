/** From bytes to a document that can be trusted: everything is checked before a library sees it, and compression is undone. */
import { type Document, type GLTF, Logger, WebIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { IsoskinError, type Warning } from '@isoskin/core';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { checkDraco } from './check-draco.js';
import { checkSizes } from './check-sizes.js';
import { checkStructure } from './check-structure.js';
import { mendNumbers } from './mend-numbers.js';
import type { GltfFile } from './patch/gltf-file.js';
import { type Compression, prepareExtensions } from './prepare-extensions.js';
import { readContainer } from './read-container.js';
import { plainBytes, type ResolveUri, type Resources, resolveResources } from './resolve-resources.js';
import { splitDuplicateJoints } from './split-duplicate-joints.js';

export interface OpenOptions {
  /** Fetches files that the model refers to. Default: none can be had. */
  readonly resolve?: ResolveUri;
  /** Creates the Draco decoder module (draco3dgltf), asked for only when a file needs it. */
  readonly draco?: () => Promise<unknown>;
  /** Most bytes that the data may take when unpacked. Default: a generous multiple of the size of the file. */
  readonly maxMemory?: number;
}

export interface OpenedDocument {
  readonly json: GLTF.IGLTF;
  /** What is read from: mended, decompressed. */
  readonly document: Document;
  /** What is written to: the file as it is. */
  readonly file: GltfFile;
  readonly compression: Compression;
}

export async function openDocument(
  bytes: Uint8Array,
  options: OpenOptions,
  warnings: Warning[],
): Promise<OpenedDocument> {
  const container = readContainer(plainBytes(bytes), warnings);
  const own = copyJson(container.json) as GLTF.IGLTF;
  const json = checkStructure(container.json, warnings);
  const compression = prepareExtensions(json, warnings);
  splitDuplicateJoints(json, warnings);
  const resources = await resolveResources(json, container.binary, options.resolve, warnings);
  checkSizes(json, resources.buffers, options.maxMemory);
  if (compression.draco) checkDraco(json, resources.buffers);
  const io = await createReader(compression, options);
  const images = listImages(own, json, resources);
  const stored: GltfFile = {
    json: own,
    buffers: resources.buffers,
    images,
    chunks: container.chunks,
    added: new Map(),
  };
  const file = mendNumbers(stored, warnings);
  const document = await io.readJSON({ json, resources: replaceBuffers(resources, file) });
  for (const extension of document.getRoot().listExtensionsUsed()) {
    // The data is unpacked now; an encoder is not needed to write it.
    if (/_(draco_mesh|meshopt)_compression$/.test(extension.extensionName)) extension.dispose();
  }
  return { json, document, file, compression };
}

/** What is mended for reading is a copy; the file's own JSON stays as it was parsed. */
function copyJson(json: unknown): unknown {
  try {
    return structuredClone(json);
  } catch (cause) {
    const message = 'The JSON of the model is nested too deeply (extras or extensions, as a rule): export it without';
    throw new IsoskinError('JSON_DEEP', message, '', { cause });
  }
}

/** Files of images by the uri that the file itself gives them. */
function listImages(own: GLTF.IGLTF, read: GLTF.IGLTF, { byUri }: Resources): GltfFile['images'] {
  const out = new Map<string, Uint8Array<ArrayBuffer>>();
  own.images?.forEach(({ uri, bufferView }, i) => {
    const data = byUri[read.images![i]!.uri ?? ''];
    if (uri !== undefined && bufferView === undefined && data && !/^data:/i.test(uri)) out.set(uri, data);
  });
  return out;
}

/** The same resources, where numbers were mended. */
function replaceBuffers({ byUri, buffers }: Resources, file: GltfFile): Resources['byUri'] {
  const mended = new Map(buffers.map((data, i) => [data, file.buffers[i]]));
  const out: Resources['byUri'] = Object.create(null);
  for (const uri in byUri) out[uri] = mended.get(byUri[uri]) ?? byUri[uri]!;
  return out;
}

async function createReader(compression: Compression, options: OpenOptions): Promise<WebIO> {
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
