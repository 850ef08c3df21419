/**
 * The session, kept in the browser (IndexedDB): what a person sees comes back after a reload or a crash.
 *
 * A restore that does not finish is tried a few times only: the page would never come up again.
 */
import { checkStack } from '@isoskin/core';
import { effect } from '@preact/signals';
import { clear, createStore, get, set } from 'idb-keyval';
import type { SourceData } from '../engine/protocol.js';
import type { Studio } from '../state/studio.js';
import { createDocument, demoSource, FIRST_DEMO, type StudioDocument } from '../state/studio-document.js';

export interface Session {
  readonly document: StudioDocument;
  /** Bytes of the file, where the source is one. */
  readonly data?: SourceData;
  readonly theme: 'dark' | 'light';
  readonly playback: { readonly time: number; readonly speed: number; readonly loop: boolean };
}

/** Changes when a saved session could no longer be understood. */
const VERSION = 2;
const SAVE_AFTER = 400;
/** A database that never answers must not keep the page from coming up; one that is slow has the person's work. */
const PATIENCE = 8000;
const MARK = 'isoskin-restoring';
/** A person who reloads impatiently is no crash yet. */
const MOST_TRIES = 3;

interface Saved extends Omit<Session, 'data'> {
  readonly version: number;
}

const openStore = () => createStore('isoskin-studio', 'session');

/** The last session, or undefined when there is none, it is not to be trusted, or it hung the page last time. */
export async function loadSession(): Promise<Session | undefined> {
  try {
    const tries = Number(sessionStorage.getItem(MARK) ?? 0);
    if (tries >= MOST_TRIES) {
      sessionStorage.removeItem(MARK);
      return undefined;
    }
    const store = openStore();
    const patience = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), PATIENCE));
    const saved = await Promise.race([get<Saved>('present', store), patience]);
    if (saved?.version !== VERSION) return undefined;
    checkStack(saved.document.stack);
    // What a later version of the page adds to a document is there too.
    const document = { ...createDocument(demoSource(FIRST_DEMO)), ...saved.document };
    const data = document.source.kind === 'file' ? await get<SourceData>(document.source.id, store) : undefined;
    if (document.source.kind === 'file' && !data) return undefined;
    sessionStorage.setItem(MARK, String(tries + 1));
    return { ...saved, document, ...(data && { data }) };
  } catch {
    return undefined; // no storage (private window), or nothing that can be read
  }
}

/** Saves every change a moment after it; returns a function that stops it. */
export function keepSession(studio: Studio): () => void {
  const store = openStore();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let keptSource = '';

  const save = async (): Promise<void> => {
    try {
      const document = studio.document.peek();
      const { source } = document;
      const { time, speed, loop } = studio.playback;
      if (source.kind === 'file' && source.id !== keptSource) {
        await clear(store); // one file at a time: they are large
        await set(source.id, studio.findData(source), store);
        keptSource = source.id;
      }
      const saved: Saved = {
        version: VERSION,
        document,
        theme: studio.theme.peek(),
        playback: { time: time.peek(), speed: speed.peek(), loop: loop.peek() },
      };
      await set('present', saved, store);
    } catch {
      // Storage is full or not allowed: the studio works without.
    }
  };
  const stop = effect(() => {
    void studio.document.value;
    void studio.theme.value;
    void studio.playback.playing.value;
    clearTimeout(timer);
    timer = setTimeout(() => void save(), SAVE_AFTER);
  });
  const done = effect(() => {
    if (studio.plan.value) sessionStorage.removeItem(MARK);
  });
  return () => {
    clearTimeout(timer);
    stop();
    done();
  };
}
