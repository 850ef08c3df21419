/**
 * A small typeface of round strokes, for captions at any size: capitals 12 units high, baseline at 12, descenders to 16.
 *
 * A glyph is its width followed by strokes: `-` a polyline, `~` a smooth open curve, `o` a smooth closed one (quadratic
 * B-splines over the points). A point is two digits in base 36: x, then y, down from the top of the capitals.
 */
const GLYPHS = {
  A: '8 -0c408c -1878',
  B: '8 -000c ~00707606 ~06868c0c',
  C: '8 ~8380000c8c89',
  D: '8 -000c ~00808c0c',
  E: '7 -70000c7c -0666',
  F: '7 -70000c -0666',
  G: '8 ~8380000c8c87 -8757',
  H: '8 -000c -808c -0686',
  I: '0 -000c',
  J: '6 ~60666c0c09',
  K: '8 -000c -8007 -348c',
  L: '7 -000c7c',
  M: 'a -0c0058a0ac',
  N: '8 -0c008c80',
  O: '9 o00909c0c',
  P: '8 -000c ~00808707',
  Q: '9 o00909c0c -599d',
  R: '8 -000c ~00808707 -478c',
  S: '8 ~82800006868c0c0a',
  T: '8 -0080 -404c',
  U: '8 ~00060c8c8680',
  V: '8 -004c80',
  W: 'c -003c619cc0',
  X: '8 -008c -800c',
  Y: '8 -004680 -464c',
  Z: '8 -00800c8c',
  a: '7 -747c o04747c0c',
  b: '7 -000c o04747c0c',
  c: '7 ~7674040c7c7a',
  d: '7 -707c o04747c0c',
  e: '7 -0878 ~7874040c7c7a',
  f: '5 ~2c262050 -0444',
  g: '7 o04747c0c ~747a7g0g0e',
  h: '7 -000c ~080474787c',
  i: '0 -040c -0000',
  j: '3 ~343a3g0g -3030',
  k: '7 -000c -6409 -277c',
  l: '0 -000c',
  m: 'a -040c ~080454585c ~5854a4a8ac',
  n: '7 -040c ~080474787c',
  o: '7 o04747c0c',
  p: '7 -040g o04747c0c',
  q: '7 -747g o04747c0c',
  r: '4 -040c ~080444',
  s: '6 ~66640408686c0c0a',
  t: '5 ~20282c5c -0454',
  u: '7 ~04080c7c7874 -747c',
  v: '6 -043c64',
  w: 'a -043c567ca4',
  x: '6 -046c -640c',
  y: '6 -043c -641g',
  z: '6 -04640c6c',
  0: '7 o00707c0c',
  1: '7 -13404c',
  2: '7 ~030070760c -0c7c',
  3: '7 ~0200707636 ~36767c0c0a',
  4: '7 -5c500878',
  5: '7 -701005 ~05747c0c0a',
  6: '7 o05757c0c ~600008',
  7: '7 -00702c',
  8: '7 o10606616 o06767c0c',
  9: '7 o00707707 ~747c1c',
  ' ': '3',
  '.': '0 -0c0c',
  ',': '1 -1b0e',
  ':': '0 -0505 -0c0c',
  ';': '1 -1515 -1b0e',
  '!': '0 -0008 -0c0c',
  '?': '6 ~020060653539 -3c3c',
  '-': '4 -0747',
  '−': '7 -0777',
  '+': '6 -0767 -343a',
  '±': '6 -0565 -3238 -0b6b',
  '=': '6 -0565 -0969',
  '×': '6 -056b -650b',
  '·': '0 -0707',
  '…': '6 -0c0c -3c3c -6c6c',
  '/': '6 -0d60',
  '\\': '6 -006d',
  '|': '0 -000f',
  '(': '3 ~30030a3d',
  ')': '3 ~00333a0d',
  '[': '3 -30000d3d',
  ']': '3 -00303d0d',
  '{': '3 ~30101606 ~06161d3d',
  '}': '3 ~00202636 ~36262d0d',
  '<': '5 -54075a',
  '>': '5 -04570a',
  '→': 'a -07a7 -74a77a',
  '%': 'a o00404505 o67a7ac6c -901c',
  '°': '4 o00404404',
  '²': '3 ~0200303206 -0636',
  Δ: '8 -0c408c0c',
  '#': '8 -301c -705c -0484 -0888',
  '&': '8 ~8c25106064060c5c87',
  '@': 'a o34747a3a ~747aaaa0000c9c',
  '*': '4 -2026 -0145 -4105',
  '"': '3 -0003 -3033',
  "'": '0 -0003',
  '`': '2 -0022',
  '^': '6 -033063',
  _: '7 -0d7d',
  '~': '6 ~08255966',
  $: '8 ~82800006868c0c0a -404c',
};

/** Space between two glyphs. */
export const SPACING = 3.2;
export const CAP_HEIGHT = 12;

const cache = new Map();

/** The glyph of a character, its width and its line segments x0, y0, x1, y1; dashes become minus, accents are dropped, anything unknown is a question mark. */
export function findGlyph(character) {
  const known = cache.get(character);
  if (known) return known;
  const plain = '–—'.includes(character) ? '−' : (character.normalize('NFD')[0] ?? '?');
  const [width, ...strokes] = (GLYPHS[plain] ?? GLYPHS['?']).split(' ');
  const glyph = { width: Number.parseInt(width, 36), segments: strokes.flatMap(flattenStroke) };
  cache.set(character, glyph);
  return glyph;
}

function flattenStroke(stroke) {
  const points = [];
  for (let i = 1; i < stroke.length; i += 2) {
    points.push([Number.parseInt(stroke[i], 36), Number.parseInt(stroke[i + 1], 36)]);
  }
  const path = stroke[0] === '-' ? points : smoothPath(points, stroke[0] === 'o');
  const segments = [];
  for (let i = 1; i < path.length; i++) segments.push(...path[i - 1], ...path[i]);
  return segments;
}

/** Quadratic B-spline: parabolas between the middles of the control polygon's sides. */
function smoothPath(points, closed) {
  const middle = (a, b) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const count = points.length;
  const path = [];
  for (let i = closed ? 0 : 1; i < (closed ? count : count - 1); i++) {
    const control = points[i];
    const start = closed || i > 1 ? middle(points[(i + count - 1) % count], control) : points[0];
    const end = closed || i < count - 2 ? middle(control, points[(i + 1) % count]) : points[count - 1];
    for (let step = path.length ? 1 : 0; step <= 8; step++) {
      const t = step / 8;
      const at = (k) => (1 - t) ** 2 * start[k] + 2 * t * (1 - t) * control[k] + t * t * end[k];
      path.push([at(0), at(1)]);
    }
  }
  return path;
}
