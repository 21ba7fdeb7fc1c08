import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, invalid } from '../../platform/values/errors.ts';
import type { SignedIn, SignInDeps } from './deps.ts';
import { isPassword } from './library/bridge.ts';
import { findUser } from './user-store.ts';

/**
 * Checks a signed-in user's password before an action that a session alone, which may be stolen, must not allow. Every try counts
 * for the session. Throws 400 `invalid_request`, 429 `rate_limit_exceeded`.
 */
export async function askPassword(
  deps: SignInDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { userId, sessionId }: SignedIn,
  password: string,
): Promise<void> {
  await deps.limiter.session(request, reply, sessionId);
  const user = await deps.platform.db.read((tx) => findUser(tx, userId));
  if (user?.hasPassword !== true)
    throw new ApiError(
      'invalid_request',
      'You have not set a password yet. An owner can create a link for you under Settings, Team.',
    );
  if (!(await isPassword(await deps.library(), request, password)))
    throw invalid({ password: 'is not your password' });
}
