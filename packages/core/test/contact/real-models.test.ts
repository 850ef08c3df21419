import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Character, createFrameSource, createPose, planBody, samplePose } from '@isoskin/core';
import { planSkinning } from '@isoskin/core/kernels';
import { planContact } from '@isoskin/core/stack';
import { readCharacter } from '@isoskin/gltf/node';
import { describe, expect, it } from 'vitest';
import { measureLargest, measureOverlap, measureStretch, WITH_CONTACT, WITHOUT_CONTACT } from './contact-bench.js';

const models = join(process.cwd(), '../shared/models');
const present = existsSync(models);
const FRAMES = 5;

const read = async (name: string) => (await readCharacter(join(models, `${name}.glb`))).character;

/** The triangles of the largest component: the others (buttons, eyes) overlap by design. */
function pickBody({ surface }: Character): Uint32Array {
  const volumes = surface.components.map(({ volume }) => volume);
  const body = volumes.indexOf(Math.max(...volumes));
  return surface.triangles.filter((_, c) => surface.triangleComponent[Math.floor(c / 3)] === body);
}

/** Overlap (mean over the frames of the first clip, above the bind shape's own) and stretch (largest). */
function judge(character: Character) {
  const body = pickBody(character);
  const pose = createPose(character);
  const clip = character.clips[0]!;
  const [alone, both] = [
    createFrameSource(planBody(character), WITHOUT_CONTACT),
    createFrameSource(planBody(character), WITH_CONTACT),
  ];
  const bound = measureOverlap(body, character.surface.positions);
  const result = { linear: 0, volume: 0, contact: 0, stretch: { volume: 0, contact: 0 } };
  for (let n = 0; n < FRAMES; n++) {
    samplePose(pose, character, clip, ((n + 0.5) / FRAMES) * clip.duration);
    for (const stack of [alone, both]) {
      const kind = stack === alone ? 'volume' : 'contact';
      stack.reset();
      const { positions } = stack.evaluate(pose);
      result[kind] += Math.max(0, measureOverlap(body, positions) - bound) / FRAMES;
      result.stretch[kind] = Math.max(result.stretch[kind], measureStretch(character, positions));
    }
    result.linear += Math.max(0, measureOverlap(body, both.frame.skinned) - bound) / FRAMES;
  }
  return result;
}

describe.skipIf(!present)(`real models (skipped: no ../shared/models beside the repository)`, () => {
  it.each([
    ['CesiumMan', 0.65],
    ['Ghost', 0.4],
  ] as const)('%s: less overlap than linear skinning, with volume, and no more stretch', async (name, most) => {
    const { linear, volume, contact, stretch } = judge(await read(name));
    expect(linear).toBeGreaterThan(5e-4);
    expect(contact).toBeLessThan(most * linear);
    expect(contact).toBeLessThan(volume);
    expect(stretch.contact).toBeLessThan(1.05 * stretch.volume);
  });

  it.each(['aframe_leftHand', 'RiggedFigure'])('%s, a coarse model, is left nearly alone', async (name) => {
    const { volume, contact } = judge(await read(name));
    expect(contact).toBeLessThan(volume + 2e-4);
  });

  it('CesiumMan at 240 fps: contact changes no faster than the skin does', async () => {
    const character = await read('CesiumMan');
    const clip = character.clips[0]!;
    const contact = planContact(character);
    const skinning = planSkinning(character, {});
    const pose = createPose(character);
    const size = 3 * character.surface.vertexCount;
    const frames: { x: Float64Array; f: Float64Array }[] = [];
    const most = { x: 0, f: 0 };
    for (let n = 0; n < 160; n++) {
      samplePose(pose, character, clip, n / 240);
      const x = new Float64Array(size);
      const f = new Float64Array(size);
      skinning.apply({ positions: x, directions: new Float64Array(size) }, pose);
      if (contact.find(x, skinning.bones)) contact.push(f);
      frames.push({ x, f });
      if (n < 2) continue;
      const [a, b, c] = frames.slice(-3) as [(typeof frames)[0], (typeof frames)[0], (typeof frames)[0]];
      for (const kind of ['x', 'f'] as const) {
        const bend = c[kind].map((value, i) => value - 2 * b[kind][i]! + a[kind][i]!);
        most[kind] = Math.max(most[kind], measureLargest(bend));
      }
    }
    expect(most.f).toBeGreaterThan(0);
    expect(most.f).toBeLessThan(most.x);
  });
});
