/**
 * Makes docs/images/physics-*.svg: sections through the plane of the bend, every method over the truth. The packages must be built.
 *
 * node benchmarks/peers/draw-sections.mjs <folder of truth cases>
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { METHODS, readCase } from './measure-peers.mjs';

const [folder] = process.argv.slice(2);
const SHOWN = ['linear', 'dual quaternions', 'Delta Mush, rigid', 'natural', 'anatomic', 'anatomic + contact'];
const CASES = [
  ['elbow', 2, '90°'],
  ['finger', 4, '80° each'],
  ['torso', 4, '75°'],
];
const SIZE = 240;

for (const [name, frame, angle] of CASES) {
  const one = await readCase(folder, name);
  const { pose, truth } = one.frames[frame];
  const wanted = cut(truth, one.triangles);
  const box = measureBox(wanted);
  const scale = (SIZE - 20) / Math.max(box.width, box.height);
  const place = ([x, z]) => `${(10 + scale * (x - box.x)).toFixed(1)} ${(10 + scale * (box.z - z)).toFixed(1)}`;
  const path = (segments) => segments.map(([a, b]) => `M${place(a)}L${place(b)}`).join('');
  const methods = METHODS.filter(([method]) => SHOWN.includes(method));
  const panels = methods.map(([method, plan], n) => {
    const segments = cut(plan(one.character)(pose), one.character.surface.triangles);
    return [
      `<g transform="translate(${n * SIZE} 0)">`,
      `<path d="${path(wanted)}" stroke="#999" stroke-width="4" fill="none"/>`,
      `<path d="${path(segments)}" stroke="#c03" stroke-width="1.4" fill="none"/>`,
      `<text x="10" y="${SIZE + 14}" font-family="sans-serif" font-size="13">${method}, ${name} ${angle}</text></g>`,
    ].join('');
  });
  const width = SIZE * methods.length;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${SIZE + 24}" width="${width}">${panels.join('')}</svg>\n`;
  writeFileSync(fileURLToPath(new URL(`../../docs/images/physics-${name}.svg`, import.meta.url)), svg);
  console.log(`physics-${name}.svg`);
}

/** Segments of a surface in the plane y = 0, as pairs of (x, z). */
function cut(x, triangles) {
  const segments = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const points = [];
    for (let c = 0; c < 3; c++) {
      const [i, j] = [3 * triangles[t + c], 3 * triangles[t + ((c + 1) % 3)]];
      const [a, b] = [x[i + 1] + 1e-9, x[j + 1] + 1e-9];
      if (a < 0 === b < 0) continue;
      const at = a / (a - b);
      points.push([x[i] + at * (x[j] - x[i]), x[i + 2] + at * (x[j + 2] - x[i + 2])]);
    }
    if (points.length === 2) segments.push(points);
  }
  return segments;
}

function measureBox(segments) {
  const xs = segments.flat().map(([x]) => x);
  const zs = segments.flat().map(([, z]) => z);
  const [x, z] = [Math.min(...xs), Math.max(...zs)];
  return { x, z, width: Math.max(...xs) - x, height: z - Math.min(...zs) };
}
