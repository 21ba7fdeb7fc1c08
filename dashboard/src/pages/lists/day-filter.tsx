import { useId } from 'react';

interface DayFilterProps {
  label: string;
  /** Such as `2026-03-30`; '' for none. */
  value: string;
  onChange: (value: string) => void;
}

/** Filters a list by a day in the merchant's time zone. */
export function DayFilter({ label, value, onChange }: DayFilterProps) {
  const id = useId();
  return (
    <div className="day-filter">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input"
        type="date"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
