import { hashPassword, symmetricEncrypt } from 'better-auth/crypto';
import type { Platform } from '../../platform/platform.ts';
import { realNow } from '../../platform/time/clock.ts';
import { LIBRARY_SECRETS } from './library/cookies-of-old-keys.ts';
import { insertSecondFactor } from './second-factor-store.ts';
import { setPasswordHash } from './user-store.ts';

/**
 * Gives a user a password and an authenticator at once, as the library stores them: for the owner of a sandbox, who has nobody
 * else to be protected from.
 */
export async function setCredentials(
  { db, ids, vault }: Platform,
  userId: string,
  { password, secret }: { password: string; secret: string },
): Promise<void> {
  const secrets = vault.secrets(LIBRARY_SECRETS);
  const key = {
    keys: new Map(secrets.map(({ version, value }) => [version, value])),
    currentVersion: secrets[0]?.version ?? 0,
  };
  const now = realNow();
  const hash = await hashPassword(password);
  const sealed = await symmetricEncrypt({ key, data: secret });
  const none = await symmetricEncrypt({ key, data: '[]' });
  await db.transaction(async (tx) => {
    await setPasswordHash(tx, userId, ids.next('crd', now), hash, now);
    await insertSecondFactor(tx, userId, {
      id: ids.next('tfa', now),
      secret: sealed,
      backupCodes: none,
    });
  });
}
