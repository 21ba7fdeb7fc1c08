import type { RefundStatus, SettlementStatus } from '@recollect/sdk';
import { choicesOf } from '../../ui/fields/choices.ts';
import { FilterSelect } from '../../ui/fields/filter-select.tsx';
import { useTimeZone } from '../../ui/values/time-zone.tsx';
import { RangeFilters } from './range-filters.tsx';
import { RANGES, type RangeFilter, rangesOf } from './ranges.ts';
import { type UrlFilter, useUrlFilter } from './url-filter.ts';

type Status = RefundStatus & SettlementStatus;

/** Returns the statuses of settlements and of refunds; `done` is what a success is called. */
const statusesOf = (done: string): Readonly<Record<RefundStatus | SettlementStatus, string>> => ({
  pending: 'Pending',
  processing: 'In progress',
  success: done,
  failed: 'Failed',
});
const STATUSES = Object.keys(statusesOf('')) as Status[];

const NAMES = ['q', 'status', ...RANGES] as const;
type Name = (typeof NAMES)[number];

/** Returns the filter of settlements or refunds from the address. */
export function useMoneyFilter(): UrlFilter<Name> & {
  filter: RangeFilter & { status?: Status };
} {
  const url = useUrlFilter(NAMES);
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
        {...url.field('status')}
        options={choicesOf(statusesOf(done), 'All statuses')}
      />
      <RangeFilters dates="Created" url={url} />
    </>
  );
}
