import type { Asked, AskedBy, Platform } from '../../platform/platform.ts';
import { actorOf, readActor } from '../../platform/state/actor.ts';
import type { DataOf } from '../../platform/state/events.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { findPerson } from '../../platform/two-people/let-in-store.ts';
import { type Person, whyNoPair, whyNotAsk } from '../../platform/two-people/pair.ts';
import { ApiError, invalid, notFound, orNotFound } from '../../platform/values/errors.ts';
import { isBefore } from '../../platform/values/instants.ts';
import type { MERCHANT_EVENTS } from '../events.ts';
import { lockHolds } from '../holds/hold-store.ts';
import type { Merchant, SettlementAccount } from '../merchant.ts';
import { recordMerchantChange } from '../merchant-changes.ts';
import { normalisedAccount } from '../rules.ts';
import { lockMerchant, lockMerchantRow, updateMerchantRow } from '../store.ts';
import { findMemberPerson } from '../team/person.ts';
import { findMember } from '../team/store.ts';
import { holdAfterChange } from './account-hold.ts';
import { type PayeeCheck, payeeWords } from './payee-check.ts';
import {
  accountWords,
  CHANGE_DELAY,
  isSameAccount,
  lacksSecond,
  maskAccount,
} from './settlement-account.ts';
import {
  type AccountChange,
  endAccountChange,
  findPendingChange,
  insertAccountChange,
} from './settlement-account-store.ts';

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
type AccountChangeStep =
  | 'settlement_account_change_requested'
  | 'settlement_account_change_taken_back'
  | 'settlement_account_changed';

/** Records a turn of a change in the audit trail, and tells all owners by email. */
export async function recordAccountChangeStep(
  { notify }: Platform,
  asked: Asked,
  change: AccountChange,
  to: AccountChangeStep,
  why: string,
): Promise<void> {
  const { merchantId, changeId, oldAccount, newAccount, takesEffectAt, check } = change;
  const checked = check === null ? '' : `; ${payeeWords(check)}`;
  const reason = `from ${accountWords(oldAccount)} to ${accountWords(newAccount)}: ${why}${checked}`;
  await recordMerchantChange(asked, to, reason);
  const facts = {
    old_account: accountWords(oldAccount),
    new_account: accountWords(newAccount),
    takes_effect_at: formatInstant(takesEffectAt),
    ...(lacksSecond(change) ? { condition: 'if a second operator agrees' } : {}),
    ...(check === null ? {} : { name_check: check.result }),
  };
  await notify(asked.tx, asked.now, [{ merchantId, kind: to, causeId: changeId, facts }]);
}

/** Makes a change that takes effect after 24 hours. Throws 400 `invalid_request` if it is the current account. */
export function newChange(
  { ids }: Platform,
  now: Temporal.Instant,
  merchant: Merchant,
  wanted: SettlementAccount,
  { requestedBy, askedById, check }: Pick<AccountChange, 'requestedBy' | 'askedById' | 'check'>,
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
    askedById,
    requestedAt: now,
    takesEffectAt: now.add(CHANGE_DELAY),
    agreedBy: null,
    reason: null,
    check,
    endedBy: null,
    endedAt: null,
  };
}

/**
 * Requests a change to another account, on behalf of an owner who has proved their identity again. It takes effect after 24 hours
 * and replaces an earlier pending change. The fields must have been checked. Throws 400 `invalid_request` if it is the current
 * account, 403 `forbidden` if they are no longer an owner or are a newcomer, 403 `second_factor_required` without one. `check`:
 * what the bank said of the name; whatever it is, it stops nothing.
 */
export async function requestAccountChange(
  platform: Platform,
  asked: AskedBy,
  wanted: SettlementAccount,
  check: PayeeCheck | null,
): Promise<AccountChange> {
  const merchant = await lockedMerchant(platform, asked);
  // Their password was checked meanwhile, which takes time. `endChangeOf` takes the same lock.
  const person = await personWhoAsks(asked);
  const by = actorOf(asked.actorId);
  const who = { requestedBy: by, askedById: person.id, check };
  const change = newChange(platform, asked.now, merchant, wanted, who);
  await endPending(platform, asked, by, `another change was asked for by ${by}`);
  await insertAccountChange(asked.tx, platform.vault, change);
  const when = `in force from ${formatInstant(change.takesEffectAt)}`;
  await recordAccountChangeStep(
    platform,
    asked,
    change,
    'settlement_account_change_requested',
    `by ${by}, ${when}`,
  );
  return change;
}

/** Returns an owner who may ask for another account. Throws as `personWhoDecides`, 403 `forbidden` for a newcomer too. */
export async function personWhoAsks(asked: AskedBy): Promise<Person> {
  const person = await personWhoDecides(asked);
  const problem = whyNotAsk(person, asked.now);
  if (problem !== null) throw new ApiError('forbidden', problem);
  return person;
}

