import type { Signal } from '@preact/signals';

/** An assignment as an expression, for handlers of one line. */
export function assign<T>(to: Signal<T>, value: NoInfer<T>): void {
  to.value = value;
}
