import { toSeries } from '../../schedules/books/store.ts';
import { isOccurrence } from '../../schedules/terms/amounts.ts';
import { todayIn, type ZonedCall } from '../reports/range.ts';
import { groupComing, sumAdHoc, sumChangesOfLater, sumChangesOfNext } from './coming-store.ts';
import { type DaySum, sumComing } from './upcoming.ts';

/**
 * Terms keep the time zone in which they were made, so their dates may differ from the merchant's current ones by this many days.
 */
const ZONE_SHIFT_DAYS = 2;

/**
 * Returns what is to be collected on each of `days` days from `first`, by default today, or later:
 * docs/guides/dashboard.md#following-the-money.
 */
export async function readComing(
  call: ZonedCall,
  days: number,
  first: Temporal.PlainDate = todayIn(call.timeZone, call.now),
): Promise<DaySum[]> {
  const { tx, merchantId, now, timeZone } = call;
  const today = todayIn(timeZone, now);
  const end = first.add({ days: days + ZONE_SHIFT_DAYS }).toZonedDateTime(timeZone);
  const window = { now, until: end.toInstant() };
  const groups = await groupComing(tx, merchantId, window.until);
  const later = await sumChangesOfLater(tx, merchantId, window);
  const changes = [
    ...(await sumChangesOfNext(tx, merchantId, window)),
    // What was set for a date on which new terms do not collect does nothing.
    ...later.filter((one) => isOccurrence({ series: toSeries(one) }, one.dueDate)),
    ...(await sumAdHoc(tx, merchantId, window, timeZone)),
  ];
  return sumComing(groups, changes, today, days, first);
}
