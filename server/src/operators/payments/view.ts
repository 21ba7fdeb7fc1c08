import Type, { type Static } from 'typebox';
import { WAITING_REASONS } from '../../payments/payment/waiting.ts';
import {
  Amount,
  Id,
  Instant,
  NamedObject,
  OneOf,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';

/** A payment that cannot end without a person. */
export const WaitingView = NamedObject('WaitingPayment', {
  payment_id: Id('pay'),
  merchant_id: Id('mer'),
  schedule_id: Id('sch'),
  amount: Amount,
  waits_for: OneOf(WAITING_REASONS),
  since: Instant,
  age: Type.String({ examples: ['1 day 4 hours'] }),
  bank_id: Type.String(),
  end_to_end_id: Type.String({ description: 'What the bank and the issuer know it by.' }),
  bank_payment_id: OrNull(Type.String()),
  bank_status: OrNull(Type.String()),
});
export type WaitingView = Static<typeof WaitingView>;
