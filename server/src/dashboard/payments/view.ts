import Type, { type Static } from 'typebox';
import type { PaymentView } from '../../payments/api/view.ts';
import { Amount, Instant, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';
import { POSTING_KINDS } from '../../wallets/ledger-store.ts';

/** What the list of payments shows beside the API's view of each. */
export const PaymentShown = Type.Object({
  customer: Type.String({ description: 'The name, else the number.' }),
  description: Type.String({ description: 'Of the schedule.' }),
  bank: Type.String({ description: 'The name of the customer’s bank.' }),
});
export type PaymentShown = Static<typeof PaymentShown>;
export type PaymentItem = PaymentView & { shown: PaymentShown };

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
      bank_consent_id: OrNull(Type.String(), 'That it was ordered under.'),
      sent_at: OrNull(Instant),
      pay_in_id: OrNull(Type.String()),
    }),
  ),
  ledger: Type.Array(LedgerEntry),
  changes: Type.Array(
    Type.Object({
      at: Instant,
      title: Type.String({ description: 'What happened, in words.' }),
      why: Type.String(),
    }),
  ),
});
export type PaymentEvidence = Static<typeof PaymentEvidence>;
