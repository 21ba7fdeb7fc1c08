import type { BankConsent } from '../banks/bank.ts';
import { doublingDelay } from '../platform/backoff.ts';
import { endedAsAgreed, type RevocationReason, type StoredControlParameters } from './consent.ts';

/**
 * What a look at the bank's copy of a consent says. `over` and `stands` are the bank's proven word; `unknown` is anything
 * that proves nothing (time-out, bare HTTP error, an answer that nobody signed).
 */
export type Look =
  | { said: 'stands' }
  | { said: 'suspended' }
  | { said: 'over'; reason: RevocationReason; evidence: string }
  | { said: 'unknown' };

/** What follows from a look. */
export type Decision =
  /** The consent stands as before. */
  | { do: 'keep' }
  /** The first look that says no: no order is sent until a second one has said the same. */
  | { do: 'doubt' }
  /** Nothing is decided yet. */
  | { do: 'wait' }
  /** A later look disagreed: orders are sent again. */
  | { do: 'clear' }
  | { do: 'end'; reason: RevocationReason };

/** How long after the first look the second one may be made, at the earliest. */
export const SECOND_LOOK_AFTER = Temporal.Duration.from({ hours: 1 });

/** What a bank's proven answer says of a consent. One that ended when the customer agreed it would was taken back by nobody. */
export function lookOf(
  atBank: Pick<BankConsent, 'status' | 'reason'>,
  parameters: StoredControlParameters | null,
  now: Temporal.Instant,
): Look {
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
 * Decides what a look means: a consent ends only when a second look, asked for at least an hour after the first one, says
 * the same, and while the bank's answers about consents are acted on at all.
 *
 * @param doubtedAt when the first look said that the consent is over; null: none did
 * @param askedAt when the bank was asked for this look
 */
export function decideOnLook(
  doubtedAt: Temporal.Instant | null,
  look: Look,
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

/** How many seconds to wait after a look that decided nothing, by how many there were before. */
export function lookDelay(tries: number): number {
  return doublingDelay(FIRST_DELAY, LONGEST_DELAY, tries);
}

/** More consents than this, and more than one in ten of those looked at, vanish in an hour: the bank is at fault. */
const MOST_VANISHED = 5;
const ONE_IN = 10;

/** Whether so many consents vanished at one bank in an hour that its answers about consents are not to be acted on. */
export function isImplausible({ vanished, lookedAt }: Counts): boolean {
  return vanished > MOST_VANISHED && vanished * ONE_IN > lookedAt;
}

export interface Counts {
  vanished: number;
  lookedAt: number;
}
