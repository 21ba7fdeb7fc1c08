import type { Tx } from '../../platform/db/db.ts';
import { moveRows, type Step } from '../../platform/state/move-rows.ts';
import { transition } from '../../platform/state/state-machine.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { SettlementAccount } from '../merchant.ts';
import { openAccount, sealAccount } from '../store.ts';
import type { PayeeCheck } from './payee-check.ts';
import { findChecks } from './payee-check-store.ts';
import { ACCOUNT_CHANGES, type AccountChangeStatus } from './settlement-account.ts';

/** A change of the account that settlements are paid to. Instants are business time. */
export interface AccountChange {
  merchantId: string;
  changeId: string;
  status: AccountChangeStatus;
  oldAccount: SettlementAccount;
  newAccount: SettlementAccount;
  /** In the audit trail's format: `member:<id>`, `operator:<name>`. */
  requestedBy: string;
  /** The same as a person (`two-people/pair.ts`); null: an earlier version stored it, so nobody confirms it. */
  askedById: string | null;
  requestedAt: Temporal.Instant;
  takesEffectAt: Temporal.Instant;
  /** The second operator, in the same format; null: nobody yet, or an owner asked for it. */
  agreedBy: string | null;
  /** Why an operator asked for it; null: an owner did. */
  reason: string | null;
  /** What the new account's bank said of the name; null: an earlier version wrote it. */
  check: PayeeCheck | null;
  endedBy: string | null;
  endedAt: Temporal.Instant | null;
}

/** A change whose accounts are sealed. */
type ChangeRow = Omit<AccountChange, 'oldAccount' | 'newAccount' | 'check'> &
  Record<'oldAccount' | 'newAccount', string> & { checkId: string | null };

const COLUMNS = `merchant_id, change_id, status, old_account, new_account, requested_by, asked_by_id, requested_at,
  takes_effect_at, agreed_by, reason, check_id, ended_by, ended_at`;

/** Opens the accounts of one merchant's changes, and adds their checks. */
async function opened(
  tx: Tx,
  vault: Vault,
  merchantId: string,
  rows: readonly ChangeRow[],
): Promise<AccountChange[]> {
  const checks = await findChecks(
    tx,
    vault,
    merchantId,
    rows.flatMap(({ checkId }) => checkId ?? []),
  );
  return rows.map(({ checkId, ...row }) => ({
    ...row,
    oldAccount: openAccount(vault, merchantId, row.oldAccount),
    newAccount: openAccount(vault, merchantId, row.newAccount),
    check: checks.get(checkId ?? '') ?? null,
  }));
}

async function findOne(
  tx: Tx,
  vault: Vault,
  merchantId: string,
  which: string,
): Promise<AccountChange | null> {
  const rows = await tx.rows<ChangeRow>(
    `SELECT ${COLUMNS} FROM settlement_account_changes WHERE merchant_id = $1 AND ${which}`,
    [merchantId],
  );
  return (await opened(tx, vault, merchantId, rows))[0] ?? null;
}

/** Inserts a change. */
export async function insertAccountChange(tx: Tx, vault: Vault, c: AccountChange): Promise<void> {
  await tx.run(
    `INSERT INTO settlement_account_changes (${COLUMNS}, due_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      c.merchantId,
      c.changeId,
      c.status,
      sealAccount(vault, c.merchantId, c.oldAccount),
      sealAccount(vault, c.merchantId, c.newAccount),
      c.requestedBy,
      c.askedById,
      c.requestedAt,
      c.takesEffectAt,
      c.agreedBy,
      c.reason,
      c.check?.checkId ?? null,
      c.endedBy,
      c.endedAt,
      c.status === 'pending' ? c.takesEffectAt : null,
    ],
  );
}

/** Returns the change that waits to come into force, or null. */
export function findPendingChange(
  tx: Tx,
  vault: Vault,
  merchantId: string,
): Promise<AccountChange | null> {
  return findOne(tx, vault, merchantId, `status = 'pending'`);
}

/** Records that a second operator agrees with a pending change. */
export async function setAgreed(
  tx: Tx,
  { merchantId, changeId }: Pick<AccountChange, 'merchantId' | 'changeId'>,
  agreedBy: string,
): Promise<void> {
  await tx.run(
    `UPDATE settlement_account_changes SET agreed_by = $3
     WHERE merchant_id = $1 AND change_id = $2 AND status = 'pending'`,
    [merchantId, changeId, agreedBy],
  );
}

/** Returns the merchants with a pending change that this operator asked for or agreed with. */
export async function findMerchantsWithChangeBy(
  tx: Tx,
  operatorId: string,
  actor: string,
): Promise<string[]> {
  const rows = await tx.rows<{ merchantId: string }>(
    `SELECT merchant_id FROM settlement_account_changes
     WHERE status = 'pending' AND (asked_by_id = $1 OR agreed_by = $2) ORDER BY merchant_id`,
    [operatorId, actor],
  );
  return rows.map((row) => row.merchantId);
}

/** Returns the latest changes of a merchant, newest first. */
export async function listAccountChanges(
  tx: Tx,
  vault: Vault,
  merchantId: string,
  limit: number,
): Promise<AccountChange[]> {
  const rows = await tx.rows<ChangeRow>(
    `SELECT ${COLUMNS} FROM settlement_account_changes WHERE merchant_id = $1 ORDER BY change_id DESC LIMIT $2`,
    [merchantId, limit],
  );
  return opened(tx, vault, merchantId, rows);
}

/** Returns the change by which the present account came into force, or null. */
export function findLatestInForce(
  tx: Tx,
  vault: Vault,
  merchantId: string,
): Promise<AccountChange | null> {
  const which = `status = 'in_force' ORDER BY ended_at DESC, change_id DESC LIMIT 1`;
  return findOne(tx, vault, merchantId, which);
}

/** Returns merchants with a due change, longest overdue first. */
export async function findMerchantsWithDueChange(
  tx: Tx,
  now: Temporal.Instant,
  limit: number,
): Promise<string[]> {
  const rows = await tx.rows<{ merchantId: string }>(
    'SELECT merchant_id FROM settlement_account_changes WHERE due_at <= $1 ORDER BY due_at LIMIT $2',
    [now, limit],
  );
  return rows.map((row) => row.merchantId);
}

/** Postpones a change that cannot be put into force now. */
export async function postponeChange(
  tx: Tx,
  merchantId: string,
  until: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE settlement_account_changes SET due_at = $2 WHERE merchant_id = $1 AND status = 'pending'`,
    [merchantId, until],
  );
}

/** How a change ends: `events` if its edge names one. */
interface AccountChangeEnd {
  status: Exclude<AccountChangeStatus, 'pending'>;
  by: string;
  at: Temporal.Instant;
  events?: Step<AccountChangeStatus, AccountChange>['events'];
}

/** Ends a pending change. */
export async function endAccountChange(
  tx: Tx,
  change: AccountChange,
  { status, by, at, events }: AccountChangeEnd,
): Promise<void> {
  await moveRows<AccountChangeStatus, AccountChange>(tx, at, {
    rows: [change],
    move: transition(ACCOUNT_CHANGES, ['pending'], status),
    columns: {
      merchant_id: ['text', ({ merchantId }) => merchantId],
      change_id: ['text', ({ changeId }) => changeId],
      ended_by: ['text', () => by],
      ended_at: ['timestamptz', () => at],
    },
    set: 'ended_by = n.ended_by, ended_at = n.ended_at, due_at = NULL',
    ...(events && { events }),
  });
}
