import { inflateSync } from 'node:zlib';
import { createBakeReport } from '@isoskin/report';
import { describe, expect, it } from 'vitest';
import type { BakeReportData, ReportClip } from '../../src/report/bake-report-data.js';
import { html } from '../../src/report/html.js';
import { judgeChange } from '../../src/report/judge-clip.js';
import { createFilmFrames, readFilms as readPlayed } from '../../src/report/play-films.js';
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
  skin: {
    rest: octahedron,
    offsets: [0, 1, 2, 3, 4, 6, 7],
    bones: [0, 0, 0, 0, 0, 1, 1],
    weights: [1, 1, 1, 1, 0.5, 0.5, 1],
  },
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

const readFigures = (page: string) =>
  JSON.parse(/<script type="application\/json" id="isoskin-report">([^<]*)<\/script>/.exec(page)![1]!);

const readFilms = (page: string) => JSON.parse(/id="isoskin-films">([^<]*)</.exec(page)![1]!);
const inflate = (text: string) => Uint8Array.from(inflateSync(Buffer.from(text, 'base64'))).buffer;

/** A clip whose arm the bake made worse, though the whole is exact. */
const spoiled = clip('spoiled', {
  regions: [
    { name: 'leg', rest: 1, skinned: [0, -0.1, 0], corrected: [0, 0, 0], baked: [0, 0.0001, 0] },
    { name: 'arm', rest: 1, skinned: [0, -0.05, 0], corrected: [0, 0.4, 0], baked: [0, 0.4, 0] },
  ],
});

