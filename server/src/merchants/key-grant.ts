import { ApiError } from '../platform/errors.ts';
import { DEFAULT_SCOPES, type Scope } from './scope.ts';

/** Who makes a key: what they can give it, and with whose membership it ends. */
export interface Giver {
  givable: readonly Scope[];
  /** Null: the operator. */
  userId: string | null;
}

/** What a key may do, and with whose membership it ends (null: the operator makes it). */
export interface KeyGrant {
  scopes: readonly Scope[];
  madeBy: string | null;
}

/**
 * What a new key gets: the scopes wanted, else the default ones that the giver can give. Nobody gives what they may not do
 * themselves: throws 403 `forbidden` naming the scope.
 */
export function grantOf(giver: Giver, wanted?: readonly Scope[]): KeyGrant {
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
  return { scopes, madeBy: userId };
}
