import { createBakeReport } from '@isoskin/report';
import { describe, expect, it } from 'vitest';
import type { BakeReportData, ReportClip } from '../../src/report/bake-report-data.js';
import { html } from '../../src/report/html.js';
import { plotLines } from '../../src/report/plot-lines.js';

const EVIL = `<script>alert("x")</script>&'`;
const octahedron = Float64Array.of(1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1);
const triangles = [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5];

const clip = (name: string, change: Partial<ReportClip> = {}): ReportClip => ({
  name,
  duration: 1,
  times: [0, 0.5, 1],
  target: [2, 2, 2],
  skinned: [2, 1.8, 2],
  baked: [2, 1.9995, 2],
  regions: [{ name: `arm ${name}`, rest: 1, skinned: [0, -0.2, 0], corrected: [0, 0, 0], baked: [0, -0.001, 0] }],
  components: [{ name: 'body', rest: 2, skinned: [0, -0.1, 0], corrected: [0, 0, 0], baked: [0, -0.0003, 0] }],
  worst: { skinned: -0.1, baked: -0.00025, time: 0.5 },
  positionError: 0.0004,
  pose: {
    time: 0.5,
    skinned: octahedron,
    baked: octahedron.map((x) => 1.02 * x),
    flesh: {
      skinned: { misplaced: 0.0349, overlap: 0.0021, visible: -0.0596 },
      baked: { misplaced: 0.0071, overlap: 0.0121, visible: -0.00084 },
    },
  },
  ...change,
});

const data = (change: Partial<BakeReportData> = {}): BakeReportData => ({
  title: 'octopus',
  input: { name: 'in.glb', bytes: 100_000 },
  output: { name: 'out.glb', bytes: 150_000 },
  vertices: 6,
  triangles,
  bones: 2,
  seconds: 0.4,
  clips: [clip('walk'), clip('run')],
  targets: [{ node: 'mesh', count: 3, keys: 12, active: 2 }],
  positionError: 0.0004,
  options: [['fps', '30']],
  stack: { skin: {} },
  warnings: [{ code: 'W', message: 'Something was mended', place: 'mesh' }],
  ...change,
});

describe('createBakeReport', () => {
  it('is one page that needs nothing else', async () => {
    const page = await createBakeReport(data());
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).not.toMatch(/https?:|<link|<script|@import|url\(/);
    expect(page.match(/src="data:image\/png;base64,/g)).toHaveLength(6);
    expect(page.match(/<svg class="plot"/g)).toHaveLength(2);
    for (const text of ['−10.0 %', '−0.025 %', '1.50× the input', 'Something was mended (mesh)', 'arm run', '--fps']) {
      expect(page).toContain(text);
    }
  });

  it('says where the flesh is in the worst frame, and what the bake made worse', async () => {
    const page = await createBakeReport(data());
    expect(page).toContain('misplaced <span class="good">3.49 % → 0.71 %</span>');
    expect(page).toContain('in one place twice <span class="bad">0.21 % → 1.21 %</span>');
    expect(page).toContain('volume that an eye sees <span class="good">−5.96 % → −0.084 %</span>');
  });

  it('shows names from files as text, wherever they stand', async () => {
    const evil = clip(EVIL, { regions: [{ ...clip('a').regions[0]!, name: EVIL }] });
    const page = await createBakeReport(
      data({
        title: EVIL,
        clips: [evil, evil],
        input: { name: EVIL, bytes: 1 },
        output: { name: EVIL, bytes: 1 },
        targets: [{ node: EVIL, count: 1, keys: 1, active: 1 }],
        options: [[EVIL, EVIL]],
        stack: { name: EVIL },
        warnings: [{ code: 'W', message: EVIL, place: EVIL }],
      }),
    );
    expect(page).not.toContain('<script');
    expect(page).not.toContain('alert("x")');
    expect(page).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;');
  });

  it('is the same every time, and stands a bake of nothing', async () => {
    expect(await createBakeReport(data())).toBe(await createBakeReport(data()));
    const page = await createBakeReport(data({ clips: [], targets: [], warnings: [] }));
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('stands clips of one frame, of no volume and with many regions', async () => {
    const region = clip('a').regions[0]!;
    const odd = clip('odd', {
      duration: 0,
      times: [0],
      target: [0],
      skinned: [0],
      baked: [0],
      regions: Array.from({ length: 30 }, (_, i) => ({ ...region, name: `region ${i}` })),
    });
    const page = await createBakeReport(data({ clips: [odd] }));
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
    expect(page).toContain('and 6 that change less');
  });
});

describe('html', () => {
  it('escapes text, keeps its own markup and joins lists', () => {
    const items = ['<a>', 'b'].map((name) => html`<li>${name}</li>`);
    expect(html`<ul title="${'"'}">${items}${3}</ul>`.markup).toBe(
      '<ul title="&quot;"><li>&lt;a&gt;</li><li>b</li>3</ul>',
    );
  });
});

describe('plotLines', () => {
  it('puts zero and every value inside, and loses no peak of a long clip', () => {
    const times = Array.from({ length: 5000 }, (_, i) => i / 100);
    const values = times.map((_, i) => (i === 2345 ? -0.5 : 0));
    const { markup } = plotLines(times, [{ name: 'v', kind: 'skinned', values }], 'l');
    expect(markup).toContain('−60 %');
    expect(markup).toContain('0 %');
    const ys = [...markup.match(/<path class="skinned" d="([^"]*)"/)![1]!.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map((m) =>
      Number(m[1]),
    );
    expect(Math.max(...ys)).toBeCloseTo(178.7, 1);
    expect(ys.length).toBeLessThan(450);
  });
});
