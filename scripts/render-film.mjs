/**
 * Makes the moving picture of the README, docs/images/film.gif: two demo characters, plain skinning on the left, isoskin in the middle,
 * where the flesh came back on the right, each with the change of its volume in that very frame.
 *
 * node scripts/render-film.mjs     film.gif, and film-still.png, its middle, for who wants no motion. The packages must be built.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createFrameSource, planBody, planVolumeMeter, presetStack } from '@isoskin/core';
import { measureDiagonal } from '@isoskin/core/mesh';
import { createDemo } from '@isoskin/demos';
import { colorValues, encodePng, renderPicture } from '@isoskin/report';
import gifenc from 'gifenc';
import { composePictures } from './pictures/compose-pictures.mjs';

const { GIFEncoder, applyPalette, quantize } = gifenc;
const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));
const FRAMES = 36;
const DELAY_MS = 80;
const SIZE = { width: 248, height: 190, background: [0.955, 0.956, 0.96] }; // one flat colour: it compresses
const COLOURS = 96;
/** Displacement that gets the full colour, relative to the diagonal of the character. */
const FULL_COLOUR = 0.04;

/** `part`: from where to where of the clip; the finger is too tall for the picture while it is straight. */
const SHOTS = [
  { demo: 'finger', clip: 'curl', part: [0.25, 0.7], camera: { azimuth: 90, elevation: 5 } },
  {
    demo: 'hand',
    clip: 'fist',
    part: [0, 1],
    camera: { azimuth: 35, elevation: 5, box: [-0.6, 0.45, -0.5, 0.6, 1.25, 0.6] },
  },
].map(planShot);

function planShot({ demo, clip: name, part: [from, to], camera }) {
  const character = createDemo(demo);
  const stack = createFrameSource(planBody(character), presetStack('organic'));
  const clip = character.clips.find((one) => one.name === name);
  const times = Array.from({ length: FRAMES }, (_, n) => clip.duration * (from + ((to - from) * n) / FRAMES));
  const box = camera.box ?? boxOfAll(times.map((time) => stack.seek(clip, time).positions));
  return { character, stack, clip, times, camera: { ...camera, box } };
}

/** Three panels of one moment. */
function drawMoment({ character, stack, clip, times, camera }, n) {
  const { positions, skinned, bones } = stack.seek(clip, times[n]);
  const meter = planVolumeMeter(character, stack.volume);
  const target = meter.measureTargets(bones, times[n]);
  const change = (points) => `${showPercent(meter.measure(points) / target - 1)}`;
  const { triangles } = character.surface;
  const scale = FULL_COLOUR * measureDiagonal(character.surface.positions);
  const moved = Float64Array.from({ length: positions.length / 3 }, (_, i) =>
    Math.hypot(...[0, 1, 2].map((axis) => positions[3 * i + axis] - skinned[3 * i + axis])),
  );
  const colors = colorValues(moved, 0, scale);
  const panel = (mesh, caption) => ({
    picture: renderPicture({ ...SIZE, camera, meshes: [{ triangles, ...mesh }] }),
    caption,
  });
  return [
    panel({ positions: skinned }, `linear skinning, volume ${change(skinned)}`),
    panel({ positions }, `isoskin, volume ${change(positions)}`),
    panel({ positions, colors }, 'where flesh came back'),
  ];
}

const sheets = SHOTS[0].times.map((_, n) => {
  const panels = SHOTS.flatMap((shot) => drawMoment(shot, n));
  const pictures = panels.map(({ picture }) => picture);
  return composePictures(
    pictures,
    3,
    panels.map(({ caption }) => caption),
  );
});
const bytes = encodeFilm(sheets);
writeFileSync(`${folder}film.gif`, bytes);
const middle = sheets[FRAMES >> 1];
writeFileSync(`${folder}film-still.png`, await encodePng(middle));
console.log(`film.gif: ${middle.width} × ${middle.height}, ${FRAMES} frames, ${Math.round(bytes.length / 1000)} kB`);

/** One palette for all frames; pixels that did not change are transparent, which is what makes the file small. */
function encodeFilm(pictures) {
  const { width, height } = pictures[0];
  const sample = new Uint8Array([0, 0.25, 0.5].flatMap((at) => [...pictures[Math.floor(at * FRAMES)].rgba]));
  const palette = [...quantize(sample, COLOURS), [0, 0, 0]];
  const transparentIndex = palette.length - 1;
  const film = GIFEncoder();
  let last;
  for (const { rgba } of pictures) {
    const index = applyPalette(rgba, palette.slice(0, -1));
    const drawn = last ? index.map((value, i) => (value === last[i] ? transparentIndex : value)) : index;
    film.writeFrame(drawn, width, height, {
      palette,
      delay: DELAY_MS,
      transparent: !!last,
      transparentIndex,
      dispose: 1,
    });
    last = index;
  }
  film.finish();
  return film.bytes();
}

function boxOfAll(clouds) {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const points of clouds)
    for (let i = 0; i < points.length; i++) {
      box[i % 3] = Math.min(box[i % 3], points[i]);
      box[3 + (i % 3)] = Math.max(box[3 + (i % 3)], points[i]);
    }
  return box;
}

function showPercent(change) {
  const text = (100 * Math.abs(change)).toFixed(1);
  return text === '0.0' ? '0.0 %' : `${change < 0 ? '-' : '+'}${text} %`;
}
