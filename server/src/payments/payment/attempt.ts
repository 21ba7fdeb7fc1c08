import { FAILURE_MESSAGES } from '../../banks/failure-messages.ts';
import type { FundsCheck } from '../../banks/funds-check.ts';
import {
  type ConsentStatus,
  mayCollect,
  type StoredControlParameters,
} from '../../consents/consent.ts';
import { elapsedMs, isAfter, isBefore, msOf } from '../../platform/values/instants.ts';
import type { ScheduleStatus } from '../../schedules/terms/schedule.ts';
import type { Facts } from './payment.ts';
import { ARRIVES_WITHIN, LATE, MAX_TIME_IN_FLIGHT, RESEND_FOR } from './retry.ts';

/**
 * Whether a payment order may be sent, for the first time or again. Pure: these decisions are evaluated while schedule and
 * consent are locked, in the transaction that records the order, so that a stop which commits before it always wins.
 */

/** A stop: the customer withdrew or the consent ended, or the merchant cancelled or paused. */
export type StopCode = 'consent_revoked' | 'schedule_cancelled' | 'schedule_paused';

/** Why a payment was stopped, in the words shown to the merchant. */
export const STOPPED: Readonly<Record<StopCode, string>> = {
  consent_revoked: FAILURE_MESSAGES.consent_revoked,
  schedule_paused: 'The schedule was paused before the payment was made.',
  schedule_cancelled: 'The schedule was cancelled before the payment was made.',
};

/** The state of a payment when an order is about to be sent. */
export interface OrderContext {
  consentStatus: ConsentStatus;
  scheduleStatus: ScheduleStatus;
  /** The stop that came while the payment was under way. It remains after a resume: only a manual retry clears it. */
  stoppedBy: StopCode | null;
  /** The attempt was requested by hand; a paused schedule does not stop it, unless it was paused after that request. */
  manual: boolean;
}

/** Returns the stop that forbids any further order of this payment, or null. */
export function whyStopped(standing: OrderContext): StopCode | null {
  if (standing.stoppedBy !== null) return standing.stoppedBy;
  if (!mayCollect(standing.consentStatus)) return 'consent_revoked';
  switch (standing.scheduleStatus) {
    case 'active':
      return null;
    case 'paused':
      return standing.manual ? null : 'schedule_paused';
    default:
      return 'schedule_cancelled';
  }
}

/** The same, with the attempt to be ordered and the state of its calls. */
export interface SentContext extends OrderContext {
  stage: string | null;
  attempt: number;
  polls: number;
  attemptStatus: string;
  /** The money of an earlier attempt has arrived after all. */
  paidBefore: boolean;
  /** The bank has once reported the consent as over, and a second status check is still to come. */
  isDoubted: boolean;
  /** The bank wants the customer to confirm the consent again. */
  isSuspended: boolean;
  /** The customer pays from another account now. */
  movesOn: boolean;
  /** An earlier order of this attempt may be with the bank. */
  mayBeSent: boolean;
}

/**
 * Whether the n-th call for an attempt may send its order now. False if a stop forbids it, if another process has claimed the
 * attempt, if it has ended, or if its consent is in doubt. If money of an earlier attempt has arrived, the consent waits for its
 * customer, or the customer pays from another account now, a first order is forbidden; an order that may be with the bank is
 * repeated anyway, to find out its outcome.
 */
export function mayOrder(standing: SentContext, attempt: number, call: number): boolean {
  return (
    whyStopped(standing) === null &&
    !standing.isDoubted &&
    (standing.mayBeSent || !(standing.isSuspended || standing.movesOn)) &&
    standing.stage === 'submit' &&
    standing.attempt === attempt &&
    standing.polls === call &&
    standing.attemptStatus === 'started' &&
    (standing.mayBeSent || !standing.paidBefore)
  );
}

/**
 * Whether the refusal of an order ends its attempt. False while an earlier order, last sent at `earlierAt`, may still reach the
 * bank and be accepted.
 */
export function believesRefusal(
  earlierAt: Temporal.Instant | null,
  now: Temporal.Instant,
): boolean {
  return earlierAt === null || !isAfter(earlierAt.add(MAX_TIME_IN_FLIGHT), now);
}

/** What to do with an attempt that was claimed for sending. */
export type NextStep =
  | { step: 'end'; code: StopCode | 'duplicate' } // nothing is with the bank: end it now
  | { step: 'order' } // send the first order, after every check, or repeat it
  | { step: 'look'; overAt: Temporal.Instant | null; code: StopCode | null }; // only the money can decide

/**
 * Decides the next step of a claimed attempt. `firstOrderAt` and `lastOrderAt` cover orders that were not taken back; null: there
 * is none. If an order may be with the bank and no other may follow, we look for its money; after a stop, until `overAt`, when
 * the attempt ends with the reason for the stop.
 */
