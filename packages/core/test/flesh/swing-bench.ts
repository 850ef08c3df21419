/** Bodies that are shaken, as clips and by hand. */
import { type Character, type Clip, createCharacter, createPose, type StackSpec } from '@isoskin/core';
import { chain, character, part, sphereShape } from '../meshes.js';

/** A clip from functions of time on nodes: sampled so densely that linear keys are the function itself, to 1e−9 or so. */
export function createClip(
  duration: number,
  channels: readonly {
    target: number;
    path: 'translation' | 'rotation';
    at: (t: number) => readonly number[];
    /** Derivative: cubic keys. */
    slope: (t: number) => readonly number[];
  }[],
  { name = 'clip', keys = 480 } = {},
): Clip {
  const times = Float64Array.from({ length: keys + 1 }, (_, i) => (duration * i) / keys);
  return {
    name,
    duration,
    channels: channels.map(({ target, path, at, slope }) => ({
      target,
      path,
      interpolation: 'CUBICSPLINE',
      width: path === 'rotation' ? 4 : 3,
      times,
      values: Float64Array.from(Array.from(times).flatMap((t) => [...slope(t), ...at(t), ...slope(t)])),
    })),
  };
}

/** Node 0 goes along x as A sin(2πFt). */
export function shakeClip(duration: number, A: number, F: number, keys = 480): Clip {
  const W = 2 * Math.PI * F;
  return createClip(
    duration,
    [
      {
        target: 0,
        path: 'translation',
        at: (t) => [A * Math.sin(W * t), 0, 0],
        slope: (t) => [A * W * Math.cos(W * t), 0, 0],
      },
    ],
    { keys },
  );
}

export function ball(clips: readonly Clip[] = []): Character {
  return createCharacter({ ...character([part(sphereShape(8))], chain([0])), clips });
}

export function fleshOnly(options: object = {}): StackSpec {
  return { skin: {}, flesh: { softness: 1, maxStretch: 10, ...options } };
}

/** Evaluates poses whose node 0 is at `at(t)`, at the times given, and hands every frame to `see`. */
export function moveNode(
  character: Character,
  stack: { evaluate(pose: ReturnType<typeof createPose>, time: number, dt: number): unknown },
  at: (t: number) => readonly [number, number, number],
  times: readonly number[],
  see: (t: number) => void = () => {},
): void {
  const pose = createPose(character);
  times.forEach((t, n) => {
    pose.locals.set(at(t), 0);
    stack.evaluate(pose, t, n > 0 ? t - times[n - 1]! : 0);
    see(t);
  });
}

export function everyFrame(fps: number, seconds: number): number[] {
  return Array.from({ length: Math.round(fps * seconds) + 1 }, (_, n) => n / fps);
}
