import type { RecognisedBy } from '../../server/src/payments/payment/allocation.ts';
import type { StopCode } from '../../server/src/payments/payment/attempt.ts';
import { instructionId } from '../../server/src/payments/payment/payment.ts';
import type { AttemptState, PaymentState } from '../../server/src/payments/payment/states.ts';
import type { Size } from './rules.ts';

/**
 * A world small enough to visit all its states: one consent with two payments of the same amount, two processes, a bank, an
 * issuer, an operator, and a person who may stop a payment. Times are ages in hours, of which only three matter: now, half a day,
 * and old enough that banks have forgotten the key and money no longer arrives.
 */
export interface SmallWorld {
  isConsentLive: boolean;
  payments: Payment[];
  /** What each process is working on; null: nothing. Processes are interchangeable, so their order does not matter. */
  hands: (Hand | null)[];
  /** Orders on their way to the bank whose senders have given up waiting. */
  wire: string[];
  /** The orders in the bank's books. */
  orders: BankOrder[];
  /** Money that the issuer has received. */
  money: Money[];
  /** How many more times the person may stop a payment, or request a retry. */
  acts: number;
}

export type Age = 0 | 12 | 24;
export const OLD: Age = 24;

/** A payment with its own schedule. */
export interface Payment {
  schedule: 'active' | 'paused' | 'cancelled';
  /** The person has stopped it and not taken that back: what they believe, not what our books say. */
  isStopped: boolean;
  state: PaymentState;
  stoppedBy: StopCode | null;
  isManual: boolean;
  attempts: Attempt[];
  /** An operator ended one of its attempts that the bank had in its books. */
  isGivenUp: boolean;
}

export interface Attempt {
  state: AttemptState;
  /** The ages of its orders that were not taken back. */
  orders: Age[];
  /** The bank gave it an id. */
  isKnown: boolean;
  isClaimed: boolean;
  paidBy: RecognisedBy | null;
  /** Money of another amount is on the unallocated list for it. */
  hasWrongAmount: boolean;
  /** A stop ended it while an order may still be open at the bank: it is not retried by hand. */
  mayStillDebit: boolean;
}

/** What a process is doing. `isStale`: another process has claimed the attempt since. */
export interface Hand {
  payment: number;
  attempt: number;
  isStale: boolean;
  step: Step;
}

export type Step =
  | 'ready' // every check has passed
  | 'noted' // the order is recorded as sent
  | 'look' // no order may follow: the issuer is queried
  | 'track' // the bank is polled
  | Answer;

/** What was found out and not recorded yet. */
export type Answer =
  | 'not sent'
  | 'pending'
  | 'credited'
  | 'refused' // this call was refused, and there is no other order
  | 'failed' // the bank's report on the order in its books
  | StopCode
  | 'duplicate';

export interface BankOrder {
  name: string;
  age: Age;
  /** `sent on`: the money has left for the issuer. `went back`: it left, and was returned to the payer. */
  state: 'open' | 'sent on' | 'went back' | 'failed';
}

export interface Money {
  name: string;
  isShort: boolean;
  /** Where it is in our books: an attempt's name, the unallocated list, nowhere before its notice, or lost. */
  place: string | 'list' | 'lost' | null;
  /** Whose it may be, while on the list. */
  guess: string | null;
}

/** Returns the id of a payment, in the product's form. */
export const idOf = (payment: number): string => `pay_${String(payment).padStart(22, '0')}`;

/** Returns the name of an attempt at the bank. */
export const nameOf = (payment: number, attempt: number): string =>
  instructionId(idOf(payment), attempt);

/** Returns the initial world: both payments are due. */
export function newWorld({ acts, payments }: Size): SmallWorld {
  const payment = (): Payment => ({
    schedule: 'active',
    isStopped: false,
    state: 'pending',
    stoppedBy: null,
    isManual: false,
    attempts: [],
    isGivenUp: false,
  });
  return {
    isConsentLive: true,
    payments: Array.from({ length: payments }, payment),
    hands: [null, null],
    wire: [],
    orders: [],
    money: [],
    acts,
  };
}

/** Returns a copy to change. */
export function copyOf(world: SmallWorld): SmallWorld {
  return {
    ...world,
    payments: world.payments.map((payment) => ({
      ...payment,
      attempts: payment.attempts.map((a) => ({ ...a, orders: [...a.orders] })),
    })),
    hands: world.hands.map((hand) => (hand === null ? null : { ...hand })),
    wire: [...world.wire],
    orders: world.orders.map((one) => ({ ...one })),
    money: world.money.map((one) => ({ ...one })),
  };
}

/** Returns the state as a text: worlds that differ only in an order that does not matter are the same. */
export function keyOf(world: SmallWorld): string {
  const hands = world.hands.map((h) =>
    h === null ? '' : `${h.payment}${h.attempt}${h.isStale ? 's' : ''}${h.step}`,
  );
  const orders = world.orders.map((o) => `${o.name}${o.age}${o.state}`);
  const money = world.money.map((m) => `${m.name}${m.isShort ? 's' : ''}>${m.place}?${m.guess}`);
  return [
    world.isConsentLive,
    world.acts,
    world.payments.map(textOfPayment).join('/'),
    hands.sort().join(','),
    [...world.wire].sort().join(','),
    orders.sort().join(','),
    money.sort().join(','),
  ].join('|');
}

function textOfPayment(p: Payment): string {
  const attempts = p.attempts.map(
    (a) =>
      `${a.state}${a.orders.toSorted().join('-')}${a.isKnown ? 'k' : ''}${a.isClaimed ? 'c' : ''}` +
      `${a.paidBy}${a.hasWrongAmount ? 'w' : ''}${a.mayStillDebit ? 'd' : ''}`,
  );
  const flags = `${p.isStopped ? 's' : ''}${p.isManual ? 'm' : ''}${p.isGivenUp ? 'g' : ''}`;
  return `${p.schedule}${p.state}${p.stoppedBy}${flags}:${attempts.join(',')}`;
}
