import { type InputHTMLAttributes, useId, useState } from 'react';

interface TypedFilterProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Returns what typed text stands for; null: it is not accepted. */
  read?: (typed: string) => string | null;
}

const asTyped = (typed: string): string => typed;

/** Filters by what somebody types, once the field is left or Enter is pressed. */
export function TypedFilter({ label, value, onChange, read = asTyped, ...rest }: TypedFilterProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const meant = typed === null ? null : read(typed.trim());
  const tell = () => {
    if (meant === null) return;
    setTyped(null);
    onChange(meant);
  };
  return (
    <div className="day-filter">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        autoComplete="off"
        aria-invalid={(typed !== null && meant === null) || undefined}
        value={typed ?? value}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={tell}
        onKeyDown={(event) => {
          if (event.key === 'Enter') tell();
        }}
        {...rest}
      />
    </div>
  );
}
