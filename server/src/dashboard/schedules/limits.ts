import { formatInstant } from '../../platform/calendar.ts';
import type { ControlParameters, PeriodicLimit } from '../../schedules/headroom.ts';
import { BANK_TIME_ZONE } from '../../schedules/headroom.ts';
import type { LimitStanding } from '../../schedules/room.ts';
import type { ScheduleConsent } from './view.ts';

type Limit = NonNullable<ScheduleConsent['agreement']>['limits'][number];

const PERIODS: Readonly<Record<PeriodicLimit['periodType'], Limit['period']>> = {
  Day: 'day',
  Week: 'week',
  Fortnight: 'fortnight',
  Month: 'month',
  'Half-year': 'half_year',
  Year: 'year',
};

/** Returns the limits of a consent, in pence: per payment, then per period, with what is used and planned in the current one. */
export function viewLimits(
  { maximumAmountPence }: ControlParameters,
  standings: readonly LimitStanding[],
): Limit[] {
  const unused = { alignment: null, used: null, planned: null, left: null, from: null, to: null };
  return [
    { period: 'payment', amount: maximumAmountPence, ...unused },
    ...standings.map(({ limit, used, planned, left, periodStart, periodEnd }) => ({
      period: PERIODS[limit.periodType],
      alignment: limit.alignment === 'Consent' ? ('consent' as const) : ('calendar' as const),
      amount: limit.amountPence,
      used,
      planned,
      left,
      from: formatInstant(startOf(periodStart)),
      to: formatInstant(startOf(periodEnd.add({ days: 1 })).subtract({ milliseconds: 1 })),
    })),
  ];
}

/** Returns the start of a bank's day: banks use their own time zone, not the merchant's. */
function startOf(date: Temporal.PlainDate): Temporal.Instant {
  return date.toZonedDateTime(BANK_TIME_ZONE).toInstant();
}
