/** The file that `isoskin studio file.glb` was given: served beside the page, under the name in `?open=`. */
import type { SourceData } from '../engine/protocol.js';

type FileData = Extract<SourceData, { kind: 'file' }>;

export interface GivenFile {
  readonly name: string;
  /** Nothing when what was given is no address on this page's own server, which alone is asked. */
  readonly url?: URL;
}

/** What the page was started with, if anything. */
export function findGivenFile(location: Pick<Location, 'href' | 'origin'>): GivenFile | undefined {
  const open = new URL(location.href).searchParams.get('open');
  if (!open) return undefined;
  const url = URL.canParse(open, location.href) ? new URL(open, location.href) : undefined;
  if (url?.origin !== location.origin) return { name: open.slice(0, 200) };
  return { name: plainName(url.pathname.slice(url.pathname.lastIndexOf('/') + 1)), url };
}

/** Its bytes, or a sentence that says why there are none. */
export async function fetchGivenFile({ name, url }: GivenFile): Promise<FileData | string> {
  if (!url) return 'It is no file of this page’s own server: start “isoskin studio” with the file, or drop it here.';
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`The server answered ${response.status}.`);
    return { kind: 'file', name, bytes: new Uint8Array(await response.arrayBuffer()) };
  } catch (error) {
    return `${error instanceof Error ? error.message : error} Is “isoskin studio” still running?`;
  }
}

/** What is kept of a session belongs to this very file: work on it goes on. */
export function isSameFile(kept: SourceData | undefined, { name, bytes }: FileData): boolean {
  if (kept?.kind !== 'file' || kept.name !== name || kept.bytes.length !== bytes.length) return false;
  return kept.bytes.every((value, i) => value === bytes[i]);
}

/** As written when it cannot be decoded. */
function plainName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
