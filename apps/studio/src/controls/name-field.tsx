import { useEffect, useRef } from 'preact/hooks';

interface NameFieldProps {
  readonly label: string;
  readonly value: string;
  /** Called once, with an empty name where it was given up. */
  readonly onDone: (name: string) => void;
}

/** A name to be typed: Enter takes it, Escape gives it up. */
export function NameField({ label, value, onDone }: NameFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <input
      ref={field}
      type="text"
      class="search"
      aria-label={label}
      maxLength={60}
      defaultValue={value}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onDone(event.currentTarget.value);
        else if (event.key === 'Escape') onDone('');
      }}
      onBlur={(event) => onDone(event.currentTarget.value)}
    />
  );
}
