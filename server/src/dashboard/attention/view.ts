import Type, { type Static } from 'typebox';
import { BANK_CONDITIONS } from '../../banks/condition.ts';
import { DISPUTE_REASONS } from '../../disputes/dispute.ts';
import { Amount, Instant, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';
import { FailingEndpoint, InQuestion } from '../overview/view.ts';
import { CustomerLabel } from '../schedules/view.ts';

const Count = Type.Integer({ minimum: 0 });
const Schedule = Type.Object({ id: Type.String(), description: Type.String() });

const FailingSchedule = Type.Object({
  schedule: Schedule,
  customer: CustomerLabel,
  payment_id: Type.String(),
  amount: Amount,
  failed_at: Instant,
  other_account: OrNull(
    OneOf(
      ['agreed', 'asked'],
      'Since it failed, the customer has agreed to another consent, or is asked for another account.',
    ),
  ),
});

const FailingGroup = Type.Object(
  {
    reason: Type.String({ examples: ['insufficient_funds'] }),
    message: Type.String({ description: 'The reason, for people.' }),
    count: Count,
    value: Type.Integer({ description: 'In pence: what could not be collected.' }),
    schedules: Type.Array(FailingSchedule, { description: 'The newest of them.' }),
  },
  { description: 'Active schedules whose latest collection failed for the same reason.' },
);

const WaitingConsent = Type.Object({
  schedule: Schedule,
  customer: CustomerLabel,
  since: Instant,
  expires_at: Instant,
});

const ConsentToConfirm = Type.Object({
  schedule: Schedule,
  customer: CustomerLabel,
  since: Instant,
});

const FailedSettlement = Type.Object({
  id: Type.String(),
  settlement_date: Type.String(),
  amount: Amount,
  message: OrNull(Type.String()),
});

const BankInTrouble = Type.Object(
  {
    bank_id: Type.String(),
    name: Type.String(),
    condition: OneOf(BANK_CONDITIONS),
    since: OrNull({ ...Instant, description: 'Since when it is down or stopped.' }),
    stopped: Type.Boolean(),
  },
  { description: 'A bank of consents of the merchant that is down, or stopped by the operator.' },
);

const OpenDispute = Type.Object({
  id: Type.String(),
  payment_id: Type.String(),
  reason: OneOf(DISPUTE_REASONS),
  amount: Amount,
  created_at: Instant,
  deadline: Instant,
});

/** What needs a person of the merchant's team. */
export const Attention = Type.Object({
  currency: Type.String({ description: 'Of the values in pence.' }),
  failing: Type.Array(FailingGroup, { description: 'The largest group first.' }),
  consents: Type.Object({
    count: Count,
    waiting: Type.Array(WaitingConsent, { description: 'Those that have waited longest.' }),
  }),
  to_confirm: Type.Array(ConsentToConfirm, {
    description: 'Schedules whose consent the bank wants to be confirmed again.',
  }),
  banks: Type.Array(BankInTrouble),
  settlements: Type.Array(FailedSettlement),
  endpoints: Type.Array(FailingEndpoint),
  in_question: Type.Array(InQuestion),
  disputes: Type.Array(OpenDispute, { description: 'Those that have to be answered first.' }),
});
export type Attention = Static<typeof Attention>;
export type FailingGroup = Static<typeof FailingGroup>;
