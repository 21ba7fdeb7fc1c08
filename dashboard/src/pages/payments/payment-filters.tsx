import type { PaymentStatus } from '@recollect/sdk';
import { useBanks } from '../../api/banks.ts';
import type { PaymentFilter } from '../../api/payments.ts';
import { choicesOf } from '../../ui/fields/choices.ts';
import { FilterSelect } from '../../ui/fields/filter-select.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { Id } from '../../ui/values/id.tsx';
import { useTimeZone } from '../../ui/values/time-zone.tsx';
import { RangeFilters } from '../lists/range-filters.tsx';
import { RANGES, rangesOf } from '../lists/ranges.ts';
import { REASON_OPTIONS } from '../lists/reasons.ts';
import { type SortChoice, sortOf } from '../lists/sort-select.tsx';
import { type UrlFilter, useUrlFilter } from '../lists/url-filter.ts';

const NAMES = [
  'q',
  'status',
  'error_code',
  'bank_id',
  'schedule_id',
  'customer_id',
  ...RANGES,
] as const;
type Name = (typeof NAMES)[number];

const STATUSES: Readonly<Record<PaymentStatus, string>> = {
  pending: 'Pending',
  processing: 'In progress',
  success: 'Collected',
  failed: 'Failed',
};

export const PAYMENT_SORTS: readonly SortChoice[] = [
  { value: '', label: 'Latest due first' },
  { value: 'due_date', label: 'Earliest due first' },
];

/** Returns the filter of payments from the address; pages of schedules and customers link here with theirs. */
export function usePaymentFilter(): UrlFilter<Name> & { filter: PaymentFilter } {
  const url = useUrlFilter(NAMES);
  const timeZone = useTimeZone();
  const { q, status, error_code, bank_id, schedule_id, customer_id, sort } = url.values;
  const filter = {
    q,
    status: Object.hasOwn(STATUSES, status) ? status : '',
    error_code,
    bank_id,
    schedule_id,
    customer_id,
    ...rangesOf(url.values, timeZone),
    sort: sortOf(PAYMENT_SORTS, sort) || '-due_date',
  };
  return { ...url, filter };
}

/** The filters of the payments. */
export function PaymentFilters(url: UrlFilter<Name>) {
  const { values, field } = url;
  const banks = useBanks().data ?? [];
  const bankOptions = banks.map(({ bank_id: value, name: label }) => ({ value, label }));
  return (
    <>
      <SearchField
        label="Search payments"
        placeholder="Words, customer, amount, ID"
        {...field('q')}
      />
      <FilterSelect
        label="Status"
        {...field('status')}
        options={choicesOf(STATUSES, 'All statuses')}
      />
      <FilterSelect label="Reason" {...field('error_code')} options={REASON_OPTIONS} />
      <FilterSelect
        label="Bank"
        {...field('bank_id')}
        options={[{ value: '', label: 'All banks' }, ...bankOptions]}
      />
      <RangeFilters dates="Due" url={url} />
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
    </>
  );
}
