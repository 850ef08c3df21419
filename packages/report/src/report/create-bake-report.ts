import type { BakeReportData } from './bake-report-data.js';
import { clipSection } from './clip-section.js';
import { decodeTextures, drawStill, measureMoves, type ReportStill, STILLS } from './draw-poses.js';
import { encodeFilms } from './encode-films.js';
import { formatBytes, formatChange, formatCount, formatShare, largest } from './format-value.js';
import { type Html, html } from './html.js';
import { type JudgedClip, judgeChange, judgeClips, type Verdict } from './judge-clip.js';
import { PLAYER_SCRIPT } from './play-films.js';
import { plotSpark } from './plot-lines.js';
import { jsonScript, reportJson } from './report-json.js';
import { REPORT_STYLE } from './report-style.js';

/** Clips in full, with pictures and regions: those that are worst; all others are rows of one table. */
const FULL = 4;
/** Rows in sight; the others are folded away. */
const LISTED = 40;

/** Draws the worst moments of the clips, in their order: data: URIs. */
export type DrawAll = (stills: readonly ReportStill[]) => Promise<readonly string[]>;

function drawHere(data: BakeReportData): DrawAll {
  return async (stills) => {
    const pictures = await decodeTextures(data);
    return Promise.all(stills.map((still) => drawStill(data.triangles, still, data.parts, pictures)));
  };
}

/**
 * One self-contained HTML page about a bake: what came of it first, then the clips by damage, the worst of them in full, with a player of
 * before and after, and everything again as JSON.
 *
 * @param draw `drawStill` for all, elsewhere: on threads. Default: here.
 */
