import { inGroups } from '../../platform/cluster/shards.ts';
import type { Tx } from '../../platform/db/db.ts';
import { DUE_FROM_BANK, IN_SETTLEMENT, OUTSIDE, UNALLOCATED } from '../../wallets/ledger-store.ts';

/** SQL: a number of 56 bits made from an account's id, the same on every server. */
export const hashOf = (account: string): string =>
  `('x' || encode(substr(sha256(convert_to(${account}, 'UTF8')), 1, 7), 'hex'))::bit(56)::bigint`;

/** SQL: where the unsealed transfers of a merchant begin. */
export const unsealedFrom = (merchantId: string): string =>
  `coalesce((SELECT s.to_id FROM transfer_seals s WHERE s.merchant_id = ${merchantId} ORDER BY s.from_id DESC LIMIT 1), '')`;

/** A merchant with transfers that are not sealed. */
export interface Tail {
  merchantId: string;
  newestId: string;
}

/** Returns the merchants with transfers that are not sealed, each with its newest: two index lookups per merchant. */
export function findUnsealed(tx: Tx): Promise<Tail[]> {
  const tails = () =>
    tx.rows<Tail>(
      `SELECT m.merchant_id, newest.transfer_id AS newest_id FROM merchants m
     CROSS JOIN LATERAL (SELECT t.transfer_id FROM transfers t
       WHERE t.merchant_id = m.merchant_id AND t.transfer_id >= ${unsealedFrom('m.merchant_id')}
       ORDER BY t.transfer_id DESC LIMIT 1) newest ORDER BY m.merchant_id`,
    );
  return inGroups(tx, () => allMerchants(tx), tails);
}

async function allMerchants(tx: Tx): Promise<string[]> {
  const rows = await tx.rows<{ merchantId: string }>('SELECT merchant_id FROM merchants');
  return rows.map((row) => row.merchantId);
}

/** The accounts that every merchant has from the start, besides its wallets; one side of every posting is one of them. */
const OWN_ACCOUNTS = [DUE_FROM_BANK, IN_SETTLEMENT, OUTSIDE, UNALLOCATED];

/**
 * Makes every later posting of these merchants use ids made at or after `until`. Waits for the transactions that are posting:
 * afterwards every transfer with an earlier id is committed. Accounts are locked in the order in which `post` locks them.
 */
export async function closeBooksUntil(
  tx: Tx,
  merchantIds: readonly string[],
  untils: readonly Temporal.Instant[],
): Promise<void> {
  await tx.run(
    `WITH own AS (
       SELECT m.merchant_id, x.account_id FROM unnest($1::text[]) m (merchant_id) CROSS JOIN unnest($2::text[]) x (account_id)
       UNION SELECT w.merchant_id, w.wallet_id FROM unnest($1::text[]) m (merchant_id)
       JOIN wallets w ON w.merchant_id = m.merchant_id AND w.customer_id IS NULL)
     SELECT 1 FROM accounts WHERE (merchant_id, account_id) IN (SELECT * FROM own)
     ORDER BY merchant_id, account_id FOR UPDATE`,
    [merchantIds, OWN_ACCOUNTS],
  );
  await tx.run(
    `UPDATE accounts a SET sealed_until = greatest(a.sealed_until, own.until) FROM (
       SELECT m.merchant_id, x.account_id, m.until FROM unnest($1::text[], $3::timestamptz[]) m (merchant_id, until)
       CROSS JOIN unnest($2::text[]) x (account_id)
       UNION SELECT w.merchant_id, w.wallet_id, m.until FROM unnest($1::text[], $3::timestamptz[]) m (merchant_id, until)
       JOIN wallets w ON w.merchant_id = m.merchant_id AND w.customer_id IS NULL) own
     WHERE a.merchant_id = own.merchant_id AND a.account_id = own.account_id`,
    [merchantIds, OWN_ACCOUNTS, untils],
  );
}

/** A run of transfers to seal. */
export interface Run {
  merchantId: string;
  fromId: string;
  toId: string;
  /** The seal that it becomes a part of: a short one at the end, or a new one. */
  sealId: string;
}

