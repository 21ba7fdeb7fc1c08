import { type ConsentStatus, mayCollect } from '../consents/consent.ts';
import type { ScheduleStatus } from '../schedules/schedule.ts';
import { RESEND_FOR } from './payment.ts';

/**
 * Whether a payment order may be sent, first or repeated. Pure: what is decided here is evaluated while schedule and consent
 * are locked, in the transaction that notes the order, so that a no which commits before it always wins.
 */

/** A no: the customer withdrew or the consent ended, or the merchant cancelled or paused. */
export type StopCode = 'consent_revoked' | 'schedule_cancelled' | 'schedule_paused';

/** What the merchant is told of a payment that was stopped. */
export const STOPPED: Readonly<Record<StopCode, string>> = {
  consent_revoked: 'The consent is no longer in force.',
  schedule_paused: 'The schedule was paused before the payment was made.',
  schedule_cancelled: 'The schedule was cancelled before the payment was made.',
};

/** How a payment stands when an order is about to be sent. */
export interface OrderStanding {
  consent_status: ConsentStatus;
  schedule_status: ScheduleStatus;
  /** The no that came while the payment was under way. It stays after a resume: only a retry by hand lifts it. */
  stopped_by: StopCode | null;
  /** The attempt was asked for by hand; a paused schedule does not stop it, unless it was paused after that. */
  manual: boolean;
}

/** The no that forbids any further order of this payment; null where none does. */
export function whyStopped(standing: OrderStanding): StopCode | null {
  if (standing.stopped_by !== null) return standing.stopped_by;
  if (!mayCollect(standing.consent_status)) return 'consent_revoked';
  switch (standing.schedule_status) {
    case 'active':
      return null;
    case 'paused':
      return standing.manual ? null : 'schedule_paused';
    default:
      return 'schedule_cancelled';
  }
}

/** The same, with the attempt that an order would be of, and the call that wants to send it. */
export interface NotedStanding extends OrderStanding {
  stage: string | null;
  attempts: number;
  polls: number;
  attempt_status: string;
  /** The money of an earlier attempt has come after all. */
  paid_before: boolean;
  /** The bank has called the consent over once, and was not asked a second time yet. */
  is_doubted: boolean;
  /** An earlier order of this attempt may be with the bank. */
  may_be_sent: boolean;
}

/**
 * Whether the n-th call for an attempt may send its order now. False where a no forbids it, where another process has taken
 * the attempt up, where it has ended, or where its consent is in doubt. Money of an earlier attempt forbids a first order; an
 * order that may be with the bank is repeated all the same, to learn what became of it.
 */
export function mayOrder(standing: NotedStanding, attempt: number, call: number): boolean {
  return (
    whyStopped(standing) === null &&
    !standing.is_doubted &&
    standing.stage === 'submit' &&
    standing.attempts === attempt &&
    standing.polls === call &&
    standing.attempt_status === 'started' &&
    (standing.may_be_sent || !standing.paid_before)
  );
}

/** So long an order whose answer was lost may still be on its way to the bank. */
const ON_ITS_WAY = Temporal.Duration.from({ minutes: 10 });

/**
 * Whether a refusal of an order ends its attempt. Not while an earlier order of it, last sent at `earlierAt`, may still reach
 * the bank, which might take that one.
 */
export function believesRefusal(
  earlierAt: Temporal.Instant | null,
  now: Temporal.Instant,
): boolean {
  return earlierAt === null || Temporal.Instant.compare(earlierAt.add(ON_ITS_WAY), now) <= 0;
}

/** How long after an order its money may still be on the way; Faster Payments take two hours at the most. */
export const ARRIVES_WITHIN = Temporal.Duration.from({ hours: 24 });

/** What to do about an attempt that was claimed for sending. */
export type NextStep =
  | { step: 'end'; code: StopCode | 'duplicate' } // nothing is with the bank: it ends now
  | { step: 'order' } // the first order, after every check, or the same order again
  | { step: 'look'; overAt: Temporal.Instant | null; code: StopCode | null }; // only the money can tell

/**
 * Decides about a claimed attempt. `firstOrderAt` and `lastOrderAt`: of its orders that were not taken back, null without one.
 * Where an order may be with the bank and no other may follow, its money is looked for; after a no, until `overAt`, when
 * the attempt ends with the reason of the no.
 */
export function nextStep(
  standing: OrderStanding & { paid_before: boolean },
  firstOrderAt: Temporal.Instant | null,
  lastOrderAt: Temporal.Instant | null,
  now: Temporal.Instant,
): NextStep {
  const code = whyStopped(standing);
  if (firstOrderAt === null) {
    if (standing.paid_before) return { step: 'end', code: 'duplicate' };
    return code === null ? { step: 'order' } : { step: 'end', code };
  }
  if (code !== null)
    return { step: 'look', overAt: (lastOrderAt ?? firstOrderAt).add(ARRIVES_WITHIN), code };
  if (isTooLateToRepeat(firstOrderAt, now)) return { step: 'look', overAt: null, code: null };
  return { step: 'order' };
}

/** Whether an order sent first at that time must not be repeated: the bank may have forgotten its key. */
export function isTooLateToRepeat(firstOrderAt: Temporal.Instant, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(now, firstOrderAt.add(RESEND_FOR)) > 0;
}

/** Whether an attempt that a no has stopped is over: its last order is a day old. */
export function isOver(overAt: Temporal.Instant | null, now: Temporal.Instant): boolean {
  return overAt !== null && Temporal.Instant.compare(now, overAt) >= 0;
}
