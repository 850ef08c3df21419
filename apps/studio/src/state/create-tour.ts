/** The tour through the worst moments of a file: found after every plan with other regions, shown first when a character is opened. */
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { CharacterFacts } from '../engine/protocol.js';
import { type Moment, rankMoments } from './rank-moments.js';
import { OPENING, type Studio } from './studio.js';

export interface Tour {
  /** Worst first; empty until they are found. */
  readonly moments: ReadonlySignal<readonly Moment[]>;
  /** Where the tour stands, −1 before its start. */
  readonly at: ReadonlySignal<number>;
  /** The moment that the view shall look at; it takes it by `looked`. */
  readonly focus: ReadonlySignal<Moment | null>;
  looked(): void;
  /** The next character is shown at its worst moment, unless a person does something else before. */
  start(): void;
  goTo(index: number): void;
  /** The next one, or with −1 the one before. */
  next(step: 1 | -1): void;
}

/** Seconds before and after a moment that are played to and fro. */
const AROUND = 0.4;

export function createTour(studio: Studio): Tour {
  const moments = signal<readonly Moment[]>([]);
  const at = signal(-1);
  const focus = signal<Moment | null>(null);
  let ranked: readonly [CharacterFacts | null, string] = [null, ''];
  /** The document as it was opened. */
  let opened: unknown;

  const show = (index: number, merge?: string): void => {
    const moment = moments.peek()[index];
    if (!moment) return;
    const { clip, time } = moment;
    at.value = index;
    studio.commit('Go to a moment', (present) => (present.clip === clip ? present : { clip }), merge);
    studio.playback.time.value = time;
    const duration = studio.duration.peek();
    studio.playback.span.value = { from: Math.max(0, time - AROUND), to: Math.min(duration, time + AROUND) };
    focus.value = moment;
  };

  // Another clip is played as a whole.
  effect(() => {
    if (studio.document.value.clip !== moments.peek()[at.peek()]?.clip) studio.playback.span.value = null;
  });
  // Who chooses a time of the clip does not want to be led elsewhere.
  effect(() => {
    if (!studio.playback.span.value) focus.value = null;
  });
  effect(() => {
    const plan = studio.plan.value;
    const facts = studio.character.peek();
    if (!plan || !facts) {
      moments.value = [];
      at.value = -1;
      return;
    }
    const own = [facts, plan.regions.map(({ name }) => name).join('\n')] as const;
    if (own.every((value, n) => value === ranked[n])) return;
    ranked = own;
    moments.value = [];
    at.value = -1;
    rankMoments(studio.engine, facts, plan.regions, () => ranked !== own || studio.opening.peek() !== '')
      .then((found) => {
        if (ranked !== own) return;
        moments.value = found;
        const { playing, time } = studio.playback;
        const isUntouched = studio.document.peek() === opened && (playing.peek() || time.peek() === 0);
        opened = undefined;
        if (isUntouched) show(0, OPENING);
      })
      .catch(() => {}); // the engine was stopped or has said why
  });

  return {
    moments,
    at,
    focus,
    looked() {
      focus.value = null;
    },
    start() {
      opened = studio.document.peek();
    },
    goTo: (index) => show(index),
    next(step) {
      const count = moments.peek().length;
      if (count > 0) show((at.peek() + step + count) % count);
    },
  };
}
