/**
 * A bake as a function of glTF-Transform: `await document.transform(bakeVolume({ tolerance: 0.002 }))`.
 *
 * The document is written as plain glTF in memory, baked as a file is, and what the bake added or changed is put into the document:
 * its own objects stay the same objects. A document in which nothing deforms is left alone.
 */
import { Document, type Extension, Logger, type Transform, WebIO } from '@gltf-transform/core';
import { IsoskinError } from '@isoskin/core';
import { bakeCharacter } from '../bake/bake-character.js';
import type { BakeOptions } from '../bake/bake-options.js';
import { openGlb } from '../judge/judge-bytes.js';
import { type ReadResult, readCharacterFromBytes } from '../read-character-from-bytes.js';
import { applyPatch } from './apply-patch.js';

/** A cache rebuilds the scene, and compression is chosen when a document is written: both are not for a document in memory. */
export type BakeVolumeOptions = Omit<BakeOptions, 'as' | 'compress' | 'planned' | 'evaluate' | 'details'>;

export function bakeVolume(options: BakeVolumeOptions = {}): Transform {
  return async function bakeVolume(document: Document): Promise<void> {
    if (!(document instanceof Document)) {
      const message =
        'The document belongs to another copy of @gltf-transform/core than the one isoskin uses: install one version for both (npm ls @gltf-transform/core)';
      throw new IsoskinError('TRANSFORM_COPY', message);
    }
    const logger = document.getLogger();
    const read = await readDocument(document);
    if (!read) return logger.info('bakeVolume: nothing in the document deforms; it stays as it is.');
    const { glb, clips, warnings } = await bakeCharacter(read, options);
    applyPatch(document, read.file.json, openGlb(glb));
    for (const { message, place } of [...read.character.warnings, ...warnings])
      logger.warn(`bakeVolume: ${place ? `${message} (${place})` : message}.`);
    const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
    for (const { name, worst } of clips)
      logger.info(
        `bakeVolume: the volume of "${name}" changes by ${percent(worst.baked)} instead of ${percent(worst.skinned)}.`,
      );
  };
}

/** Undefined where nothing deforms. */
async function readDocument(document: Document): Promise<ReadResult | undefined> {
  // The numbers of a document are unpacked: its compression is no matter before it is written to a file.
  const extensions = document
    .getRoot()
    .listExtensionsUsed()
    .filter(({ extensionName }) => !/_(draco_mesh|meshopt)_compression$/.test(extensionName))
    .map((extension) => extension.constructor as typeof Extension);
  const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT)).registerExtensions(extensions);
  const { json, resources } = await io.writeJSON(document);
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  const resolve = async (path: string): Promise<Uint8Array> => {
    const found = Object.keys(resources).find((uri) => uri === path || decodeURIComponent(uri) === path);
    if (found === undefined) throw new Error(`"${path}" is not there`);
    return resources[found]!;
  };
  try {
    return await readCharacterFromBytes(bytes, { resolve });
  } catch (error) {
    if (error instanceof IsoskinError && error.code === 'NOTHING_TO_DEFORM') return undefined;
    throw error;
  }
}
