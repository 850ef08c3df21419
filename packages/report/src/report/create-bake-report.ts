import type { FleshFigures } from '@isoskin/core/quality';
import type { BakeReportData, ReportClip, ReportRegion } from './bake-report-data.js';
import { cssGradient, drawPoses, type PosePictures } from './draw-poses.js';
import { formatBytes, formatChange, formatCount, formatShare, largest } from './format-value.js';
import { type Html, html } from './html.js';
import { plotLines, plotSpark } from './plot-lines.js';
import { REPORT_STYLE } from './report-style.js';

/** Clips with pictures: those that plain skinning spoils most. */
const PICTURED = 6;
/** Regions listed per clip. */
const LISTED = 24;

/** One self-contained HTML page about a bake: numbers, plots over time, pictures of the worst frames, options, warnings. */
export async function createBakeReport(data: BakeReportData): Promise<string> {
  const { clips } = data;
  const pictured = new Set(
    [...clips].sort((a, b) => Math.abs(b.worst.skinned) - Math.abs(a.worst.skinned)).slice(0, PICTURED),
  );
  const sections: Html[] = [];
  for (const clip of clips) {
    const pictures = clip.pose && pictured.has(clip) ? await drawPoses(data.triangles, clip.pose) : undefined;
    sections.push(clipSection(clip, pictures));
  }
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${data.title}: volume report</title>
<style>${{ markup: REPORT_STYLE }}</style>
</head>
<body><main>
<header>
<div class="brand">isoskin · volume report</div>
<h1>${data.title}</h1>
<p>${data.input.name} → ${data.output.name} · ${formatCount(data.vertices)} vertices, ${data.bones} bones, ${clips.length === 1 ? '1 clip' : html`${clips.length} clips`} · baked in ${data.seconds.toFixed(1)} s</p>
</header>
${summaryCards(data)}
${warningSection(data)}
${clips.length > 1 ? overviewSection(clips) : ''}
${sections}
${settingsSection(data)}
<footer>Volumes are exact for the triangle mesh and relative to its rest volume, scaled as the joints scale it.</footer>
</main></body>
</html>
`;
  return page.markup;
}

function summaryCards({ clips, input, output, targets, positionError }: BakeReportData): Html {
  const before = largest(clips.map(({ worst }) => worst.skinned));
  const after = largest(clips.map(({ worst }) => worst.baked));
  const count = targets.reduce((sum, target) => sum + target.count, 0);
  const active = Math.max(0, ...targets.map((target) => target.active));
  const ratio = input.bytes > 0 ? html`, ${(output.bytes / input.bytes).toFixed(2)}× the input` : '';
  return html`<div class="cards">
<div class="card"><b><span class="before">${formatChange(before)}</span><i>→</i><span class="after">${formatChange(after)}</span></b><span>worst volume change, skinned and baked</span></div>
<div class="card"><b>${formatShare(positionError)}</b><span>largest position error, of the size</span></div>
<div class="card"><b>${count}</b><span>morph targets, at most ${active} at once</span></div>
<div class="card"><b>${formatBytes(output.bytes)}</b><span>file size${ratio}</span></div>
</div>`;
}

function warningSection({ warnings }: BakeReportData): Html {
  if (warnings.length === 0) return html``;
  const items = warnings.map(({ message, place }) => html`<li>${place ? `${message} (${place})` : message}</li>`);
  return html`<section class="warnings"><h2>Good to know</h2><ul>${items}</ul></section>`;
}

function overviewSection(clips: readonly ReportClip[]): Html {
  const rows = clips.map((clip) => {
    const [skinned, baked] = [changesOf(clip, clip.skinned), changesOf(clip, clip.baked)];
    return html`<tr><td>${clip.name}</td><td>${clip.duration.toFixed(2)} s</td><td>${plotSpark(skinned, baked)}</td><td class="bad">${formatChange(clip.worst.skinned)}</td><td class="good">${formatChange(clip.worst.baked)}</td><td>${formatChange(worstPart(clip))}</td><td>${formatShare(clip.positionError)}</td></tr>`;
  });
  return html`<section><div class="head"><h2>All clips</h2><p>worst frame of each</p></div><div class="wide"><table><thead><tr><th>clip</th><th>length</th><th>volume over time</th><th>skinned</th><th>baked</th><th>worst part, baked</th><th>position error</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

function clipSection(clip: ReportClip, pictures: PosePictures | undefined): Html {
  const lines = [
    { name: 'linear skinning', kind: 'skinned', values: changesOf(clip, clip.skinned) },
    { name: 'baked file', kind: 'baked', values: changesOf(clip, clip.baked) },
  ] as const;
  return html`<section>
<div class="head"><h2>${clip.name}</h2><p>${clip.duration.toFixed(2)} s · worst ${formatChange(clip.worst.skinned)} at ${clip.worst.time.toFixed(2)} s, baked ${formatChange(clip.worst.baked)}</p></div>
${plotLines(clip.times, lines, `Volume change over time in ${clip.name}`)}
<div class="legend"><span style="--c:var(--skinned)">linear skinning</span><span style="--c:var(--baked)">baked file</span></div>
${pictures ? poseFigures(clip, pictures) : ''}
${fleshLine(clip)}
${regionTable('Regions', clip.regions)}
${clip.components.length > 1 ? regionTable('Parts', clip.components) : ''}
</section>`;
}

/** Q9, Q10: where the flesh is in the worst frame, by cuts that the correction does not know. */
function fleshLine({ pose }: ReportClip): Html {
  if (!pose?.flesh) return html``;
  const { skinned, baked } = pose.flesh;
  const pair = (key: keyof FleshFigures, show: (value: number) => string) =>
    html`<span class="${Math.abs(baked[key]) > Math.abs(skinned[key]) + 5e-4 ? 'bad' : 'good'}">${show(skinned[key])} → ${show(baked[key])}</span>`;
  return html`<p>Flesh in the worst frame: misplaced ${pair('misplaced', formatShare)}, in one place twice ${pair('overlap', formatShare)}, volume that an eye sees ${pair('visible', formatChange)}.</p>`;
}

function poseFigures({ name, worst }: ReportClip, { skinned, baked, moved, reach }: PosePictures): Html {
  const at = `${worst.time.toFixed(2)} s`;
  return html`<div class="poses">
<figure><img src="${skinned}" alt="${name} at ${at}, linear skinning"><figcaption><b>Linear skinning</b> at ${at}</figcaption></figure>
<figure><img src="${baked}" alt="${name} at ${at}, baked"><figcaption><b>Baked</b> at ${at}</figcaption></figure>
<figure><img src="${moved}" alt="${name} at ${at}, coloured by displacement"><figcaption><b>Displacement</b><div class="scale" style="background:${cssGradient()}"></div><div><span>0</span><span>${formatShare(reach)} of the size</span></div></figcaption></figure>
</div>`;
}

function regionTable(title: string, regions: readonly ReportRegion[]): Html {
  if (regions.length === 0) return html``;
  const whole = regions.reduce((sum, { rest }) => sum + Math.abs(rest), 0) || 1;
  const sorted = [...regions].sort((a, b) => Math.abs(largest(b.skinned)) - Math.abs(largest(a.skinned)));
  const rows = sorted.slice(0, LISTED).map(({ name, rest, skinned, corrected, baked = corrected }) => {
    return html`<tr><td>${name}</td><td>${formatShare(rest / whole)}</td><td>${plotSpark(skinned, baked)}</td><td class="bad">${formatChange(largest(skinned))}</td><td class="good">${formatChange(largest(baked))}</td></tr>`;
  });
  const more = sorted.length > LISTED ? html`<p>… and ${sorted.length - LISTED} that change less.</p>` : '';
  return html`<h3>${title}</h3><div class="wide"><table><thead><tr><th>name</th><th>share of volume</th><th>over time</th><th>skinned, worst</th><th>baked, worst</th></tr></thead><tbody>${rows}</tbody></table></div>${more}`;
}

function settingsSection({ input, output, targets, options, stack }: BakeReportData): Html {
  const lines: [string, string][] = [
    ['input', `${input.name}, ${formatBytes(input.bytes)}`],
    ['output', `${output.name}, ${formatBytes(output.bytes)}`],
    ...targets.map(({ node, count, keys, active }): [string, string] => [
      `targets of ${node || 'mesh'}`,
      `${count}, at most ${active} at once, ${keys} keys`,
    ]),
    ...options.map(([name, value]): [string, string] => [`--${name}`, value]),
  ];
  return html`<section><h2>How it was made</h2><dl>${lines.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl><details><summary>The stack</summary><pre>${JSON.stringify(stack, null, 2)}</pre></details></section>`;
}

function changesOf({ target }: ReportClip, volumes: readonly number[]): number[] {
  return volumes.map((v, i) => (target[i] === 0 ? 0 : v / target[i]! - 1));
}

/** Largest change of a part that holds 1 % of the volume. */
function worstPart({ components }: ReportClip): number {
  const whole = components.reduce((sum, { rest }) => sum + Math.abs(rest), 0);
  return largest(
    components
      .filter(({ rest }) => Math.abs(rest) >= 0.01 * whole)
      .map(({ baked, corrected }) => largest(baked ?? corrected)),
  );
}
