import type { ActivityFilter } from '../../../api/activity.ts';
import { FilterSelect } from '../../../ui/filter-select.tsx';
import { useTimeZone } from '../../../ui/time-zone.tsx';
import { DayFilter } from '../../lists/day-filter.tsx';
import { instantsOf } from '../../lists/day-range.ts';
import { type UrlFilter, useUrlFilter } from '../../lists/url-filter.ts';

type Name = 'who' | 'what' | 'from' | 'to';

const WHO = [
  { value: '', label: 'Everybody' },
  { value: 'member', label: 'Team members' },
  { value: 'api_key', label: 'API keys' },
  { value: 'customer', label: 'Customers' },
  { value: 'operator', label: 'Operators' },
];
const WHAT = [
  { value: '', label: 'Everything' },
  { value: 'schedule', label: 'Schedules' },
  { value: 'consent', label: 'Consents' },
  { value: 'payment', label: 'Payments' },
  { value: 'refund', label: 'Refunds' },
  { value: 'settlement', label: 'Settlements' },
  { value: 'customer', label: 'Customers' },
  { value: 'endpoint', label: 'Webhook endpoints' },
  { value: 'api_key', label: 'API keys' },
  { value: 'member', label: 'Team members' },
  { value: 'invitation', label: 'Invitations' },
  { value: 'business', label: 'Business settings' },
];

const known = (options: readonly { value: string }[], value: string): string =>
  options.some((one) => one.value === value) ? value : '';

/** Returns the activity log's filter from the address. */
export function useActivityFilter(): UrlFilter<Name> & { filter: ActivityFilter } {
  const url = useUrlFilter<Name>(['who', 'what', 'from', 'to']);
  const timeZone = useTimeZone();
  const { who, what, from, to } = url.values;
  const filter = {
    actor_type: known(WHO, who),
    subject: known(WHAT, what),
    ...instantsOf({ from, to }, timeZone),
  };
  return { ...url, filter };
}

/** The filters of the activity log. */
export function ActivityFilters({ values, set }: UrlFilter<Name>) {
  return (
    <>
      <FilterSelect label="Who" value={values.who} onChange={(v) => set('who', v)} options={WHO} />
      <FilterSelect
        label="What"
        value={values.what}
        onChange={(v) => set('what', v)}
        options={WHAT}
      />
      <DayFilter label="From" value={values.from} onChange={(value) => set('from', value)} />
      <DayFilter label="To" value={values.to} onChange={(value) => set('to', value)} />
    </>
  );
}
