import { CAP_HEIGHT, findGlyph, SPACING } from './stroke-font.mjs';

/** Width of a line of text whose capitals are `size` pixels high. */
export function measureText(text, size) {
  let width = 0;
  for (const character of text) width += findGlyph(character).width + SPACING;
  return (Math.max(0, width - SPACING) * size) / CAP_HEIGHT;
}

/** Writes one line; x, y = left end and top of the capitals, in pixels, `size` high. */
export function drawText(picture, text, x, y, size, color) {
  const scale = size / CAP_HEIGHT;
  const radius = Math.max(0.55, 0.062 * size);
  let pen = x;
  for (const character of text) {
    const { width, segments } = findGlyph(character);
    if (segments.length) drawStrokes(picture, segments, pen, y, scale, radius, color);
    pen += (width + SPACING) * scale;
  }
}

/** Paints every pixel by its distance to the nearest segment: round ends, smooth edges. */
function drawStrokes({ width, height, rgba }, segments, x, y, scale, radius, color) {
  let right = 0;
  let bottom = 0;
  for (let i = 0; i < segments.length; i += 2) {
    right = Math.max(right, segments[i]);
    bottom = Math.max(bottom, segments[i + 1]);
  }
  const border = radius + 1;
  for (let py = Math.max(0, Math.floor(y - border)); py < Math.min(height, y + bottom * scale + border); py++) {
    for (let px = Math.max(0, Math.floor(x - border)); px < Math.min(width, x + right * scale + border); px++) {
      let nearest = Number.POSITIVE_INFINITY;
      for (let i = 0; i < segments.length; i += 4) {
        const ax = x + segments[i] * scale;
        const ay = y + segments[i + 1] * scale;
        const dx = (segments[i + 2] - segments[i]) * scale;
        const dy = (segments[i + 3] - segments[i + 1]) * scale;
        const along = Math.min(
          1,
          Math.max(0, ((px + 0.5 - ax) * dx + (py + 0.5 - ay) * dy) / (dx * dx + dy * dy || 1)),
        );
        const ex = px + 0.5 - ax - along * dx;
        const ey = py + 0.5 - ay - along * dy;
        nearest = Math.min(nearest, ex * ex + ey * ey);
      }
      const alpha = Math.min(1, Math.max(0, radius + 0.5 - Math.sqrt(nearest)));
      if (alpha === 0) continue;
      const o = 4 * (py * width + px);
      for (let k = 0; k < 3; k++) rgba[o + k] = rgba[o + k] + alpha * (255 * color[k] - rgba[o + k]);
      rgba[o + 3] = rgba[o + 3] + alpha * (255 - rgba[o + 3]);
    }
  }
}
