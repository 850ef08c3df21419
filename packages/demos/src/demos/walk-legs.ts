import { swing, type Turn } from './create-clip.js';

/** How far the legs go, in degrees. */
export interface Gait {
  /** Swing of the upper leg to each side. */
  readonly stride: number;
  /** Largest bend of the knee while the foot is in the air. */
  readonly knee: number;
}

/**
 * Turns of four legs walking in the lateral sequence (hind left, fore left, hind right, fore right, a quarter apart). Joints
 * are <leg>.1 (hip, shoulder), <leg>.2 (knee, wrist), <leg>.3 (ankle) with leg = fore.L, fore.R, hind.L, hind.R.
 */
export function walkLegs(u: number, gait: Gait): Record<string, Turn> {
  const turns: Record<string, Turn> = {};
  for (const [leg, lag] of [
    ['hind.L', 0],
    ['fore.L', 0.25],
    ['hind.R', 0.5],
    ['fore.R', 0.75],
  ] as const) {
    // The knee bends while the upper leg comes forward (turning from +stride to −stride about x).
    const lifted = Math.max(0, -Math.cos(2 * Math.PI * (u - lag))) ** 1.5;
    turns[`${leg}.1`] = [gait.stride * swing(u, lag) - 0.2 * gait.knee * lifted, 0, 0];
    turns[`${leg}.2`] = [gait.knee * lifted, 0, 0];
    turns[`${leg}.3`] = [-0.35 * gait.knee * lifted - 0.5 * gait.stride * swing(u, lag), 0, 0];
  }
  return turns;
}
