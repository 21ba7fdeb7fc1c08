import { actorOf, recordChanges } from '../platform/audit-trail.ts';
import { formatInstant } from '../platform/calendar.ts';
import type { Tx } from '../platform/db.ts';
import { ApiError, invalid, notFound } from '../platform/errors.ts';
import { appendEvents, type DataOf } from '../platform/events.ts';
import type { Platform, Work } from '../platform/platform.ts';
import type { MERCHANT_EVENTS } from './events.ts';
import type { Merchant, SettlementAccount } from './merchant.ts';
import { normalisedAccount } from './rules.ts';
import {
  accountWords,
  CHANGE_DELAY,
  isSameAccount,
  maskAccount,
  whyNotConfirm,
} from './settlement-account.ts';
import {
  type AccountChange,
  endAccountChange,
  findPendingChange,
  insertAccountChange,
} from './settlement-account-store.ts';
import { lockMerchant, updateMerchantRow } from './store.ts';
import { findMemberPower } from './team/store.ts';

/** Who acts: the merchant, and a member of its team by id. */
interface Owner {
  merchantId: string;
  actorId: string;
}

async function lockedMerchant(platform: Platform, tx: Tx, merchantId: string): Promise<Merchant> {
  const merchant = await lockMerchant(tx, platform.vault, merchantId);
  if (merchant === null) throw notFound('merchant');
  return merchant;
}

async function record(
  tx: Tx,
  now: Temporal.Instant,
  change: AccountChange,
  to: string,
  why: string,
): Promise<void> {
  const { merchantId, oldAccount, newAccount } = change;
  const reason = `from ${accountWords(oldAccount)} to ${accountWords(newAccount)}: ${why}`;
  await recordChanges(tx, now, [
    { merchantId, objectId: merchantId, scheduleId: null, from: null, to, reason },
  ]);
}

function newChange(
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
    requestedAt: now,
    takesEffectAt: now.add(CHANGE_DELAY),
    endedBy: null,
    endedAt: null,
  };
}

/**
 * Requests a change to another account, on behalf of an owner who has proved their identity again. It takes effect after 24 hours
 * and replaces an earlier pending change. The fields must have been checked. Throws 400 `invalid_request` if it is the current
 * account.
 */
export async function requestAccountChange(
  work: Work,
  owner: Owner,
  wanted: SettlementAccount,
): Promise<AccountChange> {
  const merchant = await lockedMerchant(work.platform, work.tx, owner.merchantId);
  const by = actorOf(owner.actorId);
  const change = newChange(work.platform, work.now, merchant, wanted, by);
  await endPending(work, owner.merchantId, by, `another change was asked for by ${by}`);
  await insertAccountChange(work.tx, work.platform.vault, change);
  const when = `in force from ${formatInstant(change.takesEffectAt)}`;
  await record(
    work.tx,
    work.now,
    change,
    'settlement_account_change_requested',
    `by ${by}, ${when}`,
  );
  return change;
}

/** Cancels the pending change of a merchant. Throws 404 `not_found`. */
export async function takeBackAccountChange(
  work: Work,
  owner: Owner,
  changeId: string,
): Promise<void> {
  await lockedMerchant(work.platform, work.tx, owner.merchantId);
  const pending = await findPendingChange(work.tx, work.platform.vault, owner.merchantId);
  if (pending?.changeId !== changeId) throw notFound('pending change');
  const by = actorOf(owner.actorId);
  await endPending(work, owner.merchantId, by, `taken back by ${by}`);
}

async function endPending(
  { platform: { vault }, tx, now }: Work,
  merchantId: string,
  by: string,
  why: string,
): Promise<void> {
  const pending = await findPendingChange(tx, vault, merchantId);
  if (pending === null) return;
  await endAccountChange(tx, pending, { status: 'taken_back', by, at: now });
  await record(tx, now, pending, 'settlement_account_change_taken_back', why);
}

