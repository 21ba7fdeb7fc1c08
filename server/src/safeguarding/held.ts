import { sourcesOf } from '../laws/reconciliation/issuer-effects.ts';
import { londonDay } from '../laws/reconciliation/london-day.ts';
import { findBookings, findRecalls } from '../laws/reconciliation/reconciliation-store.ts';
import type { Platform } from '../platform/platform.ts';
import { isBefore } from '../platform/values/instants.ts';
import { FEE_WALLET } from '../wallets/fee-wallet.ts';
import { type Issuer, IssuerUnavailable, type StatementLine } from '../wallets/issuer.ts';
import { readExternalReference } from '../wallets/service.ts';
import type { HeldAtIssuer } from './figures.ts';

/** How often balances and statement are read at most where money moves meanwhile. */
const READINGS = 5;
/** How many days before the point a line may be whose booking comes after it. */
const DAYS_LATE = 1;

/** What the issuer holds as of a moment; or why that is not known. */
export type Held = HeldAtIssuer | { unknown: string };

/**
 * Reads what the issuer holds for clients as of `at`: all balances now, less what the statements say has moved since. The fee
 * wallet is the operator's own and is left out; what the issuer paid for recalls counts against it. Balances are read between two
 * readings of today's statement, until it is known of each wallet which lines its balance has.
 */
export async function readHeldAt(
  platform: Platform,
  issuer: Issuer,
  at: Temporal.Instant,
): Promise<Held> {
  try {
    const today = londonDay(platform.clock.now());
    const first = londonDay(at).subtract({ days: DAYS_LATE });
    const earlier = await readLines(issuer, first, today.subtract({ days: 1 }));
    let lines = [...earlier, ...(await readLines(issuer, today, today))];
    let atPoint: AtPoint = new Map();
    for (let readings = 0; readings < READINGS; readings += 1) {
      const balances = await readBalances(issuer, today);
      const again = await readLines(issuer, today, londonDay(platform.clock.now()));
      const fresh = newOf(lines, again);
      // A line of before the point that comes late may be in a balance or not, whatever was read so far: all is read again.
      const isLate = fresh.some(({ bookedAt }) => isBefore(bookedAt, at));
      atPoint = isLate ? new Map() : narrow(atPoint, possibleAt(at, balances, lines, fresh));
      lines = [...lines, ...fresh];
      const known = [...atPoint.values()].map((possible) => [...possible]);
      if (!isLate && known.every(({ length }) => length === 1))
        return { pence: sum(known.flat()), timingPence: await readTiming(platform, lines, at) };
    }
    return { unknown: 'money moved at the issuer each time that it was read' };
  } catch (error) {
    if (!(error instanceof IssuerUnavailable)) throw error;
    return { unknown: 'the issuer does not answer' };
  }
}

/** What each wallet may have held at the point, in pence: one amount, or several where its balance may have a line or not. */
type AtPoint = Map<string, Set<number>>;

/** Returns the lines that only the later of two readings has. */
function newOf(
  before: readonly StatementLine[],
  after: readonly StatementLine[],
): readonly StatementLine[] {
  const known = new Set(before.map(({ lineId }) => lineId));
  return after.filter(({ lineId }) => !known.has(lineId));
}

/** Takes from balances what has moved since `at`: these lines, and none, some or all of those that came while they were read. */
function possibleAt(
  at: Temporal.Instant,
  balances: ReadonlyMap<string, number>,
  lines: readonly StatementLine[],
  fresh: readonly StatementLine[],
): AtPoint {
  const since = lines.filter(({ bookedAt }) => !isBefore(bookedAt, at));
  const possible = new Map<string, number[]>([...balances].map(([id, pence]) => [id, [pence]]));
  for (const line of since) {
    const [pence = 0] = possible.get(line.issuerWalletId) ?? [];
    possible.set(line.issuerWalletId, [pence - signedPence(line)]);
  }
  for (const line of fresh) {
    const amounts = possible.get(line.issuerWalletId) ?? [0];
    possible.set(line.issuerWalletId, [...amounts, (amounts.at(-1) ?? 0) - signedPence(line)]);
  }
  return new Map([...possible].map(([id, amounts]) => [id, new Set(amounts)]));
}

