import type { PaymentFilter } from '../../api/payments.ts';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { Id } from '../../ui/id.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useTimeZone } from '../../ui/time-zone.tsx';
import { DayFilter } from '../lists/day-filter.tsx';
import { instantsOf } from '../lists/day-range.ts';
import { Filters } from '../lists/filters.tsx';
import { type UrlFilter, useUrlFilter } from '../lists/url-filter.ts';

type Name = 'q' | 'status' | 'error_code' | 'from' | 'to' | 'schedule_id' | 'customer_id';

const NAMES: readonly Name[] = [
  'q',
  'status',
  'error_code',
  'from',
  'to',
  'schedule_id',
  'customer_id',
];
const STATUSES = [
  { value: '', label: 'All statuses' },
  { value: 'pending', label: 'Pending' },
  { value: 'processing', label: 'In progress' },
  { value: 'success', label: 'Collected' },
  { value: 'failed', label: 'Failed' },
];

/** Returns the filter of payments from the address; pages of schedules and customers link here with theirs. */
export function usePaymentFilter(): UrlFilter<Name> & { filter: PaymentFilter } {
  const url = useUrlFilter(NAMES);
  const timeZone = useTimeZone();
  const { q, status, error_code, from, to, schedule_id, customer_id } = url.values;
  const isKnown = STATUSES.some((one) => one.value === status);
  const filter = {
    q,
    status: isKnown ? status : '',
    error_code,
    schedule_id,
    customer_id,
    ...instantsOf({ from, to }, timeZone),
  };
  return { ...url, filter };
}

/** The filters of the payments. */
export function PaymentFilters({ values, set, clear, isNarrowed }: UrlFilter<Name>) {
  return (
    <Filters isNarrowed={isNarrowed} onClear={clear}>
      <SearchField
        label="Search payments"
        placeholder="Words, customer, amount, ID"
        value={values.q}
        onChange={(value) => set('q', value)}
      />
      <FilterSelect
        label="Status"
        value={values.status}
        onChange={(value) => set('status', value)}
        options={STATUSES}
      />
      <DayFilter label="Due from" value={values.from} onChange={(value) => set('from', value)} />
      <DayFilter label="Due to" value={values.to} onChange={(value) => set('to', value)} />
      {values.error_code === '' ? null : (
        <span className="quiet">Failed because of {values.error_code.replaceAll('_', ' ')}</span>
      )}
      {values.schedule_id === '' ? null : (
        <span className="quiet">
          Schedule <Id value={values.schedule_id} to={`/schedules/${values.schedule_id}`} />
        </span>
      )}
      {values.customer_id === '' ? null : (
        <span className="quiet">
          Customer <Id value={values.customer_id} to={`/customers/${values.customer_id}`} />
        </span>
      )}
    </Filters>
  );
}
