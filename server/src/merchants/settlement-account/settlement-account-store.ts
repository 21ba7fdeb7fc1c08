import type { Tx } from '../../platform/db/db.ts';
import { moveRows, type Step } from '../../platform/state/move-rows.ts';
import { transition } from '../../platform/state/state-machine.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { SettlementAccount } from '../merchant.ts';
import { openAccount, sealAccount } from '../store.ts';
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
  endedBy: string | null;
  endedAt: Temporal.Instant | null;
}

/** A change whose accounts are sealed. */
type ChangeRow = Omit<AccountChange, 'oldAccount' | 'newAccount'> &
  Record<'oldAccount' | 'newAccount', string>;

const COLUMNS = `merchant_id, change_id, status, old_account, new_account, requested_by, asked_by_id, requested_at,
  takes_effect_at, agreed_by, reason, ended_by, ended_at`;

const fromRow = (vault: Vault, row: ChangeRow): AccountChange => ({
  ...row,
  oldAccount: openAccount(vault, row.merchantId, row.oldAccount),
  newAccount: openAccount(vault, row.merchantId, row.newAccount),
});

/** Inserts a change. */
export async function insertAccountChange(tx: Tx, vault: Vault, c: AccountChange): Promise<void> {
  await tx.run(
    `INSERT INTO settlement_account_changes (${COLUMNS}, due_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
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
      c.endedBy,
      c.endedAt,
      c.status === 'pending' ? c.takesEffectAt : null,
    ],
  );
}

/** Returns the change that waits to come into force, or null. */
export async function findPendingChange(
  tx: Tx,
  vault: Vault,
  merchantId: string,
): Promise<AccountChange | null> {
  const row = await tx.row<ChangeRow>(
    `SELECT ${COLUMNS} FROM settlement_account_changes WHERE merchant_id = $1 AND status = 'pending'`,
    [merchantId],
  );
  return row === null ? null : fromRow(vault, row);
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
  return rows.map((row) => fromRow(vault, row));
}

/** Returns the change by which the present account came into force, or null. */
export async function findLatestInForce(
  tx: Tx,
  vault: Vault,
  merchantId: string,
): Promise<AccountChange | null> {
  const row = await tx.row<ChangeRow>(
    `SELECT ${COLUMNS} FROM settlement_account_changes WHERE merchant_id = $1 AND status = 'in_force'
     ORDER BY ended_at DESC, change_id DESC LIMIT 1`,
    [merchantId],
  );
  return row === null ? null : fromRow(vault, row);
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
