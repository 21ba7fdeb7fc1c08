import type { RecognisedBy } from '../../server/src/payments/allocation.ts';
import type { StopCode } from '../../server/src/payments/attempt.ts';
import { instructionId } from '../../server/src/payments/payment.ts';
import type { AttemptState, PaymentState } from '../../server/src/payments/states.ts';
import type { Size } from './rules.ts';

/**
 * A world small enough to visit every state of it: one consent with two payments of one amount, two processes, a bank, an
 * issuer, an operator, and a person who may say no. Times are ages in hours, of which only three matter: now, half a day, and
 * so long ago that banks have forgotten the key and money no longer arrives.
 */
export interface SmallWorld {
  isConsentLive: boolean;
  payments: Payment[];
  /** What each process holds in its hands; null: nothing. Processes are alike, so their order is none. */
  hands: (Hand | null)[];
  /** Orders on their way to the bank, which their senders have given up on. */
  wire: string[];
  /** What the bank has in its books. */
  orders: BankOrder[];
  /** Money that the issuer has received. */
  money: Money[];
  /** Times that the person may still say no, or ask for a retry. */
  acts: number;
}

export type Age = 0 | 12 | 24;
export const OLD: Age = 24;

/** A payment of a schedule of its own. */
export interface Payment {
  schedule: 'active' | 'paused' | 'cancelled';
  /** Somebody has said no to it, and nobody took that back: what the person believes, not what our books say. */
  isStopped: boolean;
  state: PaymentState;
  stoppedBy: StopCode | null;
  isManual: boolean;
  attempts: Attempt[];
  /** An operator ended an attempt of it that the bank had in its books. */
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
  /** Money of another amount waits for it on the list. */
  hasWrongAmount: boolean;
  /** A no ended it while an order may still be open at the bank: it is not retried by hand. */
  mayStillDebit: boolean;
}

/** What a process is doing. `isStale`: another one has taken the attempt up since. */
export interface Hand {
  payment: number;
  attempt: number;
  isStale: boolean;
  step: Step;
}

export type Step =
  | 'ready' // every check is made
  | 'noted' // the order is noted as sent
  | 'look' // no order may follow: the issuer is asked
  | 'track' // the bank is asked
  | Answer;

/** What was learned, and is not recorded yet. */
export type Answer =
  | 'not sent'
  | 'pending'
  | 'credited'
  | 'refused' // this call, and no order stands
  | 'failed' // the bank's word on the order in its books
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
  /** Where it stands in our books: an attempt's name, the unallocated list, nowhere before its notice, or lost. */
  place: string | 'list' | 'lost' | null;
  /** Whose it may be, by its place on the list. */
  guess: string | null;
}

/** The id of a payment, as the product's would look. */
export const idOf = (payment: number): string => `pay_${String(payment).padStart(22, '0')}`;

/** The name of an attempt at the bank. */
export const nameOf = (payment: number, attempt: number): string =>
  instructionId(idOf(payment), attempt);

/** Nothing has happened yet: both payments are due. */
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

/** A copy to change. */
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

/** The state in a text: worlds that differ only in the order of what has none are one. */
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
