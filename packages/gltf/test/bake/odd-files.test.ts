/** Files with unusual content: the JSON before and after a bake differs only in the paths listed here. */
import { bakeCharacter, readCharacterFromBytes, writeCharacter } from '@isoskin/gltf';
import { createDemo } from '@isoskin/implicit';
import { describe, expect, it } from 'vitest';
import { openGlb } from '../../src/judge/judge-bytes.js';
import { listChanges } from '../../src/judge/list-changes.js';
import { readView } from '../../src/patch/read-accessor.js';
import { editGlb, errorsOf, jsonOf } from '../edit-glb.js';
import { ODD_FILES } from './odd-files.js';

const tube = await writeCharacter(createDemo('tube'));

/** Every bake of one mesh without morphs of its own changes these, and nothing else. */
const BASE = [
  /^~buffers\[0\]\.byteLength$/,
  /^\+(accessors|bufferViews)\[\d+\]$/,
  /^\+extensionsUsed(\[\d+\])?$/,
  /^\+extensionsRequired(\[\d+\])?$/,
  /^\+meshes\[0\]\.primitives\[0\]\.targets$/,
  /^\+meshes\[0\](\.primitives\[0\])?\.extras(\.isoskin)?$/,
  /^\+meshes\[0\]\.weights$/,
  /^\+meshes\[0\]\.extras(\.targetNames)?$/,
  /^\+animations\[0\]\.(channels|samplers)\[\d+\]$/,
];

describe('a bake changes nothing but what it adds', () => {
  it.each(Object.keys(ODD_FILES))('%s', async (name) => {
    const { edit, more = [] } = ODD_FILES[name]!;
    const before = editGlb(tube, edit);
    const known = new Set(await errorsOf(before));
    const { glb, clips } = await bakeCharacter(await readCharacterFromBytes(before));
    expect(Math.abs(clips[0]!.worst.baked)).toBeLessThan(0.001);
    const allowed = [...BASE, ...more];
    const changes = listChanges(jsonOf(before), jsonOf(glb));
    expect(changes.filter((change) => !allowed.some((pattern) => pattern.test(change)))).toEqual([]);
    expect(changes.length).toBeGreaterThan(4);
    expect((await errorsOf(glb)).filter((error) => !known.has(error))).toEqual([]);
    const [old, now] = [openGlb(before), openGlb(glb)];
    old.json.bufferViews!.forEach((_, v) => {
      expect(Buffer.from(readView(now, v)!).equals(readView(old, v)!)).toBe(true);
    });
  });
});
