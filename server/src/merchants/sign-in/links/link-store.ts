import type { Tx } from '../../../platform/db/db.ts';

/** The purpose of a link. */
export type Purpose = 'sign_in' | 'set_password';

/** The owner of a merchant's team who made a link for one of its members. */
export interface LinkCreator {
  merchantId: string;
  actorId: string;
}

/** A link that was used up: its user, and the owner who made it (null: the operator, or it went out by email). */
export interface ConsumedLink {
  userId: string;
  madeBy: string | null;
  byEmail: boolean;
}

/** Inserts a link under the hash of its secret; `maker` null: the operator made it, or its user asked for it by email. */
export async function insertLink(
  tx: Tx,
  link: {
    tokenHash: Buffer;
    userId: string;
    purpose: Purpose;
    expiresAt: Temporal.Instant;
    byEmail: boolean;
  },
  maker: LinkCreator | null,
): Promise<void> {
  await tx.run(
    `INSERT INTO user_links (token_hash, user_id, purpose, expires_at, merchant_id, made_by, by_email)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      link.tokenHash,
      link.userId,
      link.purpose,
      link.expiresAt,
      maker?.merchantId ?? null,
      maker?.actorId ?? null,
      link.byEmail,
    ],
  );
}

/**
 * Uses up a link and returns its user. Returns null if no link works at `now`, or its maker could not make it any more: they are
 * no longer an owner, or its user now works for another merchant too.
 */
export function consumeLink(
  tx: Tx,
  tokenHash: Buffer,
  purpose: Purpose,
  now: Temporal.Instant,
): Promise<ConsumedLink | null> {
  return tx.row<ConsumedLink>(
    `DELETE FROM user_links l WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3
       AND (made_by IS NULL OR (
         EXISTS (SELECT FROM members m
                 WHERE m.merchant_id = l.merchant_id AND m.user_id = l.made_by AND m.role = 'owner')
         AND NOT EXISTS (SELECT FROM members m WHERE m.user_id = l.user_id AND m.merchant_id <> l.merchant_id)))
     RETURNING user_id, made_by, by_email`,
    [tokenHash, purpose, now],
  );
}

/** Deletes a user's links that set a password. */
export async function deletePasswordLinks(tx: Tx, userId: string): Promise<void> {
  await tx.run(`DELETE FROM user_links WHERE user_id = $1 AND purpose = 'set_password'`, [userId]);
}
