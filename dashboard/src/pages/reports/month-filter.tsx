import { FilterSelect } from '../../ui/fields/filter-select.tsx';
import { useNow, useTimeZone } from '../../ui/values/time-zone.tsx';
import { toLocalTime } from '../../ui/values/zoned-time.ts';
import { lastMonths, monthWords } from './report-words.ts';

interface MonthFilterProps {
  label: string;
  /** What '' means: the report's own choice. */
  none: string;
  /** Such as `2026-03`, or ''. */
  value: string;
  onChange: (value: string) => void;
}

/** Chooses a month of the last year; one that the address names besides them is among them, too. */
export function MonthFilter({ label, none, value, onChange }: MonthFilterProps) {
  const months = lastMonths(toLocalTime(new Date(useNow()).toISOString(), useTimeZone()));
  const shown = value === '' || months.includes(value) ? months : [value, ...months];
  return (
    <FilterSelect
      label={label}
      value={value}
      onChange={onChange}
      options={[
        { value: '', label: none },
        ...shown.map((month) => ({ value: month, label: `${label}: ${monthWords(month)}` })),
      ]}
    />
  );
}
