import { londonDay } from '../laws/reconciliation/london-day.ts';
import { ISSUER } from '../laws/reconciliation/reconciliation.ts';
import type { Tx } from '../platform/db/db.ts';
import { isDatabaseFailure } from '../platform/db/isolate-failures.ts';
import { earliestDue } from '../platform/engine/claim.ts';
import type { Stage } from '../platform/engine/stage.ts';
import type { Platform } from '../platform/platform.ts';
import type { Issuer } from '../wallets/issuer.ts';
import { claimDueCheck, setNextCheck } from './agenda-store.ts';
import { findReceipts, readLeft } from './books-store.ts';
import {
  type Breach,
  breachesOfDay,
  breachesOfReceipts,
  type DayOver,
  isAnsweredInTime,
  type Standing,
} from './breaches.ts';
import { dayToRun, endOf, nextCheckAt, reconciliationDays } from './day.ts';
import { agrees, type Run, stillShort, stillTooMuch } from './figures.ts';
import { makeRun } from './run.ts';
import { findOldestOpen, findRun, findRuns, putBreaches } from './store.ts';

/** Keeps another process from looking meanwhile. */
const LEASE = Temporal.Duration.from({ minutes: 30 });
/** How many days back it is looked whether a breach has ended. */
const DAYS_BACK = 31;

/**
 * Keeps the safeguarding day: makes the run of each reconciliation day after its point, again while something could not be
 * compared or differs, and enters in the register what a day did not do by its end.
 */
export function safeguardingStage(platform: Platform, issuer: Issuer): Stage {
  const { db, config, log } = platform;
  return {
    name: 'keep_safeguarding_day',
    batch: 1,
    ...earliestDue('safeguarding_agenda'),
    async run(now) {
      const { seat, at } = config.safeguarding;
      const isKept = seat !== 'initiation_only';
      const until = isKept ? now.add(LEASE) : nextCheckAt(now, at, false);
      const claimed = await db.transaction((tx) => claimDueCheck(tx, now, until, isKept));
      if (claimed === null) return 0;
      const { since } = claimed;
      if (since === null) return 1;
      const isOpen = await runToday(platform, issuer, now);
      const breaches = await db.read((tx) => findBreaches(tx, since, now));
      const found = await db.transaction(async (tx) => {
        await setNextCheck(tx, nextCheckAt(now, at, isOpen));
        return putBreaches(tx, ISSUER, breaches, now);
      });
      if (found > 0) log.report('safeguarding.breaches', { count: found });
      return 1;
    },
  };
}

/** Makes today's run if it is due. Returns whether it has to be made again. */
async function runToday(
  platform: Platform,
  issuer: Issuer,
  now: Temporal.Instant,
): Promise<boolean> {
  const { db, config, log } = platform;
  try {
    const day = dayToRun(now, config.safeguarding.at);
    const before = day === null ? null : await db.read((tx) => findRun(tx, ISSUER, day));
    if (day === null || (before !== null && agrees(before))) return false;
    const run = await makeRun(platform, issuer, day);
    report(platform, run);
    return !agrees(run);
  } catch (error) {
    if (isDatabaseFailure(error)) throw error;
    log.report('safeguarding.failed', { err: error });
    return true;
  }
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
  tx: Tx,
  first: Temporal.PlainDate,
  now: Temporal.Instant,
): Promise<Breach[]> {
  const today = londonDay(now);
  const from = await firstOpenDay(tx, today);
  const runs = await findRuns(tx, ISSUER, from, today);
  const isCut = Temporal.PlainDate.compare(first, from) < 0;
  const breaches: Breach[] = [];
  let before: Run | null = null;
  for (const day of reconciliationDays(isCut ? from : first, today.subtract({ days: 1 }))) {
    const over = await dayOver(tx, day, runs, now);
    const standing: Standing = await stillStanding(tx, before, over);
    const found = breachesOfDay(over, standing, now);
    // What stood open at the first run of a part may be of an earlier day, and is in the register since then.
    const isKnown = !isCut || before !== null;
    breaches.push(...found.filter(({ kind }) => isKnown || kind === 'no_run'));
    before = over.run ?? before;
  }
  const receipts = await findReceipts(tx, now.subtract({ hours: 24 * DAYS_BACK }));
  return [...breaches, ...breachesOfReceipts(receipts, now)];
}

/** Returns from which day on something may have changed: a month ago, the last run, or the oldest breach that still stands. */
async function firstOpenDay(tx: Tx, today: Temporal.PlainDate): Promise<Temporal.PlainDate> {
  const days = [today.subtract({ days: DAYS_BACK }), ...(await findOldestOpen(tx, ISSUER, today))];
  return days.toSorted(Temporal.PlainDate.compare)[0] ?? today;
}

/** Returns what of the run before a day still stood open at the day's end. */
async function stillStanding(
  tx: Tx,
  before: Run | null,
  { day, byItsEnd: { ownPence } }: DayOver,
): Promise<Standing> {
  if (before === null) return { short: 0, tooMuch: 0 };
  const left = { ...(await leftOf(tx, before, endOf(day))), ownPence };
  return { short: stillShort(before, left), tooMuch: stillTooMuch(before, left) };
}

/** Returns what left the books of what a run found, up to a moment. */
const leftOf = async (tx: Tx, run: Run, to: Temporal.Instant) =>
  run.recalledPence === 0 && run.feesPence === 0
    ? { coveredPence: 0, feesOutPence: 0 }
    : readLeft(tx, run.asOf, to);

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
  const earlier = runs.findLast(({ date }) => Temporal.PlainDate.compare(date, day) <= 0);
  const left = async (to: Temporal.Instant) =>
    run === null ? { coveredPence: 0, feesOutPence: 0 } : leftOf(tx, run, to);
  const inTime = run !== null && isAnsweredInTime(run) ? run : null;
  const ownBefore = run === null ? ownAfter(earlier) : run.ownPence;
  return {
    day,
    run,
    byItsEnd: {
      ...(await left(endOf(day))),
      ownPence: inTime === null ? ownBefore : ownAfter(inTime),
    },
    byNow: { ...(await left(now.add({ milliseconds: 1 }))), ownPence: ownAfter(runs.at(-1)) },
    againAt: again?.madeAt ?? null,
  };
}

const ownAfter = (run: Run | undefined): number =>
  run === undefined ? 0 : run.ownPence + run.paidInPence - run.takenOutPence;
