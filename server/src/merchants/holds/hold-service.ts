import type { Asked, Platform } from '../../platform/platform.ts';
import { recordMerchantChange } from '../merchant-changes.ts';
import { readMerchant } from '../service.ts';
import { HOLD_STATES, type HoldKind } from './hold.ts';
import { endHoldRow, findHolds, insertHold, lockHolds } from './hold-store.ts';

/** Whose decision it is, and why. */
export interface HoldDecision {
  by: string;
  reason: string;
}

/** Gives a merchant a hold; one that stands stays as it is. Returns whether it is new. Throws 404 `not_found`. */
export async function placeHold(
  platform: Platform,
  asked: Asked,
  kind: HoldKind,
  { by, reason }: HoldDecision,
): Promise<boolean> {
  const { tx, now, merchantId } = asked;
  await lockHolds(tx);
  await readMerchant(platform, tx, merchantId);
  if ((await findHolds(tx, merchantId))[kind] !== undefined) return false;
  await insertHold(tx, merchantId, kind, { since: now, by, reason, endsAt: null });
  await recordMerchantChange(asked, HOLD_STATES[kind].begin, reason);
  return true;
}

/** Ends a merchant's hold. Returns false if there is none. Throws 404 `not_found`. */
export async function endHold(
  platform: Platform,
  asked: Asked,
  kind: HoldKind,
  { by, reason }: HoldDecision,
): Promise<boolean> {
  const { tx, now, merchantId } = asked;
  await readMerchant(platform, tx, merchantId);
  if (!(await endHoldRow(tx, merchantId, kind, { at: now, by, reason }))) return false;
  await recordMerchantChange(asked, HOLD_STATES[kind].end, reason);
  return true;
}
