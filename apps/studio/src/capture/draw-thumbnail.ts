import type { ShownFrame, Studio } from '../state/studio.js';
import type { Viewport } from '../viewport/viewport.js';

const SIZE = { width: 352, height: 198 };

/** A small picture of a frame as the view would show it corrected: drawn by the view itself, which shows its own frame again before anybody sees it. */
export function drawThumbnail(viewport: Viewport, studio: Studio, frame: ShownFrame): string {
  const own = studio.frame.peek();
  studio.frame.value = frame;
  const view = viewport.draw('corrected');
  const out = document.createElement('canvas');
  Object.assign(out, SIZE);
  const width = Math.min(view.width, (view.height * SIZE.width) / SIZE.height);
  const height = (width * SIZE.height) / SIZE.width;
  const [left, top] = [(view.width - width) / 2, (view.height - height) / 2];
  out.getContext('2d')!.drawImage(view, left, top, width, height, 0, 0, SIZE.width, SIZE.height);
  studio.frame.value = own;
  viewport.draw();
  return out.toDataURL();
}
