import type { Warning } from '@isoskin/core';
import type { ReadResult } from '../read-character-from-bytes.js';
import type { BakeResult } from './bake-character.js';
import type { BakeOptions } from './bake-options.js';

export interface BakeFiles {
  readonly input: { readonly name: string; readonly bytes: number };
  readonly output: { readonly name: string; readonly bytes: number };
  readonly warnings: readonly Warning[];
  readonly seconds: number;
}

/** A bake in the words of the report (`createBakeReport` of @isoskin/report), for the command and the studio alike. */
export function describeBake(read: ReadResult, result: BakeResult, settings: BakeOptions, files: BakeFiles) {
  const { skeleton, name } = read.character;
  const surface = result.refined ?? read.character.surface;
  const options: [string, string][] = [
    ['as', settings.as ?? 'morph'],
    ['fps', String(settings.fps)],
    ['tolerance', String(settings.tolerance)],
    ['max-targets', String(settings.maxTargets)],
    ['quantise', settings.quantise === false ? 'no' : 'yes'],
    ['compress', settings.compress ?? 'no'],
  ];
  if (result.drive) {
    const { worst, median, linear } = result.drive.certificate;
    const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
    options.push([
      'drive',
      `regions off by at most ${percent(worst)}, median ${percent(median)}; linear ${percent(linear.worst)}, ${percent(linear.median)}`,
    ]);
  }
  return {
    title: name,
    ...files,
    vertices: surface.vertexCount,
    triangles: surface.triangles,
    bones: skeleton.boneCount,
    clips: result.clips,
    targets: result.targets,
    positionError: result.positionError,
    options,
    stack: result.stack,
  };
}