/** Returns an owner who has a second factor, as one of two people. Throws 403 `forbidden`, 403 `second_factor_required`. */
export async function personWhoDecides({ tx, merchantId, actorId }: AskedBy): Promise<Person> {
  const member = await findMember(tx, merchantId, actorId);
  if (member?.role !== 'owner')
    throw new ApiError('forbidden', 'Only an owner can change the settlement account.');
  if (!member.twoFactor)
    throw new ApiError(
      'second_factor_required',
      'The settlement account is changed with a second factor. Set one up first, under Settings, Your security.',
    );
  return findMemberPerson(tx, merchantId, actorId);
}

/** Cancels the pending change of a merchant. Throws 404 `not_found`. */
export async function cancelAccountChange(
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
  await recordAccountChangeStep(
    platform,
    asked,
    pending,
    'settlement_account_change_taken_back',
    why,
  );
}

/**
 * Puts the pending change into force at once, confirmed by a second owner who has proved their identity again. Throws 404
 * `not_found`, 403 `forbidden` if they and whoever asked are no pair (docs/rules/access.md#two-people), 403
 * `second_factor_required`.
 */
export async function confirmAccountChange(
  platform: Platform,
  asked: AskedBy,
  changeId: string,
): Promise<void> {
  await lockHolds(asked.tx);
  const { merchant, pending } = await lockPending(platform, asked, changeId);
  const second = await personWhoDecides(asked);
  const problem = await whyNotConfirm(asked, pending, second);
  if (problem !== null) throw new ApiError('forbidden', problem);
  await activateChange(platform, asked, merchant, pending, actorOf(asked.actorId));
}

/** Returns why this owner cannot put a change into force at once; null: they can. */
export async function whyNotConfirm(
  { tx, now, merchantId }: Asked,
  { requestedBy, requestedAt: askedAt, askedById }: AccountChange,
  second: Person,
): Promise<string | null> {
  if (askedById === null) return 'It is not known who asked for the change: ask for it again.';
  const { type, name } = readActor(requestedBy);
  const isMember = type === 'member';
  if (isMember && (await findMember(tx, merchantId, askedById)) === null)
    return 'Whoever asked for the account is not on the team any more: nobody can agree to it.';
  const asker = isMember
    ? await findMemberPerson(tx, merchantId, askedById)
    : await findPerson(tx, { id: askedById, name }, null);
  return whyNoPair({ asker, askedAt, second, now });
}

/**
 * Puts a due change into force; does nothing if there is none. A change lapses if the member who requested it is no longer an
 * owner, or if an operator requested it and no second one has agreed.
 */
export async function applyDueChange(platform: Platform, asked: Asked): Promise<void> {
  const seen = await findPendingChange(asked.tx, platform.vault, asked.merchantId);
  if (seen === null || isBefore(asked.now, seen.takesEffectAt)) return;
  await lockHolds(asked.tx);
  const merchant = await lockedMerchant(platform, asked);
  const pending = await findPendingChange(asked.tx, platform.vault, asked.merchantId);
  if (pending?.changeId !== seen.changeId) return;
  if (lacksSecond(pending))
    return endPending(platform, asked, 'service', 'no second operator agreed within 24 hours');
  await activateChange(platform, asked, merchant, pending, 'service');
}

async function activateChange(
  platform: Platform,
  asked: Asked,
  merchant: Merchant,
  change: AccountChange,
  by: string,
): Promise<void> {
  const { tx, now } = asked;
  const { oldAccount, newAccount, requestedBy } = change;
  await updateMerchantRow(tx, platform.vault, { ...merchant, settlementAccount: newAccount });
  const data: DataOf<typeof MERCHANT_EVENTS, 'merchant.settlement_account_changed'> = {
    merchant_id: merchant.merchantId,
    old_account: maskAccount(oldAccount),
    new_account: maskAccount(newAccount),
    requested_at: formatInstant(change.requestedAt),
    changed_at: formatInstant(now),
  };
  await endAccountChange(tx, change, {
    status: 'in_force',
    by,
    at: now,
    events: {
      platform,
      about: ({ merchantId }) => ({ merchantId, objectId: merchantId, scheduleId: null }),
      of: () => ({ data }),
    },
  });
  const hasSecond = by !== 'service' || change.agreedBy !== null;
  await holdAfterChange(asked, change, hasSecond);
  const second = change.agreedBy === null ? '' : `, agreed by ${change.agreedBy}`;
  const why = by === 'service' ? '24 hours have passed' : `confirmed by ${by}`;
  const reason = `asked for by ${requestedBy}${second}, ${why}`;
  await recordAccountChangeStep(platform, asked, change, 'settlement_account_changed', reason);
}

/** Cancels the change requested by a member whose power as an owner ends; call it in the transaction that ends the power. */
export async function endChangeOf(
  platform: Platform,
  asked: AskedBy,
  userId: string,
): Promise<void> {
  await lockMerchantRow(asked.tx, asked.merchantId);
  const pending = await findPendingChange(asked.tx, platform.vault, asked.merchantId);
  if (pending?.requestedBy !== actorOf(userId)) return;
  const by = asked.actorId.startsWith('usr_') ? actorOf(asked.actorId) : 'service';
  const why = `${userId} is no owner any more, or got a new way in through somebody else`;
  await endPending(platform, asked, by, why);
}
