/**
 * The last word before a file is put in place: the very bytes are read back and compared with the file that they were made
 * from. Every number is finite, every buffer view that was there holds the same bytes, and the JSON differs only in the paths
 * that this kind of writing may change. Otherwise it throws, and nothing is written.
 */
import { IsoskinError } from '@isoskin/core';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import type { GltfFile } from '../patch/gltf-file.js';
import { readAccessor, readView } from '../patch/read-accessor.js';
import { readContainer } from '../read-container.js';
import { plainBytes } from '../resolve-resources.js';
import { ALLOWED, type AllowedKind } from './allowed-changes.js';
import { listChanges } from './list-changes.js';

export async function judgeBytes(before: GltfFile, glb: Uint8Array, kinds: readonly AllowedKind[]): Promise<void> {
  await MeshoptDecoder.ready;
  const after = openGlb(glb);
  const changes = listChanges(before.json, after.json);
  const patterns = ['additions' as const, 'container' as const, ...kinds].flatMap((kind) => [...ALLOWED[kind]]);
  const wrong = changes.find((change) => !patterns.some((pattern) => pattern.test(change)));
  if (wrong !== undefined) throw refuse('something of the file would be changed that has nothing to do with it', wrong);
  for (const change of changes) checkPlace(before, change);
  before.json.bufferViews?.forEach((_, v) => {
    const [old, now] = [readView(before, v), readView(after, v)];
    if (old && !isSame(old, now)) throw refuse('data of the file would be changed', `bufferViews[${v}]`);
  });
  after.json.accessors?.forEach(({ componentType }, a) => {
    if (componentType !== FLOAT) return; // whole numbers are numbers
    const numbers = readAccessor(after, a);
    const at = numbers ? findBad(numbers) : -1;
    if (at < 0) return;
    // What was no number before, and stays as it was, has been told when the file was read.
    const old = before.json.accessors?.[a] && readAccessor(before, a);
    if (!old || Number.isFinite(old[at])) throw overflow(`accessors[${a}]`);
  });
}

/** A .glb with everything in it, unread. */
export function openGlb(glb: Uint8Array): GltfFile {
  const { json, binary, chunks } = readContainer(plainBytes(glb), []);
  const own = json as GltfFile['json'];
  const buffers = (own.buffers ?? []).map((_, i) => (i === 0 ? binary : undefined));
  return { json: own, buffers, images: new Map(), chunks, added: new Map() };
}

/** What is added comes after what was there, and stands in the scene that is shown. */
function checkPlace({ json }: GltfFile, change: string): void {
  const scene = /^\+scenes\[(\d+)\]\.nodes/.exec(change);
  if (scene && Number(scene[1]) !== (json.scene ?? 0))
    throw refuse('another scene than the default one would change', change);
  const match = /^\+(accessors|bufferViews|meshes|nodes|skins)\[(\d+)\]$/.exec(change);
  if (!match) return;
  const list = json[match[1] as 'accessors'] ?? [];
  if (Number(match[2]) < list.length) throw refuse('the numbers of its objects would change', change);
}

/** Component type of f32. */
const FLOAT = 5126;

function isSame(a: Uint8Array, b: Uint8Array | undefined): boolean {
  if (!b || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function findBad(numbers: ArrayLike<number>): number {
  for (let i = 0; i < numbers.length; i++) if (!Number.isFinite(numbers[i])) return i;
  return -1;
}

function overflow(place: string): IsoskinError {
  const message =
    'The result was read back and holds a number that is none; nothing is written: check the size of the model, and report this if it is sound';
  return new IsoskinError('RESULT_NOT_FINITE', message, place);
}

function refuse(what: string, place: string): IsoskinError {
  const message = `The result was read back and is wrong, ${what}; nothing is written: report this with the model`;
  return new IsoskinError('RESULT_WRONG', message, place);
}
