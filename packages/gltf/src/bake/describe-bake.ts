import type { Accessor } from '@gltf-transform/core';
import type { Warning } from '@isoskin/core';
import { GATE_KINDS, GATE_LIMITS } from '@isoskin/core/stack';
import { WORSE_REGION } from '../judge/check-played.js';
import type { ReadResult } from '../read-character-from-bytes.js';
import { readTriangles } from '../read-parts.js';
import type { BakeResult } from './bake-character.js';
import { BAKE_DEFAULTS, type BakeOptions } from './bake-options.js';

export interface BakeFiles {
  readonly input: { readonly name: string; readonly bytes: number };
  readonly output: { readonly name: string; readonly bytes: number };
  readonly warnings: readonly Warning[];
  readonly seconds: number;
}

/** A bake in the words of the report (`createBakeReport` of @isoskin/report), for the command and the studio alike. */
export function describeBake(read: ReadResult, result: BakeResult, settings: BakeOptions, files: BakeFiles) {
  const { skeleton, name } = read.character;
  const { vertexCount, triangles, positions, binding } = result.refined ?? {
    ...read.character.surface,
    binding: read.character.binding,
  };
  const { fps, tolerance, maxTargets } = { ...BAKE_DEFAULTS, ...settings };
  const options: [string, string][] = [
    ['as', settings.as ?? 'morph'],
    ['fps', String(fps)],
    ['tolerance', String(tolerance)],
    ['max-targets', String(maxTargets)],
    ['compact', settings.compact ? 'yes' : 'no'],
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
    vertices: vertexCount,
    triangles,
    skin: { rest: positions, ...binding },
    tolerance: Math.max(tolerance, WORSE_REGION),
    ...(result.refined ? {} : describeLook(read)),
    bones: skeleton.boneCount,
    clips: result.clips,
    targets: result.targets,
    positionError: result.positionError,
    ...(result.harm && { harm: describeLooks(result.harm) }),
    options,
    stack: result.stack,
  };
}

function describeLooks({ worst }: NonNullable<BakeResult['harm']>) {
  return GATE_KINDS.map((kind) => {
    const { value, clip, time, region } = worst[kind];
    return { kind, value, limit: GATE_LIMITS[kind], clip, time, region };
  });
}

/** What the skin looks like: the source vertices of every part, their texture coordinates, base colour and its picture. */
function describeLook({ character, sources }: ReadResult) {
  const textures: { readonly type: string; readonly bytes: Uint8Array }[] = [];
  const known = new Map<unknown, number>();
  const parts = character.parts.map(({ welded, name, vertexCount }, p) => {
    const { primitive } = sources[p]!;
    const material = primitive.getMaterial();
    const map = material?.getBaseColorTexture();
    const bytes = map?.getImage();
    const set = material?.getBaseColorTextureInfo()?.getTexCoord() ?? 0;
    const uv = primitive.getAttribute(`TEXCOORD_${set}`);
    const colors = primitive.getAttribute('COLOR_0');
    const isMapped = map && bytes && uv && /^image\/(png|jpeg|webp)$/.test(map.getMimeType());
    if (isMapped && !known.has(map)) known.set(map, textures.push({ type: map.getMimeType(), bytes }) - 1);
    return {
      welded,
      triangles:
        readTriangles(primitive, vertexCount, name, []) ?? Uint32Array.from({ length: vertexCount }, (_, v) => v),
      color: (material?.getBaseColorFactor() ?? [1, 1, 1, 1]) as readonly number[],
      ...(isMapped && { texture: known.get(map)!, uv: readRows(uv, 2) }),
      ...(colors && { colors: readRows(colors, 3) }),
    };
  });
  return { parts, textures };
}

/** The first numbers of every element. */
function readRows(accessor: Accessor, size: number): Float32Array {
  const out = new Float32Array(size * accessor.getCount());
  const row: number[] = [];
  for (let i = 0; i < accessor.getCount(); i++) out.set(accessor.getElement(i, row).slice(0, size), size * i);
  return out;
}
