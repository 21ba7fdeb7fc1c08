import { readInstructionId } from '../../../payments/payment/payment.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { CamtEntry, CamtStatement, CamtUnread } from '../../../wallets/camt.ts';
import { findFeeWallet } from '../../../wallets/fee-wallet-store.ts';
import type { Booking, Difference } from '../difference.ts';
import { startOf } from '../london-day.ts';
import { findBookedIn, findReturnedSince } from '../reconciliation-store.ts';
import { heldBy, isOf } from './camt-days.ts';
import { findByReferences, haveWallets } from './camt-store.ts';
import { type Claim, claimsOf } from './claims.ts';
import { doubtOf } from './doubts.ts';
import { type Candidate, explainLeft, matchExactly, type Unproven } from './matching.ts';
import type { DayCompared } from './statement-comparison.ts';
import { eachByItself, missingOnStatement, ours } from './statement-lines.ts';

/**
 * Compares the entries of a London day, on all accounts at the issuer, with our books both ways, and checks each balance. Each
 * entry proves one booking, and no booking is proven twice. A file in which nothing is of that day, or of an account of ours,
 * leaves everything unknown.
 */
export async function compareFile(
  { db }: Platform,
  file: readonly CamtStatement[],
  date: Temporal.PlainDate,
): Promise<DayCompared> {
  const feeWallet = await db.read(findFeeWallet); // its owner takes money out; what arrives is compared where it left
  const statements = file.filter(({ account }) => account !== feeWallet);
  const ofDay = statements.filter((one) => isOf(one, date));
  const nothing = { lines: 0, differences: [], lost: [], doubts: [] };
  if (ofDay.length === 0) return { ...nothing, unknown: [`the file holds ${heldBy(file)}`] };
  const entries = statements
    .flatMap((one) => one.entries)
    .toSorted((a, b) => Temporal.PlainDate.compare(a.bookedOn, b.bookedOn));
  const used = new Set<string>();
  const { matched, left } = matchExactly(await candidatesOf(db, entries), used);
  const isOfDay = ({ bookedOn }: CamtEntry): boolean => bookedOn.equals(date);
  const own = explainLeft(left, used).filter(({ item }) => isOfDay(item));
  const since = startOf(date.subtract({ days: 1 }));
  const givenBack = (await db.read((tx) => findReturnedSince(tx, since))).map((one) => one.pence);
  const { differences, lost } = missingInBooks(own, givenBack, date);
  const booked = await db.read((tx) =>
    findBookedIn(tx, startOf(date), startOf(date.add({ days: 1 }))),
  );
  const isUsed = matched.length > 0 || own.length > 0 || booked.length > 0;
  const accounts = statements.map(({ account }) => account);
  if (!isUsed && !(await db.read((tx) => haveWallets(tx, accounts))))
    return { ...nothing, unknown: [`no account of the file is ours: it holds ${heldBy(file)}`] };
  const unread = statements.flatMap((one) => unreadOf(one, date));
  const doubts = matched.flatMap(({ item, claim }) => {
    const difference = ofEntry({ item, claim, isSecond: true }, date);
    const second = { difference, lost: lostOf({ item, claim, isSecond: true }) };
    return (isOfDay(item) ? doubtOf(claim, date, null, second) : null) ?? [];
  });
  return {
    lines: entries.filter(isOfDay).length + unread.length,
    differences: eachByItself([
      ...file.flatMap((one) => unbalanced(one, date)),
      ...differences,
      ...unread,
      ...missingOnStatement(booked, used, date),
    ]),
    lost,
    doubts,
    unknown: statements.flatMap((one) => unknownOf(one, date)),
  };
}

/** Returns each entry with the claims that it may prove: those of the issuer's reference first, then those of ours. */
async function candidatesOf(
  db: Platform['db'],
  entries: readonly CamtEntry[],
): Promise<Candidate<CamtEntry>[]> {
  const attempts = entries.flatMap(({ endToEndId }) => {
    const name = endToEndId === null ? null : readInstructionId(endToEndId);
    return name === null ? [] : [name];
  });
  const bookings = await db.read((tx) =>
    findByReferences(
      tx,
      entries.flatMap((one) => tiersOf(one).flat()),
      attempts,
    ),
  );
  const byReference = Map.groupBy(bookings, (one) => one.reference);
  const ofNames = new Map(claimsOf(bookings).map((claim) => [claim.key, claim]));
  return entries.map((item) => ({
    item,
    pence: item.amountPence,
    tiers: tiersOf(item).map((references) =>
      references.flatMap((reference) =>
        claimsUnder(byReference.get(reference) ?? [], item, ofNames),
      ),
    ),
  }));
}

