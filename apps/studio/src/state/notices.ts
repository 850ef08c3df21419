/** Short messages at the edge of the page: what happened, what went wrong, what to do. */
import { type ReadonlySignal, signal } from '@preact/signals';

export interface Notice {
  readonly id: number;
  readonly kind: 'error' | 'info';
  readonly title: string;
  readonly text: string;
}

const SECONDS = { info: 5, error: 20 };
const MOST_SHOWN = 3;

export function createNotices() {
  const list = signal<readonly Notice[]>([]);
  let last = 0;
  const dismiss = (id: number) => {
    list.value = list.peek().filter((notice) => notice.id !== id);
  };
  return {
    list: list as ReadonlySignal<readonly Notice[]>,
    /** @param cause words, or what was thrown */
    show(kind: Notice['kind'], title: string, cause: unknown = ''): void {
      const id = ++last;
      const text = messageOf(cause);
      list.value = [...list.peek().slice(1 - MOST_SHOWN), { id, kind, title, text }];
      setTimeout(() => dismiss(id), SECONDS[kind] * 1000);
    },
    dismiss,
  };
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
