import type { Platform } from '../../platform/platform.ts';

/** Longer than a code is taken: in its own half minute, in the one before and in the one after. */
const KEPT = `interval '5 minutes'`;

/**
 * Notes that a user signs in by this code of their authenticator app. False: it has been used, and may not be used again
 * (RFC 6238, section 5.2).
 */
export function useCode({ db, vault }: Platform, userId: string, code: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.run(`DELETE FROM used_codes WHERE user_id = $1 AND used_at < now() - ${KEPT}`, [
      userId,
    ]);
    const noted = await tx.run(
      'INSERT INTO used_codes (user_id, code_hash, used_at) VALUES ($1, $2, now()) ON CONFLICT DO NOTHING',
      [userId, vault.index(code, `used-code:${userId}`)],
    );
    return noted === 1;
  });
}
