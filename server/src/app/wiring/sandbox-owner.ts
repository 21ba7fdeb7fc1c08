import { setCredentials } from '../../merchants/sign-in/ready-credentials.ts';
import { findUserByEmail } from '../../merchants/sign-in/user-store.ts';
import type { Platform } from '../../platform/platform.ts';
import { base62 } from '../../platform/values/ids.ts';

/** What the owner of the sandbox proves who they are with; null: they have chosen their own. */
export interface OwnerCredentials {
  owner_password: string | null;
  /** The key of their authenticator, as it is stored. */
  owner_authenticator: string | null;
}

const NONE: OwnerCredentials = { owner_password: null, owner_authenticator: null };
const PASSWORD_BYTES = 12;
const PASSWORD_DIGITS = 17;
const SECRET_BYTES = 24;
const SECRET_DIGITS = 32;

/**
 * Gives the owner of the sandbox a password and an authenticator, so that every proof can be tried; both are known, because the
 * start screen shows them. An owner who has set one up keeps it.
 */
export async function credentialsOfOwner(
  platform: Platform,
  email: string,
  known: Partial<OwnerCredentials> | null,
): Promise<OwnerCredentials> {
  const { owner_password: password, owner_authenticator: secret } = known ?? {};
  const owner = await platform.db.read((tx) => findUserByEmail(tx, email));
  if (owner === null) return NONE;
  if (owner.hasPassword || owner.twoFactor)
    return { owner_password: password ?? null, owner_authenticator: secret ?? null };
  const { random } = platform.ids;
  const fresh = {
    password: base62(random(PASSWORD_BYTES), PASSWORD_DIGITS),
    secret: base62(random(SECRET_BYTES), SECRET_DIGITS),
  };
  await setCredentials(platform, owner.userId, fresh);
  return { owner_password: fresh.password, owner_authenticator: fresh.secret };
}
