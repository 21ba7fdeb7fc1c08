import type { StopCode } from '../../server/src/payments/payment/attempt.ts';
import { firstOrderAt, go, goAttempt, NOW, reinstate } from './processes.ts';
import type { Rules } from './rules.ts';
import { nameOf, OLD, type Payment, type SmallWorld } from './world.ts';

/** Stops a payment. With nothing at the bank, one that waits or was only claimed ends; one whose order may be there is marked. */
export function stop(payment: Payment, code: StopCode): void {
  payment.isStopped = true;
  const attempt = payment.attempts.at(-1);
  const isUnsent = attempt?.state === 'started' && attempt.orders.length === 0;
  if (payment.state === 'pending') go(payment, 'failed');
  else if (payment.state === 'submit' && isUnsent && attempt !== undefined) {
    goAttempt(attempt, 'failed');
    go(payment, 'failed');
  } else if (payment.state === 'submit' || payment.state === 'track') payment.stoppedBy ??= code;
}

/** Whether a payment may wait for an operator at all. */
export function mayWait(world: SmallWorld, index: number): boolean {
  const payment = world.payments[index];
  const attempt = payment?.attempts.at(-1);
  const isOpen = payment?.state === 'submit' || payment?.state === 'track';
  return (
    isOpen && attempt !== undefined && (attempt.hasWrongAmount || attempt.orders.includes(OLD))
  );
}

/** Has an operator end a payment that cannot end on its own. Returns whether the product allows it. */
export function giveUp(world: SmallWorld, rules: Rules, index: number): boolean {
  const payment = world.payments[index];
  const attempt = payment?.attempts.at(-1);
  if (payment === undefined || attempt === undefined) return false;
  const name = nameOf(index, payment.attempts.length);
  const sentAt = firstOrderAt(attempt);
  const waiting = rules.waitingFor(
    {
      status: ['submit', 'track', 'move'].includes(payment.state) ? 'processing' : 'pending',
      stage: payment.state,
      sentAt,
      claimedAt: attempt.isClaimed ? sentAt : null,
      wrongAmountSince: attempt.hasWrongAmount ? NOW : null,
    },
    NOW,
  );
  if (waiting === null) return false;
  if (world.money.some((money) => money.name === name && !money.isShort && money.place === null))
    return false; // the issuer is queried first
  const order = world.orders.find((one) => one.name === name);
  if (!attempt.hasWrongAmount && attempt.isKnown && rules.refusalBy(wordOf(order), true) !== null)
    return false;
  payment.isGivenUp ||= order !== undefined || world.wire.includes(name);
  goAttempt(attempt, 'failed');
  attempt.isClaimed = false;
  const late = payment.attempts.find((a) => a.state === 'failed' && a.paidBy !== null);
  if (late !== undefined) reinstate(payment, late);
  else go(payment, 'failed');
  return true;
}

function wordOf(order: SmallWorld['orders'][number] | undefined) {
  if (order === undefined) return null;
  if (order.state === 'failed') return { outcome: 'failed' as const, bankStatus: 'RJCT' };
  const bankStatus = order.state === 'open' ? 'PDNG' : 'ACSC';
  return { outcome: 'pending' as const, bankStatus };
}
