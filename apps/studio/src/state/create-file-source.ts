import type { Source } from './studio-document.js';

let made = 0;

/** A source of its own for every opening: the same name may hold other bytes, also in a later session. */
export function createFileSource(name: string): Source {
  return { kind: 'file', id: `file:${Date.now().toString(36)}-${++made}:${name}`, name };
}
