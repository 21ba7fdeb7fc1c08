import { ApiError } from '../platform/errors.ts';
import type { Asked, Platform } from '../platform/platform.ts';
import { HOLD_STATES, type HoldKind } from './hold.ts';
import { endHoldRow, findHolds, insertHold, lockHolds, setNeedsTwo } from './hold-store.ts';
import { recordMerchantChange } from './merchant-changes.ts';
import { readMerchant } from './service.ts';

/** Whose decision it is, and why. */
export interface HoldWord {
  by: string;
  reason: string;
}

/** Gives a merchant a hold; one that stands stays as it is. Returns whether it is new. Throws 404 `not_found`. */
export async function giveHold(
  platform: Platform,
  asked: Asked,
  kind: HoldKind,
  { by, reason }: HoldWord,
): Promise<boolean> {
  const { tx, now, merchantId } = asked;
  await lockHolds(tx);
  await readMerchant(platform, tx, merchantId);
  if ((await findHolds(tx, merchantId))[kind] !== undefined) return false;
  await insertHold(tx, merchantId, kind, { since: now, by, reason });
  await recordMerchantChange(asked, HOLD_STATES[kind].begin, reason);
  return true;
}

/**
 * Holds a merchant's pay-outs until two operators release them: an account was asked for while an owner was a newcomer because
 * operators had let them in again.
 */
export async function holdForTwo(platform: Platform, asked: Asked, word: HoldWord): Promise<void> {
  const { tx, merchantId } = asked;
  await giveHold(platform, asked, 'pay_outs', word);
  await setNeedsTwo(tx, merchantId, 'pay_outs');
}

/**
 * Ends a merchant's hold. Returns false if there is none. Throws 404 `not_found`, 409 `operation_refused` for a hold that only two
 * operators end, unless `areTwo`.
 */
export async function endHold(
  platform: Platform,
  asked: Asked,
  kind: HoldKind,
  { by, reason }: HoldWord,
  areTwo = false,
): Promise<boolean> {
  const { tx, now, merchantId } = asked;
  await readMerchant(platform, tx, merchantId);
  const needsTwo = (await findHolds(tx, merchantId))[kind]?.needsTwo === true;
  if (needsTwo && !areTwo)
    throw new ApiError(
      'operation_refused',
      'An account was asked for soon after operators had let an owner in again: two operators release these pay-outs.',
    );
  if (!(await endHoldRow(tx, merchantId, kind, { at: now, by, reason }))) return false;
  await recordMerchantChange(asked, HOLD_STATES[kind].end, reason);
  return true;
}
