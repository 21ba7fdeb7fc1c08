import type { Candidate } from '../../server/src/payments/payment/allocation.ts';
import { isOver } from '../../server/src/payments/payment/attempt.ts';
import type { PaymentState } from '../../server/src/payments/payment/states.ts';
import {
  AMOUNT_PENCE,
  firstOrderAt,
  go,
  goAttempt,
  lastOrderAt,
  NOW,
  standingOf,
} from './processes.ts';
import type { Rules } from './rules.ts';
import { idOf, type Money, nameOf, type SmallWorld } from './world.ts';

const WALLET = 'wal_1';

/** Processes the issuer's notice of money: it is allocated as the product decides. */
export function takeMoney(world: SmallWorld, rules: Rules, money: Money, isNamed: boolean): void {
  const allocation = rules.allocate(
    {
      walletId: WALLET,
      amountPence: money.isShort ? AMOUNT_PENCE - 1 : AMOUNT_PENCE,
      endToEndId: isNamed ? money.name : null,
      at: NOW,
    },
    candidatesOf(world),
  );
  if (allocation.kind === 'unallocated') {
    money.place = rules.unexpected;
    const { guess, reason } = allocation;
    if (guess === null || money.place === 'lost') return;
    money.guess = nameOf(guess.index, guess.attempt);
    const attempt = world.payments[guess.index]?.attempts[guess.attempt - 1];
    if (attempt !== undefined && reason === 'another_amount') attempt.hasWrongAmount = true;
    if (attempt !== undefined && reason === 'later_attempt') attempt.paidBy = 'name';
    return;
  }
  const { candidate } = allocation;
  const payment = world.payments[candidate.index];
  const attempt = payment?.attempts[candidate.attempt - 1];
  if (payment === undefined || attempt === undefined) return;
  money.place = nameOf(candidate.index, candidate.attempt);
  attempt.paidBy = allocation.kind === 'pays' ? allocation.by : 'name';
  goAttempt(attempt, 'success');
  go(payment, 'move');
}

type Known = Candidate & { index: number };

function candidatesOf(world: SmallWorld): Known[] {
  return world.payments.flatMap((payment, index) =>
    payment.attempts.map((attempt, n) => ({
      index,
      paymentId: idOf(index),
      attempt: n + 1,
      walletId: WALLET,
      amountPence: AMOUNT_PENCE,
      paymentStatus: statusOf(payment.state),
      isUnderWay:
        n + 1 === payment.attempts.length &&
        (payment.state === 'submit' || payment.state === 'track'),
      attemptStatus: attempt.state,
      sentAt: firstOrderAt(attempt),
      paidBy: attempt.paidBy,
    })),
  );
}

function statusOf(state: PaymentState): Candidate['paymentStatus'] {
  if (state === 'submit' || state === 'track' || state === 'move') return 'processing';
  return state;
}

/**
 * Looks for an attempt's money at the issuer: records it if it is there; after a stop, ends the attempt when a day has passed.
 */
export function look(world: SmallWorld, rules: Rules, slot: number): void {
  const hand = world.hands[slot] ?? null;
  const payment = world.payments[hand?.payment ?? -1];
  const attempt = payment?.attempts[(hand?.attempt ?? 0) - 1];
  if (hand === null || payment === undefined || attempt === undefined) return;
  const name = nameOf(hand.payment, hand.attempt);
  const money = world.money.find((one) => one.name === name && !one.isShort && one.place === null);
  if (money !== undefined) takeMoney(world, rules, money, true);
  const next = rules.nextStep(
    { ...standingOf(world, payment), paidBefore: false },
    firstOrderAt(attempt),
    lastOrderAt(attempt),
    NOW,
  );
  const isDone = money === undefined && next.step === 'look' && next.code !== null;
  if (isDone && isOver(next.overAt, NOW) && next.code !== null) hand.step = next.code;
  else world.hands[slot] = null;
}
