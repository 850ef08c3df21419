/**
 * What most of planning goes into, kept in the browser's database by content: the second opening of a file plans little.
 *
 *   key = SHA-256(character's bytes) and SHA-256(this build, cut and map of the stack)
 *
 * Where there is no database (a private window, Node) nothing is found and nothing kept.
 */
import type { PlanDraft } from '@isoskin/core/stack';
import { createStore, del, get, keys, set } from 'idb-keyval';
import type { SourceData } from './protocol.js';

/** Drafts that are kept: one or two megabytes each at 6 000 vertices. */
const MOST = 24;

const openStore = () => createStore('isoskin-plans', 'drafts');

/** What stands for a source; empty where it cannot be told. */
export async function measureContent(source: SourceData): Promise<string> {
  if (source.kind === 'demo') return `demo ${source.name}`;
  return measureDigest([source.bytes, ...Object.values(source.files ?? {})]).catch(() => '');
}

export async function recallDraft(content: string, key: string, vertexCount: number): Promise<PlanDraft | undefined> {
  try {
    const draft = await get<PlanDraft>(await measureKey(content, key), openStore());
    return draft?.room?.length === vertexCount ? draft : undefined;
  } catch {
    return undefined;
  }
}

export async function keepDraft(content: string, key: string, draft: PlanDraft): Promise<void> {
  try {
    const store = openStore();
    const own = await measureKey(content, key);
    const others = (await keys<string>(store)).filter((one) => one !== own);
    for (const old of others.slice(0, Math.max(0, 1 + others.length - MOST))) await del(old, store);
    await set(own, draft, store);
  } catch {} // it can be planned again
}

/** The name of this file changes with what is built into it. */
async function measureKey(content: string, key: string): Promise<string> {
  if (content === '') throw new Error('Nothing stands for this character.');
  return `${content} ${await measureDigest([new TextEncoder().encode(`${import.meta.url} ${key}`)])}`;
}

/** Of the digests of all parts. */
export async function measureDigest(parts: readonly Uint8Array[]): Promise<string> {
  const digest = (bytes: Uint8Array) => crypto.subtle.digest('SHA-256', new Uint8Array(bytes));
  const all = await Promise.all(parts.map(digest));
  const whole = all.length === 1 ? all[0]! : await new Blob(all).arrayBuffer().then((b) => digest(new Uint8Array(b)));
  return Array.from(new Uint8Array(whole), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