function claimsUnder(
  bookings: readonly Booking[],
  { direction }: CamtEntry,
  known: ReadonlyMap<string, Claim>,
): Claim[] {
  const keys = claimsOf(bookings).filter((claim) => claim.direction === direction);
  return keys.flatMap(({ key }) => known.get(key) ?? []);
}

/**
 * Returns the references under which an entry may be booked: the issuer's; then our order's key, and that key without its
 * attempt number.
 */
function tiersOf({ servicerReference, endToEndId }: CamtEntry): string[][] {
  const own = endToEndId === null ? [] : [endToEndId, endToEndId.replace(/-[mcf]\d+$/, '')];
  return [servicerReference === null ? [] : [servicerReference], [...new Set(own)]];
}

/** Returns what our books lack of these entries, and the movements that were never notified. */
function missingInBooks(
  unproven: readonly Unproven<CamtEntry>[],
  givenBack: number[],
  date: Temporal.PlainDate,
): { differences: Difference[]; lost: string[] } {
  const differences: Difference[] = [];
  const lost: string[] = [];
  for (const one of unproven) {
    const { direction, amountPence } = one.item;
    const given = direction === 'debit' ? givenBack.indexOf(amountPence) : -1;
    if (one.claim === null && given >= 0) {
      givenBack.splice(given, 1);
      continue;
    }
    differences.push(ofEntry(one, date));
    lost.push(...[lostOf(one) ?? []].flat());
  }
  return { differences, lost };
}

/** Returns the movement that was never notified; null: our books have it, or the entry does not name it. */
function lostOf({ item, claim, isSecond }: Unproven<CamtEntry>): string | null {
  const isLost = claim === null || (isSecond && claim.source !== item.servicerReference);
  return isLost ? item.servicerReference : null;
}

function unbalanced(statement: CamtStatement, date: Temporal.PlainDate): Difference[] {
  const { account, openingPence, closingPence, entries, unread = [], lacks } = statement;
  const others = unread.map((one) => one.signedPence);
  if (openingPence === null || closingPence === null || lacks !== undefined) return [];
  if (others.some((pence) => pence === null)) return [];
  const change =
    entries.reduce((sum, one) => sum + signedPence(one), 0) +
    others.reduce<number>((sum, pence) => sum + (pence ?? 0), 0);
  const amountPence = closingPence - openingPence - change;
  if (amountPence === 0) return [];
  const moved = `opens with ${openingPence}, its entries change it by ${change}`;
  const what = `the statement of ${account} ${moved}, it closes with ${closingPence}`;
  return [{ item: `statement ${account} ${date}`, merchantId: null, date, amountPence, what }];
}

/** Returns what of a statement could not be compared. */
function unknownOf(statement: CamtStatement, date: Temporal.PlainDate): string[] {
  const { account, openingPence, closingPence, lacks } = statement;
  if (lacks !== undefined) return [`the statement of ${account}: ${lacks}`];
  if (!isOf(statement, date)) return [`the file holds ${heldBy([statement])}`];
  const hasBalances = openingPence !== null && closingPence !== null;
  return hasBalances ? [] : [`the statement of ${account} has no balances of its begin and end`];
}

const signedPence = ({ direction, amountPence }: CamtEntry): number =>
  direction === 'credit' ? amountPence : -amountPence;

function ofEntry(
  { item: entry, claim, isSecond }: Unproven<CamtEntry>,
  date: Temporal.PlainDate,
): Difference {
  const { direction, amountPence, servicerReference, endToEndId, place, whole } = entry;
  const name = servicerReference ?? endToEndId ?? place;
  const batch = whole === undefined ? '' : `, a batch that cannot be split: ${whole}`;
  return {
    item: `entry ${date} ${direction} ${name}`,
    merchantId: claim?.merchantId ?? null,
    date,
    amountPence: signedPence(entry),
    what: `${direction} ${name} of ${amountPence} is ${ours(claim, isSecond)}${batch}`,
  };
}

/** Returns what cannot be read of a statement, and is of this day or may be. */
function unreadOf({ account, unread = [] }: CamtStatement, date: Temporal.PlainDate): Difference[] {
  const mayBeOf = ({ bookedOn }: CamtUnread): boolean => bookedOn?.equals(date) ?? true;
  return unread.filter(mayBeOf).map(({ place, why, signedPence: amountPence }) => ({
    item: `entry ${date} unread ${account} ${place}`,
    merchantId: null,
    date,
    amountPence,
    what: `${place} of ${account} cannot be read: ${why}`,
  }));
}
