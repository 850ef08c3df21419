/** Figures printed in the literature, carried over for comparison; all volume errors in per cent. */

/** Where they were printed, in full. */
export const SOURCES = {
  thesis: 'D. Rohmer, “Animation de personnage par skinning à volume constant”, master’s thesis, CPE Lyon, 2007',
  gtmg: 'D. Rohmer, S. Hahmann, M.-P. Cani, “Déformation interactive par skinning à volume constant”, GTMG, Mulhouse, 2008',
  local:
    'D. Rohmer, S. Hahmann, M.-P. Cani, “Local volume preservation for skinned characters”, Computer Graphics Forum 27 (7), 2008',
} as const;

export const CYLINDER_ANGLES = [10, 30, 50, 70, 90] as const;

/**
 * Thesis, tables 4.1 (none, axisLinear, axisExact) and 4.2 (normalLinear), which is GTMG's table 1. The first two of `axisLinear` look like misprints: the
 * residual grows as the angle⁴.
 */
export const CYLINDER_FIGURES = {
  none: [0.2, 1.5, 4, 7, 11],
  axisLinear: [8e-6, 5e-2, 0.04, 0.14, 0.34],
  axisExact: [7e-5, 3e-4, 7e-5, 5e-5, 8e-6],
  normalLinear: [0.05, 0.5, 1.5, 3.1, 4.9],
} as const;

/** Local, tables 1 (frames per second) and 2 (errors): error of the volume before and after, frames per second before and after. */
export const CHARACTER_FIGURES = {
  tube: { vertices: 256, error: [11, 4.9], framesPerSecond: [35, 30] },
  giraffe: { vertices: 1677, error: [10, 3], framesPerSecond: [27, 19] },
  elephant: { vertices: 5720, error: [18, 9], framesPerSecond: [23, 16] },
} as const;

export type CharacterName = keyof typeof CHARACTER_FIGURES;
