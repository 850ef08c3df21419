/**
 * Draws benchmarks/results/cpu.csv (the last run of a machine) as docs/images/bench-cpu.svg: time per vertex against the number
 * of vertices, both logarithmic. node benchmarks/plot-results.mjs
 */
import { readFileSync, writeFileSync } from 'node:fs';

const SIZE = { width: 760, height: 420, left: 70, right: 190, top: 20, bottom: 50 };
const LINES = [
  ['three.js, skinning only', '#999999', (row) => row.kernels === 'typescript', 'threeSkin'],
  ['TypeScript frame', '#c0504d', (row) => row.kernels === 'typescript', 'frame'],
  ['WASM frame', '#1f6fb4', (row) => row.kernels === 'wasm' && row.threads === 1, 'frame'],
  ['WASM frame, all threads', '#12406a', (row) => row.kernels === 'wasm' && row.threads > 1, 'frame'],
  ['WASM skin + normals', '#6fb41f', (row) => row.kernels === 'wasm' && row.threads === 1, 'skinNormals'],
  ['memory floor', '#cccccc', (row) => row.kernels === 'wasm' && row.threads === 1, 'floor'],
];

const [head, ...lines] = readFileSync(new URL('./results/cpu.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const names = head.split(',');
const rows = lines.map((line) =>
  Object.fromEntries(
    line.split(',').map((cell, n) => [names[n], cell !== '' && Number.isFinite(Number(cell)) ? Number(cell) : cell]),
  ),
);

const xOf = scale([200, 1_200_000], SIZE.left, SIZE.width - SIZE.right);
const yOf = scale([2, 700], SIZE.height - SIZE.bottom, SIZE.top);
const parts = [];
for (const n of [1000, 10_000, 100_000, 1_000_000]) {
  parts.push(
    `<line x1="${xOf(n)}" x2="${xOf(n)}" y1="${SIZE.top}" y2="${SIZE.height - SIZE.bottom}" stroke="#eeeeee"/>`,
  );
  parts.push(text(xOf(n), SIZE.height - SIZE.bottom + 18, n.toLocaleString('en').replaceAll(',', ' '), 'middle'));
}
for (const ns of [3, 10, 30, 100, 300]) {
  parts.push(
    `<line x1="${SIZE.left}" x2="${SIZE.width - SIZE.right}" y1="${yOf(ns)}" y2="${yOf(ns)}" stroke="#eeeeee"/>`,
  );
  parts.push(text(SIZE.left - 8, yOf(ns) + 4, String(ns), 'end'));
}
parts.push(text((SIZE.left + SIZE.width - SIZE.right) / 2, SIZE.height - 10, 'vertices', 'middle'));
parts.push(text(8, SIZE.top + 4, 'ns per vertex', 'start'));
const ends = [];
for (const [name, color, match, field] of LINES) {
  const byVertices = new Map(rows.filter(match).map((row) => [row.vertices, (1e6 * row[field]) / row.vertices]));
  const points = [...byVertices].sort(([a], [b]) => a - b).map(([n, ns]) => [xOf(n), Math.max(SIZE.top, yOf(ns))]);
  parts.push(
    `<polyline fill="none" stroke="${color}" stroke-width="2" points="${points.map((p) => p.map(round).join(',')).join(' ')}"/>`,
  );
  ends.push({ name, color, y: points.at(-1)[1] });
}
let lowest = -Infinity;
for (const { name, color, y } of ends.sort((a, b) => a.y - b.y)) {
  lowest = Math.max(y + 4, lowest + 15);
  parts.push(text(SIZE.width - SIZE.right + 8, lowest, name, 'start', color));
}
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#ffffff"/>${parts.join('')}</svg>\n`;
writeFileSync(new URL('../docs/images/bench-cpu.svg', import.meta.url), svg);

/** A logarithmic scale. */
function scale([low, high], from, to) {
  return (value) => round(from + ((Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low))) * (to - from));
}

function text(x, y, words, anchor, color = '#333333') {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="${color}">${words}</text>`;
}

function round(value) {
  return Math.round(10 * value) / 10;
}
