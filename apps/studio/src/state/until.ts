/** Resolves as soon as something that signals say is true. */
import { effect } from '@preact/signals';

export async function until(isTrue: () => boolean): Promise<void> {
  let stop = () => {};
  await new Promise<void>((resolve) => {
    stop = effect(() => {
      if (isTrue()) resolve();
    });
  });
  stop();
}
