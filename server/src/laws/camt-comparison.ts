import { readInstructionId } from '../payments/payment.ts';
import type { Platform } from '../platform/platform.ts';
import type { CamtEntry, CamtStatement } from '../wallets/camt.ts';
import { findFeeWallet } from '../wallets/fee-wallet-store.ts';
import { findByReferences } from './camt-store.ts';
import type { Booking, Difference } from './difference.ts';
import { startOf } from './london-day.ts';
import { findBookedIn, findGivenBackSince } from './reconciliation-store.ts';
import type { DayCompared } from './statement-comparison.ts';
import { missingOnStatement } from './statement-lines.ts';

/** The kinds of our bookings that each side of the account may match. */
const KINDS = {
  credit: [
    'pay_in',
    'extra_pay_in',
    'pay_out_return',
    'settle_back',
    'refund_back',
    'move',
    'cover',
    'fee_out',
  ],
  debit: ['settle', 'pay_out', 'refund', 'refund_out', 'recall', 'move', 'net', 'fee_out'],
} as const;

/** Compares the entries of a London day, on all accounts at the issuer, with our books both ways, and checks each balance. */
export async function compareFile(
  { db }: Platform,
  statements: readonly CamtStatement[],
  date: Temporal.PlainDate,
): Promise<DayCompared> {
  const feeWallet = await db.read(findFeeWallet); // its owner takes money out; what arrives is compared where it left
  const entries = statements
    .filter(({ account }) => account !== feeWallet)
    .flatMap((one) => one.entries);
  const ofTheDay = entries.filter((entry) => entry.bookedOn.equals(date));
  const since = startOf(date.subtract({ days: 1 }));
  const givenBack = (await db.read((tx) => findGivenBackSince(tx, since))).map((one) => one.pence);
  const attempts = entries.flatMap(({ endToEndId }) => {
    const name = endToEndId === null ? null : readInstructionId(endToEndId);
    return name === null ? [] : [name];
  });
  const bookings = await db.read((tx) =>
    findByReferences(tx, entries.flatMap(referencesOf), attempts),
  );
  const proven = new Set<string>();
  const differences = statements.flatMap((one) => unbalanced(one, date));
  const lost: string[] = [];
  for (const entry of entries) {
    const found = bookingsOf(entry, bookings);
    const same = found.find((one) => one.pence === entry.amountPence);
    for (const one of found) if (same !== undefined) proven.add(one.name);
    if (same !== undefined || !entry.bookedOn.equals(date)) continue;
    const given = entry.direction === 'debit' ? givenBack.indexOf(entry.amountPence) : -1;
    if (found.length === 0 && given >= 0) {
      givenBack.splice(given, 1);
      continue;
    }
    if (found.length === 0 && entry.servicerReference !== null) lost.push(entry.servicerReference);
    differences.push(ofEntry(entry, found[0], date));
  }
  const booked = await db.read((tx) =>
    findBookedIn(tx, startOf(date), startOf(date.add({ days: 1 }))),
  );
  differences.push(...missingOnStatement(booked, proven, date));
  return { lines: ofTheDay.length, differences, lost };
}

/**
 * Returns the references under which an entry may be booked: the issuer's, our order's key, and that key without its attempt
 * number.
 */
function referencesOf({ servicerReference, endToEndId }: CamtEntry): string[] {
  const own = endToEndId === null ? [] : [endToEndId, endToEndId.replace(/-[mcf]\d+$/, '')];
  return servicerReference === null ? own : [servicerReference, ...own];
}

function bookingsOf(
  entry: CamtEntry,
  bookings: readonly (Booking & { reference: string })[],
): Booking[] {
  const references = new Set(referencesOf(entry));
  const kinds: readonly string[] = KINDS[entry.direction];
  return bookings.filter(
    ({ name, reference }) => references.has(reference) && kinds.includes(name.split(' ')[0] ?? ''),
  );
}

function unbalanced(statement: CamtStatement, date: Temporal.PlainDate): Difference[] {
  const { account, openingPence, closingPence, entries } = statement;
  const change = entries.reduce(
    (sum, { direction, amountPence }) =>
      sum + (direction === 'credit' ? amountPence : -amountPence),
    0,
  );
  const amountPence = closingPence - openingPence - change;
  if (amountPence === 0) return [];
  const moved = `opens with ${openingPence}, its entries change it by ${change}`;
  const what = `the statement of ${account} ${moved}, it closes with ${closingPence}`;
  return [{ item: `statement ${account} ${date}`, merchantId: null, date, amountPence, what }];
}

function ofEntry(
  { direction, amountPence, servicerReference, endToEndId, place }: CamtEntry,
  found: Booking | undefined,
  date: Temporal.PlainDate,
): Difference {
  const name = servicerReference ?? endToEndId ?? place;
  const ours = found === undefined ? 'not in our books' : `${found.pence} in our books`;
  return {
    item: `entry ${date} ${direction} ${name}`,
    merchantId: found?.merchant_id ?? null,
    date,
    amountPence: direction === 'credit' ? amountPence : -amountPence,
    what: `${direction} ${name} of ${amountPence} is ${ours}`,
  };
}
