import type { Asked } from '../../platform/platform.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { isAfter } from '../../platform/values/instants.ts';
import { HOLD_STATES } from '../holds/hold.ts';
import { endHoldRow, findHolds, insertHold, setHoldEnd } from '../holds/hold-store.ts';
import { recordMerchantChange } from '../merchant-changes.ts';
import { hasOwnerInDoubt } from '../team/store.ts';
import { HELD_AFTER_ASKING } from './settlement-account.ts';
import type { AccountChange } from './settlement-account-store.ts';

const KIND = 'account_changed';
const PLACED_BY = 'service';

/**
 * Holds the pay-outs, or releases them, when a change of the account comes into force: docs/rules/holds.md#a-new-account. After
 * one person alone they wait until 72 hours after it was asked for; where the account
 * of an owner had just been reset, until two operators release them. The caller has taken the lock of holds before any row.
 */
export async function holdAfterChange(
  asked: Asked,
  { requestedAt }: Pick<AccountChange, 'requestedAt'>,
  isByPair: boolean,
): Promise<void> {
  const { tx, now, merchantId } = asked;
  const isInDoubt = await hasOwnerInDoubt(tx, merchantId, requestedAt);
  const endsAt = isInDoubt ? null : requestedAt.add(HELD_AFTER_ASKING);
  const { [KIND]: standing } = await findHolds(tx, merchantId);
  const mustWait = isInDoubt || !isByPair;
  if (!mustWait || (endsAt !== null && !isAfter(endsAt, now))) {
    if (standing !== undefined && standing.endsAt !== null && isByPair)
      await endAccountHold(asked, 'two owners agreed on the account');
    return;
  }
  const reason = isInDoubt
    ? 'account_changed: the account of an owner had just been reset'
    : `account_changed: one owner alone asked for it at ${formatInstant(requestedAt)}`;
  if (standing?.endsAt === null) return;
  if (standing !== undefined && (await setHoldEnd(tx, merchantId, KIND, endsAt))) return;
  await insertHold(tx, merchantId, KIND, { since: now, by: PLACED_BY, reason, endsAt });
  await recordMerchantChange(asked, HOLD_STATES[KIND].begin, reason);
}

/** Ends the hold after a change of the account. Returns false if there is none. */
export async function endAccountHold(asked: Asked, why: string): Promise<boolean> {
  const { tx, now, merchantId } = asked;
  const end = { at: now, by: PLACED_BY, reason: why };
  if (!(await endHoldRow(tx, merchantId, KIND, end))) return false;
  await recordMerchantChange(asked, HOLD_STATES[KIND].end, why);
  return true;
}
