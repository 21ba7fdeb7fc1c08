import { edges, type StateMachine, statuses } from '../platform/state/state-machine.ts';
import { nextBusinessDay } from '../platform/time/calendar.ts';

/** See docs/rules/disputes.md#statuses. */
export const DISPUTE_STATUSES = ['open', 'refunded', 'returned', 'rejected', 'withdrawn'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

export const DISPUTES: StateMachine<DisputeStatus> = {
  noun: 'disputes',
  table: 'disputes',
  key: ['merchant_id', 'dispute_id'],
  states: statuses(...DISPUTE_STATUSES),
  begins: ['open'],
  edges: [
    {
      from: 'open',
      to: 'refunded',
      why: "the merchant refunded it, and the refund's money is set apart",
      event: 'dispute.closed',
    },
    {
      from: 'open',
      to: 'returned',
      why: "the payer's bank took the payment back",
      event: 'dispute.closed',
    },
    { from: 'open', to: 'rejected', why: 'the merchant rejected it', event: 'dispute.closed' },
    {
      from: 'open',
      to: 'withdrawn',
      why: 'whoever raised it took it back',
      event: 'dispute.closed',
    },
    {
      from: 'refunded',
      to: 'open',
      why: 'its refund failed or came back',
      event: 'dispute.reopened',
    },
    ...edges<DisputeStatus>(
      ['refunded'],
      'returned',
      "the payer's bank took the payment back before it was refunded",
    ),
  ],
};

/** Why a payment is disputed: docs/rules/disputes.md#reasons. */
export const DISPUTE_REASONS = [
  'unauthorised',
  'after_withdrawal',
  'wrong_amount',
  'duplicate',
  'not_received',
  'other',
] as const;
export type DisputeReason = (typeof DISPUTE_REASONS)[number];

/** Who raised it: the customer on their page, or the merchant, who was told. */
export const RAISED_BY = ['customer', 'merchant'] as const;
export type RaisedBy = (typeof RAISED_BY)[number];

/**
 * Returns the latest of these disputes of a payment, oldest first, that its customer sees and that bars another of theirs. One
 * that the merchant raised and ended itself takes nothing from the customer.
 */
export function shownToCustomer<T extends { raisedBy: RaisedBy; status: DisputeStatus }>(
  disputes: readonly T[],
): T | null {
  const isOver = (status: DisputeStatus) => status === 'rejected' || status === 'withdrawn';
  return (
    disputes.findLast(({ raisedBy, status }) => raisedBy === 'customer' || !isOver(status)) ?? null
  );
}

/** Both are payments that the customer did not authorise: docs/rules/disputes.md#deadlines. */
const NOT_AUTHORISED: readonly DisputeReason[] = ['unauthorised', 'after_withdrawal'];

/** Business days to answer a complaint about a payment: regulation 101 of the Payment Services Regulations 2017. */
const DAYS_TO_ANSWER = 15;
const TIME_ZONE = 'Europe/London';
const END_OF_DAY = Temporal.PlainTime.from('23:59:59');

/**
 * Returns until when a dispute that was raised at `at` has to be answered: the end of the next business day where the payment was
 * not authorised, else of the fifteenth one. Business days are London's: docs/rules/disputes.md#deadlines.
 */
export function deadlineOf(reason: DisputeReason, at: Temporal.Instant): Temporal.Instant {
  const days = NOT_AUTHORISED.includes(reason) ? 1 : DAYS_TO_ANSWER;
  let day = at.toZonedDateTimeISO(TIME_ZONE).toPlainDate();
  for (let n = 0; n < days; n += 1) day = nextBusinessDay(day);
  return day.toZonedDateTime({ timeZone: TIME_ZONE, plainTime: END_OF_DAY }).toInstant();
}

/** What decides how much a dispute still asks for; in pence. */
export interface Claim {
  /** What is disputed. */
  amountPence: number;
  /** What the payment had given back when the dispute was opened. */
  returnedBeforePence: number;
}

/** What a payment has given back, by refunds that have not failed and by recalls, and what it was; in pence. */
export interface GivenBack {
  amountPence: number;
  refundedPence: number | null;
  returnedPence: number | null;
}

/** Returns what of a payment is given back, in pence. */
export const givenBack = ({ refundedPence, returnedPence }: GivenBack): number =>
  (refundedPence ?? 0) + (returnedPence ?? 0);

/** Returns what of a dispute came back since it was opened, by a refund or by the payer's bank: never more than it asks for. */
export function cameBackOf(claim: Claim, payment: GivenBack): number {
  const since = givenBack(payment) - claim.returnedBeforePence;
  return Math.min(claim.amountPence, Math.max(0, since));
}

/** Returns what a dispute still asks for: what came back meanwhile is not paid twice. */
export function owedOf(claim: Claim, payment: GivenBack): number {
  const left = Math.max(0, payment.amountPence - givenBack(payment));
  return Math.min(left, claim.amountPence - cameBackOf(claim, payment));
}

/** How long after a payment its customer may dispute it on their page: regulation 74 of the same. */
const MONTHS_TO_NOTIFY = 13;

/** Returns the moment since when a payment was collected that its customer may dispute on their page now. */
export function disputableSince(now: Temporal.Instant): Temporal.Instant {
  return now.toZonedDateTimeISO(TIME_ZONE).subtract({ months: MONTHS_TO_NOTIFY }).toInstant();
}
