import { formatChange } from './format-value.js';
import { type Html, html } from './html.js';

export interface PlotLine {
  readonly name: string;
  /** Class in the page's style: it gives the colour. */
  readonly kind: 'skinned' | 'baked';
  readonly values: readonly number[];
}

const WIDTH = 720;
const HEIGHT = 240;
const LEFT = 58;
const RIGHT = 14;
const TOP = 12;
const BOTTOM = 28;

/** Relative changes over time as an inline SVG with axes. Percentages are rounded to what the picture can show. */
export function plotLines(times: readonly number[], lines: readonly PlotLine[], label: string): Html {
  const ticks = chooseTicks(lines.flatMap(({ values }) => values));
  const [low, high] = [ticks[0]!, ticks.at(-1)!];
  const end = times.at(-1) || 1;
  const x = (time: number) => LEFT + ((WIDTH - LEFT - RIGHT) * time) / end;
  const y = (value: number) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - value)) / (high - low);
  const seconds = chooseSeconds(end);
  const path = (values: readonly number[]) => drawPath(values, (i) => x(times[i]!), y);
  return html`<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}"><title>${label}</title>
${ticks.map((tick) => html`<line class="${tick === 0 ? 'axis' : 'grid'}" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(tick).toFixed(1)}" y2="${y(tick).toFixed(1)}"/><text x="${LEFT - 8}" y="${(y(tick) + 4).toFixed(1)}" text-anchor="end">${formatTick(tick)}</text>`)}
${seconds.map((tick) => html`<text x="${x(tick).toFixed(1)}" y="${HEIGHT - 8}" text-anchor="middle">${tick} s</text>`)}
${lines.map(({ name, kind, values }) => html`<path class="${kind}" d="${path(values)}"><title>${name}</title></path>`)}
</svg>`;
}

/** A line without axes, for a table. */
export function plotSpark(skinned: readonly number[], baked: readonly number[]): Html {
  const [width, height] = [150, 30];
  const reach = Math.max(0.005, ...[...skinned, ...baked].map(Math.abs)) * 1.1;
  const y = (value: number) => (height / 2) * (1 - value / reach);
  const path = (values: readonly number[]) => drawPath(values, (i) => (width * i) / Math.max(1, values.length - 1), y);
  return html`<svg class="spark" viewBox="0 0 ${width} ${height}" aria-hidden="true"><line class="axis" x1="0" x2="${width}" y1="${height / 2}" y2="${height / 2}"/><path class="skinned" d="${path(skinned)}"/><path class="baked" d="${path(baked)}"/></svg>`;
}

/** The `d` of a path through values, with where each stands and how high. */
function drawPath(values: readonly number[], x: (index: number) => number, y: (value: number) => number): string {
  return thin(values)
    .map(([i, value], n) => `${n === 0 ? 'M' : 'L'}${x(i).toFixed(1)} ${y(value).toFixed(1)}`)
    .join('');
}

/** At most 400 points: the extreme of each stretch, so that no peak is lost. */
function thin(values: readonly number[]): [number, number][] {
  const step = Math.max(1, values.length / 400);
  const out: [number, number][] = [];
  for (let at = 0; at < values.length; at += step) {
    const from = Math.floor(at);
    const to = Math.max(from + 1, Math.floor(at + step));
    let best = from;
    for (let i = from; i < Math.min(to, values.length); i++)
      if (Math.abs(values[i]!) > Math.abs(values[best]!)) best = i;
    out.push([best, values[best]!]);
  }
  const last = values.length - 1;
  if (last >= 0 && out.at(-1)![0] !== last) out.push([last, values[last]!]);
  return out;
}

/** Round steps that hold all values and zero. */
function chooseTicks(values: readonly number[]): number[] {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const span = Math.max(high - low, 0.002);
  const step = roundUp(span / 4);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(Math.ceil(high / step - 1e-9), first + 2);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

function formatTick(tick: number): string {
  if (Math.abs(tick) < 1e-12) return '0 %';
  return formatChange(tick).replace(/\.?0+ %$/, ' %');
}

function chooseSeconds(end: number): number[] {
  const step = roundUp(end / 6);
  return Array.from({ length: Math.floor(end / step + 1e-9) + 1 }, (_, i) => Number((i * step).toPrecision(6)));
}

/** The next of 1, 2, 5 times a power of ten. */
function roundUp(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= step) ?? 10);
}
