import { isOver, STOPPED, type StopCode } from '../../server/src/payments/payment/attempt.ts';
import {
  ATTEMPTS,
  type AttemptState,
  PAYMENTS,
  type PaymentState,
} from '../../server/src/payments/payment/states.ts';
import { edgeOf } from '../../server/src/platform/state/state-machine.ts';
import type { Rules, Size } from './rules.ts';
import {
  type Age,
  type Answer,
  type Attempt,
  type Hand,
  nameOf,
  OLD,
  type Payment,
  type SmallWorld,
} from './world.ts';

export const NOW = Temporal.Instant.from('2026-01-05T09:00:00Z');
export const AMOUNT_PENCE = 4_999;

const momentOf = (age: Age): Temporal.Instant => NOW.subtract({ hours: age });

const oldest = (ages: readonly Age[]): Age | null => (ages.length === 0 ? null : max(ages));
const max = (ages: readonly Age[]): Age => Math.max(...ages) as Age;
const min = (ages: readonly Age[]): Age => Math.min(...ages) as Age;

export const firstOrderAt = ({ orders }: Attempt): Temporal.Instant | null => {
  const age = oldest(orders);
  return age === null ? null : momentOf(age);
};
export const lastOrderAt = ({ orders }: Attempt): Temporal.Instant | null =>
  orders.length === 0 ? null : momentOf(min(orders));

/** Whether the money of an earlier attempt has come while this one was under way. */
const isPaidBefore = (payment: Payment, attempt: number): boolean =>
  payment.attempts.slice(0, attempt - 1).some((a) => a.state === 'failed' && a.paidBy !== null);

export function standingOf(world: SmallWorld, payment: Payment) {
  return {
    consentStatus: world.isConsentLive ? ('granted' as const) : ('revoked' as const),
    scheduleStatus: payment.schedule,
    stoppedBy: payment.stoppedBy,
    manual: payment.isManual,
  };
}

/** Moves a payment along an edge of the product's table. */
export function go(payment: Payment, to: PaymentState): void {
  edgeOf(PAYMENTS, payment.state, to);
  payment.state = to;
}

export function goAttempt(attempt: Attempt, to: AttemptState): void {
  edgeOf(ATTEMPTS, attempt.state, to);
  attempt.state = to;
}

/** Whether a payment could be claimed, judging by its own state: no running process is working on it. */
export function isClaimable(world: SmallWorld, index: number): boolean {
  const payment = world.payments[index];
  if (payment === undefined) return false;
  // A process that is about to call, or to record a response, may be suspended until its lease is over.
  const holder = world.hands.find((hand) => hand?.payment === index && !hand.isStale);
  if (holder !== undefined && holder !== null && holder.step === 'ready') return false;
  return ['pending', 'submit', 'track'].includes(payment.state);
}

/** Lets a process claim a payment, and decides the next step. */
export function claim(world: SmallWorld, rules: Rules, slot: number, index: number): void {
  const payment = world.payments[index];
  if (payment === undefined) return;
  for (const hand of world.hands) if (hand?.payment === index) hand.isStale = true;
  const attempt = payment.state === 'pending' ? begin(payment) : payment.attempts.length;
  const current = payment.attempts[attempt - 1];
  if (current === undefined) return;
  const step =
    payment.state === 'track' ? 'track' : stepOf(world, rules, payment, attempt, current);
  world.hands[slot] = { payment: index, attempt, isStale: false, step };
}

function begin(payment: Payment): number {
  go(payment, 'submit');
  payment.attempts.push({
    state: 'started',
    orders: [],
    isKnown: false,
    isClaimed: false,
    paidBy: null,
    hasWrongAmount: false,
    mayStillDebit: false,
  });
  return payment.attempts.length;
}

function stepOf(
  world: SmallWorld,
  rules: Rules,
  payment: Payment,
  attempt: number,
  current: Attempt,
): Hand['step'] {
  const standing = { ...standingOf(world, payment), paidBefore: isPaidBefore(payment, attempt) };
  const next = rules.nextStep(standing, firstOrderAt(current), lastOrderAt(current), NOW);
  if (next.step === 'order') return 'ready';
  return next.step === 'end' ? next.code : 'look';
}

