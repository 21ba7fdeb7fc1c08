import { operatorActor, readActor } from '../platform/actor.ts';
import { formatInstant } from '../platform/calendar.ts';
import { ApiError } from '../platform/errors.ts';
import type { Asked, Platform } from '../platform/platform.ts';
import type { SettlementAccount } from './merchant.ts';
import { recordMerchantChange } from './merchant-changes.ts';
import { isByOperator, isSameAccount, whyNotAgree } from './settlement-account.ts';
import {
  endPending,
  lockedMerchant,
  lockPending,
  newChange,
  recordTurn,
} from './settlement-account-service.ts';
import {
  type AccountChange,
  findMerchantsWithChangeBy,
  findPendingChange,
  insertAccountChange,
  setAgreed,
} from './settlement-account-store.ts';
import { letterId } from './team/person.ts';

/** An operator's name, and why they decide. */
export interface OperatorWord {
  by: string;
  reason: string;
  /** They do not count as a second person yet. */
  isTooNew?: boolean;
}

/**
 * Requests a change of account as an operator. It takes effect after 24 hours if a second operator has agreed by then, or at once
 * where an owner confirms, and lapses otherwise; it replaces an earlier pending change. The fields must have been checked. Throws
 * 400 `invalid_request` if it is the current account, 404 `not_found`, 409 `operation_refused` if an operator has asked for it.
 */
export async function requestAsOperator(
  platform: Platform,
  asked: Asked,
  wanted: SettlementAccount,
  { by, reason }: OperatorWord,
): Promise<AccountChange> {
  const merchant = await lockedMerchant(platform, asked);
  const actor = operatorActor(by);
  const who = { requestedBy: actor, askedById: letterId(actor) };
  const change = { ...newChange(platform, asked.now, merchant, wanted, who), reason };
  const pending = await findPendingChange(asked.tx, platform.vault, asked.merchantId);
  if (
    pending !== null &&
    isByOperator(pending) &&
    isSameAccount(pending.newAccount, change.newAccount)
  )
    throw new ApiError(
      'operation_refused',
      `${readActor(pending.requestedBy).name} asked for this account already: a second operator has to agree with ${pending.changeId}.`,
    );
  await endPending(platform, asked, actor, `another change was asked for by ${actor}`);
  await insertAccountChange(asked.tx, platform.vault, change);
  const why = `by ${actor}, in force from ${formatInstant(change.takesEffectAt)} if a second operator agrees: ${reason}`;
  await recordTurn(platform, asked, change, 'settlement_account_change_requested', why);
  return change;
}

/**
 * Agrees, as a second operator, with a change that another one requested; once somebody has agreed, it changes nothing. Throws
 * 404 `not_found`, 409 `operation_refused` for who requested it, for one who is too new, and for a change of an owner.
 */
export async function agreeAsOperator(
  platform: Platform,
  asked: Asked,
  changeId: string,
  { by, reason, isTooNew = false }: OperatorWord,
): Promise<void> {
  const { pending } = await lockPending(platform, asked, changeId);
  const problem = whyNotAgree(pending, { name: by, isTooNew });
  if (problem !== null) throw new ApiError('operation_refused', problem);
  if (pending.agreedBy !== null) return;
  await setAgreed(asked.tx, pending, operatorActor(by));
  await recordMerchantChange(asked, 'settlement_account_change_agreed', reason);
}

/** Cancels the pending change of a merchant, whoever requested it. Throws 404 `not_found`. */
export async function takeBackAsOperator(
  platform: Platform,
  asked: Asked,
  changeId: string,
  { by, reason }: OperatorWord,
): Promise<void> {
  await lockPending(platform, asked, changeId);
  const actor = operatorActor(by);
  await endPending(platform, asked, actor, `taken back by ${actor}: ${reason}`);
}

/** Cancels the pending changes that an operator requested or agreed with, because they are removed by another one. */
export async function endChangesOfOperator(
  platform: Platform,
  { tx, now }: Omit<Asked, 'merchantId'>,
  operator: string,
  removedBy: string,
): Promise<void> {
  const actor = operatorActor(operator);
  for (const merchantId of await findMerchantsWithChangeBy(tx, actor)) {
    const asked = { tx, now, merchantId };
    await lockedMerchant(platform, asked);
    const pending = await findPendingChange(tx, platform.vault, merchantId);
    if (pending?.requestedBy !== actor && pending?.agreedBy !== actor) continue;
    await endPending(platform, asked, operatorActor(removedBy), `${actor} was removed`);
  }
}
