import type { FastifyRequest } from 'fastify';
import { ApiError, invalid } from '../../platform/values/errors.ts';
import type { SignedIn, SignInDeps } from './deps.ts';
import { isBackupCode, isCode } from './library/bridge.ts';
import { useCode } from './library/used-code-store.ts';
import { findUser } from './user-store.ts';

const APP_CODE = /^\d{6}$/;

/**
 * Checks a signed-in user's authenticator code or backup code; does nothing if they have no second factor. Each code counts once.
 * Throws 400 `invalid_request`.
 */
export async function askSecondFactor(
  deps: SignInDeps,
  request: FastifyRequest,
  { userId }: Pick<SignedIn, 'userId'>,
  code: string | undefined,
): Promise<void> {
  const user = await deps.platform.db.read((tx) => findUser(tx, userId));
  if (user === null) throw new ApiError('unauthorized', 'Sign in to the dashboard.');
  if (!user.twoFactor) return;
  const bare = code?.replace(/\s/g, '') ?? '';
  if (bare === '') throw invalid({ code: 'is required: a code of your authenticator app' });
  const library = await deps.library();
  const isRight = APP_CODE.test(bare)
    ? (await isCode(library, request, bare)) && (await useCode(deps.platform, userId, bare))
    : await isBackupCode(library, request, bare);
  if (!isRight) throw invalid({ code: 'is not right, or has been used' });
}