/** Leaves what all readings allow. A wallet that an earlier reading does not have was opened since. */
function narrow(before: AtPoint, found: AtPoint): AtPoint {
  const both = [...before, ...found].map(([id]): [string, Set<number>] => {
    const [one, other] = [before.get(id), found.get(id)];
    const amounts = one === undefined ? other : other === undefined ? one : one.intersection(other);
    return [id, amounts ?? new Set()];
  });
  return new Map(both);
}

const sum = (pence: readonly number[]): number => pence.reduce((all, one) => all + one, 0);

const isOurs = ({ externalReference }: Pick<StatementLine, 'externalReference'>): boolean =>
  externalReference !== FEE_WALLET;

const signedPence = ({ direction, amountPence }: StatementLine): number =>
  direction === 'credit' ? amountPence : -amountPence;

async function readLines(
  issuer: Issuer,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): Promise<StatementLine[]> {
  const lines: StatementLine[] = [];
  for (let day = from; Temporal.PlainDate.compare(day, to) <= 0; day = day.add({ days: 1 }))
    for await (const line of issuer.listStatement(day)) if (isOurs(line)) lines.push(line);
  return lines;
}

async function readBalances(
  issuer: Issuer,
  today: Temporal.PlainDate,
): Promise<Map<string, number>> {
  const pence = new Map<string, number>();
  for await (const balance of issuer.listBalances(today))
    if (isOurs(balance)) pence.set(balance.issuerWalletId, balance.currentPence);
  return pence;
}

/** The bookings by which money came from outside or went there, as the statement has them. */
const BETWEEN_US_AND_OUTSIDE = [
  'pay_in',
  'extra_pay_in',
  'pay_out',
  'pay_out_return',
  'refund_out',
  'fee_out',
  'recall',
];

/** Returns by how much the issuer is ahead of our books at `at`: lines that it booked on one side of it, and we on the other. */
async function readTiming(
  { db }: Platform,
  lines: readonly StatementLine[],
  at: Temporal.Instant,
): Promise<number> {
  const bookedAt = await readBookingTimes(db, lines);
  const timing = lines.map((line) => {
    const ours = sourcesOf(line).flatMap((source) => bookedAt.get(source) ?? []);
    const isEarly = isBefore(line.bookedAt, at);
    if (ours.length === 0 || !ours.every((one) => isBefore(one, at) !== isEarly)) return 0;
    return isEarly ? signedPence(line) : -signedPence(line);
  });
  return sum(timing);
}

/** Returns when our books have what these lines are about, by the source of the booking, which no two merchants share. */
async function readBookingTimes(
  db: Platform['db'],
  lines: readonly StatementLine[],
): Promise<Map<string, Temporal.Instant[]>> {
  const refs = lines.flatMap((line) => {
    const ref =
      line.externalReference === null ? null : readExternalReference(line.externalReference);
    if (ref === null) return [];
    return sourcesOf(line).map((source) => ({ merchantId: ref.merchantId, source }));
  });
  const recalls = lines.filter(({ kind }) => kind === 'payin_recall');
  const bookings = await db.read(async (tx) => [
    ...(await findBookings(tx, refs)),
    ...(await findRecalls(
      tx,
      recalls.map(({ movementId }) => movementId),
    )),
  ]);
  const times = new Map<string, Temporal.Instant[]>();
  for (const { name, at } of bookings) {
    const [kind = '', source = ''] = name.split(' ');
    if (at === undefined || !BETWEEN_US_AND_OUTSIDE.includes(kind)) continue;
    times.set(source, [...(times.get(source) ?? []), at]);
  }
  return times;
}
