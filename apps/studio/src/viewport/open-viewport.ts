/** The 3-D view with all its tools: everything that needs three.js, in one file that the page loads after its frame stands. */
import { startAuthor } from '../author/start-author.js';
import type { Studio } from '../state/studio.js';
import { startPainting } from './paint-tool.js';
import { startPicking } from './pick.js';
import { Viewport } from './viewport.js';
import { startWrinkling } from './wrinkle-tool.js';

export function openViewport(canvas: HTMLCanvasElement, studio: Studio): { viewport: Viewport; close(): void } {
  const viewport = new Viewport(canvas, studio);
  const stops = [startPicking, startPainting, startWrinkling, startAuthor].map((start) => start(viewport, studio));
  return {
    viewport,
    close() {
      for (const stop of stops) stop();
      viewport.dispose();
    },
  };
}
