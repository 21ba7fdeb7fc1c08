import { spread } from '../platform/spread.ts';

/** How long a payment whose order was left open may not be retried by hand, from that order. */
export const LEFT_OPEN_FOR = Temporal.Duration.from({ hours: 7 * 24 });

/** Statuses after which a bank says nothing else of a payment. */
export const LAST_WORDS: readonly string[] = ['ACCC', 'RJCT', 'CANC', 'BLCK'];

/** Whether the bank of a paid attempt can still be asked for its last word: it has an id for the payment, and another status. */
export const awaitsLastWord = (attempt: {
  bank_payment_id: string | null;
  bank_status: string | null;
}): boolean => attempt.bank_payment_id !== null && !LAST_WORDS.includes(attempt.bank_status ?? '');

/** How long to wait after each try, in seconds. A bank that never says more than `ACSC` is left alone after a day. */
const PAID_WAITS = [30, 300, 3600, 6 * 3600, 18 * 3600];
/** The same for an order that was left open; the last one repeats. */
const OPEN_WAITS = [1800, 3600, 6 * 3600, 24 * 3600];

/** An ended attempt whose bank was asked, for the n-th time. */
interface Asked {
  payment_id: string;
  /** A no ended it, and its order may still be open at the bank. */
  left_open: boolean;
  since: Temporal.Instant;
  tries: number;
}

/** When the bank is asked first about an attempt that has ended. */
export function firstRead(now: Temporal.Instant, isLeftOpen: boolean): Temporal.Instant {
  return now.add({ seconds: (isLeftOpen ? OPEN_WAITS : PAID_WAITS)[0] ?? 0 });
}

/**
 * What follows a look at the bank: another one, none (`rests`: until the bank tells of the payment by itself), or the attempt is
 * `done` with. `outcome`: what the bank said, null where it did not tell. An order that was left open and that the bank has
 * credited stays open: its money comes.
 */
export function nextRead(
  asked: Asked,
  outcome: 'pending' | 'credited' | 'failed' | null,
  now: Temporal.Instant,
): { at: Temporal.Instant } | 'rests' | 'done' {
  const waits = asked.left_open ? OPEN_WAITS : PAID_WAITS;
  if (outcome === 'failed') return 'done';
  if (outcome === 'credited') return asked.left_open ? 'rests' : 'done';
  if (!asked.left_open && asked.tries >= waits.length) return 'done';
  const seconds = waits[Math.min(asked.tries, waits.length - 1)] ?? 0;
  const at = now.add(spread(seconds, `${asked.payment_id} ${asked.tries}`));
  const isOver =
    asked.left_open && Temporal.Instant.compare(at, asked.since.add(LEFT_OPEN_FOR)) > 0;
  return isOver ? 'rests' : { at };
}
