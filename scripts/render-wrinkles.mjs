/**
 * Makes docs/images/wrinkles-*.png: knees, wrist, trunk, forehead and a cat's belly without and with their wrinkles, and the control curve with its
 * strategies. The packages must be built.
 *
 * node scripts/render-wrinkles.mjs
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createFrameSource, createPose, planBody, samplePose } from '@isoskin/core';
import { planControlCurve } from '@isoskin/core/wrinkles';
import { createDemo, createWrinkledStack } from '@isoskin/demos';
import { encodePng, renderPicture } from '@isoskin/report';
import { composePictures } from './pictures/compose-pictures.mjs';

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));
mkdirSync(folder, { recursive: true });
const SIZE = { width: 400, height: 400 };

/** One column per moment: without wrinkles above, with them below. */
async function render(name, views, options = {}) {
  const character = createDemo(name, options);
  const { triangles } = character.surface;
  const stack = createFrameSource(planBody(character), createWrinkledStack(name, character));
  const pose = createPose(character);
  const [plain, folded] = [[], []];
  for (const { clip, time, camera, label } of views) {
    const own = character.clips.find((each) => each.name === clip);
    samplePose(pose, character, own, time);
    const { positions, normals, refined } = stack.evaluate(pose, time, 0);
    const meshes = [{ positions: positions.slice(), normals: normals.slice(), triangles }];
    plain.push([renderPicture({ ...SIZE, meshes, camera }), label]);
    const fine = refined && {
      positions: refined.positions.slice(),
      normals: refined.normals.slice(),
      triangles: refined.triangles.slice(0, 3 * refined.triangleCount),
    };
    const count = refined ? `${refined.triangleCount} triangles` : 'stretched: not refined';
    folded.push([renderPicture({ ...SIZE, meshes: fine ? [fine] : meshes, camera }), `wrinkles, ${count}`]);
  }
  const all = [...plain, ...folded];
  const picture = composePictures(
    all.map(([image]) => image),
    views.length,
    all.map(([, caption]) => caption),
  );
  writeFileSync(`${folder}wrinkles-${name}.png`, await encodePng(picture));
  console.log(`wrinkles-${name}.png`);
}

/** The control curve as an SVG: three strategies and two levels, more and more compressed. */
function drawCurves() {
  const kinds = [
    ['from-a', { strategy: 'from-a', maxHeight: 0.05 }],
    ['both-ends', { strategy: 'both-ends', maxHeight: 0.05 }],
    ['everywhere', { strategy: 'everywhere' }],
    ['spacing 1', { strategy: 'everywhere', spacing: 1 }],
    ['crest 2', { strategy: 'everywhere', crest: 2 }],
    ['two levels', { strategy: 'everywhere', levels: [{ share: 0.3 }] }],
  ];
  const shapes = kinds.flatMap(([label, options], row) => {
    const curve = planControlCurve({ length: 1, points: 17, ...options });
    const out = new Float64Array(2 * curve.pointCount);
    const text = `<text x="0" y="${70 * row + 44}">${label}</text>`;
    const lines = [0.02, 0.08, 0.2].map((compression, column) => {
      const count = curve.evaluate(out, 1 - compression);
      const points = Array.from({ length: count }, (_, i) => {
        const x = 110 + 240 * column + 210 * out[2 * i];
        return `${x.toFixed(1)},${(70 * row + 52 - 210 * out[2 * i + 1]).toFixed(1)}`;
      });
      return `<polyline points="${points.join(' ')}"/>`;
    });
    return [text, ...lines];
  });
  const head = [0.02, 0.08, 0.2].map(
    (c, column) => `<text x="${110 + 240 * column}" y="14">compressed by ${100 * c} %</text>`,
  );
  const style = 'text{font:13px sans-serif;fill:#555}polyline{fill:none;stroke:#b5532a;stroke-width:1.6}';
  const body = `<style>${style}</style><rect width="830" height="440" fill="#fff"/>${[...head, ...shapes].join('\n')}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 830 440" width="830" height="440">${body}</svg>\n`;
  writeFileSync(`${folder}wrinkles-curve.svg`, svg);
  console.log('wrinkles-curve.svg');
}

drawCurves();
const back = { azimuth: 130, elevation: 5, box: [-0.15, 0.25, -0.4, 0.3, 0.85, 0.2] };
const front = { azimuth: 20, elevation: 5, box: [-0.3, 0.25, -0.3, 0.3, 0.85, 0.3] };
await render('hero', [
  { clip: 'knees', time: 0.35, camera: back, label: 'left knee bent by 48 degrees' },
  { clip: 'knees', time: 0.6, camera: back, label: 'by 78 degrees' },
  { clip: 'knees', time: 0.6, camera: front, label: 'from the front' },
]);
const wrist = { azimuth: 40, elevation: 5, box: [-0.5, -0.75, -0.4, 0.6, 0.45, 0.6] };
await render('hand', [
  { clip: 'wrist', time: 0, camera: wrist, label: 'straight' },
  { clip: 'wrist', time: 0.4, camera: wrist, label: 'bending' },
  { clip: 'wrist', time: 0.55, camera: wrist, label: 'further' },
]);
const trunk = { azimuth: 60, elevation: 15, box: [-0.6, 0.8, 1.4, 0.6, 2.9, 3.4] };
await render('elephant', [
  { clip: 'trunk', time: 0, camera: trunk, label: 'at rest' },
  { clip: 'trunk', time: 0.9, camera: trunk, label: 'curling' },
  { clip: 'trunk', time: 1.3, camera: trunk, label: 'curled' },
]);
const face = { azimuth: 20, elevation: 8, box: [-0.9, 0.5, -0.4, 0.9, 2.5, 1] };
await render('head', [
  { clip: 'raise', time: 0, camera: face, label: 'at rest' },
  { clip: 'raise', time: 1, camera: face, label: 'raises its brows' },
  { clip: 'frown', time: 1, camera: face, label: 'frowns' },
]);
const belly = { azimuth: 100, elevation: -30, box: [-0.7, 1.1, -1.2, 0.7, 2.7, 1.2] };
await render(
  'cat',
  [
    { clip: 'hunch', time: 0, camera: belly, label: 'stands' },
    { clip: 'hunch', time: 0.6, camera: belly, label: 'hunches' },
    { clip: 'hunch', time: 1.2, camera: belly, label: 'further' },
  ],
  { vertices: 6000 },
);
