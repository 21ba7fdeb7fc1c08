import type { Db } from '../../platform/db/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { compareInstants, isBefore } from '../../platform/values/instants.ts';
import type { Issuer, StatementLine } from '../../wallets/issuer.ts';
import { inPages } from '../findings/pages.ts';
import { type Effect, movementsSince, sourcesOf, underWayPence } from './issuer-effects.ts';
import { londonDay } from './london-day.ts';
import { findBookings, findReturnedSince } from './reconciliation-store.ts';
import { findUnderWayOf, findWalletBooks, keyOf, type WalletBooks } from './wallet-books.ts';

/** A wallet whose balance differs from our books, and the balance that the issuer listed. */
export interface Differing {
  wallet: WalletBooks;
  balancePence: number;
}

/** How far back statements are read; what is in progress longer is examined wallet by wallet. */
const DAYS = 4;
/** Wallets whose books are read together, so that little changes meanwhile. */
const BATCH_SIZE = 500;

/**
 * Compares many customers' wallets with the issuer by page: their balances are listed a second time, and between the two the
 * statement says what moved. Returns the wallets that this does not explain, with their newest balances: those that changed
 * meanwhile, and those that are wrong. It never reports a difference, so it may leave any wallet to a closer look.
 */
export async function explainByStatement(
  { db, clock }: Platform,
  issuer: Issuer,
  differing: readonly Differing[],
): Promise<Differing[]> {
  const before = await findBefore(db, differing);
  const now = clock.now();
  const sinceOf = (wallet: WalletBooks): Temporal.Instant =>
    movementsSince(now, before.get(keyOf(wallet))?.since ?? null);
  const lines = await listLines(issuer, differing, now, sinceOf);
  const explained = new Set<string>();
  for (const some of inPages(differing, BATCH_SIZE))
    for (const one of await compare(db, some, { before, lines, since: sinceOf }))
      explained.add(one);
  const balances = new Map(differing.map((one) => [one.wallet.issuerWalletId, one.balancePence]));
  const again = await listAgain(issuer, now, new Set(balances.keys()));
  return differing.flatMap((one) => {
    const balancePence = again.get(one.wallet.issuerWalletId) ?? one.balancePence;
    const isExplained = explained.has(keyOf(one.wallet)) && balancePence === one.balancePence;
    return isExplained ? [] : [{ wallet: one.wallet, balancePence }];
  });
}

type UnderWayByWallet = Awaited<ReturnType<typeof findUnderWayOf>>;

/** Returns the lines of these wallets on the statements of the days that matter, each since its wallet's moment. */
async function listLines(
  issuer: Issuer,
  differing: readonly Differing[],
  now: Temporal.Instant,
  sinceOf: (wallet: WalletBooks) => Temporal.Instant,
): Promise<Map<string, StatementLine[]>> {
  const since = new Map(
    differing.map(({ wallet }) => [wallet.issuerWalletId, sinceOf(wallet)] as const),
  );
  const today = londonDay(now);
  const days = [...since.values()].map((at) => today.since(londonDay(at)).days);
  const lines = new Map<string, StatementLine[]>();
  for (let back = Math.min(Math.max(...days), DAYS - 1); back >= 0; back--)
    for await (const line of issuer.listStatement(today.subtract({ days: back }))) {
      const from = since.get(line.issuerWalletId);
      if (from === undefined || isBefore(line.bookedAt, from)) continue;
      lines.set(line.issuerWalletId, [...(lines.get(line.issuerWalletId) ?? []), line]);
    }
  return lines;
}

/** Returns the wallets, by key, whose listed balance is our books net of what the statement says is in progress. */
async function compare(
  db: Db,
  differing: readonly Differing[],
  at: {
    before: UnderWayByWallet;
    lines: ReadonlyMap<string, readonly StatementLine[]>;
    since: (wallet: WalletBooks) => Temporal.Instant;
  },
): Promise<string[]> {
  const wallets = differing.map(({ wallet }) => wallet);
  const linesOf = (wallet: WalletBooks): readonly StatementLine[] =>
    at.lines.get(wallet.issuerWalletId) ?? [];
  const refs = wallets.map((one) => ({ merchantId: one.merchantId, walletId: one.walletId }));
  const sources = wallets.flatMap((one) =>
    linesOf(one)
      .flatMap(sourcesOf)
      .map((source) => ({ merchantId: one.merchantId, source })),
  );
  const oldest = wallets.map(at.since).sort(compareInstants)[0];
  if (oldest === undefined) return [];
  const ours = await db.snapshot(async (tx) => ({
    books: await findWalletBooks(tx, refs),
    underWay: await findUnderWayOf(tx, wallets),
    bookings: await findBookings(tx, sources),
    givenBack: await findReturnedSince(tx, oldest),
  }));
  const pence = new Map(ours.books.map((one) => [keyOf(one), one.pence]));
  const byMerchant = new Map<string, Set<string>>();
  for (const { merchantId, name } of ours.bookings)
    byMerchant.set(merchantId, (byMerchant.get(merchantId) ?? new Set()).add(name));
  return differing.flatMap(({ wallet, balancePence }) => {
    const key = keyOf(wallet);
    const setApart = ours.underWay.get(key)?.setApart ?? [];
    const isSame = JSON.stringify(setApart) === JSON.stringify(at.before.get(key)?.setApart ?? []);
    const booked = byMerchant.get(wallet.merchantId) ?? new Set<string>();
    const givenBack = ours.givenBack
      .filter((one) => one.issuerWalletId === wallet.issuerWalletId)
      .map((one) => one.pence);
    const underWay = underWayPence(wallet.issuerWalletId, effectsOf(linesOf(wallet)), {
      booked,
      givenBack,
      setApart,
    });
    return isSame && (pence.get(key) ?? Number.NaN) + underWay === balancePence ? [key] : [];
  });
}

/** Turns the lines of a wallet into movements; a pay-out that was booked back has failed, and changed nothing. */
function effectsOf(lines: readonly StatementLine[]): Effect[] {
  const isReturned = (line: StatementLine): boolean =>
    line.kind === 'payout' && line.direction === 'credit';
  const returned = new Set(lines.filter(isReturned).map((line) => line.idempotencyKey));
  return lines
    .filter((line) => !isReturned(line))
    .map((line) => ({
      movementId: line.movementId,
      kind: line.kind,
      status: line.kind === 'payout' && returned.has(line.idempotencyKey) ? 'failed' : 'settled',
      idempotencyKey: line.idempotencyKey,
      amountPence: line.amountPence,
      fromIssuerWalletId: line.direction === 'debit' ? line.issuerWalletId : null,
    }));
}

/** Lists the balances once more and returns those of these wallets. */
async function listAgain(
  issuer: Issuer,
  now: Temporal.Instant,
  wallets: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const balances = new Map<string, number>();
  for await (const { issuerWalletId, currentPence } of issuer.listBalances(londonDay(now)))
    if (wallets.has(issuerWalletId)) balances.set(issuerWalletId, currentPence);
  return balances;
}

async function findBefore(db: Db, differing: readonly Differing[]): Promise<UnderWayByWallet> {
  const all: UnderWayByWallet = new Map();
  for (const some of inPages(differing, BATCH_SIZE)) {
    const wallets = some.map(({ wallet }) => wallet);
    for (const [key, one] of await db.read((tx) => findUnderWayOf(tx, wallets))) all.set(key, one);
  }
  return all;
}
