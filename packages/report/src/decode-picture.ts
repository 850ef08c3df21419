/**
 * Pictures of base colours, ready to be laid on a mesh: whole, and halved again and again, so that far ones are not grainy.
 */
import { decodePng } from './decode-png.js';
import type { Picture } from './picture.js';

/** A picture and its halves, down to a few pixels. */
export type PictureChain = readonly Picture[];

/** Longest side that is kept: the pictures of a report are smaller. */
const LARGEST = 1024;

/** By the browser where there is one. Undefined where it cannot be read here (WebP in Node). */
export async function decodePicture(type: string, bytes: Uint8Array): Promise<PictureChain | undefined> {
  const picture = await decode(type, bytes).catch(() => undefined); // it is drawn as clay
  if (!picture) return undefined;
  const chain = [picture];
  while (Math.min(chain[0]!.width, chain[0]!.height) > 1 && Math.max(chain[0]!.width, chain[0]!.height) > 2)
    chain.unshift(halve(chain[0]!));
  return chain.reverse().filter(({ width, height }) => Math.max(width, height) <= LARGEST);
}

async function decode(type: string, bytes: Uint8Array): Promise<Picture | undefined> {
  if (typeof OffscreenCanvas !== 'undefined' && typeof createImageBitmap !== 'undefined') {
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type }));
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d')!;
    context.drawImage(bitmap, 0, 0);
    return { width, height, rgba: context.getImageData(0, 0, width, height).data };
  }
  if (type === 'image/png') return decodePng(bytes);
  if (type !== 'image/jpeg') return undefined;
  const { default: jpeg } = await import('jpeg-js');
  const { width, height, data } = jpeg.decode(bytes, { useTArray: true });
  return { width, height, rgba: new Uint8ClampedArray(data.buffer, data.byteOffset, data.length) };
}

/** Means of two by two pixels. */
function halve({ width, height, rgba }: Picture): Picture {
  const [w, h] = [width >> 1, height >> 1];
  const out = new Uint8ClampedArray(4 * w * h);
  for (let i = 0; i < out.length; i++) {
    const from = 8 * width * Math.floor(i / (4 * w)) + 8 * (Math.floor(i / 4) % w) + (i % 4);
    out[i] = (rgba[from]! + rgba[from + 4]! + rgba[from + 4 * width]! + rgba[from + 4 * width + 4]!) / 4;
  }
  return { width: w, height: h, rgba: out };
}
