/** Opens the file that `isoskin studio file.glb` was given: it is served beside the page, under the name in `?open=`. */
import { createFileSource } from '../state/create-file-source.js';
import type { Studio } from '../state/studio.js';

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

export async function openGivenFile(studio: Studio, { name, url }: GivenFile): Promise<void> {
  const fail = (text: string) => studio.notices.show('error', `“${name}” could not be fetched`, text);
  if (!url)
    return fail('It is no file of this page’s own server: start “isoskin studio” with the file, or drop it here.');
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`The server answered ${response.status}.`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    await studio.open(createFileSource(name), { kind: 'file', name, bytes });
  } catch (error) {
    fail(`${error instanceof Error ? error.message : error} Is “isoskin studio” still running?`);
  }
}

/** As written when it cannot be decoded. */
function plainName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
