import type { Scope } from '../../platform/http/calls/access.ts';
import { ApiError, invalid } from '../../platform/values/errors.ts';
import { DEFAULT_SCOPES } from '../scope.ts';
import type { KeyLimits } from './key-limits.ts';

/** The creator of a key: the scopes they can grant, and the member with whose membership the key ends. */
export interface KeyCreator {
  givable: readonly Scope[];
  /** Null: the operator. */
  userId: string | null;
}

/** What a key may do, and with whose membership it ends (null: the operator made it). */
export interface KeyGrant {
  scopes: readonly Scope[];
  madeBy: string | null;
  /** The ranges of addresses that it may be used from; null: anywhere. */
  allowedIps: readonly string[] | null;
  /** What it may do on its own; null: all that its scopes allow. With an id, those of the key that it replaces. */
  limits?: RequestedLimits | KeyLimits | null;
}

/** Limits that are asked for. */
export type RequestedLimits = Pick<KeyLimits, 'perActPence' | 'perDayPence'>;

/**
 * Returns the grant of a new key: the scopes asked for, else the default scopes that the giver can grant. A giver cannot grant a
 * scope they do not have: throws 403 `forbidden` naming it.
 */
export function grantOf(
  giver: KeyCreator,
  wanted: readonly Scope[] | undefined,
  allowedIps: KeyGrant['allowedIps'],
): KeyGrant {
  const { givable, userId } = giver;
  const scopes = wanted ?? DEFAULT_SCOPES.filter((scope) => givable.includes(scope));
  const missing = scopes.find((scope) => !givable.includes(scope));
  if (missing !== undefined)
    throw new ApiError(
      'forbidden',
      `You cannot make a key with the scope "${missing}": you may not do that yourself.`,
    );
  if (scopes.length === 0)
    throw new ApiError('forbidden', 'You can give a key none of the default scopes: name some.');
  return { scopes, madeBy: userId, allowedIps };
}

/** Throws 400 for limits of a key that could make another one without them. */
export function refuseUselessLimits(
  scopes: readonly Scope[],
  limits: RequestedLimits | null | undefined,
): void {
  if (limits && scopes.includes('keys'))
    throw invalid({
      limits: 'cannot be set for a key with the scope "keys", which could make one without limits',
    });
}
