import { byShard } from '../../platform/cluster/shards.ts';
import { columns } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/db.ts';
import { compareInstants, isBefore } from '../../platform/values/instants.ts';
import { OWED } from '../../wallets/ledger-store.ts';

/** A wallet in our books. */
export interface WalletBooks {
  merchantId: string;
  walletId: string;
  customerId: string | null;
  issuerWalletId: string;
  /** What it contains at the issuer, by our books. */
  pence: number;
}

const COLUMNS = `w.merchant_id, w.wallet_id, w.customer_id, w.issuer_wallet_id, h.pence
  FROM wallets w JOIN wallet_holdings h ON h.merchant_id = w.merchant_id AND h.wallet_id = w.wallet_id`;

/** Returns the wallets that the issuer names, each by its keys. */
export function findWalletBooks(
  tx: Tx,
  refs: readonly { merchantId: string; walletId: string }[],
): Promise<WalletBooks[]> {
  return tx.rows<WalletBooks>(
    `SELECT f.* FROM unnest($1::text[], $2::text[]) AS r (merchant_id, wallet_id)
     CROSS JOIN LATERAL (SELECT ${COLUMNS}
       WHERE w.merchant_id = r.merchant_id AND w.wallet_id = r.wallet_id AND w.issuer_wallet_id IS NOT NULL OFFSET 0) f`,
    columns(refs, 'merchantId', 'walletId'),
  );
}

/** Returns a page of the wallets with money, after the given one. */
export function findHoldings(
  tx: Tx,
  after: Pick<WalletBooks, 'merchantId' | 'walletId'>,
  limit: number,
): Promise<WalletBooks[]> {
  return tx.rows<WalletBooks>(
    `SELECT ${COLUMNS} WHERE (w.merchant_id, w.wallet_id) > ($1, $2) AND w.issuer_wallet_id IS NOT NULL AND h.pence <> 0
     ORDER BY w.merchant_id, w.wallet_id LIMIT $3`,
    [after.merchantId, after.walletId, limit],
  );
}

/** Whether we have opened a wallet at the issuer, whatever it holds. */
export async function haveOpened(tx: Tx): Promise<boolean> {
  const row = await tx.row('SELECT FROM wallets WHERE issuer_wallet_id IS NOT NULL LIMIT 1');
  return row !== null;
}

/** Money that has left a wallet in our books, and leaves it at the issuer under this key. */
export interface ReservedMoney {
  key: string;
  pence: number;
}

/** What is in progress for a wallet, by our books. */
export interface UnderWay {
  setApart: ReservedMoney[];
  /** Since when the oldest of it is in progress; null: nothing is. */
  since: Temporal.Instant | null;
}

const DEBTS = `SELECT d.debt_id || '-c' || d.tries AS key, d.amount_pence AS pence, d.netted_at AS since FROM debts d
  WHERE d.merchant_id = $1 AND d.netted_at IS NOT NULL AND d.covered_at IS NULL`;

/**
 * Finds what is in progress for a wallet: payments on their way through it, money set apart from a merchant's own, and money that
 * is nobody's and that a second person has to send back or on.
 */
export async function findUnderWay(tx: Tx, wallet: WalletBooks): Promise<UnderWay> {
  const isOwn = wallet.customerId === null;
  const payments = await tx.row<{ since: Temporal.Instant | null }>(
    `SELECT least(
       (SELECT min(a.started_at) FROM payment_work w
        JOIN attempts a ON a.merchant_id = w.merchant_id AND a.payment_id = w.payment_id AND a.number = w.attempt
        WHERE w.merchant_id = $1 AND w.stage <> 'wait' AND ($3 OR w.wallet_id = $2)),
       (SELECT min(arrived_at) FROM unallocated_items
        WHERE merchant_id = $1 AND wallet_id = $2 AND status = 'open' AND proposed IS NOT NULL),
       (SELECT min(created_at) FROM fee_transfers WHERE merchant_id = $1 AND $3 AND taken_pence IS NULL)) AS since`,
    [wallet.merchantId, wallet.walletId, isOwn],
  );
  const apart = await tx.rows<ReservedMoney & { since: Temporal.Instant }>(
    isOwn
      ? `SELECT t.source_id AS key, t.amount_pence AS pence, t.at AS since FROM settlements s
         JOIN transfers t ON t.merchant_id = s.merchant_id AND t.source_id = s.settlement_id || '-' || s.attempts
           AND t.kind = 'settle'
         WHERE s.merchant_id = $1 AND s.stage IN ('pay', 'track')
         UNION ALL
         SELECT r.refund_id, r.amount_pence, r.set_apart_at FROM refunds r
         WHERE r.merchant_id = $1 AND r.stage IN ('pay', 'track')
         UNION ALL
         ${DEBTS} AND d.wallet_id IS NULL ORDER BY 1`
      : `${DEBTS} AND d.wallet_id = $2 ORDER BY 1`,
    isOwn ? [wallet.merchantId] : [wallet.merchantId, wallet.walletId],
  );
  const moments = [payments?.since ?? null, ...apart.map((one) => one.since)];
  return {
    setApart: apart.map(({ key, pence }) => ({ key, pence })),
    since: moments.filter((at) => at !== null).sort(compareInstants)[0] ?? null,
  };
}

