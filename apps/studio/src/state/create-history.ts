/**
 * One immutable state and the way back: every change is a commit with a name a person understands.
 *
 * Commits of one gesture (a slider that is dragged) carry the same `merge` key and become one step, until `seal` or a
 * commit with another key ends the gesture. States are never copied: unchanged branches are shared between steps.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';

interface Step<T> {
  readonly state: T;
  readonly label: string;
}

const MOST_STEPS = 200;

export function createHistory<T>(initial: T) {
  const present = signal(initial);
  const past = signal<readonly Step<T>[]>([]);
  const future = signal<readonly Step<T>[]>([]);
  let gesture = '';

  return {
    present: present as ReadonlySignal<T>,
    /** What undo and redo would take back or do again; empty when there is nothing. */
    undoLabel: computed(() => past.value.at(-1)?.label ?? ''),
    redoLabel: computed(() => future.value.at(-1)?.label ?? ''),
    /** A state that is the same object as the present one is no change and makes no step. */
    commit(label: string, change: (present: T) => T, merge = ''): void {
      const before = present.peek();
      const after = change(before);
      if (after === before) return;
      if (merge === '' || merge !== gesture) {
        past.value = [...past.peek().slice(1 - MOST_STEPS), { state: before, label }];
      }
      gesture = merge;
      future.value = [];
      present.value = after;
    },
    /** The gesture is over: the next commit is a step of its own. */
    seal(): void {
      gesture = '';
    },
    undo(): void {
      const step = past.peek().at(-1);
      if (!step) return;
      gesture = '';
      past.value = past.peek().slice(0, -1);
      future.value = [...future.peek(), { state: present.peek(), label: step.label }];
      present.value = step.state;
    },
    redo(): void {
      const step = future.peek().at(-1);
      if (!step) return;
      gesture = '';
      future.value = future.peek().slice(0, -1);
      past.value = [...past.peek(), { state: present.peek(), label: step.label }];
      present.value = step.state;
    },
    /** Starts again from a state, with no way back. */
    reset(state: T): void {
      gesture = '';
      past.value = [];
      future.value = [];
      present.value = state;
    },
  };
}
