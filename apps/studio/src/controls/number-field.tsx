/** A slider with a box for the exact number: drag, arrow keys, wheel-free typing, double click for the default. */
import { useState } from 'preact/hooks';

export interface NumberFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: number;
  readonly initial: number;
  /** Least, most, step. */
  readonly range: readonly [number, number, number];
  /** What the number counts, shown in the box: °, s; of a % a hundredth is stored. */
  readonly unit?: string;
  readonly tip?: string;
  readonly disabled?: boolean;
  readonly onChange: (value: number) => void;
  /** The gesture is over. */
  readonly onDone: () => void;
}

export function NumberField(props: NumberFieldProps) {
  const { id, label, value, initial, range, unit = '', tip, disabled, onChange, onDone } = props;
  const [min, max, step] = range;
  const factor = unit === '%' ? 100 : 1;
  const [draft, setDraft] = useState<string | null>(null);
  const digits = Math.max(0, Math.min(4, -Math.floor(Math.log10(step * factor) + 1e-9)));
  const shown = (value * factor).toFixed(digits);
  const typed = draft === null ? value : Number(draft.replace(',', '.')) / factor;
  const isBad = draft !== null && !(draft.trim() !== '' && Number.isFinite(typed));
  const take = () => {
    if (draft !== null && !isBad) onChange(Math.min(max, Math.max(min, typed)));
    setDraft(null);
    onDone();
  };
  const fill = `${(100 * (Math.min(max, Math.max(min, value)) - min)) / (max - min)}%`;
  const isChanged = Math.abs(value - initial) > 1e-9;
  return (
    <div class={`field ${isChanged ? 'changed' : ''}`}>
      <label for={id} data-tip={tip}>
        {label}
      </label>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        disabled={disabled}
        data-tip={tip}
        style={{ '--fill': fill }}
        aria-valuetext={`${shown}${unit}`}
        onInput={(event) => onChange(Number(event.currentTarget.value))}
        onChange={onDone}
        onDblClick={() => {
          onChange(initial);
          onDone();
        }}
      />
      <div class={`number-box ${unit ? 'with-unit' : ''}`}>
        <input
          type="text"
          inputMode="decimal"
          aria-label={`${label}, exact`}
          aria-invalid={isBad}
          value={draft ?? shown}
          disabled={disabled}
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => setDraft(event.currentTarget.value)}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === 'Enter') take();
            if (event.key === 'Escape') setDraft(null);
            if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
              event.preventDefault();
              const next = value + (event.key === 'ArrowUp' ? step : -step) * (event.shiftKey ? 10 : 1);
              onChange(Math.min(max, Math.max(min, next)));
            }
          }}
        />
        {unit && <span class="unit">{unit}</span>}
      </div>
    </div>
  );
}
