import type { Booking } from '../difference.ts';

export type Direction = 'credit' | 'debit';

/** What our books say that a statement has: one line, on one side of one of our accounts. It proves no more than one line. */
export interface Claim {
  /** Tells it from every other claim. */
  key: string;
  merchantId: string;
  direction: Direction;
  /** What was done, as the kind of its first booking, and the source of its bookings. */
  act: Act;
  source: string;
  pence: number;
  /** When it was booked, step by step. */
  at: Temporal.Instant[];
}

export type Act =
  | 'pay_in'
  | 'extra_pay_in'
  | 'pay_out_return'
  | 'settle'
  | 'settle_back'
  | 'refund'
  | 'refund_back'
  | 'move'
  | 'net'
  | 'fee_out'
  | 'recall';

/**
 * What each kind of booking is a part of: an order is booked when its money is set apart and again when it is done, and the
 * statement has one line for both.
 */
const ACTS: Readonly<Record<string, Act>> = {
  pay_in: 'pay_in',
  extra_pay_in: 'extra_pay_in',
  pay_out_return: 'pay_out_return',
  settle: 'settle',
  pay_out: 'settle',
  settle_back: 'settle_back',
  refund: 'refund',
  refund_out: 'refund',
  refund_back: 'refund_back',
  move: 'move',
  net: 'net',
  cover: 'net',
  fee_out: 'fee_out',
  recall: 'recall',
};

/** On which sides of our accounts an act stands; a transfer leaves one account and reaches another. */
const DIRECTIONS_OF_ACT: Readonly<Record<Act, readonly Direction[]>> = {
  pay_in: ['credit'],
  extra_pay_in: ['credit'],
  pay_out_return: ['credit'],
  settle: ['debit'],
  settle_back: ['credit'],
  refund: ['debit'],
  refund_back: ['credit'],
  move: ['debit', 'credit'],
  net: ['debit', 'credit'],
  fee_out: ['debit', 'credit'],
  recall: ['debit'],
};

/** Acts that reach an account of which the balance is compared and not the lines: of recalls, or of the operator's fees. */
const BALANCE_ONLY_ACTS: ReadonlySet<Act> = new Set(['net', 'fee_out']);

function actOf(booking: Booking): { act: Act; source: string } | null {
  const space = booking.name.indexOf(' ');
  const act = ACTS[booking.name.slice(0, space)];
  return act === undefined ? null : { act, source: booking.name.slice(space + 1) };
}

const keyOf = (booking: Booking, { act, source }: { act: Act; source: string }, side: Direction) =>
  `${booking.merchantId} ${act} ${source} ${side}`;

/** Returns what these bookings claim. Bookings of nothing that a statement shows claim nothing. */
export function claimsOf(bookings: readonly Booking[]): Claim[] {
  const claims = new Map<string, Claim>();
  for (const booking of bookings) {
    const of = actOf(booking);
    for (const direction of of === null ? [] : DIRECTIONS_OF_ACT[of.act]) {
      if (of === null) continue;
      const key = keyOf(booking, of, direction);
      const { merchantId, pence } = booking;
      const claim = claims.get(key) ?? { key, merchantId, direction, ...of, pence, at: [] };
      if (booking.at !== undefined) claim.at.push(booking.at);
      claims.set(key, claim);
    }
  }
  return [...claims.values()];
}

/** Returns the claims of a booking that a statement has to prove, by their key. */
export function toBeProven(booking: Booking): { key: string; direction: Direction }[] {
  const of = actOf(booking);
  if (of === null) return [];
  const sides = BALANCE_ONLY_ACTS.has(of.act) ? (['debit'] as const) : DIRECTIONS_OF_ACT[of.act];
  return sides.map((direction) => ({ key: keyOf(booking, of, direction), direction }));
}
