import type { Tx } from '../../platform/db/db.ts';
import type { Amounts } from '../../platform/http/lists/list-filters.ts';
import { findOwners, findSchedulesOf, type Match } from './match-store.ts';
import { findBetween, findByEntries } from './word-store.ts';
import { amountEntry } from './words.ts';

/**
 * A filter that leaves more schedules than this is not looked up first: the list is read in its order, and enough of its rows
 * match.
 */
const MOST_SCHEDULES = 1000;

/** The filters of a list that leave some schedules only. */
export interface Narrowing extends Amounts {
  scheduleId?: string | undefined;
  customerId?: string | undefined;
  match?: Match | null | undefined;
}

/**
 * Returns the schedules of the filter that leaves the fewest, where that is at most `most`; null: none does. No row of another
 * schedule matches all filters; those of these schedules may not match the other filters.
 */
export async function findDriving(
  tx: Tx,
  merchantId: string,
  by: Narrowing,
  most: number = MOST_SCHEDULES,
): Promise<string[] | null> {
  if (by.scheduleId !== undefined) return [by.scheduleId];
  const { amountFrom, amountTo } = by;
  const hasAmounts = amountFrom !== undefined || amountTo !== undefined;
  const range = [amountFrom ?? 0, amountTo ?? LARGEST] as const;
  const found = await Promise.all([
    by.customerId === undefined ? null : findSchedulesOf(tx, merchantId, [by.customerId], most + 1),
    hasAmounts ? findWithAmount(tx, merchantId, range, most + 1) : null,
    by.match ? findMatching(tx, merchantId, by.match, most) : null,
  ]);
  const few = found
    .filter((ids) => ids !== null && ids.length <= most)
    .map((ids) => [...new Set(ids)])
    .sort((a, b) => a.length - b.length);
  return few[0] ?? null;
}

/** An amount in pence with as many digits as the index keeps. */
const LARGEST = 999_999_999_999;

function findWithAmount(
  tx: Tx,
  merchantId: string,
  [from, to]: readonly [number, number],
  limit: number,
): Promise<string[]> {
  const entry = (pence: number): string => amountEntry(Math.min(pence, LARGEST));
  return findBetween(tx, merchantId, [entry(from), entry(to)], limit);
}

/** Returns the schedules that a search finds, or whose payments it finds; null: too many. */
async function findMatching(
  tx: Tx,
  merchantId: string,
  match: Match,
  most: number,
): Promise<string[] | null> {
  const { pence, words } = match;
  // So many customers have more schedules than that.
  if (match.customerIds.length > most) return null;
  const [ofCustomers, ofPayments, ofAmount, ...ofWords] = await Promise.all([
    findSchedulesOf(tx, merchantId, match.customerIds, most + 1),
    findOwners(tx, merchantId, match.paymentIds),
    pence === null ? [] : findWithAmount(tx, merchantId, [pence, pence], most + 1),
    ...words.map((entries) => findByEntries(tx, merchantId, entries, most + 1)),
  ]);
  const rarest = ofWords.reduce<string[]>(
    (least, ids, n) => (n === 0 || ids.length < least.length ? ids : least),
    [],
  );
  const all = [
    ...match.scheduleIds,
    ...ofCustomers,
    ...ofPayments.map((one) => one.scheduleId),
    ...ofAmount,
    ...rarest,
  ];
  return all.length > most ? null : all;
}