/** Returns what names a wallet among those of all merchants. */
export const keyOf = (wallet: Pick<WalletBooks, 'merchantId' | 'walletId'>): string =>
  `${wallet.merchantId} ${wallet.walletId}`;

/** Finds what is in progress for customers' wallets, by `keyOf`. */
export async function findUnderWayOf(
  tx: Tx,
  wallets: readonly WalletBooks[],
): Promise<Map<string, UnderWay>> {
  const found = new Map<string, UnderWay>();
  for (const some of await byShard(tx, wallets, (wallet) => wallet.merchantId))
    for (const row of await listUnderWay(tx, some)) {
      const { setApart = [], since = null } = found.get(keyOf(row)) ?? {};
      const isOlder = since === null || isBefore(row.since, since);
      found.set(keyOf(row), {
        setApart: row.key === null ? setApart : [...setApart, { key: row.key, pence: row.pence }],
        since: isOlder ? row.since : since,
      });
    }
  return found;
}

/** What is on its way through a wallet, without a key, or money set apart from it. */
interface UnderWayLine {
  merchantId: string;
  walletId: string;
  key: string | null;
  pence: number;
  since: Temporal.Instant;
}

function listUnderWay(tx: Tx, wallets: readonly WalletBooks[]): Promise<UnderWayLine[]> {
  return tx.rows<UnderWayLine>(
    `SELECT k.merchant_id, k.wallet_id, x.key, x.pence, x.since
     FROM unnest($1::text[], $2::text[]) AS k (merchant_id, wallet_id)
     CROSS JOIN LATERAL (
       SELECT NULL AS key, 0::bigint AS pence, a.started_at AS since FROM payment_work w
       JOIN attempts a ON a.merchant_id = w.merchant_id AND a.payment_id = w.payment_id AND a.number = w.attempt
       WHERE w.merchant_id = k.merchant_id AND w.wallet_id = k.wallet_id AND w.stage <> 'wait'
       UNION ALL
       SELECT NULL, 0, u.arrived_at FROM unallocated_items u
       WHERE u.merchant_id = k.merchant_id AND u.wallet_id = k.wallet_id AND u.status = 'open' AND u.proposed IS NOT NULL
       UNION ALL
       SELECT d.debt_id || '-c' || d.tries, d.amount_pence, d.netted_at FROM debts d
       WHERE d.merchant_id = k.merchant_id AND d.wallet_id = k.wallet_id AND d.netted_at IS NOT NULL AND d.covered_at IS NULL
     ) x ORDER BY k.merchant_id, k.wallet_id, x.key`,
    columns(wallets, 'merchantId', 'walletId'),
  );
}

/** Returns those of these sources that are booked, as `<kind> <source>`. */
export async function findBooked(
  tx: Tx,
  merchantId: string,
  sources: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.rows<{ booked: string }>(
    `SELECT kind || ' ' || source_id AS booked FROM transfers WHERE merchant_id = $1 AND source_id = ANY ($2::text[])`,
    [merchantId, sources],
  );
  return new Set(rows.map((row) => row.booked));
}

/**
 * Returns the amounts that people returned to payers or paid on from a wallet since then, in pence; each has a separate order
 * at the issuer.
 */
export async function findReturned(
  tx: Tx,
  wallet: Pick<WalletBooks, 'merchantId' | 'walletId'>,
  since: Temporal.Instant,
): Promise<number[]> {
  const rows = await tx.rows<{ pence: number }>(
    `SELECT i.amount_pence AS pence FROM unallocated_items i
     JOIN transfers t ON t.merchant_id = i.merchant_id AND t.source_id = i.item_id AND t.kind = 'give_back'
     WHERE i.merchant_id = $1 AND i.wallet_id = $2 AND i.ended_at >= $3`,
    [wallet.merchantId, wallet.walletId, since],
  );
  return rows.map((row) => row.pence);
}

/** What our books owe the issuer for recalled pay-ins. */
export interface Owed {
  pence: number;
  /** Since when the oldest cover is in progress; null: none is. */
  since: Temporal.Instant | null;
}

/** Returns what we owe for recalled pay-ins that are not covered yet. */
export async function findOwed(tx: Tx): Promise<Owed> {
  const row = await tx.row<Owed>(
    `SELECT (SELECT coalesce(-sum(balance_pence), 0)::bigint FROM accounts WHERE account_id = $1) AS pence,
       (SELECT min(netted_at) FROM debts WHERE covered_at IS NULL) AS since`,
    [OWED],
  );
  return row ?? { pence: 0, since: null };
}

/** Returns the recalls and covers among these that our books contain: the ids of their movements and of their debts. */
export async function findBookedDebts(
  tx: Tx,
  movementIds: readonly string[],
  debtIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.rows<{ id: string }>(
    `SELECT movement_id AS id FROM debts WHERE movement_id = ANY ($1::text[])
     UNION ALL SELECT debt_id FROM debts WHERE debt_id = ANY ($2::text[]) AND covered_at IS NOT NULL`,
    [movementIds, debtIds],
  );
  return new Set(rows.map((row) => row.id));
}
