import { actorOf } from '../platform/actor.ts';
import { formatInstant } from '../platform/calendar.ts';
import { ApiError, invalid, notFound, orNotFound } from '../platform/errors.ts';
import { appendEvents, type DataOf } from '../platform/events.ts';
import type { Asked, AskedBy, Platform } from '../platform/platform.ts';
import type { MERCHANT_EVENTS } from './events.ts';
import { holdAfterReset } from './hold-after-reset.ts';
import type { Merchant, SettlementAccount } from './merchant.ts';
import { recordMerchantChange } from './merchant-changes.ts';
import { normalisedAccount } from './rules.ts';
import {
  accountWords,
  CHANGE_DELAY,
  isSameAccount,
  lacksSecond,
  maskAccount,
  whyNotConfirm,
} from './settlement-account.ts';
import {
  type AccountChange,
  endAccountChange,
  findPendingChange,
  insertAccountChange,
} from './settlement-account-store.ts';
import { holdMerchant, lockMerchant, updateMerchantRow } from './store.ts';
import { findMemberPower } from './team/store.ts';

/** Locks and returns the merchant. Throws 404 `not_found`. */
export async function lockedMerchant(
  { vault }: Platform,
  { tx, merchantId }: Asked,
): Promise<Merchant> {
  return orNotFound(await lockMerchant(tx, vault, merchantId), 'merchant');
}

/** Locks and returns the merchant with its pending change. Throws 404 `not_found` if another change, or none, is pending. */
export async function lockPending(
  platform: Platform,
  asked: Asked,
  changeId: string,
): Promise<{ merchant: Merchant; pending: AccountChange }> {
  const merchant = await lockedMerchant(platform, asked);
  const pending = await findPendingChange(asked.tx, platform.vault, asked.merchantId);
  if (pending?.changeId !== changeId) throw notFound('pending change');
  return { merchant, pending };
}

/** What the audit trail and the owners' notice call it. */
type Turn =
  | 'settlement_account_change_requested'
  | 'settlement_account_change_taken_back'
  | 'settlement_account_changed';

/** Records a turn of a change in the audit trail, and tells all owners by email. */
export async function recordTurn(
  { notify }: Platform,
  asked: Asked,
  change: AccountChange,
  to: Turn,
  why: string,
): Promise<void> {
  const { merchantId, changeId, oldAccount, newAccount, takesEffectAt } = change;
  const reason = `from ${accountWords(oldAccount)} to ${accountWords(newAccount)}: ${why}`;
  await recordMerchantChange(asked, to, reason);
  const facts = {
    old_account: accountWords(oldAccount),
    new_account: accountWords(newAccount),
    takes_effect_at: formatInstant(takesEffectAt),
    ...(lacksSecond(change) ? { condition: 'if a second operator agrees' } : {}),
  };
  await notify(asked.tx, asked.now, [{ merchantId, kind: to, causeId: changeId, facts }]);
}

/** Makes a change that takes effect after 24 hours. Throws 400 `invalid_request` if it is the current account. */
export function newChange(
  { ids }: Platform,
  now: Temporal.Instant,
  merchant: Merchant,
  wanted: SettlementAccount,
  requestedBy: string,
): AccountChange {
  const newAccount = normalisedAccount(wanted);
  if (isSameAccount(newAccount, merchant.settlementAccount))
    throw invalid({ settlement_account: 'is the account that settlements go to already' });
  return {
    merchantId: merchant.merchantId,
    changeId: ids.next('sac', now),
    status: 'pending',
    oldAccount: merchant.settlementAccount,
    newAccount,
    requestedBy,
    askedById: null,
    requestedAt: now,
    takesEffectAt: now.add(CHANGE_DELAY),
    agreedBy: null,
    reason: null,
    endedBy: null,
    endedAt: null,
  };
}

/**
 * Requests a change to another account, on behalf of an owner who has proved their identity again. It takes effect after 24 hours
 * and replaces an earlier pending change. The fields must have been checked. Throws 400 `invalid_request` if it is the current
 * account, 403 `forbidden` if they are no longer an owner.
 */
export async function requestAccountChange(
  platform: Platform,
  asked: AskedBy,
  wanted: SettlementAccount,
): Promise<AccountChange> {
  await holdAfterReset(platform, asked);
  const merchant = await lockedMerchant(platform, asked);
  // Their password was checked meanwhile, which takes time. `endChangeOf` takes the same lock.
  const member = await findMemberPower(asked.tx, asked.merchantId, asked.actorId);
  if (member?.role !== 'owner')
    throw new ApiError('forbidden', 'Only an owner can change the settlement account.');
  const by = actorOf(asked.actorId);
  const change = newChange(platform, asked.now, merchant, wanted, by);
  await endPending(platform, asked, by, `another change was asked for by ${by}`);
  await insertAccountChange(asked.tx, platform.vault, change);
  const when = `in force from ${formatInstant(change.takesEffectAt)}`;
  await recordTurn(
    platform,
    asked,
    change,
    'settlement_account_change_requested',
    `by ${by}, ${when}`,
  );
  return change;
}

