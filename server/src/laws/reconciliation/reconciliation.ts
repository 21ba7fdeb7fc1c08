import type { Platform } from '../../platform/platform.ts';
import type { CamtStatement } from '../../wallets/camt.ts';
import { type Issuer, IssuerUnavailable } from '../../wallets/issuer.ts';
import type { Difference } from './difference.ts';
import { compareWithIssuer } from './issuer-comparison.ts';
import { londonDay } from './london-day.ts';
import { recoverLost } from './lost-notices.ts';
import {
  findOpenDates,
  type ItemRow,
  type NewReport,
  storeReport,
  sumBooks,
  type Totals,
} from './reconciliation-store.ts';
import { compareFile } from './statements/camt-comparison.ts';
import { findSeconds } from './statements/doubts.ts';
import { compareDay, type DayCompared } from './statements/statement-comparison.ts';

/** The only issuer so far; each has its own reports. */
export const ISSUER = 'issuer';

/** A report, and the items open after it. */
export interface Report extends NewReport {
  open: ItemRow[];
}

/**
 * Reconciles our books with the issuer's: the sum of our own accounts, the statement of a London day (and of the days with
 * open differences) line by line and both ways, and every balance. What is on the statement but was never notified is
 * recovered. The report is stored; a difference keeps its item until it is gone or resolved. With a `file`, the day's
 * statement is taken from it. A part of which nothing was compared is `unknown`, with its reason.
 */
export async function reconcile(
  platform: Platform,
  issuer: Issuer,
  date: Temporal.PlainDate,
  file?: readonly CamtStatement[],
): Promise<Report> {
  const { db } = platform;
  const totals = await db.read(sumBooks);
  const differences = internalDifferences(totals, date);
  const unknown: string[] = [];
  let lines = 0;
  const take = async (day: Temporal.PlainDate, found: DayCompared): Promise<void> => {
    if (day.equals(date)) lines = found.lines;
    differences.push(...found.differences);
    unknown.push(...found.unknown.map((what) => `the statement: ${what}`));
    const seconds = await findSeconds(issuer, day, found.doubts);
    differences.push(...seconds.differences);
    await recoverLost(platform, issuer, [...found.lost, ...seconds.lost]);
  };
  if (Temporal.PlainDate.compare(date, londonDay(platform.clock.now())) > 0)
    unknown.push('the statement: the day has not begun');
  try {
    if (file !== undefined) await take(date, await compareFile(platform, file, date));
    const open = await db.read((tx) => findOpenDates(tx, ISSUER));
    const others = open.filter((other) => !other.equals(date));
    for (const day of file === undefined ? [date, ...others] : others)
      await take(day, await compareDay(platform, issuer, day));
  } catch (error) {
    if (!(error instanceof IssuerUnavailable)) throw error;
    unknown.push('the statement: the issuer does not answer');
  }
  const balances = await compareWithIssuer(platform, issuer);
  if (balances.unknown !== undefined) unknown.push(`balances: ${balances.unknown}`);
  differences.push(...balances.broken.map((what) => ofBalance(what, date)));
  return saveReport(platform, { date, lines, totals, differences, unknown });
}

/** Stores a report and returns it with the open items. */
async function saveReport(
  { db, clock }: Platform,
  found: Pick<NewReport, 'date' | 'lines' | 'totals' | 'differences'> & { unknown: string[] },
): Promise<Report> {
  const unknown = found.unknown.length === 0 ? null : found.unknown.join('; ');
  const report = { ...found, issuer: ISSUER, unknown };
  const open = await db.transaction((tx) => storeReport(tx, report, clock.now()));
  return { ...report, open };
}

/**
 * Checks that our own accounts add up to zero: what wallets, settlements, the list, fees, claims and debts contain came from
 * outside.
 */
function internalDifferences(totals: Totals, date: Temporal.PlainDate): Difference[] {
  const sum = Object.values(totals).reduce((all, pence) => all + pence, 0);
  if (sum === 0) return [];
  const what = `wallets, settlements under way, unallocated money, fees, claims and debts are off by ${sum}`;
  return [{ item: 'internal', merchantId: null, date, amountPence: sum, what }];
}

const NUMBERS = /ledger (-?\d+)(?:, under way (-?\d+))?, issuer (-?\d+)/;

/** Turns a balance difference into an item: one per wallet, however its numbers change. */
function ofBalance(what: string, date: Temporal.PlainDate): Difference {
  const [, ours = '0', underWay = '0', theirs] = NUMBERS.exec(what) ?? [];
  const amountPence =
    theirs === undefined ? null : Number(theirs) - Number(ours) - Number(underWay);
  const item = `balance ${what.split(':')[0]}`;
  return { item, merchantId: /^mer_[^ :]+/.exec(what)?.[0] ?? null, date, amountPence, what };
}
