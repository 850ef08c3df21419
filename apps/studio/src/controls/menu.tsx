/** A button that opens a short list of actions; arrow keys and Escape as in any menu. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.js';

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  readonly disabled?: boolean;
  readonly run: () => void;
}

interface MenuProps {
  readonly label: string;
  readonly icon: IconName;
  readonly items: readonly (MenuItem | null)[];
  readonly text?: string;
  readonly class?: string;
}

export function Menu({ label, icon, items, text, ...rest }: MenuProps) {
  const [place, setPlace] = useState<{ left: number; top: number } | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => setPlace(null);
  useEffect(() => {
    if (!place) return;
    list.current?.querySelector<HTMLElement>('button:not(:disabled)')?.focus();
    const leave = (event: Event) => {
      if (!list.current?.contains(event.target as Node)) close();
    };
    window.addEventListener('pointerdown', leave, true);
    return () => window.removeEventListener('pointerdown', leave, true);
  }, [place]);
  const open = () => {
    const at = opener.current!.getBoundingClientRect();
    const height = 36 + 30 * items.length;
    setPlace({
      left: Math.min(at.left, window.innerWidth - 196),
      top: at.bottom + height < window.innerHeight ? at.bottom + 4 : Math.max(8, at.top - height + 20),
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    const buttons = [...list.current!.querySelectorAll<HTMLElement>('button:not(:disabled)')];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      buttons[(at + step + buttons.length) % buttons.length]?.focus();
    }
    if (event.key === 'Escape' || event.key === 'Tab') {
      close();
      opener.current?.focus();
    }
  };
  return (
    <>
      <button
        ref={opener}
        type="button"
        class={`button ${rest.class ?? 'plain'} ${text ? '' : 'square'}`}
        aria-label={text ? undefined : label}
        aria-haspopup="menu"
        aria-expanded={place !== null}
        data-tip={text ? undefined : label}
        onClick={() => (place ? close() : open())}
      >
        <Icon name={icon} />
        {text}
      </button>
      {place && (
        <div ref={list} class="menu" role="menu" aria-label={label} style={place} onKeyDown={onKeyDown}>
          {items.map((item, n) =>
            item ? (
              <button
                key={item.label}
                type="button"
                role="menuitem"
                disabled={item.disabled}
                onClick={() => {
                  close();
                  opener.current?.focus();
                  item.run();
                }}
              >
                {item.icon && <Icon name={item.icon} />}
                {item.label}
              </button>
            ) : (
              <hr key={`line ${n}`} />
            ),
          )}
        </div>
      )}
    </>
  );
}
