import type { Platform } from '../../../platform/platform.ts';

/** Longer than a code is accepted: in its own half minute, the one before and the one after. */
const RETENTION = `interval '5 minutes'`;

/**
 * Records that a user signs in with this authenticator code. Returns false if the code has been used before: it may not be used
 * again (RFC 6238, section 5.2).
 */
export function useCode({ db, vault }: Platform, userId: string, code: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const old = `used_at < now() - ${RETENTION}`;
    await tx.run(`DELETE FROM used_codes WHERE user_id = $1 AND ${old}`, [userId]);
    const noted = await tx.run(
      'INSERT INTO used_codes (user_id, code_hash, used_at) VALUES ($1, $2, now()) ON CONFLICT DO NOTHING',
      [userId, vault.index(code, `used-code:${userId}`)],
    );
    return noted === 1;
  });
}
