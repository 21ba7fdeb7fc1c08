import type { Tx } from '../../platform/db/db.ts';
import type { Merchant } from '../merchant.ts';
import type { Role } from '../role.ts';

/** What becomes of an owner whom another one removes or demotes, once it is due. */
export interface Leaving {
  merchantId: string;
  userId: string;
  /** Business time. */
  leavesAt: Temporal.Instant;
  /** The role that they get; null: they leave the team. */
  leavesAs: Role | null;
  leavesBy: string;
  /** The owner who takes over their API keys; null: the keys end. */
  keysGoTo: string | null;
}

const FIELDS = `merchant_id AS merchant_id, user_id AS user_id, leaves_at AS leaves_at, leaves_as AS leaves_as,
  leaves_by AS leaves_by, keys_go_to AS keys_go_to`;

/** Records that an owner stops being one at a moment. */
export async function setLeaving(tx: Tx, leaving: Leaving): Promise<void> {
  const { merchantId, userId, leavesAt, leavesAs, leavesBy, keysGoTo } = leaving;
  await tx.run(
    `UPDATE members SET leaves_at = $3, due_at = $3, leaves_as = $4, leaves_by = $5, keys_go_to = $6
     WHERE merchant_id = $1 AND user_id = $2`,
    [merchantId, userId, leavesAt, leavesAs, leavesBy, keysGoTo],
  );
}

/** Takes back what was asked for of an owner. Returns whether anything was. */
export async function clearLeaving(tx: Tx, merchantId: string, userId: string): Promise<boolean> {
  const count = await tx.run(
    `UPDATE members SET leaves_at = NULL, due_at = NULL, leaves_as = NULL, leaves_by = NULL, keys_go_to = NULL
     WHERE merchant_id = $1 AND user_id = $2 AND leaves_at IS NOT NULL`,
    [merchantId, userId],
  );
  return count > 0;
}

/** Locks and returns what was asked for of an owner, or null. */
export function lockLeaving(tx: Tx, merchantId: string, userId: string): Promise<Leaving | null> {
  return tx.row<Leaving>(
    `SELECT ${FIELDS} FROM members
     WHERE merchant_id = $1 AND user_id = $2 AND leaves_at IS NOT NULL FOR UPDATE`,
    [merchantId, userId],
  );
}

/** Returns the owners whom this one asked to remove or demote. */
export async function findLeavingBy(
  tx: Tx,
  merchantId: string,
  actorId: string,
): Promise<string[]> {
  const rows = await tx.rows<{ userId: string }>(
    'SELECT user_id FROM members WHERE merchant_id = $1 AND leaves_by = $2 ORDER BY user_id',
    [merchantId, actorId],
  );
  return rows.map((row) => row.userId);
}

/** Returns the owners who are due to stop being one, longest overdue first. */
export function findDueLeavings(
  tx: Tx,
  now: Temporal.Instant,
  limit: number,
): Promise<{ merchantId: string; userId: string }[]> {
  return tx.rows(
    `SELECT merchant_id AS merchant_id, user_id AS user_id FROM members
     WHERE due_at <= $1 ORDER BY due_at LIMIT $2`,
    [now, limit],
  );
}

/** Postpones what cannot be done now. */
export async function postponeLeaving(
  tx: Tx,
  { merchantId, userId }: { merchantId: string; userId: string },
  until: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `UPDATE members SET due_at = $3 WHERE merchant_id = $1 AND user_id = $2 AND due_at IS NOT NULL`,
    [merchantId, userId, until],
  );
}

/** Records that somebody was an owner until now: they go on hearing of what concerns owners for a while. */
export async function insertFormerOwner(
  tx: Tx,
  merchantId: string,
  userId: string,
  until: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `INSERT INTO former_addresses (merchant_id, email, name, until)
     SELECT merchant_id, email, name, $3 FROM notice_readers WHERE merchant_id = $1 AND user_id = $2
     ${AGAIN}`,
    [merchantId, userId, until],
  );
}

/** Records that an address was the merchant's own until now: it goes on hearing the same, so that nobody takes it away first. */
export async function insertFormerAddress(
  tx: Tx,
  { merchantId, email, legalName }: Merchant,
  until: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `INSERT INTO former_addresses (merchant_id, email, name, until) VALUES ($1, lower($2), $3, $4) ${AGAIN}`,
    [merchantId, email, legalName, until],
  );
}

const AGAIN =
  'ON CONFLICT (merchant_id, email) DO UPDATE SET name = excluded.name, until = excluded.until';
