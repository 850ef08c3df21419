/** A character in a stack, posed and judged in one call. */
import {
  type Character,
  type CharacterInput,
  createCharacter,
  createFrameSource,
  createPose,
  type Frame,
  planBody,
  planVolumeMeter,
  presetStack,
  type StackSpec,
} from '@isoskin/core';
import type { VolumeLayerOptions } from '@isoskin/core/stack';
import { chain, character as inputOf, part, type TubeOptions, tubeShape } from '../meshes.js';

export interface Turn {
  readonly [node: number]: {
    readonly axis?: 'x' | 'y' | 'z';
    readonly degrees?: number;
    readonly scale?: readonly [number, number, number];
    readonly move?: readonly [number, number, number];
  };
}

export interface Judged {
  readonly frame: Frame;
  /** Copies: the frame is overwritten by the next one. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Relative errors of the whole and of the worst region, before and after. */
  readonly total: number;
  readonly region: number;
  readonly skinnedTotal: number;
  readonly skinnedRegion: number;
  /** Largest displacement. */
  readonly moved: number;
}

/** The default stack with other options of its volume layer. */
export function organicWith(options: VolumeLayerOptions): StackSpec {
  const { volume, ...others } = presetStack('organic');
  return { ...others, volume: { ...volume, ...options } };
}

export function createStackBench(input: CharacterInput | Character, spec: StackSpec = presetStack('organic')) {
  const character = 'surface' in input ? input : createCharacter(input);
  const stack = createFrameSource(planBody(character), spec, { warm: true });
  const layer = stack.volume!;
  const meter = planVolumeMeter(character, layer);
  const pose = createPose(character);

  /** Sets the pose and evaluates it; start cold unless `warm`. */
  function run(turn: Turn, { time = 0, warm = false } = {}): Judged {
    pose.locals.set(character.skeleton.locals);
    for (const [node, { axis = 'y', degrees = 0, scale, move }] of Object.entries(turn)) {
      const half = (degrees * Math.PI) / 360;
      const at = 10 * Number(node);
      // On top of the default rotation q: q · (sin·axis, cos).
      const [x, y, z, w] = pose.locals.slice(at + 3, at + 7) as unknown as [number, number, number, number];
      const [a, b, c] = [0, 1, 2].map((r) => ('xyz'[r] === axis ? Math.sin(half) : 0)) as [number, number, number];
      const d = Math.cos(half);
      pose.locals[at + 3] = w * a + x * d + y * c - z * b;
      pose.locals[at + 4] = w * b + y * d + z * a - x * c;
      pose.locals[at + 5] = w * c + z * d + x * b - y * a;
      pose.locals[at + 6] = w * d - x * a - y * b - z * c;
      if (scale) pose.locals.set(scale, at + 7);
      if (move) pose.locals.set(move, at);
    }
    if (!warm) stack.reset();
    const frame = stack.evaluate(pose, time);
    const target = meter.measureTargets(frame.bones, time, pose.morphWeights);
    const judge = (positions: Float64Array) => {
      const total = Math.abs(meter.measure(positions) - target) / Math.abs(target);
      const errors = Array.from(meter.regionVolumes, (v, s) => {
        const wanted = meter.targets[s]!;
        return Math.abs(v - wanted) / Math.max(Math.abs(wanted), 1e-3 * Math.abs(meter.componentOfRegion[s]!));
      });
      return { total, region: Math.max(0, ...errors) };
    };
    const before = judge(frame.skinned);
    const after = judge(frame.positions);
    return {
      frame,
      x: frame.skinned.slice(),
      y: frame.positions.slice(),
      ...after,
      skinnedTotal: before.total,
      skinnedRegion: before.region,
      moved: largestDistance(frame.skinned, frame.positions),
    };
  }

  return { character, stack, layer, meter, pose, run };
}

export function largestDistance(a: Float64Array, b: Float64Array): number {
  let largest = 0;
  for (let k = 0; k < a.length; k += 3) {
    largest = Math.max(largest, Math.hypot(a[k]! - b[k]!, a[k + 1]! - b[k + 1]!, a[k + 2]! - b[k + 2]!));
  }
  return largest;
}

/** A tube along x with bones at `starts`; weights pass from bone to bone over ±`width` around the joints. */
export function limb(
  starts: readonly number[],
  { width = 0.6, ...options }: TubeOptions & { width?: number } = {},
): CharacterInput {
  const blend = (x: number, at: number) => {
    const u = Math.min(1, Math.max(0, (x - at + width) / (2 * width)));
    return u * u * (3 - 2 * u);
  };
  const weigh = (x: number) =>
    starts.map((s, i) => (i === 0 ? 1 : blend(x, s)) - (i + 1 < starts.length ? blend(x, starts[i + 1]!) : 0));
  return inputOf([part(tubeShape(options), weigh)], chain(starts));
}
