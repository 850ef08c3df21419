/**
 * Makes docs/images/simulate-*.png: moments of the built-in scenes side by side. The packages must be built.
 *
 * node scripts/render-simulate.mjs [scene …]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createFrameSource, planBody, presetStack } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { encodePng, renderPicture } from '@isoskin/report';
import { createScene, createSimulation, dropCharacter } from '@isoskin/soft';
import { composePictures } from './pictures/compose-pictures.mjs';

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));

/** Frames to show of every scene; merge is shown twice, without and with control. */
const MOMENTS = {
  merge: [0, 75, 150, 220, 260, 299],
  fall: [0, 18, 26, 40, 90, 299],
  pinch: [0, 60, 96, 150, 200, 299],
  roller: [0, 48, 66, 114, 200, 299],
  muscle: [0, 60, 90, 150, 200, 299],
  squeeze: [0, 60, 96, 132, 186, 299],
  drop: [0, 24, 36, 54, 90, 300],
};

/** A rigid mesh where it is now. */
function place({ mesh, position, rotation: [qx, qy, qz, qw], color }) {
  const turn = (from, shift) => {
    const out = new Float32Array(from.length);
    for (let i = 0; i < from.length; i += 3) {
      const [x, y, z] = from.subarray(i, i + 3);
      const [tx, ty, tz] = [2 * (qy * z - qz * y), 2 * (qz * x - qx * z), 2 * (qx * y - qy * x)];
      out[i] = x + qw * tx + qy * tz - qz * ty + shift[0];
      out[i + 1] = y + qw * ty + qz * tx - qx * tz + shift[1];
      out[i + 2] = z + qw * tz + qx * ty - qy * tx + shift[2];
    }
    return out;
  };
  return {
    positions: turn(mesh.positions, position),
    normals: turn(mesh.normals, [0, 0, 0]),
    triangles: mesh.triangles,
    color,
  };
}

async function draw(scene, frames, label) {
  const simulation = await createSimulation(scene);
  const pictures = [];
  const captions = [];
  for (let frame = 0; frame <= frames.at(-1); frame++) {
    if (frame > 0) simulation.step();
    if (!frames.includes(frame)) continue;
    const { time, volume, pieces, contacts } = simulation.measure();
    const meshes = [simulation.surface(), ...simulation.obstacles.map(place)];
    pictures.push(renderPicture({ width: 440, height: 320, meshes, camera: { ...scene.view, margin: 0.02 } }));
    captions.push(`${time.toFixed(2)} s: volume ${(100 * volume).toFixed(1)} %${label({ pieces, contacts })}`);
  }
  simulation.dispose();
  return { pictures, captions };
}

/** The hero as a ragdoll, its flesh kept by isoskin; one mesh per moment, in one view. */
async function drawDrop(frames) {
  const character = createDemo('hero');
  const { clip } = await dropCharacter(character);
  const source = createFrameSource(planBody(character), presetStack('organic'));
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  const meshes = frames.map((frame) => {
    const { positions, normals } = source.seek(clip, frame / 60);
    positions.forEach((x, i) => {
      box[i % 3] = Math.min(box[i % 3], x);
      box[3 + (i % 3)] = Math.max(box[3 + (i % 3)], x);
    });
    const { triangles } = character.surface;
    return {
      positions: Float32Array.from(positions),
      normals: Float32Array.from(normals),
      triangles,
      color: [0.86, 0.64, 0.52],
    };
  });
  const camera = { box, azimuth: 50, elevation: 14, margin: 0.02 };
  return {
    pictures: meshes.map((mesh) => renderPicture({ width: 440, height: 320, meshes: [mesh], camera })),
    captions: frames.map((frame) => `${(frame / 60).toFixed(2)} s`),
  };
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(MOMENTS);
mkdirSync(folder, { recursive: true });
for (const name of wanted) {
  const rows = [];
  if (name === 'drop') {
    const { pictures, captions } = await drawDrop(MOMENTS.drop);
    writeFileSync(`${folder}simulate-drop.png`, await encodePng(composePictures(pictures, 3, captions)));
    continue;
  }
  const scene = createScene(name);
  if (name === 'merge')
    rows.push(await draw({ ...scene, volumeControl: false }, MOMENTS[name].slice(0, 3), () => ', no control'));
  const frames = name === 'merge' ? [...MOMENTS[name].slice(0, 3), ...MOMENTS[name].slice(3)] : MOMENTS[name];
  const label = ({ pieces, contacts }) =>
    name === 'fall'
      ? `, ${contacts} contacts`
      : name === 'pinch' || name === 'roller'
        ? `, ${pieces} piece${pieces > 1 ? 's' : ''}`
        : '';
  rows.push(await draw(scene, frames, label));
  const pictures = rows.flatMap((row) => row.pictures);
  const captions = rows.flatMap((row) => row.captions);
  writeFileSync(`${folder}simulate-${name}.png`, await encodePng(composePictures(pictures, 3, captions)));
  console.log(`simulate-${name}.png`, captions.join(' · '));
}
