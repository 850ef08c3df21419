/** Where the clip stands: time, playing, speed, loop. Not part of the document: time runs, nobody undoes it. */
import { type Signal, signal } from '@preact/signals';

export interface Playback {
  readonly time: Signal<number>;
  readonly playing: Signal<boolean>;
  readonly speed: Signal<number>;
  readonly loop: Signal<boolean>;
  /** Moves on by `seconds` of real time in a clip of `duration`. */
  advance(seconds: number, duration: number): void;
}

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2] as const;

export function createPlayback(): Playback {
  const time = signal(0);
  const playing = signal(true);
  const speed = signal(1);
  const loop = signal(true);
  return {
    time,
    playing,
    speed,
    loop,
    advance(seconds, duration) {
      if (!playing.peek() || duration <= 0) return;
      const next = time.peek() + seconds * speed.peek();
      if (next < duration) time.value = next;
      else if (loop.peek()) time.value = next % duration;
      else {
        time.value = duration;
        playing.value = false;
      }
    },
  };
}
