import type { ActivityQuery } from '../../../../../server/src/dashboard/activity/view.ts';
import type { ActivityFilter } from '../../../api/activity.ts';
import { choicesOf } from '../../../ui/fields/choices.ts';
import { FilterSelect } from '../../../ui/fields/filter-select.tsx';
import { useTimeZone } from '../../../ui/values/time-zone.tsx';
import { DayFilter } from '../../lists/day-filter.tsx';
import { instantsOf } from '../../lists/day-range.ts';
import { type UrlFilter, useUrlFilter } from '../../lists/url-filter.ts';

type Name = 'who' | 'what' | 'from' | 'to';

const WHO: Readonly<Record<NonNullable<ActivityQuery['actor_type']>, string>> = {
  member: 'Team members',
  api_key: 'API keys',
  customer: 'Customers',
  operator: 'Operators',
};
const WHAT: Readonly<Record<NonNullable<ActivityQuery['subject']>, string>> = {
  schedule: 'Schedules',
  consent: 'Consents',
  payment: 'Payments',
  refund: 'Refunds',
  settlement: 'Settlements',
  customer: 'Customers',
  endpoint: 'Webhook endpoints',
  api_key: 'API keys',
  prepared_act: 'Acts of agents',
  member: 'Team members',
  invitation: 'Invitations',
  business: 'Business settings',
};

const known = (labels: Readonly<Record<string, string>>, value: string): string =>
  Object.hasOwn(labels, value) ? value : '';

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
export function ActivityFilters({ field }: UrlFilter<Name>) {
  return (
    <>
      <FilterSelect label="Who" {...field('who')} options={choicesOf(WHO, 'Everybody')} />
      <FilterSelect label="What" {...field('what')} options={choicesOf(WHAT, 'Everything')} />
      <DayFilter label="From" {...field('from')} />
      <DayFilter label="To" {...field('to')} />
    </>
  );
}
