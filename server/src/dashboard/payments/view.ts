import Type, { type Static } from 'typebox';
import { PAYMENT_FILTERS } from '../../payments/api/filter.ts';
import { PAYMENT_STATUSES } from '../../payments/payment/payment.ts';
import {
  Amount,
  AmountOrZero,
  Fields,
  Instant,
  OneOf,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';
import { POSTING_KINDS } from '../../wallets/ledger-store.ts';
import { CURSOR_QUERY, CursorListOf, SortBy, Typed } from '../cursor-list.ts';
import { CustomerLabel } from '../schedules/view.ts';

/** The query of the list of payments. */
export const PaymentQuery = Fields({
  q: Typed,
  ...PAYMENT_FILTERS,
  sort: SortBy(['-due_date', 'due_date']),
  ...CURSOR_QUERY,
});
export type PaymentQuery = Static<typeof PaymentQuery>;

const Failure = Type.Object({ code: Type.String(), message: Type.String() });

const PaymentItem = Type.Object({
  id: Type.String(),
  schedule: Type.Object({ id: Type.String(), description: Type.String() }),
  customer: CustomerLabel,
  amount: Amount,
  fee: OrNull(AmountOrZero),
  status: OneOf(PAYMENT_STATUSES),
  due_date: Instant,
  attempts: Type.Integer({ minimum: 0 }),
  next_retry_at: OrNull(Instant),
  error: OrNull(Failure),
  settlement_id: OrNull(Type.String()),
  completed_at: OrNull(Instant),
});
export const PaymentList = CursorListOf(PaymentItem);
export type PaymentItem = Static<typeof PaymentItem>;
export type PaymentList = Static<typeof PaymentList>;

/** A transfer of the ledger; accounts by their kind, in readable form. */
export const LedgerEntry = Type.Object({
  id: Type.String(),
  kind: OneOf(POSTING_KINDS),
  debit: Type.Object({ id: Type.String(), kind: Type.String() }),
  credit: Type.Object({ id: Type.String(), kind: Type.String() }),
  amount: Amount,
  at: Instant,
});
export type LedgerEntry = Static<typeof LedgerEntry>;

/** The evidence of a payment: the bank's ids of it, the consent, and its ledger entries. */
export const PaymentEvidence = Type.Object({
  bank: Type.Object({ id: Type.String(), name: Type.String() }),
  consent: Type.Object({ id: Type.String(), bank_consent_id: OrNull(Type.String()) }),
  wallet: Type.Object({ id: Type.String(), issuer_wallet_id: OrNull(Type.String()) }),
  attempts: Type.Array(
    Type.Object({
      number: Type.Integer(),
      instruction_id: Type.String({ description: 'Also its end-to-end id and idempotency key.' }),
      bank_payment_id: OrNull(Type.String()),
      bank_status: OrNull(Type.String()),
      sent_at: OrNull(Instant),
      pay_in_id: OrNull(Type.String()),
    }),
  ),
  ledger: Type.Array(LedgerEntry),
  changes: Type.Array(
    Type.Object({
      at: Instant,
      from: OrNull(Type.String()),
      to: Type.String(),
      reason: Type.String(),
    }),
  ),
});
export type PaymentEvidence = Static<typeof PaymentEvidence>;
