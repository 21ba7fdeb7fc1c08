import { nextBusinessDay } from '../platform/calendar.ts';
import { dueBy, earliest, type Stage } from '../platform/engine.ts';
import type { Platform } from '../platform/platform.ts';
import type { Issuer } from '../wallets/issuer.ts';
import { reconcile } from './reconciliation.ts';

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

/** Every business day at 06:30 the books of the days since the last one are held against the issuer's. */
export function reconcileStage(platform: Platform, issuer: Issuer): Stage {
  const { db } = platform;
  const put = (due: Temporal.Instant, before: Temporal.Instant): Promise<number> =>
    db.transaction((tx) =>
      tx.run('UPDATE reconciliation_agenda SET due_at = $1 WHERE due_at <= $2', [due, before]),
    );
  return {
    name: 'reconcile',
    batch: 1,
    ...dueBy(earliest('due_at', 'reconciliation_agenda', 'due_at IS NOT NULL')),
    async run(now) {
      if ((await put(now.add(LEASE), now)) === 0) return 0;
      const today = now.toZonedDateTimeISO(TIME_ZONE).toPlainDate();
      for (const date of daysOf(today)) {
        const report = await reconcile(platform, issuer, date);
        const { differences, unknown } = report;
        if (differences.length > 0 || unknown !== null)
          platform.log.error(
            { date: date.toString(), differences: differences.length, unknown },
            'Our books and the issuer differ, or could not be compared',
          );
      }
      await put(nextReportAt(now), now.add(LEASE));
      return 1;
    },
  };
}
