/** Draws the pictures of the gallery, see-through, into public/gallery: node scripts/draw-gallery.mjs [names] (after npm run build). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createFrameSource, createPose, planBody, presetStack, samplePose } from '@isoskin/core';
import { createDemo, demoNames } from '@isoskin/demos';
import { encodePng, renderPicture } from '@isoskin/report';
import { createScene, createSimulation, sceneNames } from '@isoskin/soft';

/** Where in the first clip each character is at its best: share of the clip, and the way round it. */
const MOMENTS = {
  elephant: [0.5, 38],
  giraffe: [0.35, 40],
  hand: [0.3, 25],
  hero: [0.5, 30],
  cat: [0.5, 40],
  toy: [0.3, 25],
  finger: [0.5, 60],
  tube: [0.5, 20],
};
const folder = fileURLToPath(new URL('../public/gallery/', import.meta.url));
mkdirSync(folder, { recursive: true });
const wanted = process.argv.slice(2);
const isWanted = (name) => wanted.length === 0 || wanted.includes(name);
for (const name of demoNames.filter(isWanted)) {
  const [share, azimuth] = MOMENTS[name] ?? [0.5, 30];
  const character = createDemo(name);
  const stack = createFrameSource(planBody(character), presetStack('organic'));
  const pose = createPose(character);
  const clip = character.clips[0];
  samplePose(pose, character, clip, share * clip.duration);
  const { positions, normals } = stack.evaluate(pose, share * clip.duration);
  const mesh = { positions, normals, triangles: character.surface.triangles, color: [0.86, 0.72, 0.6] };
  const camera = { azimuth, elevation: 14, margin: 0.14 };
  const picture = renderPicture({ width: 352, height: 198, meshes: [mesh], camera, background: null, samples: 3 });
  const file = `${folder}${name}.png`;
  writeFileSync(file, await encodePng(picture));
  console.log(file.slice(file.lastIndexOf('public')));
}

/** Steps until each simulation is at its best. */
const STEPS = { merge: 30, fall: 45, pinch: 70, roller: 120, muscle: 150 };
for (const name of sceneNames.filter(isWanted)) {
  const scene = createScene(name);
  const simulation = await createSimulation(scene);
  for (let n = 0; n < (STEPS[name] ?? 60); n++) simulation.step();
  const meshes = [
    simulation.surface({ kind: 'closed' }),
    ...simulation.obstacles
      .filter(({ mesh }) => isSmall(mesh, scene.view.box))
      .map(({ mesh, color, position, rotation }) => ({
        positions: place(mesh.positions, position, rotation),
        triangles: mesh.triangles,
        color,
      })),
  ];
  const { azimuth, elevation } = scene.view;
  const camera = { azimuth, elevation, margin: 0.12 };
  const picture = renderPicture({ width: 288, height: 162, meshes, camera, background: null, samples: 3 });
  writeFileSync(`${folder}scene-${name}.png`, await encodePng(picture));
  simulation.dispose();
  console.log(`public/gallery/scene-${name}.png`);
}

/** No ground: it would fill the picture. */
function isSmall({ positions }, box) {
  const size = [0, 1, 2].map((r) => {
    const values = positions.filter((_, i) => i % 3 === r);
    return Math.max(...values) - Math.min(...values);
  });
  return Math.max(...size) < 0.8 * Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
}

/** Turned by a quaternion, then moved. */
function place(positions, [px, py, pz], [x, y, z, w]) {
  const out = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    const [a, b, c] = positions.subarray(i, i + 3);
    const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
    out[i] = a + w * tx + y * tz - z * ty + px;
    out[i + 1] = b + w * ty + z * tx - x * tz + py;
    out[i + 2] = c + w * tz + x * ty - y * tx + pz;
  }
  return out;
}
