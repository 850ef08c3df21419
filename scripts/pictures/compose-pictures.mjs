import { drawText, measureText } from './draw-text.mjs';

const GAP = 12;
const PAPER = [1, 1, 1];
const INK = [0.2, 0.21, 0.23];

/**
 * Pictures side by side on white paper, row by row, each with its caption below, centred; a caption that is too wide for
 * its picture is set smaller.
 */
export function composePictures(pictures, columns = pictures.length, captions = []) {
  const across = Math.max(1, Math.min(Math.floor(columns), pictures.length));
  const rows = Math.ceil(pictures.length / across);
  const cellWidth = Math.max(0, ...pictures.map((picture) => picture.width));
  const cellHeight = Math.max(0, ...pictures.map((picture) => picture.height));
  const size = Math.max(9, Math.round(cellWidth / 32));
  const captionHeight = captions.some(Boolean) ? Math.round(2.6 * size) : 0;
  const width = across * (cellWidth + GAP) + GAP;
  const height = rows * (cellHeight + captionHeight + GAP) + GAP;
  const rgba = new Uint8ClampedArray(4 * width * height);
  for (let i = 0; i < rgba.length; i++) rgba[i] = i % 4 === 3 ? 255 : 255 * PAPER[i % 4];
  const sheet = { width, height, rgba };
  pictures.forEach((picture, index) => {
    const left = GAP + (index % across) * (cellWidth + GAP) + ((cellWidth - picture.width) >> 1);
    const top =
      GAP + Math.floor(index / across) * (cellHeight + captionHeight + GAP) + ((cellHeight - picture.height) >> 1);
    pastePicture(sheet, picture, left, top);
    const caption = captions[index];
    if (!caption) return;
    const fit = Math.min(size, (0.95 * size * cellWidth) / measureText(caption, size));
    const middle = GAP + (index % across) * (cellWidth + GAP) + cellWidth / 2;
    const y = GAP + Math.floor(index / across) * (cellHeight + captionHeight + GAP) + cellHeight + 0.8 * size;
    drawText(sheet, caption, Math.round(middle - measureText(caption, fit) / 2), Math.round(y), fit, INK);
  });
  return sheet;
}

function pastePicture(sheet, picture, left, top) {
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) {
      const from = 4 * (y * picture.width + x);
      const to = 4 * ((top + y) * sheet.width + left + x);
      const alpha = picture.rgba[from + 3] / 255;
      for (let k = 0; k < 3; k++) {
        sheet.rgba[to + k] = sheet.rgba[to + k] + alpha * (picture.rgba[from + k] - sheet.rgba[to + k]);
      }
    }
  }
}
