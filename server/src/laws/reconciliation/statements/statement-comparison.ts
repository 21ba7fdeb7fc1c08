import type { Platform } from '../../../platform/platform.ts';
import type { Issuer, StatementLine } from '../../../wallets/issuer.ts';
import { pages } from '../../findings/pages.ts';
import type { Booking, Difference } from '../difference.ts';
import { sourcesOf } from '../issuer-effects.ts';
import { startOf } from '../london-day.ts';
import {
  findBookedIn,
  findBookings,
  findRecalls,
  findReturnedSince,
} from '../reconciliation-store.ts';
import { type Claim, claimsOf } from './claims.ts';
import { type Doubt, doubtOf } from './doubts.ts';
import { type Candidate, explainLeft, matchExactly } from './matching.ts';
import {
  candidatesOf,
  eachByItself,
  missingInBooks,
  missingOnStatement,
  type NamedLine,
  named,
  ofLine,
  ours,
} from './statement-lines.ts';

const PAGE = 500;
/** How many days after the money a notification may come: a day's bookings are also searched on the statements before it. */
const DAYS_LATE = 7;

/** The differences between a statement of a day and our books. */
export interface DayCompared {
  lines: number;
  differences: Difference[];
  /** The movements without any booking of ours. */
  lost: string[];
  /** What could not be compared, with the reason. */
  unknown: string[];
  /** Lines that match bookings of another day, on whose statement there may be another line for them. */
  doubts: Doubt[];
}

/**
 * Compares the issuer's statement of a London day with our books, line by line and both ways. Each line proves one booking, and
 * no booking is proven twice.
 */
export async function compareDay(
  { db }: Platform,
  issuer: Issuer,
  date: Temporal.PlainDate,
): Promise<DayCompared> {
  const since = startOf(date.subtract({ days: DAYS_LATE }));
  const givenBack = await db.read((tx) => findReturnedSince(tx, since));
  const used = new Set<string>();
  const found = await compareLines(db, issuer, date, used);
  const { differences, lost } = missingInBooks(explainLeft(found.left, used), givenBack, date);
  const booked = await db.read((tx) =>
    findBookedIn(tx, startOf(date), startOf(date.add({ days: 1 }))),
  );
  await proveLate(issuer, date, booked, used);
  differences.push(...missingOnStatement(booked, used, date));
  const { lines, doubts } = found;
  return { lines, differences: eachByItself(differences), lost, unknown: [], doubts };
}

interface Lines {
  lines: number;
  left: Candidate<NamedLine>[];
  doubts: Doubt[];
}

/** Matches the lines of a day page by page; what is left waits until all lines have had their turn. */
async function compareLines(
  db: Platform['db'],
  issuer: Issuer,
  date: Temporal.PlainDate,
  used: Set<string>,
): Promise<Lines> {
  const all: Lines = { lines: 0, left: [], doubts: [] };
  for await (const page of pages(issuer.listStatement(date), PAGE)) {
    all.lines += page.length;
    const lines = page.map(named);
    const { matched, left } = matchExactly(candidatesOf(lines, await readClaims(db, lines)), used);
    all.left.push(...left);
    for (const { item, claim } of matched) all.doubts.push(...doubtsOf(item, claim, date));
  }
  return all;
}

function doubtsOf(
  { line, merchantId }: NamedLine,
  claim: Claim,
  date: Temporal.PlainDate,
): Doubt[] {
  const doubt = doubtOf(claim, date, line.bookedAt, {
    difference: ofLine(line, merchantId ?? claim.merchantId, date, ours(claim, true)),
    lost: null,
  });
  return doubt === null ? [] : [doubt];
}

async function readClaims(db: Platform['db'], lines: readonly NamedLine[]): Promise<Claim[]> {
  const refs = lines.flatMap(({ line, merchantId }) =>
    merchantId === null ? [] : sourcesOf(line).map((source) => ({ merchantId, source })),
  );
  const isRecall = ({ line }: NamedLine): boolean => line.kind === 'payin_recall';
  const recalls = lines.filter(isRecall).map(({ line }) => line.movementId);
  const bookings = await db.read(async (tx) => [
    ...(await findBookings(tx, refs)),
    ...(await findRecalls(tx, recalls)),
  ]);
  return claimsOf(bookings);
}

/** Proves bookings of a day by lines of other days: the two clocks may differ, and what was notified late was booked late. */
async function proveLate(
  issuer: Issuer,
  date: Temporal.PlainDate,
  booked: readonly Booking[],
  used: Set<string>,
): Promise<void> {
  const lacks = (): Booking[] => {
    const items = new Set(missingOnStatement(booked, used, date).map(({ item }) => item));
    return booked.filter((one) => items.has(`booking ${one.merchantId} ${one.name}`));
  };
  let missing = lacks();
  for (const days of [1, -1, -2, -3, -4, -5, -6, -DAYS_LATE]) {
    if (missing.length === 0) return;
    const claims = claimsOf(missing);
    for await (const page of pages(issuer.listStatement(date.add({ days })), PAGE))
      prove(page, claims, used);
    missing = lacks();
  }
}

function prove(page: readonly StatementLine[], claims: readonly Claim[], used: Set<string>): void {
  const { left } = matchExactly(candidatesOf(page.map(named), claims), used);
  explainLeft(left, used);
}
