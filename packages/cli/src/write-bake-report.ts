import { basename } from 'node:path';
import type { Warning } from '@isoskin/core';
import type { BakeOptions, BakeResult, ReadResult } from '@isoskin/gltf';
import { createBakeReport } from '@isoskin/report';
import { writeWhole } from './write-whole.js';

export interface BakeReportInput {
  readonly path: string;
  readonly output: string;
  readonly read: ReadResult;
  readonly result: BakeResult;
  readonly sizes: { readonly input: number; readonly output: number };
  readonly warnings: readonly Warning[];
  readonly settings: BakeOptions;
  readonly seconds: number;
}

/** The page of a bake: the library's data in the report's words. */
export async function writeBakeReport(file: string, input: BakeReportInput): Promise<void> {
  const { path, output, read, result, sizes, warnings, settings, seconds } = input;
  const { surface } = read.character;
  const html = await createBakeReport({
    title: read.character.name,
    input: { name: basename(path), bytes: sizes.input },
    output: { name: basename(output), bytes: sizes.output },
    vertices: surface.vertexCount,
    triangles: surface.triangles,
    bones: read.character.skeleton.boneCount,
    seconds,
    clips: result.clips,
    targets: result.targets,
    positionError: result.positionError,
    options: [
      ['as', settings.as ?? 'morph'],
      ['fps', String(settings.fps)],
      ['tolerance', String(settings.tolerance)],
      ['max-targets', String(settings.maxTargets)],
      ['quantise', settings.quantise === false ? 'no' : 'yes'],
      ['compress', settings.compress ?? 'no'],
    ],
    stack: result.stack,
    warnings,
  });
  await writeWhole(file, html);
}
