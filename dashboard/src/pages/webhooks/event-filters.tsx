import type { EventFilter } from '../../api/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { FilterSelect } from '../../ui/fields/filter-select.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { useTimeZone } from '../../ui/values/time-zone.tsx';
import { DayFilter } from '../lists/day-filter.tsx';
import { instantsOf } from '../lists/day-range.ts';
import { type UrlFilter, useUrlFilter } from '../lists/url-filter.ts';
import { LOGGED_KINDS, loggedKind } from './event-kinds.ts';

type Name = 'delivery' | 'kind' | 'schedule_id' | 'from' | 'to';

/** Returns the filter of events from the address. */
export function useEventFilter(): UrlFilter<Name> & { filter: EventFilter } {
  const url = useUrlFilter<Name>(['delivery', 'kind', 'schedule_id', 'from', 'to']);
  const timeZone = useTimeZone();
  const { delivery, kind, schedule_id, from, to } = url.values;
  const known = loggedKind(kind);
  const filter: EventFilter = {
    ...(delivery === 'undelivered' ? { delivery } : {}),
    ...(known === undefined ? {} : { kind: known }),
    ...(schedule_id === '' ? {} : { schedule_id }),
    ...instantsOf({ from, to }, timeZone),
  };
  return { ...url, filter };
}

/** The filters of the events, with a shortcut to undelivered ones. */
export function EventFilters({ values, set, field }: UrlFilter<Name>) {
  const isUndelivered = values.delivery === 'undelivered';
  return (
    <>
      <Button
        variant={isUndelivered ? 'primary' : 'secondary'}
        aria-pressed={isUndelivered}
        onPress={() => set('delivery', isUndelivered ? '' : 'undelivered')}
      >
        Undelivered
      </Button>
      <FilterSelect
        label="Kind"
        {...field('kind')}
        options={[
          { value: '', label: 'All types' },
          ...LOGGED_KINDS.map((kind) => ({ value: kind, label: kind })),
        ]}
      />
      <SearchField label="Schedule" placeholder="Schedule ID" {...field('schedule_id')} />
      <DayFilter label="From" {...field('from')} />
      <DayFilter label="To" {...field('to')} />
    </>
  );
}
