/** Files with unusual content: the JSON before and after a bake differs only in the paths listed here. */

import { createDemo } from '@isoskin/demos';
import { bakeCharacter, readCharacterFromBytes, writeCharacter } from '@isoskin/gltf';
import { describe, expect, it } from 'vitest';
import { openGlb } from '../../src/judge/judge-bytes.js';
import { listChanges } from '../../src/judge/list-changes.js';
import { readView } from '../../src/patch/read-accessor.js';
import { editGlb, errorsOf, jsonOf } from '../edit-glb.js';
import { ODD_FILES } from './odd-files.js';

const tube = await writeCharacter(createDemo('tube'));

/**
 * Every path that the bake of one mesh without morphs of its own changes; `[]` is what comes behind the others in a list. A file
 * names what it has more (`more`) and what it has not (`less`): together with the lists of extensions these are all paths, no others and
 * none fewer.
 */
const BASE = [
  '+accessors[]',
  '+animations[0].channels[]',
  '+animations[0].samplers[]',
  '+bufferViews[]',
  '+meshes[0].extras',
  '+meshes[0].primitives[0].extras',
  '+meshes[0].primitives[0].targets',
  '+meshes[0].weights',
  '~buffers[0].byteLength',
];
const summarise = (changes: readonly string[]) =>
  [...new Set(changes.map((change) => change.replace(/^(\+.*)\[\d+\]$/, '$1[]')))].sort();

describe('a bake changes nothing but what it adds', () => {
  it.each(Object.keys(ODD_FILES))('%s', async (name) => {
    const { edit, more = [], less = [], check } = ODD_FILES[name]!;
    const before = editGlb(tube, edit);
    const known = new Set(await errorsOf(before));
    const read = await readCharacterFromBytes(before);
    const { glb, clips } = await bakeCharacter(read);
    expect(Math.abs(clips[0]!.worst.baked)).toBeLessThan(0.001);
    const expected = [...BASE.filter((path) => !less.includes(path)), ...more].sort();
    expect(summarise(listChanges(jsonOf(before), jsonOf(glb)))).toEqual(expected);
    check?.(jsonOf(glb));
    expect((await errorsOf(glb)).filter((error) => !known.has(error))).toEqual([]);
    const [old, now] = [openGlb(before), openGlb(glb)];
    old.json.bufferViews!.forEach((_, v) => {
      expect(Buffer.from(readView(now, v)!).equals(readView(old, v)!)).toBe(true);
    });
    // What is required and not known is told, not refused.
    const told = read.character.warnings.map(({ message }) => message).join('\n');
    for (const extension of old.json.extensionsRequired ?? []) {
      if (/^ACME_/.test(extension)) expect(told).toContain(`"${extension}" is not known; it is kept`);
    }
  });
});
