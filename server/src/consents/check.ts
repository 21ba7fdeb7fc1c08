import type { BankConsent } from '../banks/bank.ts';
import { doublingDelay } from '../platform/network/backoff.ts';
import { endedAsAgreed, type RevocationReason, type StoredControlParameters } from './consent.ts';

/**
 * What a look at the bank's copy of a consent found. `over` and `stands` are proven by the bank; `unknown` is anything that
 * proves nothing (a time-out, a bare HTTP error, an unsigned response).
 */
export type ConsentCheck =
  | { said: 'stands' }
  | { said: 'suspended' }
  | { said: 'over'; reason: RevocationReason; evidence: string }
  | { said: 'unknown' };

/** The consequence of a look. */
export type Decision =
  /** The consent is unchanged. */
  | { do: 'keep' }
  /** The first look that finds the consent over: no order is sent until a second one confirms or refutes it. */
  | { do: 'doubt' }
  /** Nothing is decided yet. */
  | { do: 'wait' }
  /** A later look disagreed: orders are sent again. */
  | { do: 'clear' }
  | { do: 'end'; reason: RevocationReason };

/** The minimum time between the first look and the second. */
export const SECOND_LOOK_AFTER = Temporal.Duration.from({ hours: 1 });

/** Returns what a bank's proven response says of a consent. One whose agreed period has ended was not withdrawn. */
export function checkOf(
  atBank: Pick<BankConsent, 'status' | 'reason'>,
  parameters: StoredControlParameters | null,
  now: Temporal.Instant,
): ConsentCheck {
  const { status, reason } = atBank;
  const evidence = reason === null ? status : `${status} ${reason}`;
  switch (status) {
    case 'AUTH':
    case 'AWAU':
      return { said: 'stands' };
    case 'SUSP':
      return { said: 'suspended' };
    case 'EXPD':
      return endedAsAgreed(parameters, now)
        ? { said: 'stands' }
        : { said: 'over', reason: 'expired_at_bank', evidence };
    case 'CANC':
    case 'RJCT':
    case 'GONE':
      return { said: 'over', reason: 'withdrawn_at_bank', evidence };
  }
}

/**
 * Decides on the consequence of a look: a consent ends only if a second look, requested at least an hour after the first,
 * confirms it, and only while the bank's responses about consents are acted on.
 *
 * @param doubtedAt when the first look found the consent over; null: none did
 * @param askedAt when the bank was queried for this look
 */
export function decideOnLook(
  doubtedAt: Temporal.Instant | null,
  look: ConsentCheck,
  askedAt: Temporal.Instant,
  isBankTrusted: boolean,
): Decision {
  if (look.said === 'unknown') return { do: doubtedAt === null ? 'keep' : 'wait' };
  if (look.said !== 'over') return { do: doubtedAt === null ? 'keep' : 'clear' };
  if (doubtedAt === null) return { do: 'doubt' };
  const isSecond = Temporal.Instant.compare(askedAt, doubtedAt.add(SECOND_LOOK_AFTER)) >= 0;
  return isSecond && isBankTrusted ? { do: 'end', reason: look.reason } : { do: 'wait' };
}

const FIRST_DELAY = 15 * 60;
const LONGEST_DELAY = 60 * 60;

/** Returns the delay in seconds after an inconclusive look, given the number of earlier tries. */
export function lookDelay(tries: number): number {
  return doublingDelay(FIRST_DELAY, LONGEST_DELAY, tries);
}

/** If more consents than this, and more than one in ten of those looked at, vanish in an hour, the bank is at fault. */
const MOST_VANISHED = 5;
const ONE_IN = 10;

/** Whether too many of a bank's consents vanished in an hour for its responses to be acted on. */
export function isImplausible({ vanished, lookedAt }: Counts): boolean {
  return vanished > MOST_VANISHED && vanished * ONE_IN > lookedAt;
}

export interface Counts {
  vanished: number;
  lookedAt: number;
}
