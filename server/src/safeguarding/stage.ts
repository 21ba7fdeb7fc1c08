import { londonDay } from '../laws/reconciliation/london-day.ts';
import { ISSUER } from '../laws/reconciliation/reconciliation.ts';
import type { Tx } from '../platform/db/db.ts';
import { isDatabaseFailure } from '../platform/db/isolate-failures.ts';
import { earliestDue } from '../platform/engine/claim.ts';
import type { Stage } from '../platform/engine/stage.ts';
import type { Platform } from '../platform/platform.ts';
import type { Issuer } from '../wallets/issuer.ts';
import { claimLook, firstDay, putLook } from './agenda-store.ts';
import { findReceipts, readLeft } from './books-store.ts';
import {
  type Breach,
  breachesOfDay,
  breachesOfReceipts,
  type DayOver,
  isAnsweredInTime,
} from './breaches.ts';
import { dayToRun, endOf, nextLook, reconciliationDays } from './day.ts';
import { agrees, type Run } from './figures.ts';
import { makeRun } from './run.ts';
import { findRun, findRuns, putBreaches } from './store.ts';

/** Keeps another process from looking meanwhile. */
const LEASE = Temporal.Duration.from({ minutes: 30 });
/** How many days back it is looked whether a breach has ended. */
const DAYS_BACK = 31;

/**
 * Keeps the safeguarding day: makes the run of each reconciliation day after its point, again while something could not be
 * compared or differs, and enters in the register what a day did not do by its end.
 */
export function safeguardingStage(platform: Platform, issuer: Issuer): Stage {
  const { db, config } = platform;
  return {
    name: 'keep_safeguarding_day',
    batch: 1,
    ...earliestDue('safeguarding_agenda'),
    async run(now) {
      if (!(await db.transaction((tx) => claimLook(tx, now, now.add(LEASE))))) return 0;
      const isKept = config.safeguarding.seat !== 'initiation_only';
      const isOpen = isKept && (await look(platform, issuer, now));
      await db.transaction((tx) => putLook(tx, nextLook(now, config.safeguarding.at, isOpen)));
      return 1;
    },
  };
}

/** Makes today's run if it is due, and registers breaches. Returns whether today's run has to be made again. */
async function look(platform: Platform, issuer: Issuer, now: Temporal.Instant): Promise<boolean> {
  const { db, config, log } = platform;
  const first = await db.transaction((tx) => firstDay(tx, londonDay(now)));
  let isOpen = false;
  try {
    const day = dayToRun(now, config.safeguarding.at);
    const before = day === null ? null : await db.read((tx) => findRun(tx, ISSUER, day));
    if (day !== null && (before === null || !agrees(before))) {
      const run = await makeRun(platform, issuer, day);
      isOpen = !agrees(run);
      report(platform, run);
    }
  } catch (error) {
    if (isDatabaseFailure(error)) throw error;
    log.report('safeguarding.failed', { err: error });
    isOpen = true;
  }
  const breaches = await db.read((tx) => findBreaches(platform, tx, first, now));
  const found = await db.transaction((tx) => putBreaches(tx, ISSUER, breaches, now));
  if (found > 0) log.report('safeguarding.breaches', { count: found });
  return isOpen;
}

function report({ log }: Platform, run: Run): void {
  if (!agrees(run) || run.recalledPence > 0)
    log.report('safeguarding.differs', {
      date: run.date.toString(),
      unknown: run.unknown,
      shortfall: run.recalledPence,
    });
}

/** Returns the breaches of the days that are over, and of the receipts whose time is. */
async function findBreaches(
  { config }: Platform,
  tx: Tx,
  first: Temporal.PlainDate,
  now: Temporal.Instant,
): Promise<Breach[]> {
  const today = londonDay(now);
  const back = today.subtract({ days: DAYS_BACK });
  const isCut = Temporal.PlainDate.compare(first, back) < 0;
  const from = isCut ? back : first;
  const runs = await findRuns(tx, ISSUER, from, today);
  const breaches: Breach[] = [];
  let standing = { short: 0, tooMuch: 0 };
  let isKnown = !isCut;
  for (const day of reconciliationDays(from, today.subtract({ days: 1 }))) {
    const over = await dayOver(tx, day, runs, now);
    const found = breachesOfDay(over, standing, config.safeguarding.seat, now);
    standing = found.standing;
    // What stood open at the first run of a part may be of an earlier day, and is in the register since then.
    if (isKnown) breaches.push(...found.breaches);
    isKnown ||= over.run !== null;
  }
  const receipts = await findReceipts(tx, now.subtract({ hours: 24 * DAYS_BACK }));
  return [...breaches, ...breachesOfReceipts(receipts, now)];
}

async function dayOver(
  tx: Tx,
  day: Temporal.PlainDate,
  runs: readonly Run[],
  now: Temporal.Instant,
): Promise<DayOver> {
  const run = runs.find(({ date }) => date.equals(day)) ?? null;
  const again = runs.find(
    ({ date, unknown }) => Temporal.PlainDate.compare(date, day) > 0 && unknown === null,
  );
  const newest = runs.at(-1);
  const left = (to: Temporal.Instant) =>
    run === null || (run.recalledPence === 0 && run.feesPence === 0)
      ? { coveredPence: 0, feesOutPence: 0 }
      : readLeft(tx, run.asOf, to);
  return {
    day,
    run,
    byItsEnd: {
      ...(await left(endOf(day))),
      ownPence: run === null ? 0 : isAnsweredInTime(run) ? ownAfter(run) : run.ownPence,
    },
    byNow: {
      ...(await left(now.add({ milliseconds: 1 }))),
      ownPence: newest === undefined ? 0 : ownAfter(newest),
    },
    againAt: again?.madeAt ?? null,
  };
}

const ownAfter = ({ ownPence, paidInPence, takenOutPence }: Run): number =>
  ownPence + paidInPence - takenOutPence;
