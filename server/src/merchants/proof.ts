import type { Scope } from '../platform/http/calls/access.ts';
import type { Caller } from '../platform/http/calls/route.ts';
import { ApiError } from '../platform/values/errors.ts';
import { DEFAULT_SCOPES } from './scope.ts';

/** What moves money or hands out further power: a key that may do it is given to nobody by a session alone. */
const SENSITIVE_SCOPES: readonly Scope[] = ['merchant', 'payments', 'keys'];

/** Whether a key with these scopes is given only to a member who proves who they are. */
export const isStrong = (scopes: readonly Scope[] = DEFAULT_SCOPES): boolean =>
  scopes.some((scope) => SENSITIVE_SCOPES.includes(scope));

/**
 * Throws 403 `proof_required` for a member who has not proved within the last five minutes, with password and second factor, who
 * they are. API keys prove nothing: a key that may do it was given by somebody who did.
 */
export function requireProof({ hasProved }: Pick<Caller, 'hasProved'>): void {
  if (hasProved !== false) return;
  throw new ApiError(
    'proof_required',
    'Enter your password, and your code if you have a second factor, to do this.',
  );
}
