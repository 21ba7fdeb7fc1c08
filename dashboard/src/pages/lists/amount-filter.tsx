import { useId, useState } from 'react';
import { formatPounds, parsePounds } from '../../ui/fields/pounds.ts';

interface AmountFilterProps {
  label: string;
  /** In pounds, as typed, such as `49.99`; '' for none. */
  value: string;
  onChange: (value: string) => void;
}

/** Filters a list by an amount in pounds, once it is left or Enter is pressed. */
export function AmountFilter({ label, value, onChange }: AmountFilterProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const isWrong = typed !== null && typed.trim() !== '' && parsePounds(typed) === null;
  const tell = () => {
    if (typed === null || isWrong) return;
    const pence = parsePounds(typed);
    setTyped(null);
    onChange(pence === null ? '' : formatPounds(pence));
  };
  return (
    <div className="day-filter">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input amount-filter"
        inputMode="decimal"
        autoComplete="off"
        placeholder="0.00"
        aria-invalid={isWrong || undefined}
        value={typed ?? value}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={tell}
        onKeyDown={(event) => {
          if (event.key === 'Enter') tell();
        }}
      />
    </div>
  );
}