/** Cancels the pending change of a merchant. Throws 404 `not_found`. */
export async function takeBackAccountChange(
  platform: Platform,
  asked: AskedBy,
  changeId: string,
): Promise<void> {
  await lockPending(platform, asked, changeId);
  const by = actorOf(asked.actorId);
  await endPending(platform, asked, by, `taken back by ${by}`);
}

/** Cancels the pending change of a merchant whose row is locked, if there is one. */
export async function endPending(
  platform: Platform,
  asked: Asked,
  by: string,
  why: string,
): Promise<void> {
  const pending = await findPendingChange(asked.tx, platform.vault, asked.merchantId);
  if (pending === null) return;
  await endAccountChange(asked.tx, pending, { status: 'taken_back', by, at: asked.now });
  await recordTurn(platform, asked, pending, 'settlement_account_change_taken_back', why);
}

/**
 * Puts the pending change into force at once, confirmed by a second owner who has proved their identity again. Throws 404
 * `not_found`, and 403 `forbidden` if they do not count as a second owner.
 */
export async function confirmAccountChange(
  platform: Platform,
  asked: AskedBy,
  changeId: string,
): Promise<void> {
  const { merchant, pending } = await lockPending(platform, asked, changeId);
  const member = await findMemberPower(asked.tx, asked.merchantId, asked.actorId);
  if (member === null) throw notFound('member');
  const actor = actorOf(asked.actorId);
  const problem = whyNotConfirm(pending, { actor, ...member }, asked.now);
  if (problem !== null) throw new ApiError('forbidden', problem);
  await putIntoForce(platform, asked, merchant, pending, actor);
}

/**
 * Puts a due change into force; does nothing if there is none. A change lapses if the member who requested it is no longer an
 * owner, or if an operator requested it and no second one has agreed.
 */
export async function applyDueChange(platform: Platform, asked: Asked): Promise<void> {
  const seen = await findPendingChange(asked.tx, platform.vault, asked.merchantId);
  if (seen === null || Temporal.Instant.compare(asked.now, seen.takesEffectAt) < 0) return;
  const merchant = await lockedMerchant(platform, asked);
  const pending = await findPendingChange(asked.tx, platform.vault, asked.merchantId);
  if (pending?.changeId !== seen.changeId) return;
  if (lacksSecond(pending))
    return endPending(platform, asked, 'service', 'no second operator agreed within 24 hours');
  await putIntoForce(platform, asked, merchant, pending, 'service');
}

async function putIntoForce(
  platform: Platform,
  asked: Asked,
  merchant: Merchant,
  change: AccountChange,
  by: string,
): Promise<void> {
  const { tx, now } = asked;
  const { oldAccount, newAccount, requestedBy } = change;
  await updateMerchantRow(tx, platform.vault, { ...merchant, settlementAccount: newAccount });
  await endAccountChange(tx, change, { status: 'in_force', by, at: now });
  const second = change.agreedBy === null ? '' : `, agreed by ${change.agreedBy}`;
  const why = by === 'service' ? '24 hours have passed' : `confirmed by ${by}`;
  const reason = `asked for by ${requestedBy}${second}, ${why}`;
  await recordTurn(platform, asked, change, 'settlement_account_changed', reason);
  const data: DataOf<typeof MERCHANT_EVENTS, 'merchant.settlement_account_changed'> = {
    merchant_id: merchant.merchantId,
    old_account: maskAccount(oldAccount),
    new_account: maskAccount(newAccount),
    requested_at: formatInstant(change.requestedAt),
    changed_at: formatInstant(now),
  };
  await appendEvents(tx, platform, now, [
    {
      merchantId: merchant.merchantId,
      kind: 'merchant.settlement_account_changed',
      scheduleId: null,
      subjectId: merchant.merchantId,
      data,
    },
  ]);
}

/** Cancels the change requested by a member whose power as an owner ends; call it in the transaction that ends the power. */
export async function endChangeOf(
  platform: Platform,
  asked: AskedBy,
  userId: string,
): Promise<void> {
  await holdMerchant(asked.tx, asked.merchantId);
  const pending = await findPendingChange(asked.tx, platform.vault, asked.merchantId);
  if (pending?.requestedBy !== actorOf(userId)) return;
  const by = actorOf(asked.actorId);
  await endPending(platform, asked, by, `${userId} is no owner any more`);
}
