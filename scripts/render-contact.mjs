/**
 * Makes docs/images/contact-*.png: the finger and the fist with linear skinning, with volume alone and with contact. The
 * packages must be built.
 *
 * node scripts/render-contact.mjs
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createFrameSource, planBody, presetStack } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { encodePng, renderPicture } from '@isoskin/report';
import { bend, closeHand } from '../benchmarks/close-hand.mjs';
import { composePictures } from './pictures/compose-pictures.mjs';

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url));
const plain = presetStack('organic');
const contact = { ...plain, contact: {} };

/** One row of three pictures for every pose. */
async function render(name, character, poses, camera) {
  const [volume, both] = [
    createFrameSource(planBody(character), plain),
    createFrameSource(planBody(character), contact),
  ];
  const pictures = [];
  const captions = [];
  for (const [label, pose] of poses) {
    volume.evaluate(pose);
    both.evaluate(pose);
    const surfaces = { linear: volume.frame.skinned, volume: volume.frame.positions, contact: both.frame.positions };
    for (const [kind, positions] of Object.entries(surfaces)) {
      const { triangles } = character.surface;
      const meshes = [{ positions: positions.slice(), triangles }];
      pictures.push(renderPicture({ width: 440, height: 400, meshes, camera }));
      captions.push(`${kind}, ${label}`);
    }
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}contact-${name}.png`, await encodePng(composePictures(pictures, 3, captions)));
  console.log(`contact-${name}.png`, captions.join(' · '));
}

const finger = createDemo('finger');
const angles = [90, 120, 150].map((degrees) => [`${degrees}°`, bend(finger, 'finger.2', [1, 0, 0], degrees)]);
await render('finger', finger, angles, { azimuth: 90, elevation: 5, box: [-1.5, 0, -2, 1.5, 6, 5] });
const hand = createDemo('hand');
const amounts = [0.95, 1].map((amount) => [`${100 * amount} %`, closeHand(hand, amount)]);
await render('fist', hand, amounts, { azimuth: 20, elevation: 10, box: [-0.6, 0.1, -0.5, 0.6, 1.3, 0.6] });