export function nextStep(
  standing: OrderContext & { paidBefore: boolean },
  firstOrderAt: Temporal.Instant | null,
  lastOrderAt: Temporal.Instant | null,
  now: Temporal.Instant,
): NextStep {
  const code = whyStopped(standing);
  if (firstOrderAt === null) {
    if (standing.paidBefore) return { step: 'end', code: 'duplicate' };
    return code === null ? { step: 'order' } : { step: 'end', code };
  }
  if (code !== null)
    return { step: 'look', overAt: (lastOrderAt ?? firstOrderAt).add(ARRIVES_WITHIN), code };
  if (isTooLateToRepeat(firstOrderAt, now)) return { step: 'look', overAt: null, code: null };
  return { step: 'order' };
}

/** Whether an order first sent at that time must not be repeated: the bank may have forgotten its idempotency key. */
export function isTooLateToRepeat(firstOrderAt: Temporal.Instant, now: Temporal.Instant): boolean {
  return elapsedMs(firstOrderAt, now) > msOf(RESEND_FOR);
}

/** What an order depends on that a lost database may have sent before. */
type Unsent = Pick<StartedAttempt, 'sentAt' | 'attempt' | 'dueDate'>;

/**
 * Whether the issuer is asked for money before the first order of an attempt: a database that was restored may have sent one, and
 * the bank no longer knows its key, or what followed was lost too. See docs/rules/payments.md#orders-of-a-lost-database.
 */
export function checksIssuerFirst(
  { sentAt, attempt, dueDate }: Unsent,
  now: Temporal.Instant,
): boolean {
  return sentAt === null && (attempt > 1 || isTooLateToRepeat(dueDate, now));
}

/**
 * Whether the bank is asked for the funds before the first order of an attempt: also where it was silent when it was last called,
 * so that an outage meets a question and not an order, whose outcome would be unknown.
 */
export function checksFunds(
  policy: FundsCheck,
  { sentAt, lackedFunds }: Pick<StartedAttempt, 'sentAt' | 'lackedFunds'>,
  isSilent: boolean,
): boolean {
  if (sentAt !== null) return false;
  return policy === 'always' || (policy === 'after_lack_of_funds' && (lackedFunds || isSilent));
}

/** Whether the bank may say no to a first order, because funds are lacking, only since a lost database sent it before. */
export function distrustsRefusal({ sentAt, dueDate }: Unsent, now: Temporal.Instant): boolean {
  return sentAt === null && elapsedMs(dueDate, now) > msOf(LATE);
}

/**
 * Whether the customer can still confirm a consent at the bank: one that a new consent has replaced is shown to nobody, and one
 * whose agreed end has passed is over.
 */
export function mayBeConfirmed(
  { consentStatus: status, validTo: end }: Pick<ClaimedAttempt, 'consentStatus' | 'validTo'>,
  now: Temporal.Instant,
): boolean {
  return status === 'granted' && (end === null || !isAfter(now, end));
}

/** Whether a stopped attempt is over: its last order is a day old. */
export function isOver(overAt: Temporal.Instant | null, now: Temporal.Instant): boolean {
  return overAt !== null && !isBefore(now, overAt);
}

/** A payment claimed for sending. */
export interface SubmitRow extends Facts {
  walletId: string;
  bankId: string;
  attempt: number;
  polls: number;
  manual: boolean;
  stoppedBy: StopCode | null;
  /** The customer pays from another account now: nothing new is ordered under the consent of the payment. */
  movesOn: boolean;
}

/** The same, with the results of its orders so far. */
export interface StartedAttempt extends SubmitRow {
  startedAt: Temporal.Instant;
  /** When the first order that was not taken back was sent; null: nothing is with the bank, so every check still applies. */
  sentAt: Temporal.Instant | null;
  /** When the last such order was sent. */
  lastOrderAt: Temporal.Instant | null;
  /** The money of an earlier attempt, recorded as failed, has arrived after all. */
  paidBefore: boolean;
  /** The attempt before it failed because funds were lacking. */
  lackedFunds: boolean;
}

/** The same, with its schedule and its consent as read shortly before the order, and what the bank needs. */
export interface ClaimedAttempt extends StartedAttempt {
  scheduleStatus: ScheduleStatus;
  consentStatus: ConsentStatus;
  bankConsentId: string;
  initiation: string;
  bankGrant: string;
  /** Null: the grant was never renewed. */
  grantRevision: string | null;
  /** When a first look reported the consent as over; null: the consent is not in doubt. */
  doubtedAt: Temporal.Instant | null;
  lookAgainAt: Temporal.Instant | null;
  /** The bank wants the customer to confirm the consent again. */
  isSuspended: boolean;
  /** The agreed end of the consent; null: it has none. */
  validTo: Temporal.Instant | null;
  /** The limits as the customer changed them at the bank; null: they are as requested. */
  changedLimits: StoredControlParameters | null;
}
