import type { Platform } from '../platform/platform.ts';
import { type Issuer, IssuerUnavailable, type StatementLine } from '../wallets/issuer.ts';
import { readExternalReference } from '../wallets/service.ts';
import { compareWithIssuer } from './issuer-comparison.ts';
import {
  type Difference,
  findBookedOfAll,
  findOpenDates,
  storeReport,
  sumBooks,
  type Totals,
} from './reconciliation-store.ts';

/** The one issuer that there is; each has reports of its own. */
export const ISSUER = 'issuer';
const PAGE = 500;

/** What a look at a day's books found. */
export interface Report {
  date: Temporal.PlainDate;
  lines: number;
  totals: Totals;
  differences: Difference[];
  /** What could not be compared, and why; null: everything was. */
  unknown: string | null;
}

/**
 * Holds our books against the issuer's: the sum of our own accounts, every line of the statement of a London day (and of the
 * days whose differences are open), and every balance. The report is stored; a difference keeps its item until it is gone
 * or somebody resolves it.
 */
export async function reconcile(
  platform: Platform,
  issuer: Issuer,
  date: Temporal.PlainDate,
): Promise<Report> {
  const { db, clock } = platform;
  const open = await db.read((tx) => findOpenDates(tx, ISSUER));
  const dates = [date, ...open.filter((other) => !other.equals(date))];
  const totals = await db.read(sumBooks);
  const differences = internalDifferences(totals, date);
  const unknown: string[] = [];
  let lines = 0;
  try {
    for (const day of dates) {
      const found = await compareLines(platform, issuer, day);
      if (day === date) lines = found.lines;
      differences.push(...found.differences);
    }
  } catch (error) {
    if (!(error instanceof IssuerUnavailable)) throw error;
    unknown.push('the statement: the issuer does not answer');
  }
  const balances = await compareWithIssuer(platform, issuer);
  if (balances.unknown !== undefined) unknown.push(`balances: ${balances.unknown}`);
  differences.push(...balances.broken.map((what) => ofBalance(what, date)));
  const report = {
    date,
    lines,
    totals,
    differences,
    unknown: unknown.length === 0 ? null : unknown.join('; '),
  };
  await db.transaction((tx) => storeReport(tx, { issuer: ISSUER, ...report }, clock.now()));
  return report;
}

function internalDifferences(totals: Totals, date: Temporal.PlainDate): Difference[] {
  const sum = Object.values(totals).reduce((all, pence) => all + pence, 0);
  if (sum === 0) return [];
  const what = `wallets, settlements under way, unallocated money, claims and debts are off by ${sum}`;
  return [{ item: 'internal', merchantId: null, date, amountPence: null, what }];
}

/** A wallet is one item, however its numbers change. */
function ofBalance(what: string, date: Temporal.PlainDate): Difference {
  const item = `balance ${what.split(':')[0]}`;
  return { item, merchantId: /^mer_\S+/.exec(what)?.[0] ?? null, date, amountPence: null, what };
}

async function compareLines(
  { db }: Platform,
  issuer: Issuer,
  date: Temporal.PlainDate,
): Promise<{ lines: number; differences: Difference[] }> {
  const differences: Difference[] = [];
  let count = 0;
  let page: StatementLine[] = [];
  const flush = async (): Promise<void> => {
    const named = page.map((line) => ({ line, merchantId: merchantOf(line) }));
    const refs = named.flatMap(({ line, merchantId }) =>
      merchantId === null ? [] : sourcesOfLine(line).map((source) => ({ merchantId, source })),
    );
    const booked = await db.read((tx) => findBookedOfAll(tx, refs));
    for (const { line, merchantId } of named)
      if (!isBooked(line, merchantId, booked)) differences.push(ofLine(line, merchantId, date));
    page = [];
  };
  for await (const line of issuer.listStatement(date)) {
    count += 1;
    page.push(line);
    if (page.length === PAGE) await flush();
  }
  await flush();
  return { lines: count, differences };
}

const merchantOf = (line: StatementLine): string | null =>
  line.externalReference === null
    ? null
    : (readExternalReference(line.externalReference)?.merchantId ?? null);

const sourceOf = (line: StatementLine): string =>
  (line.idempotencyKey ?? '').replace(/-[mc]\d+$/, '');

const sourcesOfLine = (line: StatementLine): string[] => [
  line.movementId,
  ...(line.idempotencyKey === null ? [] : [line.idempotencyKey, sourceOf(line)]),
];

/** The kinds of our own bookings that a line of each kind may be, with the source that they are booked under. */
function namesOf(line: StatementLine): string[] {
  const key = line.idempotencyKey ?? '';
  switch (line.kind) {
    case 'payin':
      return [`pay_in ${line.movementId}`, `extra_pay_in ${line.movementId}`];
    case 'payout_return':
      return [`pay_out_return ${line.movementId}`];
    case 'payin_recall':
      return [`recall ${line.movementId}`];
    case 'payout':
      return line.direction === 'debit'
        ? [`settle ${key}`, `give_back ${line.movementId}`]
        : [`settle_back ${key}`];
    case 'transfer':
      return [`move ${sourceOf(line)}`, `net ${sourceOf(line)}`];
  }
}

/** What the issuer books on its account of recalls has no wallet; the recall itself is found by the balance of that account. */
function isBooked(
  line: StatementLine,
  merchantId: string | null,
  booked: ReadonlySet<string>,
): boolean {
  if (line.externalReference === null) return true;
  return merchantId !== null && namesOf(line).some((name) => booked.has(`${merchantId} ${name}`));
}

function ofLine(
  line: StatementLine,
  merchantId: string | null,
  date: Temporal.PlainDate,
): Difference {
  const sign = line.direction === 'credit' ? 1 : -1;
  return {
    item: `line ${line.lineId}`,
    merchantId,
    date,
    amountPence: sign * line.amountPence,
    what: `${line.kind} ${line.movementId} of ${line.amountPence} (${line.direction}) is not in our books`,
  };
}
