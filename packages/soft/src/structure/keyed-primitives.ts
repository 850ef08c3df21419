import { createMotion, type MotionInput, measureSpin } from './motion.js';
import type { Structure } from './structure.js';

/** I6. Primitives that keys move and no force does: what an animator holds. */
export interface KeyedPrimitivesInput {
  /** Corners at time 0, #×9. */
  readonly rest: Float64Array;
  /** Primitive of the soft world that the first one is; the others follow. */
  readonly first: number;
  readonly motions: readonly KeyedMotion[];
}

export interface KeyedMotion extends MotionInput {
  /** Where in `rest` the moved corners begin. */
  readonly corners: readonly number[];
  /** Primitives that turn as a whole. */
  readonly turned: readonly number[];
}

export function createKeyedPrimitives({ rest, first, motions }: KeyedPrimitivesInput): Structure {
  const corners = rest.slice();
  const before = rest.slice();
  const velocities = new Float64Array(rest.length);
  const spins = new Float64Array(rest.length / 3);
  const planned = motions.map((motion) => ({ ...motion, motion: createMotion(motion) }));
  const earlier = new Float64Array(4);
  const moveTo = (out: Float64Array, time: number): void => {
    for (const { corners: moved, motion } of planned) {
      motion.sample(time);
      for (const c of moved) motion.apply(out, c, rest, c);
    }
  };
  moveTo(corners, 0);
  return {
    energy: 0,
    place(allCorners, allVelocities, allSpins) {
      allCorners.set(corners, 9 * first);
      allVelocities.set(velocities, 9 * first);
      allSpins.set(spins, 3 * first);
    },
    advance(time, dt) {
      moveTo(before, time);
      moveTo(corners, time + dt);
      for (let i = 0; i < rest.length; i++) velocities[i] = (corners[i]! - before[i]!) / dt;
      for (const { turned, motion } of planned) {
        motion.sample(time);
        earlier.set(motion.rotation);
        motion.sample(time + dt);
        for (const p of turned) measureSpin(spins, 3 * p, earlier, motion.rotation, dt);
      }
    },
    // The time says everything: going back is going there again.
    save() {},
    restore() {},
    dispose() {},
  };
}
