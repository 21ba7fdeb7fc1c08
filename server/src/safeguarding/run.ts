import { startOf } from '../laws/reconciliation/london-day.ts';
import { ISSUER } from '../laws/reconciliation/reconciliation.ts';
import type { Platform } from '../platform/platform.ts';
import type { Issuer } from '../wallets/issuer.ts';
import { readBooksAt } from './books-store.ts';
import { businessDayBefore, pointOf } from './day.ts';
import type { Run } from './figures.ts';
import { readHeldAt } from './held.ts';
import { findRun, putRun } from './store.ts';

/**
 * Makes the run of a reconciliation day: what is owed and what is held, from our books and from the issuer, all as of the day's
 * point. What could not be read is unknown, with its reason. Makes outside calls: never use it within a transaction.
 */
export async function makeRun(
  platform: Platform,
  issuer: Issuer,
  date: Temporal.PlainDate,
): Promise<Run> {
  const { db, clock, config } = platform;
  const asOf = pointOf(date, config.safeguarding.at);
  const books = await db.snapshot((tx) => readBooksAt(tx, asOf, startOf(businessDayBefore(date))));
  const held = await readHeldAt(platform, issuer, asOf);
  const issuers =
    'unknown' in held
      ? { issuerPence: null, timingPence: null, unknown: held.unknown }
      : { issuerPence: held.pence, timingPence: held.timingPence, unknown: null };
  return db.transaction(async (tx) => {
    await putRun(tx, ISSUER, {
      ...books,
      date,
      seat: config.safeguarding.seat,
      asOf,
      madeAt: clock.now(),
      ...issuers,
    });
    const run = await findRun(tx, ISSUER, date);
    if (run === null) throw new Error(`no run of ${date.toString()}`);
    return run;
  });
}
