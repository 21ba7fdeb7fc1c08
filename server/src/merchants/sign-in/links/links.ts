import type { Tx } from '../../../platform/db/db.ts';
import type { Platform } from '../../../platform/platform.ts';
import { realNow } from '../../../platform/time/clock.ts';
import { orNotFound } from '../../../platform/values/errors.ts';
import { hashSecret } from '../../../platform/vault/vault.ts';
import { findUserByEmail } from '../user-store.ts';
import {
  type ConsumedLink,
  consumeLink,
  insertLink,
  type LinkCreator,
  type Purpose,
} from './link-store.ts';

/** A link that works once; it is shown only to the person who asked for it. */
export interface Link {
  url: string;
  /** Real time. */
  expiresAt: Temporal.Instant;
}

const SECRET_BYTES = 32;
const LIFETIME = Temporal.Duration.from({ hours: 24 });
/** An email lies about for longer than a link that is handed over. */
const EMAIL_LIFETIME = Temporal.Duration.from({ hours: 1 });

const PATHS: Readonly<Record<Purpose, string>> = {
  sign_in: '/dashboard/auth/sign-in-link',
  set_password: '/dashboard/new-password',
};

async function createLink(
  { ids, config }: Platform,
  tx: Tx,
  userId: string,
  purpose: Purpose,
  maker: LinkCreator | null,
  { byEmail = false, lives = LIFETIME }: { byEmail?: boolean; lives?: Temporal.Duration } = {},
): Promise<Link> {
  const token = ids.random(SECRET_BYTES).toString('base64url');
  const expiresAt = realNow().add(lives);
  await insertLink(
    tx,
    { tokenHash: hashSecret(token), userId, purpose, expiresAt, byEmail },
    maker,
  );
  return { url: `${config.baseUrl}${PATHS[purpose]}?token=${token}`, expiresAt };
}

/**
 * Creates a link that opens a session, once, within 24 hours. It requires no second factor: only the person who runs the machine
 * can make one, on the command line or at the start of the sandbox, and they could read the database as well. It is also the way
 * back in for an owner who has lost every factor. Needs the engine's role. Throws 404 `not_found`.
 */
export async function createSignInLink(platform: Platform, tx: Tx, email: string): Promise<Link> {
  const user = orNotFound(await findUserByEmail(tx, email), 'user');
  return createLink(platform, tx, user.userId, 'sign_in', null);
}

/**
 * Creates a link to a page that sets a new password, once, within 24 hours. A second factor is still required. A link that an
 * owner made for a member works only while that owner could make it; `maker` null: the operator.
 */
export function createPasswordLink(
  platform: Platform,
  tx: Tx,
  userId: string,
  maker: LinkCreator | null = null,
): Promise<Link> {
  return createLink(platform, tx, userId, 'set_password', maker);
}

/** Creates a link to set a new password, once, within an hour, for an email to the user. */
export function createEmailedLink(platform: Platform, tx: Tx, userId: string): Promise<Link> {
  const options = { byEmail: true, lives: EMAIL_LIFETIME };
  return createLink(platform, tx, userId, 'set_password', null, options);
}

/** Creates a link to set a new password, once, within 24 hours, for an email to a user whom two operators reset. */
export function createResetLink(platform: Platform, tx: Tx, userId: string): Promise<Link> {
  return createLink(platform, tx, userId, 'set_password', null, { byEmail: true });
}

/** Uses up a link. Returns its user; null if it was used, has expired, has another purpose or never existed. */
export function redeemLink(tx: Tx, token: string, purpose: Purpose): Promise<ConsumedLink | null> {
  return consumeLink(tx, hashSecret(token), purpose, realNow());
}