/** A seal of fewer transfers is lengthened by the next run: all of it is then read again. */
const MIN_SEAL_LENGTH = 200;
/** The most transfers of a merchant that one statement seals. */
const LONGEST_RUN = 400;

/**
 * Returns the next run of transfers to seal of each merchant whose seals end before `toIds`; none: all are sealed. Keeps
 * others from sealing until the transaction ends.
 */
export async function findRuns(
  tx: Tx,
  merchantIds: readonly string[],
  toIds: readonly string[],
): Promise<Run[]> {
  // Released at the end of the transaction; the statement after it sees what the one before has sealed.
  await tx.run(`SELECT pg_advisory_xact_lock(hashtext('transfer_seals'))`);
  return tx.rows<Run>(
    `SELECT m.merchant_id, coalesce(last.to_id, '') AS from_id,
       CASE WHEN last.transfers < ${MIN_SEAL_LENGTH} THEN last.from_id ELSE coalesce(last.to_id, '') END AS seal_id,
       coalesce((SELECT t.transfer_id FROM transfers t WHERE t.merchant_id = m.merchant_id
         AND t.transfer_id >= coalesce(last.to_id, '') AND t.transfer_id < m.to_id
         ORDER BY t.transfer_id OFFSET ${LONGEST_RUN} LIMIT 1), m.to_id) AS to_id
     FROM unnest($1::text[], $2::text[]) m (merchant_id, to_id)
     LEFT JOIN LATERAL (SELECT s.from_id, s.to_id, s.transfers FROM transfer_seals s WHERE s.merchant_id = m.merchant_id
       ORDER BY s.from_id DESC LIMIT 1) last ON true
     WHERE coalesce(last.to_id, '') < m.to_id`,
    [merchantIds, toIds],
  );
}

/** Seals runs of transfers: adds them to the seals, and to the sealed sums. Returns the accounts that they touched. */
export function sealRuns(
  tx: Tx,
  runs: readonly Run[],
): Promise<{ merchantId: string; accountId: string }[]> {
  return tx.rows(
    `WITH run AS (
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS r (merchant_id, from_id, to_id, seal_id)
     ), moved AS (
       SELECT t.merchant_id, t.credit_account_id, t.debit_account_id, t.amount_pence FROM run
       JOIN transfers t ON t.merchant_id = run.merchant_id AND t.transfer_id >= run.from_id AND t.transfer_id < run.to_id
     ), sums AS (
       SELECT merchant_id, account_id, sum(pence) AS pence, sum(debits) AS debits FROM (
         SELECT merchant_id, credit_account_id AS account_id, amount_pence AS pence, 0 AS debits FROM moved
         UNION ALL SELECT merchant_id, debit_account_id, -amount_pence, 1 FROM moved) sides GROUP BY 1, 2
     ), sealed_runs AS (
       INSERT INTO transfer_seals AS s (merchant_id, from_id, to_id, transfers, checksum)
       SELECT run.merchant_id, run.seal_id, run.to_id, coalesce(x.transfers, 0), coalesce(x.checksum, 0) FROM run
       LEFT JOIN LATERAL (SELECT sum(debits) AS transfers, sum(pence * ${hashOf('account_id')}::numeric) AS checksum
         FROM sums WHERE sums.merchant_id = run.merchant_id) x ON true
       ON CONFLICT (merchant_id, from_id) DO UPDATE SET to_id = excluded.to_id,
         transfers = s.transfers + excluded.transfers, checksum = s.checksum + excluded.checksum
     ), sealed_sums AS (
       INSERT INTO account_seals AS s (merchant_id, account_id, pence)
       SELECT merchant_id, account_id, pence FROM sums WHERE pence <> 0 ORDER BY 1, 2
       ON CONFLICT (merchant_id, account_id) DO UPDATE SET pence = s.pence + excluded.pence
     )
     SELECT merchant_id, account_id FROM sums`,
    [
      runs.map((run) => run.merchantId),
      runs.map((run) => run.fromId),
      runs.map((run) => run.toId),
      runs.map((run) => run.sealId),
    ],
  );
}
