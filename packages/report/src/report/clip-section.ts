import type { FleshFigures } from '@isoskin/core/quality';
import type { ReportClip } from './bake-report-data.js';
import { cssGradient, type STILLS } from './draw-poses.js';
import { formatChange, formatShare, largest } from './format-value.js';
import { type Html, html } from './html.js';
import { type JudgedClip, type JudgedRegion, judgeChange, type Verdict } from './judge-clip.js';
import { plotLines, plotSpark } from './plot-lines.js';

/** data: URIs, and the largest displacement, relative to the size of the pose. */
type PosePictures = Readonly<Record<(typeof STILLS)[number], string>> & { readonly reach: number };

/** Regions in sight; the others are folded away. */
const LISTED = 8;
/** Regions with their line over time. */
const LINED = 24;
const COLOURS: Record<Verdict, string> = { better: 'good', same: '', worse: 'bad' };

/** One clip in full: the player and pictures of its worst moment, its volume over time, its regions. */
export function clipSection(
  { clip, regions }: JudgedClip,
  id: string,
  pictures: PosePictures | undefined,
  film: number,
): Html {
  const lines = [
    { name: 'linear skinning', kind: 'skinned', values: changesOf(clip, clip.skinned) },
    { name: 'baked file', kind: 'baked', values: changesOf(clip, clip.baked) },
  ] as const;
  const [first] = regions;
  const worst = first
    ? html`${first.region.name} ${formatChange(first.skinned)} at ${first.time.toFixed(2)} s, baked <span class="${COLOURS[first.verdict]}">${formatChange(first.baked)}</span>`
    : html`worst ${formatChange(clip.worst.skinned)} at ${clip.worst.time.toFixed(2)} s, baked ${formatChange(clip.worst.baked)}`;
  return html`<section id="${id}">
<div class="head"><h2>${clip.name}</h2><p>${clip.duration.toFixed(2)} s · ${worst}</p></div>
${film >= 0 ? player(film) : ''}
${pictures ? poseFigures(clip, pictures) : ''}
${fleshLine(clip)}
${regionTable(regions)}
<h3>Volume of the whole</h3>
${plotLines(clip.times, lines, `Volume change over time in ${clip.name}`)}
<div class="legend"><span style="--c:var(--skinned)">linear skinning</span><span style="--c:var(--baked)">baked file</span></div>
${partLine(clip)}
<p class="up"><a href="#summary">to the top</a></p>
</section>`;
}

function player(film: number): Html {
  return html`<div class="player" data-film="${film}" hidden><div class="sides"><span>Linear skinning</span><span>Baked</span></div><canvas></canvas><div class="controls"><button type="button">Play</button><input type="range" min="0" max="1" step="0.001" aria-label="Moment of the clip"><output></output><span>drag to turn, double-click to zoom</span></div></div>`;
}

/** Q9, Q10: where the flesh is in the worst frame, by cuts that the correction does not know. */
function fleshLine({ pose }: ReportClip): Html {
  if (!pose?.flesh) return html``;
  const { skinned, baked } = pose.flesh;
  const pair = (key: keyof FleshFigures, show: (value: number) => string) =>
    html`<span class="${COLOURS[judgeChange(skinned[key], baked[key])]}">${show(skinned[key])} → ${show(baked[key])}</span>`;
  return html`<p>Flesh in the worst frame: misplaced ${pair('misplaced', formatShare)}, in one place twice ${pair('overlap', formatShare)}, volume that an eye sees ${pair('visible', formatChange)}.</p>`;
}

function poseFigures({ name, pose }: ReportClip, { skinned, baked, moved, reach }: PosePictures): Html {
  const at = `${pose!.time.toFixed(2)} s${pose!.region ? `, ${pose!.region}` : ''}`;
  return html`<div class="poses">
<figure><img src="${skinned}" alt="${name} at ${at}, linear skinning"><figcaption><b>Linear skinning</b> at ${at}</figcaption></figure>
<figure><img src="${baked}" alt="${name} at ${at}, baked"><figcaption><b>Baked</b> at ${at}</figcaption></figure>
<figure><img src="${moved}" alt="${name} at ${at}, coloured by displacement"><figcaption><b>Displacement</b><div class="scale" style="background:${cssGradient()}"></div><div><span>0</span><span>${formatShare(reach)} of the size</span></div></figcaption></figure>
</div>`;
}

function regionTable(regions: readonly JudgedRegion[]): Html {
  if (regions.length === 0) return html``;
  const worse = regions.filter(({ verdict }) => verdict === 'worse');
  const others = regions.filter(({ verdict }) => verdict !== 'worse');
  const ordered = [...worse, ...others];
  const rows = ordered.map(({ region, share, skinned, baked, verdict }, i) => {
    const spark = i < LINED ? plotSpark(region.skinned, region.baked ?? region.corrected) : '';
    return html`<tr><td>${region.name}</td><td>${formatShare(share)}</td><td>${spark}</td><td>${formatChange(skinned)}</td><td class="${COLOURS[verdict]}">${formatChange(baked)}</td></tr>`;
  });
  const table = (body: readonly Html[]) =>
    html`<div class="wide"><table><thead><tr><th>name</th><th>share of volume</th><th>over time</th><th>skinned, worst</th><th>baked, worst</th></tr></thead><tbody>${body}</tbody></table></div>`;
  const rest = rows.slice(LISTED);
  const more =
    rest.length > 0
      ? html`<details><summary>and ${rest.length} that change less</summary>${table(rest)}</details>`
      : '';
  return html`<h3>Regions</h3>${table(rows.slice(0, LISTED))}${more}`;
}

/** Connected parts, where there are several: which of them changes most. */
function partLine({ components }: ReportClip): Html {
  const whole = components.reduce((sum, { rest }) => sum + Math.abs(rest), 0);
  const parts = components.filter(({ rest }) => Math.abs(rest) >= 0.01 * whole);
  if (parts.length < 2) return html``;
  const pairs = parts.map(({ skinned, baked, corrected }) => [largest(skinned), largest(baked ?? corrected)] as const);
  const [before, after] = [largest(pairs.map(([own]) => own)), largest(pairs.map(([, own]) => own))];
  const worse = pairs.filter(([from, to]) => judgeChange(from, to) === 'worse').length;
  const verdict = worse > 0 ? 'worse' : judgeChange(before, after);
  return html`<p>The worst of ${parts.length} separate parts: ${formatChange(before)} → <span class="${COLOURS[verdict]}">${formatChange(after)}</span>${worse > 0 ? `; ${worse} got worse` : ''}.</p>`;
}

function changesOf({ target }: ReportClip, volumes: readonly number[]): number[] {
  return volumes.map((v, i) => (target[i] === 0 ? 0 : v / target[i]! - 1));
}
