import { type Color, toLinear, toSrgb } from './picture.js';

/** sequential: pale clay → amber → red → plum, for sizes. diverging: blue → white → red, for signed values. */
export type ColorMap = 'sequential' | 'diverging';

/** Even steps along each map; between them colours are mixed in Oklab, so that lightness changes evenly. */
const STOPS: Readonly<Record<ColorMap, readonly Color[]>> = {
  sequential: [
    [0.94, 0.91, 0.87],
    [0.97, 0.79, 0.52],
    [0.92, 0.49, 0.26],
    [0.79, 0.22, 0.23],
    [0.48, 0.06, 0.28],
  ],
  diverging: [
    [0.1, 0.22, 0.5],
    [0.26, 0.52, 0.78],
    [0.95, 0.945, 0.935],
    [0.87, 0.4, 0.3],
    [0.55, 0.05, 0.14],
  ],
};

const STEPS = 256;
const TABLES = new Map<ColorMap, Float32Array>();

/** Colour (sRGB, 0 … 1) of a value in 0 … 1; values outside are clamped, not-a-number is mid-grey. */
export function colorMap(value: number, map: ColorMap = 'sequential'): [number, number, number] {
  if (Number.isNaN(value)) return [0.5, 0.5, 0.5];
  const table = takeTable(map);
  const i = 3 * Math.round(Math.min(1, Math.max(0, value)) * (STEPS - 1));
  return [table[i]!, table[i + 1]!, table[i + 2]!];
}

/** Colours of many values, #×3: `low` gets the map's first colour and `high` its last. */
export function colorValues(
  values: ArrayLike<number>,
  low: number,
  high: number,
  map: ColorMap = 'sequential',
): Float32Array {
  const out = new Float32Array(3 * values.length);
  const scale = high > low ? 1 / (high - low) : 0;
  for (let i = 0; i < values.length; i++) out.set(colorMap((values[i]! - low) * scale, map), 3 * i);
  return out;
}

function takeTable(map: ColorMap): Float32Array {
  let table = TABLES.get(map);
  if (!table) {
    const stops = STOPS[map].map(toOklab);
    table = new Float32Array(3 * STEPS);
    for (let i = 0; i < STEPS; i++) {
      const at = (i / (STEPS - 1)) * (stops.length - 1);
      const a = stops[Math.min(Math.floor(at), stops.length - 2)]!;
      const b = stops[Math.min(Math.floor(at), stops.length - 2) + 1]!;
      const t = at - Math.min(Math.floor(at), stops.length - 2);
      table.set(fromOklab(a.map((x, k) => x + t * (b[k]! - x))), 3 * i);
    }
    TABLES.set(map, table);
  }
  return table;
}

/** Oklab (Björn Ottosson, 2020): light → cone responses, cube root, → lightness and two colour axes. */
function toOklab(color: Color): number[] {
  const [r, g, b] = color.map(toLinear) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromOklab(lab: readonly number[]): number[] {
  const [L, a, b] = lab as [number, number, number];
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((value) => toSrgb(Math.min(1, Math.max(0, value))));
}
