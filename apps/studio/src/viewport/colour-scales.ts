/** Colours that stand for numbers: one scale per colouring, shared by the shader and the legend; and colours of regions. */
import type { Colouring } from '../state/studio-document.js';

export type Rgb = readonly [r: number, g: number, b: number];

/** Away from grey on either side: blue = lost, or towards minus; orange = gained, or towards plus. */
const SIGNED = ['#2f6fd0', '#79a6dd', '#b9bdc4', '#e3a468', '#d9641f'];

/** Even steps from 0 to 1. Lightness rises with the value. */
const SCALES: Partial<Record<Colouring, readonly string[]>> = {
  gamma: ['#3a4152', '#37587a', '#338a90', '#67b07a', '#e9d66b'],
  displacement: ['#4a4e5a', '#6a4f80', '#ad4f7c', '#e2735e', '#f8c56c'],
  volume: SIGNED,
  'moved-x': SIGNED,
  'moved-y': SIGNED,
  'moved-z': SIGNED,
  weight: ['#3d4250', '#365473', '#3f86a6', '#8fc7b0', '#fdf3c0'],
  softness: ['#43444e', '#5b4570', '#8a4d79', '#cf7890', '#f9c9c0'],
};

export function scaleOf(colouring: Colouring): readonly string[] {
  return SCALES[colouring] ?? ['#b8b3ad', '#b8b3ad'];
}

/** Neighbouring numbers get distant hues (the golden angle), two lightnesses in turn. */
export function regionColour(index: number): Rgb {
  const hue = (index * 137.508 + 24) % 360;
  return hslToRgb(hue, 0.5, index % 2 === 0 ? 0.6 : 0.5);
}

export function toCss([r, g, b]: Rgb): string {
  return `rgb(${Math.round(255 * r)} ${Math.round(255 * g)} ${Math.round(255 * b)})`;
}

function hslToRgb(h: number, s: number, l: number): Rgb {
  const a = s * Math.min(l, 1 - l);
  const channel = (n: number) => {
    const k = (n + h / 30) % 12;
    return l - a * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  return [channel(0), channel(8), channel(4)];
}

export function parseHex(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}
