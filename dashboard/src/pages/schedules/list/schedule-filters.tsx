import type { ScheduleQuery } from '@recollect/sdk';
import type { ScheduleFilter } from '../../../api/schedules.ts';
import { choicesOf } from '../../../ui/fields/choices.ts';
import { FilterSelect } from '../../../ui/fields/filter-select.tsx';
import { SearchField } from '../../../ui/fields/search-field.tsx';
import { Id } from '../../../ui/values/id.tsx';
import { useTimeZone } from '../../../ui/values/time-zone.tsx';
import { RangeFilters } from '../../lists/range-filters.tsx';
import { RANGES, rangesOf } from '../../lists/ranges.ts';
import { REASON_OPTIONS } from '../../lists/reasons.ts';
import { type SortChoice, sortOf } from '../../lists/sort-select.tsx';
import { type UrlFilter, useUrlFilter } from '../../lists/url-filter.ts';
import { monthWords } from '../../reports/report-words.ts';

const NAMES = ['q', 'status', 'error_code', 'customer_id', 'started', ...RANGES] as const;
type Name = (typeof NAMES)[number];

const STATUSES: Readonly<Record<NonNullable<ScheduleQuery['status']>, string>> = {
  active: 'Active',
  failing: 'Active, failing',
  pending_consent: 'Waiting for consent',
  paused: 'Paused',
  cancelled: 'Cancelled',
};

export const SCHEDULE_SORTS: readonly SortChoice[] = [
  { value: '', label: 'Newest first' },
  { value: 'created_at', label: 'Oldest first' },
  { value: 'description', label: 'Description A to Z' },
  { value: '-description', label: 'Description Z to A' },
];

/** Returns the filter of schedules from the address. */
export function useScheduleFilter(): UrlFilter<Name> & { filter: ScheduleFilter } {
  const url = useUrlFilter(NAMES);
  const timeZone = useTimeZone();
  const { q, status, error_code, customer_id, started, sort } = url.values;
  const filter = {
    q,
    status: Object.hasOwn(STATUSES, status) ? status : '',
    error_code,
    customer_id,
    started,
    ...rangesOf(url.values, timeZone),
    sort: sortOf(SCHEDULE_SORTS, sort),
  };
  return { ...url, filter };
}

/** The filters of the schedules. The reason is why a failing one fails. */
export function ScheduleFilters(url: UrlFilter<Name>) {
  const { values, field } = url;
  const isFailing = values.status === 'failing' || values.error_code !== '';
  return (
    <>
      <SearchField
        label="Search schedules"
        placeholder="Words, customer, amount, ID"
        {...field('q')}
      />
      <FilterSelect
        label="Status"
        {...field('status')}
        options={choicesOf(STATUSES, 'All statuses')}
      />
      {isFailing ? (
        <FilterSelect label="Reason" {...field('error_code')} options={REASON_OPTIONS} />
      ) : null}
      <RangeFilters dates="Created" url={url} />
      {values.started === '' ? null : (
        <span className="quiet">Started in {monthWords(values.started)}</span>
      )}
      {values.customer_id === '' ? null : (
        <span className="quiet">
          Customer <Id value={values.customer_id} to={`/customers/${values.customer_id}`} />
        </span>
      )}
    </>
  );
}
