import { columns } from '../platform/db/columns.ts';
import type { SqlValue, Tx } from '../platform/db/db.ts';
import type { Work } from '../platform/platform.ts';
import type { Ids } from '../platform/values/ids.ts';
import { isAfter } from '../platform/values/instants.ts';

export type AccountKind =
  | 'customer_wallet'
  | 'merchant_wallet'
  | 'in_settlement'
  | 'outside'
  | 'owed'
  | 'due_from_bank'
  | 'unallocated'
  | 'fees';

/** The merchant's accounts besides the wallets: money on its way out (settlements, refunds, covers), and the outside world. */
export const IN_SETTLEMENT = 'in_settlement';
export const OUTSIDE = 'outside';
/** Negative by what the merchant owes for recalled pay-ins that are not covered at the issuer yet. */
export const OWED = 'owed';
/** What banks have reported as paid and the issuer has not received yet. */
export const DUE_FROM_BANK = 'due_from_bank';
/** Money at the issuer that belongs to no payment yet, listed in `unallocated_items`. */
export const UNALLOCATED = 'unallocated';
/** Fees of what was collected, in the merchant's wallet at the issuer until they are transferred to the operator's. */
export const FEES = 'fees';

/** What a movement is for. */
export const POSTING_KINDS = [
  'pay_in',
  'move',
  'settle',
  'settle_back',
  'pay_out',
  'extra_pay_in',
  'pay_out_return',
  'recall',
  'net',
  'cover',
  'claim',
  'claim_back',
  'allocate',
  'give_back',
  'refund',
  'refund_back',
  'refund_out',
  'fee',
  'fee_out',
  'set_aside',
] as const;

/** One movement: `amountPence` > 0 leaves the debit account and reaches the credit account. */
export interface Posting {
  merchantId: string;
  kind: (typeof POSTING_KINDS)[number];
  debit: string;
  credit: string;
  amountPence: number;
  /** The payment, attempt, settlement attempt, refund, pay-in or unallocated item: each (source, kind) only once, ever. */
  sourceId: string;
}

/** Opens the accounts that do not exist yet. */
export async function openAccounts(
  tx: Tx,
  merchantId: string,
  accounts: readonly { accountId: string; kind: AccountKind }[],
): Promise<void> {
  await tx.run(
    `INSERT INTO accounts (merchant_id, account_id, kind)
     SELECT $1, * FROM unnest($2::text[], $3::text[]) ON CONFLICT DO NOTHING`,
    [merchantId, ...columns(accounts, 'accountId', 'kind')],
  );
}

/**
 * Posts money, and is the only function that does: writes the transfers and changes the balances, in the caller's
 * transaction. Balances are locked in sorted order, so that concurrent posters cannot deadlock. Throws if a wallet would go
 * below zero (constraint `accounts_not_below_zero`), a source is posted twice (`transfers_once_per_source_and_kind`), or an
 * account was never opened.
 *
 * The ids of transfers are later than `sealed_until` of each account, which is read under the locks: one side of every posting is
 * one of the merchant's own accounts, so nothing is added to transfers that are sealed
 * (docs/rules/wallets-and-money.md#sealed-sums).
 */
export async function post(
  { platform: { ids }, tx, now: at }: Omit<Work, 'platform'> & { platform: { ids: Ids } },
  postings: readonly Posting[],
): Promise<void> {
  if (postings.length === 0) return;
  const sealedUntil = await postWithIdsOf(tx, ids, at, at, postings);
  // Sealed meanwhile: nothing was written, and the locks that are held by now keep the bound where it is.
  if (isSealedAfter(sealedUntil, at)) await postWithIdsOf(tx, ids, at, sealedUntil, postings);
}

const isSealedAfter = (a: Temporal.Instant | null, b: Temporal.Instant): a is Temporal.Instant =>
  a !== null && isAfter(a, b);

/** What the locked accounts say together. */
interface Locked {
  sealedUntil: Temporal.Instant | null;
  accounts: number;
}

