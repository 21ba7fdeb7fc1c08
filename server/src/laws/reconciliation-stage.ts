import { nextBusinessDay } from '../platform/calendar.ts';
import { dueBy, earliest, type Stage } from '../platform/engine.ts';
import { isOfTheDatabase } from '../platform/isolate-failures.ts';
import type { Platform } from '../platform/platform.ts';
import type { Issuer } from '../wallets/issuer.ts';
import { reconcile } from './reconciliation.ts';
import { putAgenda, takeAgenda } from './reconciliation-store.ts';

const TIME_ZONE = 'Europe/London';
const AT = Temporal.PlainTime.from('06:30');
/** A report that is being made is not made by another process meanwhile. */
const LEASE = Temporal.Duration.from({ minutes: 30 });

/** The next moment, after `now`, at which a report is due: every business day at 06:30 London time. */
export function nextReportAt(now: Temporal.Instant): Temporal.Instant {
  const today = now.toZonedDateTimeISO(TIME_ZONE).toPlainDate();
  return nextBusinessDay(today).toZonedDateTime({ timeZone: TIME_ZONE, plainTime: AT }).toInstant();
}

/** The days that a report of a business day is of: from the business day before it to the day before it. */
export function daysOf(day: Temporal.PlainDate): Temporal.PlainDate[] {
  const days: Temporal.PlainDate[] = [];
  for (let back = day.subtract({ days: 1 }); ; back = back.subtract({ days: 1 })) {
    days.unshift(back);
    if (nextBusinessDay(back.subtract({ days: 1 })).equals(back)) return days;
  }
}

/** A report that could not be made is made again after this. */
const AGAIN_AFTER = Temporal.Duration.from({ minutes: 15 });
/** The first look only finds out when the first report is due. */
const NEVER = Temporal.Instant.fromEpochMilliseconds(0);

/** Every business day at 06:30 London time the books of the days since the last one are held against the issuer's. */
export function reconcileStage(platform: Platform, issuer: Issuer): Stage {
  const { db } = platform;
  return {
    name: 'reconcile',
    batch: 1,
    ...dueBy(earliest('due_at', 'reconciliation_agenda', 'due_at IS NOT NULL')),
    async run(now) {
      const due = await db.transaction((tx) => takeAgenda(tx, now, now.add(LEASE)));
      if (due === null) return 0;
      const next = due.equals(NEVER) || (await makeReports(platform, issuer, now));
      const at = next ? nextReportAt(now) : now.add(AGAIN_AFTER);
      await db.transaction((tx) => putAgenda(tx, at));
      return 1;
    },
  };
}

/** False: they could not be made. */
async function makeReports(
  platform: Platform,
  issuer: Issuer,
  now: Temporal.Instant,
): Promise<boolean> {
  const today = now.toZonedDateTimeISO(TIME_ZONE).toPlainDate();
  try {
    for (const date of daysOf(today)) {
      const { open, unknown } = await reconcile(platform, issuer, date);
      if (open.length > 0 || unknown !== null)
        platform.log.report('reconciliation.differences', {
          date: date.toString(),
          differences: open.length,
          unknown,
        });
    }
    return true;
  } catch (error) {
    if (isOfTheDatabase(error)) throw error;
    platform.log.report('reconciliation.failed', { err: error });
    return false;
  }
}
