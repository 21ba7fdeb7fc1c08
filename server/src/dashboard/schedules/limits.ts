import { formatInstant } from '../../platform/time/calendar.ts';
import { periodName } from '../../schedules/limits/limits.ts';
import { type ControlParameters, type LimitUse, startOfDay } from '../../schedules/limits/room.ts';
import type { ScheduleConsent } from './view.ts';

type Limit = NonNullable<ScheduleConsent['agreement']>['limits'][number];

/** Returns the limits of a consent, in pence: per payment, then per period, with what is used and planned in the current one. */
export function viewLimits(
  { maximumAmountPence }: ControlParameters,
  standings: readonly LimitUse[],
): Limit[] {
  const unused = { alignment: null, used: null, planned: null, left: null, from: null, to: null };
  return [
    { period: 'payment', amount: maximumAmountPence, ...unused },
    ...standings.map(({ limit, used, planned, left, periodStart, periodEnd }) => ({
      period: periodName(limit.periodType),
      alignment: limit.alignment === 'Consent' ? ('consent' as const) : ('calendar' as const),
      amount: limit.amountPence,
      used,
      planned,
      left,
      from: formatInstant(startOfDay(periodStart)),
      to: formatInstant(startOfDay(periodEnd.add({ days: 1 })).subtract({ milliseconds: 1 })),
    })),
  ];
}