export async function createBakeReport(data: BakeReportData, draw: DrawAll = drawHere(data)): Promise<string> {
  const judged = judgeClips(data);
  const full = judged.slice(0, FULL);
  const shown = full.map(({ clip }) => clip);
  const stills = shown.flatMap(({ pose }) => (pose ? STILLS.map((kind) => ({ pose, kind })) : []));
  // Threads draw while this one packs the films.
  const [films, drawn] = await Promise.all([encodeFilms(data, shown), draw(stills)]);
  const sections = full.map((one, i) => {
    const film = films?.films.findIndex(({ clip }) => clip === one.clip.name) ?? -1;
    const { pose } = one.clip;
    const [skinned, baked, moved] = drawn.filter((_, n) => stills[n]!.pose === pose) as [string, string, string];
    const pictures = pose && { skinned, baked, moved, reach: measureMoves(pose).reach };
    return clipSection(one, `clip-${i + 1}`, pictures, film);
  });
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
<p>${data.input.name} → ${data.output.name} · ${formatCount(data.vertices)} vertices, ${data.bones} bones, ${judged.length === 1 ? '1 clip' : html`${judged.length} clips`} · baked in ${data.seconds.toFixed(1)} s</p>
</header>
${summary(data, judged)}
${harmSection(data)}
${contents(judged, data)}
${warningSection(data)}
${judged.length > 1 ? overviewSection(judged) : ''}
${sections}
${settingsSection(data)}
<footer>Volumes are exact for the triangle mesh and relative to its rest volume, scaled as the joints scale it. Red: worse than plain skinning leaves it. The figures are in this page as JSON too (#isoskin-report).</footer>
</main>
${jsonScript('isoskin-report', reportJson(data, judged))}
${films ? [jsonScript('isoskin-films', films), { markup: `<script>${PLAYER_SCRIPT()}</script>` }] : ''}
</body>
</html>
`;
  return page.markup;
}

const COLOURS: Record<Verdict, string> = { better: 'good', same: '', worse: 'bad' };

function summary(
  { input, output, targets, positionError, tolerance }: BakeReportData,
  judged: readonly JudgedClip[],
): Html {
  const before = largest(judged.map(({ clip }) => clip.worst.skinned));
  const after = largest(judged.map(({ clip }) => clip.worst.baked));
  const rows = judged.flatMap(({ regions, clip }) => regions.map((region) => ({ ...region, clip })));
  const worst = rows.reduce((a, b) => (Math.abs(b.skinned) > Math.abs(a?.skinned ?? -1) ? b : a), rows[0]);
  const baked = largest(rows.map((row) => row.baked));
  const worse = rows.filter(({ verdict }) => verdict === 'worse');
  const count = targets.reduce((sum, target) => sum + target.count, 0);
  const active = Math.max(0, ...targets.map((target) => target.active));
  const ratio = input.bytes > 0 ? html`, ${(output.bytes / input.bytes).toFixed(2)}× the input` : '';
  const pair = (from: number, to: number) =>
    html`<b><span>${formatChange(from)}</span><i>→</i><span class="${COLOURS[judgeChange(from, to, tolerance)]}">${formatChange(to)}</span></b>`;
  const verdict =
    worse.length === 0
      ? html`<p class="verdict good">No region is worse than plain skinning leaves it.</p>`
      : html`<p class="verdict bad">${worse.length === 1 ? '1 region is' : html`${worse.length} regions are`} worse than plain skinning leaves ${worse.length === 1 ? 'it' : 'them'}: ${worse
          .sort((a, b) => Math.abs(b.baked) - Math.abs(b.skinned) - Math.abs(a.baked) + Math.abs(a.skinned))
          .slice(0, 3)
          .map(
            (row) =>
              `${row.region.name} in ${row.clip.name} (${formatChange(row.skinned)} → ${formatChange(row.baked)})`,
          )
          .join(', ')}${worse.length > 3 ? ' …' : ''}</p>`;
  return html`<section class="summary" id="summary">${rows.length > 0 ? verdict : ''}<div class="cards">
${worst ? html`<div class="card">${pair(worst.skinned, baked)}<span>worst region, skinned (${worst.region.name}, ${worst.clip.name}) and baked</span></div>` : ''}
<div class="card">${pair(before, after)}<span>worst change of the whole</span></div>
<div class="card"><b>${formatShare(positionError)}</b><span>largest position error, of the size</span></div>
<div class="card"><b>${count}</b><span>morph targets, at most ${active} at once</span></div>
<div class="card"><b>${formatBytes(output.bytes)}</b><span>file size${ratio}</span></div>
</div></section>`;
}

function contents(judged: readonly JudgedClip[], { warnings }: BakeReportData): Html {
  const links = [
    ...(warnings.length > 0 ? [html`<a href="#warnings">Good to know</a>`] : []),
    ...(judged.length > 1 ? [html`<a href="#clips">All clips, worst first</a>`] : []),
    ...judged.slice(0, FULL).map(({ clip }, i) => html`<a href="#clip-${i + 1}">${clip.name}</a>`),
    html`<a href="#made">How it was made</a>`,
  ];
  return html`<nav>${links}</nav>`;
}

const HARMS: Readonly<Record<string, string>> = {
  crumple: 'crumpled skin, of the surface',
  crease: 'the worst crease, of a right angle',
  flipped: 'triangles inside out',
  torn: 'torn edges',
  jump: 'largest jump within 1/60 s, of the size',
  poke: 'skin through another part, of the skin next to one',
  ledge: 'sheared hems, of their length',
  misplaced: 'flesh in the wrong place, mean of all frames, of plain skinning’s own',
  volume: 'a region further from its volume, of that',
};

/** Q11: one line per kind. */
function harmSection({ harm }: BakeReportData): Html {
  if (!harm) return html``;
  const rows = harm.map(({ kind, value, limit, clip, time, region }) => {
    const place = value > 0 ? `${time.toFixed(2)} s of ${clip}${region ? `, ${region}` : ''}` : '';
    return html`<tr><td>${HARMS[kind] ?? kind}</td><td class="${value > limit ? 'bad' : ''}">${value.toFixed(2)} %</td><td>${limit} %</td><td>${place}</td></tr>`;
  });
  return html`<section id="harm"><h2>Worse than plain skinning</h2><div class="wide"><table><thead><tr><th>what</th><th>worst frame</th><th>limit</th><th>at</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

function warningSection({ warnings }: BakeReportData): Html {
  if (warnings.length === 0) return html``;
  const items = warnings.map(({ message, place }) => html`<li>${place ? `${message} (${place})` : message}</li>`);
  return html`<section class="warnings" id="warnings"><h2>Good to know</h2><ul>${items}</ul></section>`;
}

function overviewSection(judged: readonly JudgedClip[]): Html {
  const rows = judged.map(({ clip, regions, worse, total }, i) => {
    const [first] = regions;
    const spark = first ? plotSpark(first.region.skinned, first.region.baked ?? first.region.corrected) : html``;
    const name = i < FULL ? html`<a href="#clip-${i + 1}">${clip.name}</a>` : clip.name;
    return html`<tr><td>${name}</td><td>${clip.duration.toFixed(2)} s</td><td>${first?.region.name ?? ''}</td><td>${spark}</td><td>${first ? formatChange(first.skinned) : ''}</td><td class="${first ? COLOURS[first.verdict] : ''}">${first ? formatChange(first.baked) : ''}</td><td class="${worse > 0 ? 'bad' : ''}">${worse || '–'}</td><td>${formatChange(clip.worst.skinned)}</td><td class="${COLOURS[total]}">${formatChange(clip.worst.baked)}</td></tr>`;
  });
  const table = (body: readonly Html[]) =>
    html`<div class="wide"><table><thead><tr><th>clip</th><th>length</th><th>worst region</th><th>over time</th><th>skinned</th><th>baked</th><th>got worse</th><th>whole, skinned</th><th>baked</th></tr></thead><tbody>${body}</tbody></table></div>`;
  const rest = rows.slice(LISTED);
  const more =
    rest.length > 0
      ? html`<details><summary>and ${rest.length} that change less</summary>${table(rest)}</details>`
      : '';
  return html`<section id="clips"><div class="head"><h2>All clips</h2><p>by damage; the worst ${Math.min(FULL, judged.length)} in full below, all regions of all clips in the JSON</p></div>${table(rows.slice(0, LISTED))}${more}</section>`;
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
  return html`<section id="made"><h2>How it was made</h2><dl>${lines.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl><details><summary>The stack</summary><pre>${JSON.stringify(stack, null, 2)}</pre></details></section>`;
}
