import { edges, type StateMachine } from '../platform/state/state-machine.ts';
import { derivedId } from '../platform/values/ids.ts';
import { isBefore } from '../platform/values/instants.ts';
import type { Vault } from '../platform/vault/vault.ts';

/** See docs/rules/refunds.md#statuses. */
export const REFUND_STATUSES = ['pending', 'processing', 'success', 'failed'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/**
 * Status and stage in one: `waiting` has no money yet; `pending` has its money set apart, and nothing was ordered; `asked` may
 * be with the issuer.
 */
export type RefundState = 'waiting' | 'pending' | 'asked' | 'track' | 'success' | 'failed';

export const REFUNDS: StateMachine<RefundState> = {
  noun: 'refunds',
  table: 'refunds',
  key: ['merchant_id', 'refund_id'],
  states: {
    waiting: { status: 'pending', stage: 'wait' },
    pending: { status: 'pending', stage: 'pay' },
    asked: { status: 'processing', stage: 'pay' },
    track: { status: 'processing', stage: 'track' },
    success: { status: 'success', stage: null },
    failed: { status: 'failed', stage: null },
  },
  begins: ['waiting', 'pending'],
  edges: [
    { from: 'waiting', to: 'pending', why: "the merchant's wallet has its money" },
    ...edges(['waiting', 'pending'], 'failed', 'it cannot be paid any more', 'refund.failed'),
    ...edges(['pending', 'asked'], 'asked', 'the issuer is asked'),
    ...edges(['asked', 'track'], 'track', 'the issuer has the pay-out'),
    ...edges(['asked', 'track'], 'success', 'paid to the account that paid', 'refund.success'),
    ...edges(['asked', 'track'], 'failed', 'not paid', 'refund.failed'),
    { from: 'success', to: 'failed', why: 'the pay-out came back', event: 'refund.failed' },
  ],
};

/** How long a refund waits for money before it fails. */
const MAX_WAIT = Temporal.Duration.from({ hours: 30 * 24 });
/** How often a waiting refund is tried again. */
const TRIED_EVERY = Temporal.Duration.from({ hours: 1 });

/** Returns when to look for a waiting refund's money again; null: it has waited long enough. */
export function nextTryAt(
  createdAt: Temporal.Instant,
  now: Temporal.Instant,
): Temporal.Instant | null {
  const isOver = !isBefore(now, createdAt.add(MAX_WAIT));
  return isOver ? null : now.add(TRIED_EVERY);
}

/** What decides whether a payment can be refunded. */
export interface Refundable {
  amountPence: number;
  /** Refunded, or being refunded. */
  refundedPence: number;
  /** Recalled by the payer's bank. */
  returnedPence: number;
}

/** Returns what can still be refunded of a payment, in pence: docs/rules/refunds.md#how-much. */
export function leftToRefund({ amountPence, refundedPence, returnedPence }: Refundable): number {
  return Math.max(0, amountPence - refundedPence - returnedPence);
}

/**
 * Derives the id of the n-th refund of a payment, so that a database which has lost the refund makes it again under the same id,
 * and the issuer recognises a pay-out that it already has.
 */
export function refundIdOf(
  vault: Vault,
  of: {
    merchantId: string;
    paymentId: string;
    dueDate: Temporal.Instant;
    number: number;
    amountPence: number;
  },
): string {
  const name = `${of.merchantId} ${of.paymentId} ${of.number} ${of.amountPence}`;
  return derivedId('ref', of.dueDate, vault.index(name, 'refund-id'));
}

/** Returns the reference on the customer's bank statement: Faster Payments carries 18 characters. */
export function statementReference(refundId: string): string {
  return refundId.slice(-18);
}
