import { parseStack } from '../state/edit-stack.js';
import type { Studio } from '../state/studio.js';
import type { SHOWS } from './shows.js';

/** Opens a demo with its flesh and wrinkles, on the clip that shows them. */
export async function openShow(studio: Studio, { name, clip, label }: (typeof SHOWS)[number]): Promise<void> {
  try {
    const response = await fetch(`./demos/${name}-show.json`);
    const stack = parseStack(await response.text());
    if (!(await studio.openDemo(name))) return;
    const found = studio.character.peek()?.clips.findIndex((one) => one.name === clip) ?? -1;
    studio.commit(label, () => ({ stack, clip: Math.max(0, found) }));
  } catch (error) {
    studio.notices.show('error', `${label} could not be opened`, error);
  }
}
