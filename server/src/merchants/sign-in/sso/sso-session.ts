import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../platform/values/errors.ts';
import type { LimitedSession } from '../../team/access-store.ts';
import { SIGN_IN_PATH } from '../settings.ts';

/** What a session of single sign-on may call: what shows it, what ends it, and what opens another. */
const ALLOWED = [
  '/get-session',
  '/sign-out',
  '/sign-in/email',
  '/sign-in-link',
  '/two-factor/verify-',
  '/passkey/generate-authenticate-options',
  '/passkey/verify-authentication',
  '/password',
  '/forgotten-password',
  '/invitation',
  '/sso/',
];

/**
 * Throws 403 `forbidden` if a session that a team's identity provider opened reaches for what belongs to the user alone:
 * password, second factor, passkeys, other sessions. A provider must not get at what opens the user's other teams.
 */
export function refuseSsoSession(request: FastifyRequest, session: LimitedSession | null): void {
  if (session === null || session.ssoMerchantId === null) return;
  const path = request.url.slice(request.url.indexOf(SIGN_IN_PATH) + SIGN_IN_PATH.length);
  if (ALLOWED.some((allowed) => path.startsWith(allowed))) return;
  throw new ApiError(
    'forbidden',
    'You signed in through your team’s identity provider. Sign in with your password to do this.',
  );
}
