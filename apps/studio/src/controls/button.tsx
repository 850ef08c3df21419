import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';

interface ButtonProps {
  readonly icon?: IconName;
  /** Name for screen readers and the tooltip; needed where there are no words on the button. */
  readonly label?: string;
  readonly tip?: string;
  readonly kind?: 'main' | 'plain' | '';
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  readonly class?: string;
  readonly onClick?: (event: MouseEvent) => void;
  readonly children?: ComponentChildren;
}

export function Button({ icon, label, tip, kind = '', pressed, disabled, onClick, children, ...rest }: ButtonProps) {
  const classes = ['button', kind, children === undefined ? 'square' : '', rest.class ?? ''].filter(Boolean).join(' ');
  return (
    <button
      type="button"
      class={classes}
      aria-label={label}
      aria-pressed={pressed}
      data-tip={tip ?? (children === undefined ? label : undefined)}
      disabled={disabled}
      onClick={onClick}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string; readonly icon?: IconName }[];
  readonly onChange: (value: T) => void;
}

/** One of a few: arrow keys move, as in any group of radio buttons. */
export function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>) {
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const at = options.findIndex((option) => option.value === value);
    const next = (at + step + options.length) % options.length;
    onChange(options[next]!.value);
    ((event.currentTarget as HTMLElement).children[next] as HTMLElement).focus();
  };
  return (
    <div class="segments" role="radiogroup" aria-label={label} onKeyDown={move}>
      {options.map((option) => (
        // biome-ignore lint/a11y/useSemanticElements: a radio input cannot hold an icon
        <button
          key={option.value}
          type="button"
          role="radio"
          class={`button ${option.icon ? 'square' : ''}`}
          aria-checked={option.value === value}
          aria-label={option.label}
          tabIndex={option.value === value ? 0 : -1}
          data-tip={option.icon ? option.label : undefined}
          onClick={() => onChange(option.value)}
        >
          {option.icon ? <Icon name={option.icon} /> : option.label}
        </button>
      ))}
    </div>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly tip?: string;
  readonly id?: string;
  readonly class?: string;
  readonly disabled?: boolean;
  readonly onChange: (value: string) => void;
}

export function Select({ label, value, options, tip, id, disabled, onChange, ...rest }: SelectProps) {
  return (
    <span class={`select ${rest.class ?? ''}`} data-tip={tip}>
      <select
        id={id}
        aria-label={id ? undefined : label}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="chevron" />
    </span>
  );
}

/** A select with its label beside it. */
export function Choice({ id, label, tip, ...rest }: SelectProps & { readonly id: string }) {
  return (
    <div class={`field ${rest.class ?? ''}`}>
      <label for={id} data-tip={tip}>
        {label}
      </label>
      <Select {...rest} id={id} label={label} {...(tip && { tip })} class="wide" />
    </div>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly on: boolean;
  readonly tip?: string;
  readonly disabled?: boolean;
  readonly onChange: (on: boolean) => void;
}

export function Switch({ label, on, tip, disabled, onChange }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      aria-checked={on}
      aria-label={label}
      data-tip={tip}
      disabled={disabled}
      onClick={() => onChange(!on)}
    />
  );
}

/** A switch with its label beside it. */
export function SwitchField({ tip, ...rest }: SwitchProps) {
  return (
    <div class="field">
      <span class="label" data-tip={tip}>
        {rest.label}
      </span>
      <span class="end">
        <Switch {...rest} {...(tip && { tip })} />
      </span>
    </div>
  );
}
