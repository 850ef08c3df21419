/** The view as a person sees it, on one opaque canvas: the page's background, the drawing, the names of the two sides. */
import type { ViewLayout } from '../state/studio-document.js';

export interface PictureStyle {
  readonly layout: ViewLayout;
  readonly split: number;
}

export function composePicture(out: HTMLCanvasElement, view: HTMLCanvasElement, { layout, split }: PictureStyle): void {
  const { width, height } = out;
  const context = out.getContext('2d')!;
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const ground = context.createRadialGradient(width / 2, 0.4 * height, 0, width / 2, 0.4 * height, 0.8 * width);
  ground.addColorStop(0, colour('--view-top'));
  ground.addColorStop(1, colour('--view-bottom'));
  context.fillStyle = ground;
  context.fillRect(0, 0, width, height);
  context.drawImage(view, 0, 0, width, height);
  const line = layout === 'split' ? split * width : layout === 'side' ? width / 2 : 0;
  if (line === 0) return;
  context.fillStyle = colour('--edge-strong');
  context.fillRect(line - 0.5, 0, 1, height);
  const size = Math.max(11, Math.round(height / 42));
  context.font = `600 ${size}px ${style.fontFamily || 'sans-serif'}`;
  context.textBaseline = 'top';
  context.textAlign = 'right';
  context.fillStyle = colour('--before');
  context.fillText('Linear skinning', line - size, size);
  context.textAlign = 'left';
  context.fillStyle = colour('--after');
  context.fillText('Constant volume', line + size, size);
}