/**
 * Puts the pending change into force at once, confirmed by a second owner who has proved their identity again. Throws 404
 * `not_found`, and 403 `forbidden` if they do not count as a second owner.
 */
export async function confirmAccountChange(
  work: Work,
  owner: Owner,
  changeId: string,
): Promise<void> {
  const merchant = await lockedMerchant(work.platform, work.tx, owner.merchantId);
  const pending = await findPendingChange(work.tx, work.platform.vault, owner.merchantId);
  if (pending?.changeId !== changeId) throw notFound('pending change');
  const member = await findMemberPower(work.tx, owner.merchantId, owner.actorId);
  if (member === null) throw notFound('member');
  const actor = actorOf(owner.actorId);
  const problem = whyNotConfirm(pending, { actor, ...member }, work.now);
  if (problem !== null) throw new ApiError('forbidden', problem);
  await putIntoForce(work, merchant, pending, actor);
}

/**
 * Puts a due change into force; does nothing if there is none. A change lapses if the member who requested it is no longer an
 * owner.
 */
export async function applyDueChange(work: Work, merchantId: string): Promise<void> {
  const seen = await findPendingChange(work.tx, work.platform.vault, merchantId);
  if (seen === null || Temporal.Instant.compare(work.now, seen.takesEffectAt) < 0) return;
  const merchant = await lockedMerchant(work.platform, work.tx, merchantId);
  const pending = await findPendingChange(work.tx, work.platform.vault, merchantId);
  if (pending?.changeId !== seen.changeId) return;
  await putIntoForce(work, merchant, pending, 'service');
}

async function putIntoForce(
  work: Work,
  merchant: Merchant,
  change: AccountChange,
  by: string,
): Promise<void> {
  const { oldAccount, newAccount, requestedBy } = change;
  await updateMerchantRow(work.tx, work.platform.vault, {
    ...merchant,
    settlementAccount: newAccount,
  });
  await endAccountChange(work.tx, change, { status: 'in_force', by, at: work.now });
  const why = by === 'service' ? '24 hours have passed' : `confirmed by ${by}`;
  await record(
    work.tx,
    work.now,
    change,
    'settlement_account_changed',
    requestedBy === by ? `by ${by}` : `asked for by ${requestedBy}, ${why}`,
  );
  const data: DataOf<typeof MERCHANT_EVENTS, 'merchant.settlement_account_changed'> = {
    merchant_id: merchant.merchantId,
    old_account: maskAccount(oldAccount),
    new_account: maskAccount(newAccount),
    requested_at: formatInstant(change.requestedAt),
    changed_at: formatInstant(work.now),
  };
  await appendEvents(work.tx, work.platform, work.now, [
    {
      merchantId: merchant.merchantId,
      kind: 'merchant.settlement_account_changed',
      scheduleId: null,
      subjectId: merchant.merchantId,
      data,
    },
  ]);
}

/** Changes the account at once, for the operator, and cancels a pending change. The fields must have been checked. */
export async function setAccountAtOnce(
  work: Work,
  merchantId: string,
  wanted: SettlementAccount,
  operator: string,
): Promise<AccountChange> {
  const merchant = await lockedMerchant(work.platform, work.tx, merchantId);
  const change = {
    ...newChange(work.platform, work.now, merchant, wanted, operator),
    takesEffectAt: work.now,
  };
  await endPending(work, merchantId, operator, `the operator changed the account`);
  await insertAccountChange(work.tx, work.platform.vault, change);
  await putIntoForce(work, merchant, change, operator);
  return change;
}

/** Cancels the change requested by a member who is no longer an owner. */
export async function endChangeOf(work: Work, actor: Owner, userId: string): Promise<void> {
  const pending = await findPendingChange(work.tx, work.platform.vault, actor.merchantId);
  if (pending?.requestedBy !== actorOf(userId)) return;
  const by = actorOf(actor.actorId);
  await endPending(work, actor.merchantId, by, `${userId} is no owner any more`);
}
