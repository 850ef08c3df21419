/** What a bake could not do, in sentences. */
import type { Warning } from '@isoskin/core';
import type { JudgedRegion } from '../judge/check-played.js';
import type { BakedClip } from './summarise-clip.js';

export function listMisses(
  clips: readonly BakedClip[],
  positionError: number,
  tolerance: number,
  lacksClips: boolean,
): Warning[] {
  const out: Warning[] = [];
  const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
  if (!(positionError <= tolerance)) {
    const message = `The file is off by up to ${percent(positionError)} of the size: allow more targets (--max-targets) or bake a cache (--as cache)`;
    out.push({ code: 'BAKE_TOLERANCE_MISSED', message, place: '' });
  }
  const missed = clips
    .filter(({ worst }) => !(Math.abs(worst.baked) <= 2 * tolerance))
    .sort((a, b) => Math.abs(b.worst.baked) - Math.abs(a.worst.baked));
  const [first] = missed;
  if (first) {
    const { name, worst } = first;
    const some = missed.length > 1 ? `${missed.length} of ${clips.length} clips` : 'one clip';
    const message = `The volume is not exact in ${some}, worst in "${name}": it changes by ${percent(worst.baked)}, under plain skinning by ${percent(worst.skinned)}`;
    out.push({ code: 'BAKE_VOLUME_MISSED', message, place: name });
  }
  if (lacksClips) {
    const message = 'The model has no clip, so there is nothing to bake: the output is a copy';
    out.push({ code: 'NOTHING_TO_BAKE', message, place: '' });
  }
  return out;
}

/** Regions that are worse than under plain skinning by so little that nobody sees it. */
export function listRemarks(regions: readonly JudgedRegion[]): Warning[] {
  const [worst] = regions;
  if (!worst) return [];
  const { skinned, baked } = worst;
  const percent = (share: number) => `${(100 * Math.abs(share)).toFixed(2)} %`;
  const many = regions.length > 1 ? ` (the worst of ${regions.length} such regions)` : '';
  const message = `The region “${baked.name}” changes by ${percent(baked.change)} in “${baked.clip}”, under plain skinning by ${percent(skinned.change)}${many}`;
  return [{ code: 'REGION_REMARK', message, place: '' }];
}
