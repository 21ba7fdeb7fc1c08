import Type, { type Static } from 'typebox';
import {
  PayeeCheckView,
  viewPayeeCheck,
} from '../../merchants/settlement-account/payee-check-view.ts';
import {
  isByOperator,
  lacksSecond,
  maskAccount,
} from '../../merchants/settlement-account/settlement-account.ts';
import type { AccountChange } from '../../merchants/settlement-account/settlement-account-store.ts';
import { Id, Instant, NamedObject, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';
import { readActor } from '../../platform/state/actor.ts';
import { formatInstant } from '../../platform/time/calendar.ts';

/** A change of the settlement account that is not in force yet: docs/rules/access.md#the-settlement-account. */
export const WaitingAccountView = NamedObject('WaitingSettlementAccount', {
  id: Id('sac'),
  name: Type.String(),
  sort_code: Type.String({
    description: 'Whole where operators decide, so that they can compare every digit; else masked.',
  }),
  account_number: Type.String(),
  asked_by: OneOf(['owner', 'operator']),
  by: Type.String({ description: 'The id of the owner, or the name of the operator.' }),
  reason: OrNull(Type.String({ description: 'Why the operator asked for it.' })),
  requested_at: Instant,
  takes_effect_at: Instant,
  payee_check: OrNull({
    ...PayeeCheckView,
    description: 'What the bank said of the name. Null: it was not asked.',
  }),
  agreed_by: OrNull(Type.String({ description: 'The second operator.' })),
  waits_for_second: Type.Boolean({
    description: 'It lapses unless a second operator agrees before `takes_effect_at`.',
  }),
});

/** Returns a pending change as operators see it. */
export function viewWaitingAccount(change: AccountChange): Static<typeof WaitingAccountView> {
  const { newAccount, requestedBy, agreedBy } = change;
  const isOurs = isByOperator(change);
  const whole = {
    name: newAccount.name,
    sort_code: newAccount.sortCode,
    account_number: newAccount.accountNumber,
  };
  return {
    id: change.changeId,
    ...(isOurs ? whole : maskAccount(newAccount)),
    asked_by: isOurs ? 'operator' : 'owner',
    by: readActor(requestedBy).name,
    reason: change.reason,
    requested_at: formatInstant(change.requestedAt),
    takes_effect_at: formatInstant(change.takesEffectAt),
    payee_check: change.check && viewPayeeCheck(change.check),
    agreed_by: agreedBy === null ? null : readActor(agreedBy).name,
    waits_for_second: lacksSecond(change),
  };
}
