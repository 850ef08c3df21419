/** Where the clip stands: time, playing, speed, loop. Not part of the document: time runs, nobody undoes it. */
import { type Signal, signal } from '@preact/signals';

export interface Playback {
  readonly time: Signal<number>;
  readonly playing: Signal<boolean>;
  readonly speed: Signal<number>;
  readonly loop: Signal<boolean>;
  /** A moment that is played to and fro, instead of the whole clip. */
  readonly span: Signal<{ readonly from: number; readonly to: number } | null>;
  /** Moves on by `seconds` of real time in a clip of `duration`. */
  advance(seconds: number, duration: number): void;
  /** Stands at a time of the whole clip. */
  seek(time: number): void;
}

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2] as const;

export function createPlayback(): Playback {
  const time = signal(0);
  const playing = signal(true);
  const speed = signal(1);
  const loop = signal(true);
  const span: Playback['span'] = signal(null);
  let direction = 1;
  return {
    time,
    playing,
    speed,
    loop,
    span,
    seek(at) {
      span.value = null;
      time.value = at;
    },
    advance(seconds, duration) {
      if (!playing.peek() || duration <= 0) return;
      const part = span.peek();
      const step = seconds * speed.peek();
      if (part) {
        if (time.peek() >= part.to) direction = -1;
        if (time.peek() <= part.from) direction = 1;
        time.value = Math.min(part.to, Math.max(part.from, time.peek() + direction * step));
        return;
      }
      const next = time.peek() + step;
      if (next < duration) time.value = next;
      else if (loop.peek()) time.value = next % duration;
      else {
        time.value = duration;
        playing.value = false;
      }
    },
  };
}
