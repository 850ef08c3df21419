/** Puts what was baked into a copy of the file and judges the bytes; where a volume does not hold, with more keys, until it does. */
import type { Warning } from '@isoskin/core';
import type { Amounts } from '@isoskin/drive';
import type { TaughtAmounts } from '../drive/teach-amounts.js';
import { writeAmounts } from '../drive/write-amounts.js';
import type { AllowedKind } from '../judge/allowed-changes.js';
import type { PlayedCheck } from '../judge/check-played.js';
import { copyFile, type GltfFile } from '../patch/gltf-file.js';
import { ownMesh } from '../patch/own-mesh.js';
import type { ReadResult } from '../read-character-from-bytes.js';
import { bakeCache, type CacheBake } from './bake-cache.js';
import { type BakeJob, partsOf } from './bake-job.js';
import { BAKE_DEFAULTS, type BakeOptions } from './bake-options.js';
import { bakeTargets, type MorphBake } from './bake-targets.js';
import type { GroupBake } from './baked-group.js';
import { isOff } from './check-samples.js';
import type { Details } from './summarise-clip.js';
import { writeCache } from './write-cache.js';
import { compareClaims, writeJudged } from './write-judged.js';
import { type WrittenGroup, writeMorphs } from './write-morphs.js';
import { writeRegions } from './write-regions.js';
import { writeSkinWeights } from './write-skin-weights.js';

export interface WriteBakedOptions {
  /** What was opened, before it was made finer. */
  readonly input: ReadResult;
  readonly isRefined: boolean;
  readonly options: BakeOptions;
  readonly taught: TaughtAmounts | undefined;
  readonly details: Details | undefined;
}

export interface WrittenBake {
  readonly glb: Uint8Array<ArrayBuffer>;
  readonly told: PlayedCheck;
  readonly file: GltfFile;
  readonly groups: readonly GroupBake[];
  readonly places: readonly WrittenGroup[];
  readonly drive: Amounts | undefined;
  readonly warnings: readonly Warning[];
}

/** Shares of the tolerance that thinned keys and extra targets may use, until the file holds. */
const ATTEMPTS = [1, 0.5, 0.3, 0.1, 0];

export async function writeBaked(job: BakeJob, given: WriteBakedOptions): Promise<WrittenBake> {
  const { as = BAKE_DEFAULTS.as } = given.options;
  if (as === 'cache') {
    const cache = job.ranges.some(([first, end]) => end > first) ? bakeCache(job) : undefined;
    const written = await write(job, given, cache);
    if (cache) compareClaims(job, cache.volumes, written.told);
    return written;
  }
  const bake = await bakeTargets(job, given.taught?.ranges);
  for (const share of ATTEMPTS) {
    const morphs = await bake(share);
    const written = await write(job, given, undefined, morphs);
    if (morphs.groups.length === 0) return written;
    if (share > 0 && isOff(job, written.told.volumes)) continue;
    compareClaims(job, morphs.claimed, written.told);
    return written;
  }
  throw new Error('unreachable');
}

async function write(
  job: BakeJob,
  { input, isRefined, options, taught, details }: WriteBakedOptions,
  cache: CacheBake | undefined,
  morphs?: MorphBake,
): Promise<WrittenBake> {
  const { read, source, stack } = job;
  const { fps, compress } = { ...BAKE_DEFAULTS, ...options };
  const warnings: Warning[] = [];
  const file = copyFile(read.file);
  const kinds: AllowedKind[] = ['targets', 'tracks', 'skinWeights', 'regions'];
  if (isRefined) kinds.push('refined');
  if (compress) kinds.push('compressed');
  if (cache) kinds.push('cache');
  const groups = cache?.groups ?? morphs?.groups ?? [];
  if (morphs) writeSkinWeights(file, read, source);
  const places = cache ? writeCache(file, read, cache.base, warnings) : placeGroups(file, read, groups);
  if (morphs && !isRefined) writeRegions(file, read, stack, places);
  writeMorphs(file, places, groups, { fps, sparse: !compress && morphs !== undefined });
  const drive = taught && writeAmounts(file, read, source, taught, groups, places);
  if (drive) kinds.push('amounts');
  const judged = await writeJudged(job, file, warnings, {
    opened: input.file,
    kinds,
    nodes: places.map(({ node }) => node),
    compress: options.compress,
    details,
  });
  return { ...judged, file, groups, places, drive, warnings };
}

/** Groups that get targets have a mesh of their own. */
function placeGroups(
  file: ReadResult['file'],
  { groupIndices, sources, character }: ReadResult,
  groups: readonly GroupBake[],
): WrittenGroup[] {
  return groupIndices.map((node, group) => {
    const isBaked = groups.some((one) => one.group === group);
    const mesh = isBaked ? ownMesh(file, node) : file.json.nodes![node]!.mesh!;
    const primitives = new Map(partsOf(character, group).map((p) => [p, sources[p]!.primitiveIndex]));
    return { node, mesh, primitives };
  });
}
