import type { Platform } from '../platform/platform.ts';
import type { Issuer, StatementLine } from '../wallets/issuer.ts';
import type { Difference, GivenBack } from './difference.ts';
import { startOf } from './london-day.ts';
import { pages } from './pages.ts';
import {
  findBookedIn,
  findBookings,
  findGivenBackSince,
  findRecalls,
} from './reconciliation-store.ts';
import {
  missingInBooks,
  missingOnStatement,
  named,
  provenBy,
  sourcesOfLine,
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
}

/** Compares the issuer's statement of a London day with our books, line by line and both ways. */
export async function compareDay(
  { db }: Platform,
  issuer: Issuer,
  date: Temporal.PlainDate,
): Promise<DayCompared> {
  const since = startOf(date.subtract({ days: DAYS_LATE }));
  const givenBack = await db.read((tx) => findGivenBackSince(tx, since));
  const proven = new Set<string>();
  const found: DayCompared = { lines: 0, differences: [], lost: [] };
  for await (const page of pages(issuer.listStatement(date), PAGE)) {
    found.lines += page.length;
    const { differences, lost } = await compareLines(db, page, givenBack, date, proven);
    found.differences.push(...differences);
    found.lost.push(...lost);
  }
  const booked = await db.read((tx) =>
    findBookedIn(tx, startOf(date), startOf(date.add({ days: 1 }))),
  );
  let missing = booked.filter(({ name }) => !proven.has(name));
  // The two clocks may differ, and what was notified late was booked late.
  for (const days of [1, -1, -2, -3, -4, -5, -6, -DAYS_LATE]) {
    if (missing.length === 0) break;
    for await (const page of pages(issuer.listStatement(date.add({ days })), PAGE))
      for (const name of provenBy(page.map(named))) proven.add(name);
    missing = missing.filter(({ name }) => !proven.has(name));
  }
  found.differences.push(...missingOnStatement(missing, proven, date));
  return found;
}

async function compareLines(
  db: Platform['db'],
  lines: readonly StatementLine[],
  givenBack: GivenBack[],
  date: Temporal.PlainDate,
  proven: Set<string>,
): Promise<Pick<DayCompared, 'differences' | 'lost'>> {
  const ours = lines.map(named);
  for (const name of provenBy(ours)) proven.add(name);
  const refs = ours.flatMap(({ line, merchantId }) =>
    merchantId === null ? [] : sourcesOfLine(line).map((source) => ({ merchantId, source })),
  );
  const recalls = lines.filter((line) => line.kind === 'payin_recall');
  const bookings = await db.read(async (tx) => [
    ...(await findBookings(tx, refs)),
    ...(await findRecalls(
      tx,
      recalls.map((line) => line.movementId),
    )),
  ]);
  return missingInBooks(ours, bookings, givenBack, date);
}