/** Records the order as sent, or drops the attempt if it may not be sent. Returns the broken invariant: an order after a stop. */
export function note(world: SmallWorld, rules: Rules, slot: number): string | null {
  const hand = world.hands[slot] ?? null;
  const payment = world.payments[hand?.payment ?? -1];
  const attempt = payment?.attempts[(hand?.attempt ?? 0) - 1];
  if (hand === null || payment === undefined || attempt === undefined) return null;
  const standing = {
    ...standingOf(world, payment),
    stage: ['submit', 'track', 'move'].includes(payment.state) ? payment.state : null,
    attempt: payment.attempts.length,
    polls: 2,
    attemptStatus: attempt.state,
    paidBefore: isPaidBefore(payment, hand.attempt),
    mayBeSent: attempt.orders.length > 0,
    isDoubted: false,
    isSuspended: false,
    movesOn: false,
  };
  if (!rules.mayOrder(standing, hand.attempt, hand.isStale ? 1 : 2)) {
    world.hands[slot] = null;
    return null;
  }
  attempt.orders.push(0);
  hand.step = 'noted';
  return payment.isStopped ? 'an order was sent after a no' : null;
}

/** Returns when the last order was sent before the one that a process is about to send; null: there is none that counts. */
export function earlierOrderAt(world: SmallWorld, slot: number): Temporal.Instant | null {
  const hand = world.hands[slot] ?? null;
  const orders =
    world.payments[hand?.payment ?? -1]?.attempts[(hand?.attempt ?? 0) - 1]?.orders ?? [];
  const [, ...earlier] = orders.toSorted((a, b) => a - b);
  return earlier.length === 0 ? null : momentOf(min(earlier));
}

/** Records what was found out. The response to a call is ignored once another process has claimed the attempt. */
export function record(world: SmallWorld, rules: Rules, size: Size, slot: number): void {
  const hand = world.hands[slot] ?? null;
  if (hand === null) return;
  world.hands[slot] = null;
  const payment = world.payments[hand.payment];
  const attempt = payment?.attempts[hand.attempt - 1];
  if (payment === undefined || attempt === undefined) return;
  const answer = hand.step as Answer;
  if (answer === 'not sent') takeBack(payment, attempt);
  const isThere =
    payment.attempts.length === hand.attempt &&
    (payment.state === 'submit' || payment.state === 'track');
  if (!isThere) return;
  switch (answer) {
    case 'not sent':
      return;
    case 'pending':
    case 'credited':
      if (attempt.state === 'started') goAttempt(attempt, 'processing');
      if (payment.state === 'submit') go(payment, 'track');
      attempt.isKnown = true;
      attempt.isClaimed ||= answer === 'credited';
      return;
    case 'failed':
      fail(world, rules, size, payment, attempt, answer);
      return;
    default:
      if (!hand.isStale || payment.stoppedBy === answer)
        fail(world, rules, size, payment, attempt, answer);
  }
}

function takeBack(payment: Payment, attempt: Attempt): void {
  const newest = attempt.orders.indexOf(min(attempt.orders));
  if (newest >= 0 && attempt.state === 'started' && payment.state === 'submit')
    attempt.orders.splice(newest, 1);
}

/** Fails an attempt, the only way to do so: with a retry if one is left and there was no stop. */
function fail(
  world: SmallWorld,
  rules: Rules,
  size: Size,
  payment: Payment,
  attempt: Attempt,
  answer: Answer,
): void {
  goAttempt(attempt, 'failed');
  attempt.isClaimed = false;
  attempt.mayStillDebit = answer in STOPPED && attempt.orders.length > 0;
  world.wire = world.wire.filter(
    (name) => name !== nameOf(world.payments.indexOf(payment), payment.attempts.length),
  );
  const late = payment.attempts.find((a) => a.state === 'failed' && a.paidBy !== null);
  if (late !== undefined) {
    reinstate(payment, late);
    return;
  }
  const isFinal =
    (answer !== 'refused' && answer !== 'failed') ||
    rules.whyStopped(standingOf(world, payment)) !== null;
  go(payment, isFinal || payment.attempts.length >= size.attempts ? 'failed' : 'pending');
}

export function reinstate(payment: Payment, attempt: Attempt): void {
  goAttempt(attempt, 'success');
  go(payment, 'move');
}

/**
 * Returns the stop that ends an attempt which the bank reports as open: a day after its last order, unless its money has left the
 * payer.
 */
export function endOfTracked(world: SmallWorld, hand: Hand, hasLeft: boolean): StopCode | null {
  const payment = world.payments[hand.payment];
  const attempt = payment?.attempts[hand.attempt - 1];
  if (payment?.stoppedBy == null || attempt === undefined || hasLeft) return null;
  const last = lastOrderAt(attempt);
  const name = nameOf(hand.payment, hand.attempt);
  if (world.money.some((one) => one.name === name && !one.isShort && one.place === null))
    return null;
  return last !== null && isOver(last.add({ hours: OLD }), NOW) ? payment.stoppedBy : null;
}
