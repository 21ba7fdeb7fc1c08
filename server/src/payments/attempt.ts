import { FAILURE_MESSAGES } from '../banks/failure-messages.ts';
import {
  type ConsentStatus,
  mayCollect,
  type StoredControlParameters,
} from '../consents/consent.ts';
import type { ScheduleStatus } from '../schedules/schedule.ts';
import { ARRIVES_WITHIN, ON_ITS_WAY, RESEND_FOR } from './retry.ts';

/**
 * Whether a payment order may be sent, first or repeated. Pure: what is decided here is evaluated while schedule and consent
 * are locked, in the transaction that notes the order, so that a no which commits before it always wins.
 */

/** A no: the customer withdrew or the consent ended, or the merchant cancelled or paused. */
export type StopCode = 'consent_revoked' | 'schedule_cancelled' | 'schedule_paused';

/** Why a payment was stopped, in the words that the merchant reads. */
export const STOPPED: Readonly<Record<StopCode, string>> = {
  consent_revoked: FAILURE_MESSAGES.consent_revoked,
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
 * order that may be with the bank is repeated anyway, to learn its outcome.
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

/** A payment claimed for sending. */
export interface SubmitRow {
  merchant_id: string;
  payment_id: string;
  schedule_id: string;
  consent_id: string;
  wallet_id: string;
  bank_id: string;
  amount_pence: number;
  attempts: number;
  polls: number;
  manual: boolean;
  due_date: Temporal.Instant;
  stopped_by: StopCode | null;
}

/** The same, with what its orders so far have led to. */
export interface StartedAttempt extends SubmitRow {
  started_at: Temporal.Instant;
  /** Of the first order that was not taken back; null: nothing is with the bank, so that every check still counts. */
  sent_at: Temporal.Instant | null;
  /** Of the last one. */
  last_order_at: Temporal.Instant | null;
  /** The money of an earlier attempt, taken for failed, has come after all. */
  paid_before: boolean;
}

/** The same, with its schedule and its consent as they are shortly before the order, and what the bank needs. */
export interface ClaimedAttempt extends StartedAttempt {
  schedule_status: ScheduleStatus;
  consent_status: ConsentStatus;
  bank_consent_id: string;
  initiation: string;
  bank_grant: string;
  /** When a first look called the consent over; null: it is in no doubt. */
  doubted_at: Temporal.Instant | null;
  look_again_at: Temporal.Instant | null;
  /** What the customer has made of the limits at the bank; null: they are those that were asked for. */
  changed_limits: StoredControlParameters | null;
}
