import type { Asked, Platform } from '../../platform/platform.ts';
import { operatorActor, readActor } from '../../platform/state/actor.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { findPerson } from '../../platform/two-people/let-in-store.ts';
import { shellId, whyNoPair, whyNotAsk } from '../../platform/two-people/pair.ts';
import { ApiError } from '../../platform/values/errors.ts';
import type { SettlementAccount } from '../merchant.ts';
import { recordMerchantChange } from '../merchant-changes.ts';
import type { PayeeCheck } from './payee-check.ts';
import { isByOperator, isSameAccount } from './settlement-account.ts';
import {
  endPending,
  lockedMerchant,
  lockPending,
  newChange,
  recordAccountChangeStep,
} from './settlement-account-service.ts';
import {
  type AccountChange,
  findMerchantsWithChangeBy,
  findPendingChange,
  insertAccountChange,
  setAgreed,
} from './settlement-account-store.ts';

/** Who decides for the service, and why. */
export interface OperatorDecision {
  /** `opr_…` */
  id: string;
  by: string;
  reason: string;
}

/**
 * Requests a change of account as an operator. It takes effect after 24 hours if a second operator has agreed by
 * then, or at once where an owner confirms, and lapses otherwise; it replaces an earlier pending change. The
 * fields must have been checked. Throws 400 `invalid_request` if it is the current account, 403 `forbidden` for a
 * newcomer, 404 `not_found`, 409 `operation_refused` if an operator has asked for it. `check`: as in `requestAccountChange`.
 */
export async function requestAsOperator(
  platform: Platform,
  asked: Asked,
  wanted: SettlementAccount,
  { id, by, reason }: OperatorDecision,
  check: PayeeCheck | null,
): Promise<AccountChange> {
  const merchant = await lockedMerchant(platform, asked);
  const actor = operatorActor(by);
  await refuseNewOperator(asked, { id, name: by });
  const who = { requestedBy: actor, askedById: id, check };
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
  await recordAccountChangeStep(
    platform,
    asked,
    change,
    'settlement_account_change_requested',
    why,
  );
  return change;
}

/** Throws 403 `forbidden` for an operator whom somebody has just let in. */
export async function refuseNewOperator(
  { tx, now }: Pick<Asked, 'tx' | 'now'>,
  operator: { id: string; name: string },
): Promise<void> {
  const tooNew = whyNotAsk(await findPerson(tx, operator), now);
  if (tooNew !== null) throw new ApiError('forbidden', tooNew);
}

/**
 * Agrees, as a second operator, with a change that another one requested; once somebody has agreed, it changes
 * nothing. Throws 404 `not_found`, 409 `operation_refused` for whoever is no second person beside the first, and
 * for a change of an owner.
 */
export async function agreeAsOperator(
  platform: Platform,
  asked: Asked,
  changeId: string,
  { id, by, reason }: OperatorDecision,
): Promise<void> {
  const { tx, now } = asked;
  const { pending } = await lockPending(platform, asked, changeId);
  if (!isByOperator(pending))
    throw new ApiError(
      'operation_refused',
      'An owner asked for the change: operators have no say in it.',
    );
  const { name } = readActor(pending.requestedBy);
  const asking = { id: pending.askedById ?? shellId(name), name };
  const asker = await findPerson(tx, asking);
  const second = await findPerson(tx, { id, name: by });
  const problem = whyNoPair({ asker, askedAt: pending.requestedAt, second, now });
  if (problem !== null) throw new ApiError('operation_refused', problem);
  if (pending.agreedBy !== null) return;
  await setAgreed(asked.tx, pending, operatorActor(by));
  await recordMerchantChange(asked, 'settlement_account_change_agreed', reason);
}

/** Cancels the pending change of a merchant, whoever requested it. Throws 404 `not_found`. */
export async function cancelChangeAsOperator(
  platform: Platform,
  asked: Asked,
  changeId: string,
  { by, reason }: Omit<OperatorDecision, 'id'>,
): Promise<void> {
  await lockPending(platform, asked, changeId);
  const actor = operatorActor(by);
  await endPending(platform, asked, actor, `taken back by ${actor}: ${reason}`);
}

/** Cancels the pending changes that an operator requested or agreed with, because their power ends: `why` says how. */
export async function endChangesOfOperator(
  platform: Platform,
  { tx, now }: Omit<Asked, 'merchantId'>,
  operator: { id: string; name: string },
  { by, why }: { by: string; why: string },
): Promise<void> {
  const actor = operatorActor(operator.name);
  for (const merchantId of await findMerchantsWithChangeBy(tx, operator.id, actor)) {
    const asked = { tx, now, merchantId };
    await lockedMerchant(platform, asked);
    const pending = await findPendingChange(tx, platform.vault, merchantId);
    if (pending?.askedById !== operator.id && pending?.agreedBy !== actor) continue;
    await endPending(platform, asked, operatorActor(by), `${actor} ${why}`);
  }
}
