/**
 * The report for programs: `<script type="application/json" id="isoskin-report">` of the page. Changes are relative (−0.11: 11 % lost),
 * times in seconds, clips and regions worst first. The form is described in docs/report.md; `version` counts its changes.
 */
import type { BakeReportData } from './bake-report-data.js';
import type { Html } from './html.js';
import type { JudgedClip } from './judge-clip.js';

export function reportJson(data: BakeReportData, judged: readonly JudgedClip[]) {
  const { title, input, output, vertices, bones, seconds, positionError, warnings, stack, harm } = data;
  const round = (value: number) => Number(value.toPrecision(5));
  return {
    format: 'isoskin-report',
    version: 1,
    title,
    input,
    output,
    vertices,
    bones,
    seconds: round(seconds),
    positionError: round(positionError),
    verdict: judged.some(({ verdict }) => verdict === 'worse') ? 'worse' : 'better',
    clips: judged.map(({ clip, regions, verdict }) => ({
      name: clip.name,
      duration: round(clip.duration),
      verdict,
      total: { skinned: round(clip.worst.skinned), baked: round(clip.worst.baked), time: round(clip.worst.time) },
      positionError: round(clip.positionError),
      regions: regions.map(({ region, share, skinned, baked, time, verdict }) => ({
        name: region.name,
        share: round(share),
        skinned: round(skinned),
        baked: round(baked),
        time: round(time),
        verdict,
      })),
    })),
    ...(harm && { harm: harm.map((one) => ({ ...one, value: round(one.value), time: round(one.time) })) }),
    options: Object.fromEntries(data.options),
    stack,
    warnings,
  };
}

/** Data for a script of the page: nothing in it can end the script. */
export function jsonScript(id: string, data: unknown): Html {
  const text = JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return { markup: `<script type="application/json" id="${id}">${text}</script>` };
}
