import { FilterSelect } from '../../ui/filter-select.tsx';
import { useTimeZone } from '../../ui/time-zone.tsx';
import { RangeFilters } from './range-filters.tsx';
import { RANGES, type RangeFilter, rangesOf } from './ranges.ts';
import { type UrlFilter, useUrlFilter } from './url-filter.ts';

/** The statuses of settlements and of refunds. */
const STATUSES = ['pending', 'processing', 'success', 'failed'] as const;
type Status = (typeof STATUSES)[number];

type Name = 'status' | (typeof RANGES)[number];

/** Returns the filter of settlements or refunds from the address. */
export function useMoneyFilter(): UrlFilter<Name> & {
  filter: RangeFilter & { status?: Status };
} {
  const url = useUrlFilter<Name>(['status', ...RANGES]);
  const ranges = rangesOf(url.values, useTimeZone());
  const status = STATUSES.find((one) => one === url.values.status);
  return { ...url, filter: { ...ranges, ...(status === undefined ? {} : { status }) } };
}

/** The filters of settlements or refunds; `done` is what a success is called. */
export function MoneyFilters({ url, done }: { url: UrlFilter<Name>; done: string }) {
  return (
    <>
      <FilterSelect
        label="Status"
        value={url.values.status}
        onChange={(value) => url.set('status', value)}
        options={[
          { value: '', label: 'All statuses' },
          { value: 'pending', label: 'Pending' },
          { value: 'processing', label: 'In progress' },
          { value: 'success', label: done },
          { value: 'failed', label: 'Failed' },
        ]}
      />
      <RangeFilters dates="Created" url={url} />
    </>
  );
}
