import type { ItemRow } from '../../payments/books/unallocated-store.ts';
import type { WaitingPayment } from '../../payments/books/waiting-store.ts';
import { type ItemEnd, REASONS } from '../../payments/payment/unallocated-item.ts';
import type { WaitingReason } from '../../payments/payment/waiting.ts';
import { toDecimal } from '../../platform/values/money.ts';
import { type Act, BARE, type Case, comparison, type Step } from './case.ts';

/** The payment that money may belong to, as it stands now. */
export interface LikelyPayment {
  merchantId: string;
  paymentId: string;
  scheduleId: string;
  customerId: string;
  bankId: string;
  walletId: string;
  amountPence: number;
  status: string;
  stage: string | null;
  attempts: number;
  dueDate: Temporal.Instant;
}

/** What is known of an item's surroundings. */
export interface Surroundings {
  payment: LikelyPayment | null;
  /** Whose wallet the money lies in; null: the merchant's own. */
  walletOf: string | null;
}

/** The act that ends an item so. */
const ACT_OF: Readonly<Record<ItemEnd, Act>> = {
  allocated: 'allocate',
  accepted_in_part: 'accept',
  returned: 'return',
  paid_on: 'pay_on',
  credited: 'credit',
};

const STEP_OF: Partial<Record<ItemRow['reason'], Step>> = {
  another_amount: 'another_amount',
  came_back: 'came_back',
};

/** Returns the case of money that no payment awaits. Money that may yet pay automatically has no act, unless one is proposed. */
export function moneyCase(item: ItemRow, around: Surroundings): Case {
  const { payment } = around;
  const { merchantId, itemId: id, reason, amountPence, proposed } = item;
  const isCompared = payment !== null && reason === 'another_amount';
  return {
    ...BARE,
    kind: 'unallocated_money',
    id,
    what: isCompared
      ? comparison(payment.amountPence, amountPence)
      : `£${toDecimal(amountPence)} arrived: ${REASONS[reason]}`,
    reason,
    since: item.arrivedAt,
    amountPence,
    expectedPence: isCompared ? payment.amountPence : null,
    arrivedPence: amountPence,
    merchantId,
    customerId: payment?.customerId ?? around.walletOf,
    scheduleId: item.scheduleId,
    paymentId: item.paymentId,
    dueDate: payment?.dueDate ?? null,
    bankId: payment?.bankId ?? null,
    first: proposed && {
      by: proposed.by,
      reason: proposed.reason,
      act: ACT_OF[proposed.end],
      paymentId: proposed.paymentId,
    },
    step: staysForNow(item, payment) ? 'later_attempt' : (STEP_OF[reason] ?? 'money'),
    acts: item.status === 'open' ? proposedFirst(actsOf(item, around), proposed) : [],
  };
}

/** What somebody has proposed is what a second operator agrees to. */
function proposedFirst(acts: readonly Act[], proposed: ItemRow['proposed']): Act[] {
  if (proposed === null) return [...acts];
  const act = ACT_OF[proposed.end];
  return [act, ...acts.filter((one) => one !== act)];
}

/** Returns what may be done with money, what fits best first: `payments/operator/decide.ts` has the rules. */
function actsOf(item: ItemRow, { payment, walletOf }: Surroundings): Act[] {
  if (walletOf === null) return ['credit', 'return', 'pay_on'];
  // Applied now, it would be booked to the later attempt, whose own money may still come.
  if (staysForNow(item, payment)) return [];
  if (item.reason === 'left_over') return ['return', 'pay_on'];
  if (!mayReceive(item, payment)) return ['return', 'pay_on', 'allocate', 'accept'];
  const isWhole = payment?.amountPence === item.amountPence;
  return [isWhole ? 'allocate' : 'accept', 'return', 'pay_on'];
}

const mayReceive = (item: ItemRow, payment: LikelyPayment | null): boolean =>
  payment !== null &&
  payment.walletId === item.walletId &&
  payment.status !== 'success' &&
  payment.stage !== 'move' &&
  payment.attempts > 0;

/** Whether money may yet pay for its payment, whose later attempt is under way. */
const staysForNow = ({ reason }: ItemRow, payment: LikelyPayment | null): boolean =>
  reason === 'later_attempt' && ['pending', 'processing'].includes(payment?.status ?? '');

const WAITS: Readonly<Record<WaitingReason, string>> = {
  no_outcome: 'The bank has not reported the outcome',
  credited_without_money: 'The bank says that it has paid, and nothing has arrived',
  wrong_amount: 'Another amount arrived',
  not_transferred: 'The money arrived, and cannot be transferred to the merchant',
  not_sent: 'Nothing could be sent to the bank for a week',
};

/** Returns the case of a payment that cannot end on its own. */
export function paymentCase({ row, waiting }: WaitingPayment): Case {
  const { merchantId, paymentId, scheduleId, bankId, amountPence } = row;
  const { reason, since } = waiting;
  const arrivedPence = reason === 'not_transferred' ? amountPence : 0;
  return {
    ...BARE,
    ...{ kind: 'payment', id: paymentId, what: WAITS[reason], reason, since },
    ...{ amountPence, expectedPence: amountPence, arrivedPence },
    ...{ merchantId, scheduleId, paymentId, bankId },
    step: 'payment',
    acts: ['fail'],
  };
}