describe('createBakeReport', () => {
  it('is one page that needs nothing else', async () => {
    const page = await createBakeReport(data());
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).not.toMatch(/https?:|<link|<script src|@import|url\(/);
    expect(page.match(/src="data:image\/png;base64,/g)).toHaveLength(6);
    expect(page.match(/<svg class="plot"/g)).toHaveLength(2);
    for (const text of [
      '−10.0 %',
      '−0.025 %',
      '1.50× the input',
      'Something was mended (mesh)',
      'arm run',
      '--fps',
      'href="#clip-2"',
    ]) {
      expect(page).toContain(text);
    }
  });

  it('says where the flesh is in the worst frame, and what the bake made worse', async () => {
    const page = await createBakeReport(data());
    expect(page).toContain('misplaced <span class="good">3.49 % → 0.71 %</span>');
    expect(page).toContain('in one place twice <span class="bad">0.21 % → 1.21 %</span>');
    expect(page).toContain('volume that an eye sees <span class="good">−5.96 % → −0.084 %</span>');
  });

  it('judges every region: what got worse is red, first, and in the JSON; nothing that got worse is green', async () => {
    const page = await createBakeReport(data({ clips: [clip('walk'), spoiled], tolerance: 0.001 }));
    expect(page).toContain('1 region is worse than plain skinning leaves it: arm in spoiled (−5.00 % → +40.0 %)');
    expect(page).toContain('<td class="bad">+40.0 %</td>');
    expect(page).not.toContain('<td class="good">+40.0 %</td>');
    const { format, version, verdict, clips } = readFigures(page);
    expect({ format, version, verdict }).toEqual({ format: 'isoskin-report', version: 1, verdict: 'worse' });
    expect(clips.map((one: { name: string }) => one.name)).toEqual(['spoiled', 'walk']); // by damage
    expect(clips[0].regions[0]).toEqual({
      name: 'arm',
      share: 0.5,
      skinned: -0.05,
      baked: 0.4,
      time: 0.5,
      verdict: 'worse',
    });
    expect(judgeChange(-0.1, 0.1)).toBe('same');
    expect(judgeChange(-0.1, 0.1004, 0.001)).toBe('same');
    expect(judgeChange(-0.1, Number.NaN)).toBe('worse');
  });

  it('shows the worst clips in full and the others as rows, with a player where there are films', async () => {
    const still = Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
    const film = (scale: number) => [Float32Array.from(octahedron), Float32Array.from(octahedron, (x) => scale * x)];
    const filmed = (i: number) =>
      clip(`clip ${i}`, {
        pose: { ...clip('a').pose!, region: 'arm', focus: [-1, -1, -1, 1, 1, 1] },
        film: { times: [0, 0.5], bones: [still, still], skinned: film(1), baked: film(1.02) },
      });
    const page = await createBakeReport(data({ clips: Array.from({ length: 60 }, (_, i) => filmed(i)) }));
    expect(page.match(/<section id="clip-/g)).toHaveLength(4);
    expect(page.match(/class="player"/g)).toHaveLength(4);
    expect(page).toContain('and 20 that change less');
    const { films } = readFilms(page);
    expect(films.map(({ worst }: { worst: number }) => worst)).toEqual([1, 1, 1, 1]);
  });

  it('films the whole of a fine mesh, before and after, wherever its bones and what no skin does take it', async () => {
    const side = 64;
    const count = side * side;
    const rest = Float32Array.from({ length: 3 * count }, (_, i) => {
      const v = Math.floor(i / 3);
      return i % 3 === 0 ? v % side : i % 3 === 1 ? Math.floor(v / side) : 0;
    });
    const grid = Array.from({ length: count }, (_, v) => v)
      .filter((v) => v % side < side - 1 && v < count - side)
      .flatMap((v) => [v, v + 1, v + side, v + 1, v + side + 1, v + side]);
    const frames = 30;
    const times = Array.from({ length: frames }, (_, f) => f / 10);
    // One bone that rises; a wave that the skin knows nothing of; a bulge in the middle that the file adds.
    const bones = times.map((t) => Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, t, 0));
    const skinned = times.map((t) =>
      rest.map((x, i) => x + (i % 3 === 1 ? t : i % 3 === 2 ? 0.3 * Math.sin(t + rest[i - 2]!) : 0)),
    );
    const baked = skinned.map((frame, f) =>
      frame.map((x, i) => x + (i % 3 === 2 ? -0.05 * f * Math.exp(-((rest[i - 2]! - 32) ** 2) / 50) : 0)),
    );
    const filmed = (i: number) =>
      clip(`clip ${i}`, {
        pose: {
          time: 1,
          skinned: Float64Array.from(rest),
          baked: Float64Array.from(rest),
          region: 'arm',
          focus: [0, 0, 0, 9, 9, 1],
        },
        film: { times, bones, skinned, baked },
      });
    const skin = {
      rest,
      offsets: Uint32Array.from({ length: count + 1 }, (_, v) => v),
      bones: new Uint32Array(count),
      weights: new Float32Array(count).fill(1),
    };
    const undrawn = async (stills: readonly unknown[]) => stills.map(() => '');
    const page = await createBakeReport(data({ triangles: grid, skin, clips: [0, 1, 2, 3].map(filmed) }), undrawn);
    const films = readFilms(page);
    const [part] = films.parts;
    const welded = new Uint32Array(inflate(part.welded));
    expect([...new Uint32Array(inflate(part.triangles))].map((v) => welded[v])).toEqual(grid);
    expect(films.films.map((film: { times: number[] }) => film.times.length)).toEqual([frames, frames, frames, frames]);
    const frameAt = await createFilmFrames(await readPlayed(films), films.films[3]);
    for (const f of [0, 17, frames - 1]) {
      const surfaces = frameAt(times[f]!);
      for (const [s, exact] of [skinned, baked].entries()) {
        const worst = exact[f]!.reduce((most, x, i) => Math.max(most, Math.abs(x - surfaces[s]!.positions[i]!)), 0);
        expect(worst).toBeLessThan(1e-4 * Math.hypot(63, 63));
      }
    }
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
    expect(page).not.toContain('<script>alert');
    expect(page).not.toContain('alert("x")');
    // The JSON alone is a script, and nothing in it can end it.
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page.match(/<\/script>/g)).toHaveLength(1);
    expect(readFigures(page).title).toBe(EVIL);
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
    expect(page).toContain('and 22 that change less');
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
