/**
 * A simulation as a film in the making: a worker computes frames as fast as it can, the page keeps them all, and time moves freely
 * within what is there.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Playback } from '../state/playback.js';
import type { SceneSettings } from '../state/studio-document.js';
import type { SceneAnswer, SceneFacts, SceneFrame } from './scene-protocol.js';

export type ScenePlayer = ReturnType<typeof createScenePlayer>;

export function createScenePlayer(settings: SceneSettings, playback: Playback, start: () => Worker) {
  const worker = start();
  const facts = signal<SceneFacts | null>(null);
  const frames = signal<readonly SceneFrame[]>([]);
  const error = signal('');
  const isDone = computed(() => facts.value !== null && frames.value.length >= facts.value.total);

  worker.addEventListener('message', ({ data }: MessageEvent<SceneAnswer>) => {
    if (data.kind === 'failed') error.value = data.message;
    else if (data.kind === 'opened') facts.value = data.facts;
    else frames.value = [...frames.peek(), data.frame];
    if (data.kind !== 'failed' && !isDone.peek()) worker.postMessage({ call: 'next' });
  });
  worker.addEventListener('error', (event) => {
    error.value = event.message || 'the worker could not start';
  });
  worker.postMessage({ call: 'open', settings });

  return {
    facts: facts as ReadonlySignal<SceneFacts | null>,
    frames: frames as ReadonlySignal<readonly SceneFrame[]>,
    /** The frame at the playhead. */
    present: computed(() => frameAt(frames.value, playback.time.value)),
    isDone,
    error: error as ReadonlySignal<string>,
    /** Moves the clock on; it waits where the next frame is not computed yet. */
    step(seconds: number): void {
      const duration = facts.peek()?.duration ?? 0;
      const ready = frames.peek().at(-1)?.time ?? 0;
      if (isDone.peek()) playback.advance(seconds, duration);
      else if (playback.playing.peek()) {
        playback.time.value = Math.min(ready, playback.time.peek() + seconds * playback.speed.peek());
      }
    },
    dispose: () => worker.terminate(),
  };
}

/** The last frame that is not later than `time`. */
export function frameAt<T extends { readonly time: number }>(frames: readonly T[], time: number): T | undefined {
  let low = 0;
  let high = frames.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (frames[middle]!.time <= time + 1e-9) low = middle;
    else high = middle - 1;
  }
  return frames[low];
}
