import type { ParticlesSpec } from '../scene-spec.js';

/** A soft dough of particles a tenth of a metre apart. */
export function createPaste(mass: number, fill: ParticlesSpec['fill']): ParticlesSpec {
  return { kind: 'particles', mass, spacing: 0.1, thickness: 0.075, damping: 1.5, fill };
}
