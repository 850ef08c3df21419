/** `bake --drive`: what is in the file, that its certificate is true, and what is said where there is nothing to drive. */
import { readFileSync } from 'node:fs';
import { createFrameSource, planBody, presetStack, type StackSpec } from '@isoskin/core';
import { createDemo } from '@isoskin/demos';
import { checkAmounts, EXTENSION } from '@isoskin/drive';
import { type BakeOptions, bakeCharacter, certifyFile, readCharacterFromBytes, writeCharacter } from '@isoskin/gltf';
import { beforeAll, describe, expect, it } from 'vitest';
import { editGlb, errorsOf, jsonOf } from '../edit-glb.js';
import type { Loose } from '../model-builder.js';
import { matchSchema } from './match-schema.js';

const FINGER = await writeCharacter(createDemo('finger'));
const stillOf = (glb: Uint8Array) =>
  editGlb(glb, ({ json }) => {
    delete json.animations;
  });
const bakeDriven = async (bytes: Uint8Array, options: BakeOptions = {}) => {
  const read = await readCharacterFromBytes(bytes);
  return { read, ...(await bakeCharacter(read, { drive: true, fps: 15, ...options })) };
};
const targetsOf = (json: Loose) => (n: number) =>
  json.nodes[n] && (json.meshes[json.nodes[n].mesh]?.extras?.targetNames ?? []);

describe('a driven file', { timeout: 120_000 }, () => {
  let driven: ReturnType<typeof bakeDriven>;
  beforeAll(() => {
    driven = bakeDriven(FINGER);
  });

  it('carries a sound driver, at little cost, whose certificate the bytes keep', async () => {
    const { read, glb, drive } = await driven;
    const json = jsonOf(glb);
    expect(json.extensionsUsed).toContain(EXTENSION);
    expect(json.extensionsRequired ?? []).not.toContain(EXTENSION);
    expect(checkAmounts(json.extensions[EXTENSION], targetsOf(json))).toEqual(drive);
    const schema = JSON.parse(
      readFileSync(new URL('../../../../docs/isoskin-amounts.schema.json', import.meta.url), 'utf8'),
    );
    expect(matchSchema(schema, json.extensions[EXTENSION])).toEqual([]);
    expect(matchSchema(schema, { ...json.extensions[EXTENSION], shapes: [{ name: 1 }] })).toContain('.shapes[0].name');
    const plain = await bakeCharacter(read, { fps: 15 });
    expect(glb.length - plain.glb.length).toBeLessThan(0.3 * FINGER.length); // some shapes push further than in the clips
    expect(await errorsOf(glb)).toEqual(await errorsOf(FINGER));
    const { certificate } = drive!;
    const again = await certifyFile(read, glb, createFrameSource(planBody(read.character), presetStack()));
    console.log('finger:', certificate, again);
    // Far beyond the clips the limit holds some of it back, in the solver too.
    expect(certificate.worst).toBeLessThan(0.4 * certificate.linear.worst);
    expect(certificate.worst - certificate.solver.worst).toBeLessThan(0.15 * certificate.linear.worst);
    expect(certificate.median).toBeLessThan(0.05 * certificate.linear.worst);
    for (const figure of ['worst', 'median'] as const) {
      expect(again[figure]).toBeCloseTo(certificate[figure], 3);
      expect(again.linear[figure]).toBeCloseTo(certificate.linear[figure], 3);
    }
  });

  it('is made from the skeleton alone where there are no clips, and over the range that is asked for', async () => {
    const { read, glb, drive, warnings } = await bakeDriven(stillOf(FINGER), { range: 30 });
    expect(read.character.clips).toEqual([]);
    expect(warnings.map(({ code }) => code)).not.toContain('NOTHING_TO_BAKE');
    expect(drive!.shapes.length).toBeGreaterThan(1);
    expect(drive!.certificate.range).toBe(30);
    const again = await certifyFile(read, glb, createFrameSource(planBody(read.character), presetStack()));
    expect(again.worst).toBeCloseTo(drive!.certificate.worst, 3);
    expect(drive!.certificate.worst).toBeLessThan(0.2 * drive!.certificate.linear.worst);
  });

  it('drives the bends and twists of the flesh, in the directions of the clips', async () => {
    const stack = presetStack('anatomic');
    const { read, glb, drive } = await bakeDriven(FINGER, { stack });
    const bends = drive!.shapes.filter(({ name }) => / bend \d$/.test(name));
    expect(bends.length).toBeGreaterThan(1);
    expect(checkAmounts(jsonOf(glb).extensions[EXTENSION], targetsOf(jsonOf(glb)))).toEqual(drive);
    const { certificate } = drive!;
    const again = await certifyFile(read, glb, createFrameSource(planBody(read.character), stack));
    expect(again.worst).toBeCloseTo(certificate.worst, 2);
    expect(certificate.median).toBeLessThan(0.05 * certificate.linear.worst);
  });

  it('is the same bytes every time', async () => {
    const again = await bakeDriven(FINGER);
    expect(again.glb).toEqual((await driven).glb);
  });

  it('can be baked and driven again: the driver is the new one', async () => {
    const { glb, drive } = await bakeDriven((await driven).glb);
    const json = jsonOf(glb);
    expect(json.extensionsUsed.filter((name: string) => name === EXTENSION)).toHaveLength(1);
    expect(json.extensions[EXTENSION]).toEqual(drive);
    expect(checkAmounts(json.extensions[EXTENSION], targetsOf(json))).toBeDefined();
  });
});

describe('what cannot be driven is said', () => {
  it.for<[string, BakeOptions, RegExp]>([
    ['a cache', { as: 'cache' }, /no shapes that could be driven/],
    ['a range of nothing', { range: 0 }, /cannot turn by 0 degrees/],
    ['a range without a driver', { drive: false, range: 40 }, /give --drive too/],
    ['flesh', { stack: presetStack('flesh') }, /Only shapes under linear skinning/],
    ['dual quaternions', { stack: withSkinning('dual-quaternion') }, /Only shapes under linear skinning/],
  ])('%s', async ([, options, sentence]) => {
    await expect(bakeDriven(FINGER, options)).rejects.toThrow(sentence);
  });

  it('a model without any volume', async () => {
    const flat = editGlb(FINGER, ({ json, floats }) => {
      const positions = floats(json.meshes[0].primitives[0].attributes.POSITION);
      for (let i = 0; i < positions.length; i += 3) positions[i] = 0;
    });
    await expect(bakeDriven(flat)).rejects.toThrow(/no shapes to drive|nothing to drive/);
  });
});

function withSkinning(skinning: 'dual-quaternion'): StackSpec {
  return { ...presetStack('organic'), skin: { skinning } };
}
