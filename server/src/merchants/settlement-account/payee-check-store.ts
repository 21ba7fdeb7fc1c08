import type { Tx } from '../../platform/db/db.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { SettlementAccount } from '../merchant.ts';
import { openAccount, sealAccount } from '../store.ts';
import { ASKED_NOBODY, hasAsked, type PayeeAnswer, type PayeeCheck } from './payee-check.ts';
import { isSameAccount } from './settlement-account.ts';

/** A check whose account and name are sealed. */
type PayeeCheckRow = Omit<PayeeCheck, 'account'> & { account: string };

const COLUMNS =
  'merchant_id, check_id, account, asked_by, asked_at, result, reason, bank_name, evidence';

const context = (merchantId: string): string => `merchant:${merchantId}:payee_name`;

const sealName = (vault: Vault, merchantId: string, name: string | null): string | null =>
  name === null ? null : vault.seal(name, context(merchantId));

const fromRow = (vault: Vault, row: PayeeCheckRow): PayeeCheck => ({
  ...row,
  account: openAccount(vault, row.merchantId, row.account),
  bankName: row.bankName === null ? null : vault.open(row.bankName, context(row.merchantId)),
});

/** Inserts a check. */
export async function insertCheck(tx: Tx, vault: Vault, c: PayeeCheck): Promise<void> {
  await tx.run(
    `INSERT INTO payee_checks (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      c.merchantId,
      c.checkId,
      sealAccount(vault, c.merchantId, c.account),
      c.askedBy,
      c.askedAt,
      c.result,
      c.reason,
      sealName(vault, c.merchantId, c.bankName),
      c.evidence,
    ],
  );
}

/** Records the answer of a check that was inserted before the call. */
export async function setAnswer(
  tx: Tx,
  vault: Vault,
  { merchantId, checkId }: Pick<PayeeCheck, 'merchantId' | 'checkId'>,
  { result, reason, bankName, evidence }: PayeeAnswer,
): Promise<void> {
  await tx.run(
    `UPDATE payee_checks SET result = $3, reason = $4, bank_name = $5, evidence = $6
     WHERE merchant_id = $1 AND check_id = $2`,
    [merchantId, checkId, result, reason, sealName(vault, merchantId, bankName), evidence],
  );
}

/** Returns the checks since then for which a bank was asked, the newest first: never more than the limits of both sides. */
export async function findAskedSince(
  tx: Tx,
  vault: Vault,
  merchantId: string,
  since: Temporal.Instant,
): Promise<PayeeCheck[]> {
  const rows = await tx.rows<PayeeCheckRow>(
    `SELECT ${COLUMNS} FROM payee_checks WHERE merchant_id = $1 AND asked_at > $2
       AND coalesce(reason, '') <> ALL ($3::text[])
     ORDER BY check_id DESC`,
    [merchantId, since, [...ASKED_NOBODY]],
  );
  return rows.map((row) => fromRow(vault, row));
}

/** Returns the newest check since then that has this reason, of whichever account; null: none. */
export async function findWithReason(
  tx: Tx,
  vault: Vault,
  { merchantId, reason, since }: { merchantId: string; reason: string; since: Temporal.Instant },
): Promise<PayeeCheck | null> {
  const row = await tx.row<PayeeCheckRow>(
    `SELECT ${COLUMNS} FROM payee_checks WHERE merchant_id = $1 AND asked_at > $2 AND reason = $3
     ORDER BY check_id DESC LIMIT 1`,
    [merchantId, since, reason],
  );
  return row === null ? null : fromRow(vault, row);
}

/** Returns the checks with these ids. */
export async function findChecks(
  tx: Tx,
  vault: Vault,
  merchantId: string,
  checkIds: readonly string[],
): Promise<ReadonlyMap<string, PayeeCheck>> {
  if (checkIds.length === 0) return new Map();
  const rows = await tx.rows<PayeeCheckRow>(
    `SELECT ${COLUMNS} FROM payee_checks WHERE merchant_id = $1 AND check_id = ANY ($2::text[])`,
    [merchantId, [...checkIds]],
  );
  return new Map(rows.map((row) => [row.checkId, fromRow(vault, row)]));
}

/** How many of the latest checks are looked through: more than a day has. */
const LATEST = 50;

/**
 * Returns the latest check of this account and name, of those for which a bank was asked if there is one: what asked nobody says
 * nothing against an older answer. Null: none of the latest was of it.
 */
export async function findLatestCheckOf(
  tx: Tx,
  vault: Vault,
  merchantId: string,
  account: SettlementAccount,
): Promise<PayeeCheck | null> {
  const rows = await tx.rows<PayeeCheckRow>(
    `SELECT ${COLUMNS} FROM payee_checks WHERE merchant_id = $1 ORDER BY check_id DESC LIMIT ${LATEST}`,
    [merchantId],
  );
  const checks = rows
    .map((row) => fromRow(vault, row))
    .filter((check) => isSameAccount(check.account, account));
  return checks.find(hasAsked) ?? checks[0] ?? null;
}
