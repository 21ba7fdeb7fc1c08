import type { Tx } from '../../platform/db.ts';

/** What a link is for. */
export type Purpose = 'sign_in' | 'set_password';

/** Inserts a link under the hash of its secret. */
export async function insertLink(
  tx: Tx,
  tokenHash: Buffer,
  userId: string,
  purpose: Purpose,
  expiresAt: Temporal.Instant,
): Promise<void> {
  await tx.run(
    'INSERT INTO user_links (token_hash, user_id, purpose, expires_at) VALUES ($1, $2, $3, $4)',
    [tokenHash, userId, purpose, expiresAt],
  );
}

/** Takes a link away and answers whose it was; null where there is none that works at `now`. */
export async function takeLinkRow(
  tx: Tx,
  tokenHash: Buffer,
  purpose: Purpose,
  now: Temporal.Instant,
): Promise<string | null> {
  const row = await tx.row<{ user_id: string }>(
    `DELETE FROM user_links WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3 RETURNING user_id`,
    [tokenHash, purpose, now],
  );
  return row?.user_id ?? null;
}

/** Forgets every link of a user that sets a password. */
export async function deletePasswordLinks(tx: Tx, userId: string): Promise<void> {
  await tx.run(`DELETE FROM user_links WHERE user_id = $1 AND purpose = 'set_password'`, [userId]);
}
