import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { SlidersHorizontal } from '../../ui/icons.tsx';
import { AmountFilter } from './amount-filter.tsx';
import { DayFilter } from './day-filter.tsx';
import type { Range } from './ranges.ts';
import type { UrlFilter } from './url-filter.ts';

interface RangeFiltersProps {
  /** What the dates are of, such as “Due”; with “from” and “to” it names the fields. */
  dates: string;
  url: Pick<UrlFilter<Range>, 'values' | 'field'>;
}

/** The filters of a list by dates and by amounts. A phone shows them on request, so that the list begins on its first screen. */
export function RangeFilters({ dates, url: { values, field } }: RangeFiltersProps) {
  const { from, to, amount_from, amount_to } = values;
  const [isOpen, setOpen] = useState([from, to, amount_from, amount_to].some((set) => set !== ''));
  return (
    <div className={isOpen ? 'range-filters' : 'range-filters range-filters-closed'}>
      <span className="range-toggle">
        <Button variant="ghost" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          <SlidersHorizontal aria-hidden="true" /> Dates and amounts
        </Button>
      </span>
      <DayFilter label={`${dates} from`} {...field('from')} />
      <DayFilter label={`${dates} to`} {...field('to')} />
      <AmountFilter label="Amount from £" {...field('amount_from')} />
      <AmountFilter label="Amount to £" {...field('amount_to')} />
    </div>
  );
}
