import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from './button.js';

interface DialogProps {
  readonly title: string;
  readonly narrow?: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Over everything; keeps the focus inside, gives it back when it closes, Escape closes. */
export function Dialog({ title, narrow, onClose, children }: DialogProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    box.current?.focus();
    return () => before?.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape') onClose();
    if (event.key !== 'Tab') return;
    const stops = [...box.current!.querySelectorAll<HTMLElement>('button:not(:disabled), input, select, a[href]')];
    const edge = event.shiftKey ? stops[0] : stops.at(-1);
    if (document.activeElement === edge || (event.shiftKey && document.activeElement === box.current)) {
      event.preventDefault();
      (event.shiftKey ? stops.at(-1) : stops[0])?.focus();
    }
  };
  return (
    <div class="veil" onPointerDown={(event) => event.target === event.currentTarget && onClose()}>
      <div
        ref={box}
        class={`dialog ${narrow ? 'narrow' : ''}`}
        role="dialog"
        aria-modal="true"
        aria-label={title}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        <div class="dialog-head">
          <h2>{title}</h2>
          <Button icon="close" label="Close" kind="plain" onClick={onClose} />
        </div>
        <div class="dialog-body scroll">{children}</div>
      </div>
    </div>
  );
}