const LOCK = `SELECT sealed_until FROM accounts WHERE (merchant_id, account_id) IN
    (SELECT m, a FROM unnest($1::text[], $2::text[]) AS x (m, a)
     UNION SELECT m, a FROM unnest($1::text[], $3::text[]) AS y (m, a))
  ORDER BY merchant_id, account_id FOR UPDATE`;
const OF_LOCKED = 'SELECT max(sealed_until) AS sealed_until, count(*) AS accounts FROM locked';

/** Common table expressions that insert transfers, on a condition, and change the balances of their accounts. */
const posted = (where: string): string => `fresh AS (
    INSERT INTO transfers (merchant_id, debit_account_id, credit_account_id, transfer_id, kind, amount_pence, source_id, at)
    SELECT *, $8::timestamptz FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[])
    ${where} RETURNING merchant_id, debit_account_id, credit_account_id, amount_pence
  ), change AS (
    SELECT merchant_id, account_id, sum(pence) AS pence FROM (
      SELECT merchant_id, debit_account_id AS account_id, -amount_pence AS pence FROM fresh
      UNION ALL SELECT merchant_id, credit_account_id, amount_pence FROM fresh) sides
    GROUP BY merchant_id, account_id
  ), changed AS (
    UPDATE accounts a SET balance_pence = a.balance_pence + c.pence
    FROM change c WHERE a.merchant_id = c.merchant_id AND a.account_id = c.account_id RETURNING 1)`;

/** The same in two statements: Citus does not read in a statement what the same one locks. */
async function lockAndPost(
  tx: Tx,
  idsAt: Temporal.Instant,
  values: readonly SqlValue[],
): Promise<Locked | null> {
  const locked = await tx.row<Locked>(`WITH locked AS (${LOCK}) ${OF_LOCKED}`, values.slice(0, 3));
  if (!isSealedAfter(locked?.sealedUntil ?? null, idsAt))
    await tx.run(`WITH ${posted('')} SELECT count(*) FROM changed`, values);
  return locked;
}

/**
 * Locks the accounts, and posts with ids of the moment `idsAt` unless one of them is sealed until later. Returns until when they
 * are sealed.
 */
async function postWithIdsOf(
  tx: Tx,
  ids: Ids,
  at: Temporal.Instant,
  idsAt: Temporal.Instant,
  postings: readonly Posting[],
): Promise<Temporal.Instant | null> {
  const values = [
    postings.map((p) => p.merchantId),
    ...columns(postings, 'debit', 'credit'),
    postings.map(() => ids.next('trf', idsAt)),
    ...columns(postings, 'kind', 'amountPence', 'sourceId'),
    at,
  ];
  const locked = await (tx.shards === undefined
    ? tx.row<Locked>(
        `WITH locked AS (${LOCK}),
         ${posted('WHERE NOT EXISTS (SELECT FROM locked WHERE sealed_until > $9)')} ${OF_LOCKED}`,
        [...values, idsAt],
      )
    : lockAndPost(tx, idsAt, values));
  const named = new Set(
    postings.flatMap((p) => [`${p.merchantId} ${p.debit}`, `${p.merchantId} ${p.credit}`]),
  );
  if (locked === null || locked.accounts < named.size)
    throw new Error(`money for an account that was never opened, one of ${[...named].join(', ')}`);
  return locked.sealedUntil;
}

/**
 * Locks the merchant's `in_settlement` account. Whoever takes money from the merchant's wallet locks it first, before payments,
 * settlements and refunds: they do so one at a time.
 */
export async function lockInSettlement(tx: Tx, merchantId: string): Promise<void> {
  await tx.run('SELECT 1 FROM accounts WHERE merchant_id = $1 AND account_id = $2 FOR UPDATE', [
    merchantId,
    IN_SETTLEMENT,
  ]);
}

/** Returns an account's balance in pence; 0 for one that was never opened. */
export async function balanceOf(tx: Tx, merchantId: string, accountId: string): Promise<number> {
  const row = await tx.row<{ balancePence: number }>(
    'SELECT balance_pence FROM accounts WHERE merchant_id = $1 AND account_id = $2',
    [merchantId, accountId],
  );
  return row?.balancePence ?? 0;
}
