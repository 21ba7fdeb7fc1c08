import { isDatabaseFailure } from '../../platform/db/isolate-failures.ts';
import { earliestDue } from '../../platform/engine/claim.ts';
import type { Stage } from '../../platform/engine/stage.ts';
import type { Platform } from '../../platform/platform.ts';
import { nextBusinessDay } from '../../platform/time/calendar.ts';
import type { Issuer } from '../../wallets/issuer.ts';
import { LONDON, londonDay } from './london-day.ts';
import { ISSUER, reconcile } from './reconciliation.ts';
import { claimDueReport, findUnreported, putAgenda } from './reconciliation-store.ts';

const REPORT_TIME = Temporal.PlainTime.from('06:30');
/** Keeps another process from making the same report meanwhile. */
const LEASE = Temporal.Duration.from({ minutes: 30 });

/** Returns the next moment after `now` at which a report is due: every business day at 06:30 London time. */
export function nextReportAt(now: Temporal.Instant): Temporal.Instant {
  const today = londonDay(now);
  return nextBusinessDay(today)
    .toZonedDateTime({ timeZone: LONDON, plainTime: REPORT_TIME })
    .toInstant();
}

/** Returns the days that a business day's report covers: from the previous business day to the day before. */
export function daysOf(day: Temporal.PlainDate): Temporal.PlainDate[] {
  const days: Temporal.PlainDate[] = [];
  for (let back = day.subtract({ days: 1 }); ; back = back.subtract({ days: 1 })) {
    days.unshift(back);
    if (nextBusinessDay(back.subtract({ days: 1 })).equals(back)) return days;
  }
}

/** Delay before a report that could not be made is retried. */
const AGAIN_AFTER = Temporal.Duration.from({ minutes: 15 });
/** The first run only computes when the first report is due. */
const NEVER = Temporal.Instant.fromEpochMilliseconds(0);

/** Every business day at 06:30 London time, reconciles the days since the last one with the issuer. */
export function reconcileStage(platform: Platform, issuer: Issuer): Stage {
  const { db } = platform;
  return {
    name: 'reconcile',
    batch: 1,
    ...earliestDue('reconciliation_agenda'),
    async run(now) {
      const due = await db.transaction((tx) => claimDueReport(tx, now, now.add(LEASE)));
      if (due === null) return 0;
      const next = due.equals(NEVER) || (await makeReports(platform, issuer, now));
      const at = next ? nextReportAt(now) : now.add(AGAIN_AFTER);
      await db.transaction((tx) => putAgenda(tx, at));
      return 1;
    },
  };
}

/** How many days back a missing report is still made. */
const MAX_DAYS = 31;

/**
 * Returns the days whose reports are due on a day: its own, and earlier ones whose report was left out or could not compare
 * everything.
 */
async function openDays(
  { db }: Platform,
  today: Temporal.PlainDate,
): Promise<Temporal.PlainDate[]> {
  const own = daysOf(today);
  const [first = today] = own;
  const from = today.subtract({ days: MAX_DAYS });
  const to = first.subtract({ days: 1 });
  return [...(await db.read((tx) => findUnreported(tx, ISSUER, from, to))), ...own];
}

/** Makes the reports. False: they could not be made. */
async function makeReports(
  platform: Platform,
  issuer: Issuer,
  now: Temporal.Instant,
): Promise<boolean> {
  const today = londonDay(now);
  try {
    for (const date of await openDays(platform, today)) {
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
    if (isDatabaseFailure(error)) throw error;
    platform.log.report('reconciliation.failed', { err: error });
    return false;
  }
}
