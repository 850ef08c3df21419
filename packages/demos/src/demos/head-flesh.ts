import { type FleshPart, mirrorFlesh, sheet, tube } from './flesh.js';

/** A human head in decimetres, chin at y = 0.25, crown at 2.6, looking along +z; its neck is up to the body. */
export function createHeadFlesh(browBones: readonly string[]): FleshPart[] {
  const bones = ['head'];
  return [
    tube('skull', '0 1.68 -0.34 0.71, 0 1.83 -0.1 0.76, 0 1.76 0.02 0.7', { bones, reach: 1.3 }),
    tube('face', '0 1.3 0.14 0.5, 0 0.85 0.26 0.4, 0 0.5 0.38 0.24', { bones, blends: ['skull'], reach: 1.3 }),
    tube('chin', '-0.07 0.4 0.52 0.14, 0.07 0.4 0.52 0.14', { bones, blends: ['face', 'jaw.L', 'jaw.R'] }),
    tube('throat', '0 0.52 0.3 0.2, 0 0.44 0.08 0.28, 0 0.3 -0.12 0.34', {
      bones,
      blends: ['face', 'chin', 'jaw.L', 'jaw.R'],
    }),
    tube('nose', '0 1.4 0.62 0.1, 0 1.24 0.71 0.09, 0 1.04 0.83 0.115', { bones, blends: ['face', 'skull'] }),
    tube('upper lip', '-0.22 0.68 0.59 0.045, -0.07 0.73 0.68 0.06, 0.07 0.73 0.68 0.06, 0.22 0.68 0.59 0.045', {
      bones,
      blends: ['face', 'nose', 'lower lip'],
    }),
    tube('lower lip', '-0.2 0.62 0.59 0.045, 0 0.56 0.67 0.075, 0.2 0.62 0.59 0.045', {
      bones,
      blends: ['face', 'chin'],
    }),
    tube('mouth', '-0.24 0.65 0.66 0.05, 0 0.65 0.8 0.06, 0.24 0.65 0.66 0.05', { carve: 0.6 }),
    ...mirrorFlesh([
      tube('brow.L', '0.06 1.56 0.52 0.14, 0.28 1.6 0.48 0.13, 0.52 1.52 0.3 0.11', {
        bones: browBones,
        blends: ['skull', 'face', 'nose'],
      }),
      tube('cheek.L', '0.3 1.06 0.4 0.18, 0.44 1.14 0.26 0.17, 0.54 1.2 -0.05 0.16', {
        bones,
        blends: ['face', 'skull', 'jaw.L'],
      }),
      sheet(
        'jaw.L',
        '0.48 1.1 -0.14 0.18, 0.44 1 0.1 0.18, 0.26 0.9 0.34 0.18',
        '0.42 0.66 -0.04 0.16, 0.34 0.54 0.2 0.15, 0.12 0.4 0.44 0.14',
        { bones, blends: ['face', 'skull'], reach: 1.35 },
      ),
      tube('socket.L', '0.22 1.35 0.7 0.17, 0.38 1.35 0.64 0.17', { carve: 0.45 }),
      tube('eye.L', '0.26 1.34 0.46 0.19, 0.31 1.34 0.45 0.19', { bones }),
      tube('nostril.L', '0.1 0.98 0.75 0.085, 0.11 0.98 0.68 0.085', { bones, blends: ['nose', 'face', 'upper lip'] }),
      sheet(
        'ear.L',
        '0.64 1.42 -0.22 0.1, 0.66 1.2 -0.2 0.1, 0.6 0.98 -0.18 0.1',
        '0.76 1.4 -0.36 0.08, 0.78 1.22 -0.38 0.08, 0.68 1 -0.26 0.08',
        { bones, blends: ['skull', 'jaw.L'], reach: 1.3 },
      ),
      tube(
        'helix.L',
        '0.74 1.3 -0.14 0.06, 0.78 1.45 -0.2 0.07, 0.86 1.47 -0.34 0.07, 0.9 1.3 -0.44 0.07, 0.85 1.1 -0.38 0.07, 0.74 0.94 -0.24 0.085',
        { bones, blends: ['skull', 'ear.L'], reach: 1.4 },
      ),
    ]),
  ];
}
