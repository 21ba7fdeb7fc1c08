import { formatPounds, parsePounds } from '../../ui/fields/pounds.ts';
import { TypedFilter } from './typed-filter.tsx';

interface AmountFilterProps {
  label: string;
  /** In pounds, as typed, such as `49.99`; '' for none. */
  value: string;
  onChange: (value: string) => void;
}

function readPounds(typed: string): string | null {
  if (typed === '') return '';
  const pence = parsePounds(typed);
  return pence === null ? null : formatPounds(pence);
}

/** Filters a list by an amount in pounds. */
export function AmountFilter(props: AmountFilterProps) {
  return (
    <TypedFilter
      className="input amount-filter"
      inputMode="decimal"
      placeholder="0.00"
      read={readPounds}
      {...props}
    />
  );
}
