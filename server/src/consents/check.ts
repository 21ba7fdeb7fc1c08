import type { BankConsent } from '../banks/bank.ts';
import { doublingDelay } from '../platform/network/backoff.ts';
import { isBefore } from '../platform/values/instants.ts';
import { endedAsAgreed, type RevocationReason, type StoredControlParameters } from './consent.ts';

/**
 * What a check of the bank's copy of a consent found. `over` and `stands` are proven by the bank; `unknown` is anything that
 * proves nothing (a time-out, a bare HTTP error, an unsigned response).
 */
export type ConsentCheck =
  | { said: 'stands' }
  | { said: 'suspended' }
  | { said: 'over'; reason: RevocationReason; evidence: string }
  | { said: 'unknown' };

/** The consequence of a check. */
export type Decision =
  /** The consent is unchanged. */
  | { do: 'keep' }
  /** The first check that finds the consent over: no order is sent until a second one confirms or refutes it. */
  | { do: 'doubt' }
  /** Nothing is decided yet. */
  | { do: 'wait' }
  /** A later check disagreed: orders are sent again. */
  | { do: 'clear' }
  | { do: 'end'; reason: RevocationReason };

/** The minimum time between the first check and the second. */
export const SECOND_CHECK_AFTER = Temporal.Duration.from({ hours: 1 });

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
 * Decides on the consequence of a check: a consent ends only if a second check, requested at least an hour after the first,
 * confirms it, and only while the bank's responses about consents are acted on.
 *
 * @param doubtedAt when the first check found the consent over; null: none did
 * @param askedAt when the bank was queried for this check
 */
export function decideOnCheck(
  doubtedAt: Temporal.Instant | null,
  check: ConsentCheck,
  askedAt: Temporal.Instant,
  isBankTrusted: boolean,
): Decision {
  if (check.said === 'unknown') return { do: doubtedAt === null ? 'keep' : 'wait' };
  if (check.said !== 'over') return { do: doubtedAt === null ? 'keep' : 'clear' };
  if (doubtedAt === null) return { do: 'doubt' };
  const isSecond = !isBefore(askedAt, doubtedAt.add(SECOND_CHECK_AFTER));
  return isSecond && isBankTrusted ? { do: 'end', reason: check.reason } : { do: 'wait' };
}

const FIRST_DELAY = 15 * 60;
const LONGEST_DELAY = 60 * 60;

/** Returns the delay in seconds after an inconclusive check, given the number of earlier tries. */
export function checkDelay(tries: number): number {
  return doublingDelay(FIRST_DELAY, LONGEST_DELAY, tries);
}

/** If more consents than this, and more than one in ten of those looked at, vanish in an hour, the bank is at fault. */
const MAX_VANISHED = 5;
const ONE_IN = 10;

/** Whether too many of a bank's consents vanished in an hour for its responses to be acted on. */
export function isImplausible({ vanished, lookedAt }: Counts): boolean {
  return vanished > MAX_VANISHED && vanished * ONE_IN > lookedAt;
}

export interface Counts {
  vanished: number;
  lookedAt: number;
}
