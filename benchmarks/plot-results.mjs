/**
 * Draws benchmarks/results/cpu.csv: docs/images/bench-cpu.svg, time per vertex against the number of vertices (the last run of every size), and
 * docs/images/bench-history.svg, what the correction costs from commit to commit; planning-stages.csv: docs/images/bench-planning.svg; and frame-stages.csv:
 * docs/images/bench-frame-stages.svg.
 * node benchmarks/plot-results.mjs
 */
import { readFileSync, writeFileSync } from 'node:fs';

const SIZE = { width: 760, height: 420, left: 70, right: 190, top: 20, bottom: 50 };
const isWasm = (row) => row.kernels === 'wasm' && row.threads === 1;
const LINES = [
  ['three.js, skinning only', '#999999', (row) => row.kernels === 'typescript', 'threeSkin'],
  ['TypeScript frame', '#c0504d', (row) => row.kernels === 'typescript', 'frame'],
  ['WASM frame', '#1f6fb4', isWasm, 'frame'],
  ['WASM frame, all threads', '#12406a', (row) => row.kernels === 'wasm' && row.threads > 1, 'frame'],
  ['WASM skin + normals', '#6fb41f', isWasm, 'skinNormals'],
  ['memory floor', '#cccccc', isWasm, 'floor'],
];
const HISTORY = [
  ['5 720 vertices', '#c0504d', 5720],
  ['100 000', '#1f6fb4', 100_009],
  ['1 000 000', '#12406a', 999_940],
];

const [head, ...table] = readCsv('cpu.csv');
const rows = table.map((cells) =>
  Object.fromEntries(
    cells.map((cell, n) => [
      head[n],
      cell !== '' && head[n] !== 'commit' && Number.isFinite(Number(cell)) ? Number(cell) : cell,
    ]),
  ),
);

draw('bench-cpu', {
  x: {
    title: 'vertices',
    range: [200, 1_200_000],
    ticks: [1000, 10_000, 100_000, 1_000_000].map((n) => [n, n.toLocaleString('en').replaceAll(',', ' ')]),
  },
  y: { title: 'ns per vertex', range: [2, 700], ticks: [3, 10, 30, 100, 300].map((ns) => [ns, ns]) },
  lines: LINES.map(([name, color, match, field]) => {
    const last = new Map(rows.filter(match).map((row) => [row.vertices, (1e6 * row[field]) / row.vertices]));
    return { name, color, points: [...last].sort(([a], [b]) => a - b) };
  }),
});

const commits = [...new Set(rows.map((row) => row.commit))];
draw('bench-history', {
  x: {
    title: 'commit',
    curve: Number,
    range: [0.8, commits.length + 0.2],
    ticks: commits.map((commit, n) => [n + 1, commit]),
  },
  y: {
    title: 'WASM frame ÷ (skin + normals), one thread, warm',
    range: [1, 3],
    ticks: [1, 1.5, 2, 2.5, 3].map((ratio) => [ratio, ratio]),
  },
  lines: HISTORY.map(([name, color, vertices]) => {
    const own = rows.filter((row) => isWasm(row) && row.vertices === vertices);
    return { name, color, points: own.map((row) => [commits.indexOf(row.commit) + 1, row.frame / row.skinNormals]) };
  }),
});

drawStages('bench-planning', 'planning-stages.csv', {
  title: 'µs per vertex',
  range: [0.3, 20],
  ticks: [0.3, 1, 3, 10].map((us) => [us, us]),
});
drawStages('bench-frame-stages', 'frame-stages.csv', {
  title: 'ns per vertex',
  range: [0.8, 30],
  ticks: [1, 3, 10, 30].map((ns) => [ns, ns]),
});

/** Cost per vertex of every column from 10 000 vertices on. */
function drawStages(file, csv, y) {
  const [[, ...stages], ...sizes] = readCsv(csv);
  const grown = sizes
    .map((cells) => cells.map((cell) => Number(cell.replaceAll(' ', ''))))
    .filter(([vertices]) => vertices > 9_000);
  draw(file, {
    x: {
      title: 'vertices',
      range: [9_000, 5_000_000],
      ticks: [10_000, 100_000, 1_000_000, 4_000_000].map((n) => [n, n.toLocaleString('en').replaceAll(',', ' ')]),
    },
    y,
    lines: stages.map((name, n) => ({
      name,
      color: `hsl(${Math.round((360 * n) / stages.length)} 60% 45%)`,
      points: grown.map((cells) => [cells[0], cells[n + 1]]),
    })),
  });
}

/** Without the lines that say where it comes from. */
function readCsv(name) {
  const lines = readFileSync(new URL(`./results/${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return lines.filter((line) => !line.startsWith('#')).map((line) => line.split(','));
}

/** Axes are logarithmic unless they have a curve of their own; the names of the lines stand at their ends. */
function draw(file, { x, y, lines }) {
  const [left, right, top, bottom] = [SIZE.left, SIZE.width - SIZE.right, SIZE.top, SIZE.height - SIZE.bottom];
  const xOf = scale(x.range, left, right, x.curve);
  const yOf = scale(y.range, bottom, top);
  const parts = [text((left + right) / 2, SIZE.height - 10, x.title, 'middle'), text(8, top - 6, y.title, 'start')];
  for (const [value, name] of x.ticks) {
    parts.push(rule(xOf(value), top, xOf(value), bottom), text(xOf(value), bottom + 18, name, 'middle'));
  }
  for (const [value, name] of y.ticks) {
    parts.push(rule(left, yOf(value), right, yOf(value)), text(left - 8, yOf(value) + 4, name, 'end'));
  }
  const ends = lines.map(({ name, color, points }) => {
    const places = points.map(([a, b]) => [xOf(a), Math.max(top, yOf(b))]);
    const list = places.map((place) => place.join(',')).join(' ');
    parts.push(`<polyline fill="none" stroke="${color}" stroke-width="2" points="${list}"/>`);
    for (const [a, b] of places) parts.push(`<circle cx="${a}" cy="${b}" r="2.5" fill="${color}"/>`);
    return { name, color, y: places.at(-1)[1] };
  });
  let lowest = Number.NEGATIVE_INFINITY;
  for (const { name, color, y: end } of ends.sort((a, b) => a.y - b.y)) {
    lowest = Math.max(end + 4, lowest + 15);
    parts.push(text(right + 8, lowest, name, 'start', color));
  }
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" font-family="sans-serif" font-size="12">`;
  const svg = `${open}<rect width="100%" height="100%" fill="#ffffff"/>${parts.join('')}</svg>\n`;
  writeFileSync(new URL(`../docs/images/${file}.svg`, import.meta.url), svg);
}

function scale([low, high], from, to, curve = Math.log) {
  return (value) => round(from + ((curve(value) - curve(low)) / (curve(high) - curve(low))) * (to - from));
}

function rule(x1, y1, x2, y2) {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#eeeeee"/>`;
}

function text(x, y, words, anchor, color = '#333333') {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="${color}">${words}</text>`;
}

function round(value) {
  return Math.round(10 * value) / 10;
}
