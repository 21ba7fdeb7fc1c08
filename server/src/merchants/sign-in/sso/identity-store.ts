import type { Tx } from '../../../platform/db/db.ts';

/** An account at a team's identity provider. */
export interface Identity {
  merchantId: string;
  issuer: string;
  subject: string;
}

/** Returns the member who is this account, or null. Needs the engine's role. */
export async function findLinkedUser(
  tx: Tx,
  { merchantId, issuer, subject }: Identity,
): Promise<{ userId: string; email: string } | null> {
  const row = await tx.row<{ userId: string; email: string }>(
    `SELECT i.user_id, u.email FROM identities i JOIN users u ON u.id = i.user_id
     WHERE i.merchant_id = $1 AND i.issuer = $2 AND i.subject = $3`,
    [merchantId, issuer, subject],
  );
  return row === null ? null : { userId: row.userId, email: row.email };
}

/** Links an account to a member. Returns false if either is linked already. Needs the engine's role. */
export async function insertIdentity(
  tx: Tx,
  { merchantId, issuer, subject }: Identity,
  userId: string,
  at: Temporal.Instant,
): Promise<boolean> {
  const count = await tx.run(
    `INSERT INTO identities (merchant_id, issuer, subject, user_id, linked_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING`,
    [merchantId, issuer, subject, userId, at],
  );
  return count > 0;
}

/** Unlinks a member, and ends the sessions that their account opened. Returns false if they are not linked. */
export async function deleteIdentity(tx: Tx, merchantId: string, userId: string): Promise<boolean> {
  const count = await tx.run('DELETE FROM identities WHERE merchant_id = $1 AND user_id = $2', [
    merchantId,
    userId,
  ]);
  return count > 0;
}
