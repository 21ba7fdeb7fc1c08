import Type, { type Static } from 'typebox';
import { LedgerEntry, PaymentEvidence } from '../../dashboard/payments/view.ts';
import { ageOf } from '../../payments/books/unallocated-view.ts';
import {
  AmountOrZero,
  Id,
  Instant,
  NamedObject,
  OneOf,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { OPERATOR_ROLES, type OperatorRole } from '../access/books/roles.ts';
import type { Disclosure } from '../admin/disclosure.ts';
import { REQUEST_KINDS, type RequestKind } from '../requests/request.ts';
import { FullItemView } from '../unallocated/view.ts';
import { ACTS, type Case, DECISION_KINDS, STEPS } from './case.ts';

const properties = {
  kind: OneOf(DECISION_KINDS),
  id: Type.String({
    description: 'Of what it is about; with `kind` it names the decision.',
  }),
  what: Type.String({
    description: 'What has happened.',
    examples: ['Expected £29.99, arrived £29.98 (1p short)'],
  }),
  reason: Type.String({ description: 'A code of it.', examples: ['another_amount'] }),
  since: Instant,
  age: Type.String({ examples: ['1 day 4 hours'] }),
  amount: OrNull(AmountOrZero, 'The money that waits. Null: none, or not one number.'),
  expected: OrNull(AmountOrZero, 'What was asked for.'),
  arrived: OrNull(AmountOrZero, 'What came.'),
  merchant: OrNull(Type.Object({ id: Id('mer'), name: Type.String() })),
  customer_id: OrNull(Id('cus'), 'Whom it is about; their name takes a reason.'),
  schedule_id: OrNull(Id('sch')),
  payment_id: OrNull(Id('pay')),
  due_date: OrNull(Instant, 'Of the payment.'),
  bank: OrNull(Type.Object({ id: Type.String(), name: Type.String() })),
  first: OrNull(
    Type.Object({
      by: Type.String(),
      reason: Type.String(),
      act: OrNull(OneOf(ACTS), 'What they decided about money.'),
      payment_id: OrNull(Type.String(), 'The payment that they named.'),
    }),
    'Who decided first and why, where a second operator must agree, or gave the hold.',
  ),
  role: OneOf(OPERATOR_ROLES, 'What its acts take.'),
  acts: Type.Array(OneOf(ACTS), {
    description: 'What an operator may do about it, what fits best first.',
  }),
  runbook: Type.Object({
    step: Type.String({ description: 'What to do, in a sentence.' }),
    url: Type.String({ description: 'The section that says more.' }),
  }),
};

/** Something that waits for an operator. */
export const DecisionView = NamedObject('Decision', properties);
export type DecisionView = Static<typeof DecisionView>;

const Change = Type.Object({
  at: Instant,
  title: Type.String(),
  why: Type.String(),
});

/** The same, with the evidence at hand. */
export const FullDecisionView = NamedObject('DecisionInFull', {
  ...properties,
  item: OrNull(FullItemView, 'The unallocated money, with its payer.'),
  evidence: OrNull(PaymentEvidence, 'What the bank said of the payment, and our books.'),
  ledger: Type.Array(LedgerEntry, { description: 'The bookings of the money itself.' }),
  changes: Type.Array(Change, { description: 'What has become of it so far, oldest first.' }),
});
export type FullDecisionView = Static<typeof FullDecisionView>;

/** What names a customer, or repeats what was written of one. */
const OF_CUSTOMERS: readonly string[] = ['unallocated_money', 'payment', 'refund', 'consent'];

/** Returns that somebody was shown a decision about a customer, for the audit trail. */
export const disclosuresOf = ({ kind, id, merchant }: FullDecisionView): Disclosure[] =>
  merchant !== null && OF_CUSTOMERS.includes(kind)
    ? [
        {
          merchantId: merchant.id,
          objectId: id,
          to: 'shown',
          isPage: true,
          reason: 'a decision with its evidence',
        },
      ]
    : [];

/** What a view takes besides the case. */
export interface Names {
  now: Temporal.Instant;
  merchants: ReadonlyMap<string, string>;
  bankName: (bankId: string) => string;
  /** Where the documents are. */
  guides: string;
}

const amount = (value: number | null) => (value === null ? null : { value, currency: 'GBP' });

function viewFirst(first: Case['first']): DecisionView['first'] {
  if (first === null) return null;
  const { paymentId, ...rest } = first;
  return { ...rest, payment_id: paymentId };
}

const roleOf = ({ kind, reason }: Case): OperatorRole =>
  kind === 'request' ? REQUEST_KINDS[reason as RequestKind] : 'payments';

/** Shows a case, with names beside its ids. */
export function viewCase(one: Case, { now, merchants, bankName, guides }: Names): DecisionView {
  const { merchantId, bankId, step } = one;
  return {
    kind: one.kind,
    id: one.id,
    what: one.what,
    reason: one.reason,
    since: formatInstant(one.since),
    age: ageOf(one.since, now),
    amount: amount(one.amountPence),
    expected: amount(one.expectedPence),
    arrived: amount(one.arrivedPence),
    merchant:
      merchantId === null ? null : { id: merchantId, name: merchants.get(merchantId) ?? '' },
    customer_id: one.customerId,
    schedule_id: one.scheduleId,
    payment_id: one.paymentId,
    due_date: formatInstant(one.dueDate),
    bank: bankId === null ? null : { id: bankId, name: bankName(bankId) },
    first: viewFirst(one.first),
    role: roleOf(one),
    acts: [...one.acts],
    runbook: { step: STEPS[step].step, url: `${guides}/${STEPS[step].section}` },
  };
}
