/** Opens the file that `isoskin studio file.glb` was given: it is served beside the page, under the name in `?open=`. */
import { createFileSource } from '../state/create-file-source.js';
import type { Studio } from '../state/create-studio.js';

/** The address of the file, if the page was started with one; only this page's own server is asked. */
export function findGivenFile(location: Location): URL | undefined {
  const open = new URL(location.href).searchParams.get('open');
  if (!open) return undefined;
  const url = new URL(open, location.href);
  return url.origin === location.origin ? url : undefined;
}

export async function openGivenFile(studio: Studio, url: URL): Promise<void> {
  const name = decodeURIComponent(url.pathname.slice(url.pathname.lastIndexOf('/') + 1));
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`The server answered ${response.status}.`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    await studio.open(createFileSource(name), { kind: 'file', name, bytes });
  } catch (error) {
    const text = `${error instanceof Error ? error.message : error} Is “isoskin studio” still running?`;
    studio.notices.show('error', `“${name}” could not be fetched`, text);
  }
}
