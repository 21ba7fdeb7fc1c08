import { useId } from 'react';

interface FilterSelectProps {
  label: string;
  /** '' means no filter. */
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; label: string }[];
}

/** Filters a list. Start the options with `{ value: '', label: 'All …' }`. */
export function FilterSelect({ label, value, onChange, options }: FilterSelectProps) {
  const id = useId();
  return (
    <div className="filter-select">
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <select
        id={id}
        className="input select"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
