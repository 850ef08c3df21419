/** What became of every region: the judgement that colours all numbers of the page. */
import type { BakeReportData, ReportClip, ReportRegion } from './bake-report-data.js';
import { largest } from './format-value.js';

export type Verdict = 'better' | 'same' | 'worse';

export interface JudgedRegion {
  readonly region: ReportRegion;
  /** Of the volume of all regions. */
  readonly share: number;
  /** Largest changes, signed, and when plain skinning is worst. */
  readonly skinned: number;
  readonly baked: number;
  readonly time: number;
  readonly verdict: Verdict;
}

export interface JudgedClip {
  readonly clip: ReportClip;
  /** Worst first. */
  readonly regions: readonly JudgedRegion[];
  readonly worse: number;
  /** What it is sorted by: the worst region of plain skinning, or what the file made of it, whichever is larger. */
  readonly damage: number;
  readonly verdict: Verdict;
  /** Of the volume of the whole. */
  readonly total: Verdict;
}

const TOLERANCE = 5e-4;
/** What no digit of the page shows. */
const EVEN = 1e-6;

/** Nothing that is larger than before is better, and what is larger by more than the tolerance is worse. */
export function judgeChange(skinned: number, baked: number, tolerance = TOLERANCE): Verdict {
  const gain = Math.abs(skinned) - Math.abs(baked);
  if (!(gain >= -tolerance)) return 'worse';
  return gain > EVEN ? 'better' : 'same';
}

/** Clips by damage, regions by damage. */
export function judgeClips({ clips, tolerance }: BakeReportData): JudgedClip[] {
  const judged = clips.map((clip): JudgedClip => {
    const whole = clip.regions.reduce((sum, { rest }) => sum + Math.abs(rest), 0) || 1;
    const regions = clip.regions.map((region): JudgedRegion => {
      const [skinned, baked] = [largest(region.skinned), largest(region.baked ?? region.corrected)];
      const time = clip.times[region.skinned.indexOf(skinned)] ?? 0;
      const verdict = judgeChange(skinned, baked, tolerance);
      return { region, share: Math.abs(region.rest) / whole, skinned, baked, time, verdict };
    });
    regions.sort((a, b) => damageOf(b) - damageOf(a));
    const worse = regions.filter(({ verdict }) => verdict === 'worse').length;
    const total = judgeChange(clip.worst.skinned, clip.worst.baked, tolerance);
    return {
      clip,
      regions,
      worse,
      damage: regions[0] ? damageOf(regions[0]) : Math.abs(clip.worst.skinned),
      verdict: worse > 0 ? 'worse' : total,
      total,
    };
  });
  return judged.sort((a, b) => b.damage - a.damage);
}

function damageOf({ skinned, baked }: JudgedRegion): number {
  return Math.max(Math.abs(skinned), Math.abs(baked));
}
